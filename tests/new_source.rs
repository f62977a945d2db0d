//! `ranklore new-source`: the files written, and that they compile and list what is missing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::{CommandOutput, Scratch, fixtures};
use ranklore_test_support::{Reply, Server};
use serde_json::json;

/// The files of a skeleton.
const EXPECTED_FILES: [&str; 6] = [
    "Cargo.toml",
    "README.md",
    "src/lib.rs",
    "tests/source.rs",
    "fixtures/list.json",
    "fixtures/results.json",
];

fn repository() -> PathBuf {
    fs::canonicalize(fixtures().join("..")).unwrap()
}

/// Returns the manifest of a checkout that contains only the new crate and refers to the crates of
/// this repository.
fn manifest() -> String {
    let manifest = fs::read_to_string(repository().join("Cargo.toml")).unwrap();
    let crates = format!("path = \"{}/crates/", repository().display());
    let members = r#"members = ["crates/*", "examples/*"]"#;
    assert!(manifest.contains(members));
    // The crates are compiled again for this checkout: optimised, that would take minutes.
    let is_optimised = |section: &&str| section.starts_with("profile.test.package.ranklore-");
    let sections = manifest.split("\n[").filter(|section| !is_optimised(section));
    sections
        .collect::<Vec<_>>()
        .join("\n[")
        .replace(members, r#"members = ["crates/*"]"#)
        .replace(r#"default-members = ["crates/ranklore"]"#, "")
        .replace(r#"path = "crates/"#, &crates)
}

/// Returns a scratch folder with such a checkout in `checkout`.
fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("checkout/Cargo.toml", manifest());
    scratch.write("checkout/crates/inner/folder/file", "");
    scratch
}

#[test]
fn crate_is_written_and_next_steps_printed() {
    let scratch = scratch();
    let inner = "checkout/crates/inner/folder";
    let done = scratch.ok(&["new-source", "ctf-north", "--folder", inner]);
    assert_eq!(done.out.lines().count(), EXPECTED_FILES.len());
    for file in EXPECTED_FILES {
        assert!(done.out.contains(file), "{file} in {}", done.out);
        let path = format!("checkout/crates/ranklore-ctf-north/{file}");
        assert!(scratch.path(&path).is_file(), "{path}");
    }
    for line in [
        "cargo test -p ranklore-ctf-north",
        r#"ranklore-ctf-north = { path = "crates/ranklore-ctf-north", version = "0.1.0" }"#,
        "ranklore-ctf-north.workspace = true",
        "&ranklore_ctf_north::REGISTRATION,",
    ] {
        assert!(done.err.contains(line), "{line} in {}", done.err);
    }
    assert_eq!(scratch.list("."), ["checkout"], "no other file");
}

#[test]
fn json_lists_written_files() {
    let scratch = scratch();
    let done = scratch.ok(&["new-source", "north", "--folder", "checkout", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(report["crate"], "ranklore-north");
    assert_eq!(report["type"], "North");
    assert_eq!(report["files"].as_array().unwrap().len(), EXPECTED_FILES.len());
    assert!(Path::new(report["folder"].as_str().unwrap()).is_dir());
}

#[test]
fn existing_crate_is_never_overwritten() {
    let scratch = scratch();
    scratch.write("checkout/crates/ranklore-north/src/lib.rs", "mine");
    scratch
        .run(&["new-source", "north", "--folder", "checkout"])
        .exits(1)
        .says("crates/ranklore-north exists already");
    assert_eq!(scratch.list("checkout/crates/ranklore-north"), ["src"]);
    let library = fs::read(scratch.path("checkout/crates/ranklore-north/src/lib.rs")).unwrap();
    assert_eq!(library, b"mine");
}

#[test]
fn invalid_names_and_folders_are_refused() {
    let scratch = scratch();
    for (name, message) in [
        ("../north", "not a source name"),
        ("North", "not a valid crate name"),
        ("north.league", "not a valid crate name"),
        ("request", "choose a longer name"),
    ] {
        scratch
            .run(&["new-source", name, "--folder", "checkout"])
            .exits(1)
            .says(message);
    }
    assert_eq!(scratch.list("checkout/crates"), ["inner"]);
    // Outside a checkout.
    scratch
        .run(&["new-source", "north"])
        .exits(1)
        .says("is not in a checkout of Ranklore")
        .says("--folder");
    assert_eq!(scratch.list("."), ["checkout"]);
}

fn target_folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap()
}

fn cargo(checkout: &Path, arguments: &[&str]) -> Output {
    let mut cargo = Command::new(env!("CARGO"));
    // Build scripts that read this test's environment would run again each time.
    let of_this_test = std::env::vars_os().map(|(name, _)| name).filter(|name| {
        let name = name.to_string_lossy();
        name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") || name == "OUT_DIR"
    });
    for name in of_this_test {
        cargo.env_remove(name);
    }
    cargo
        .args(arguments)
        .current_dir(checkout)
        // Reuses what was compiled for this test.
        .env("CARGO_TARGET_DIR", target_folder())
        .output()
        .unwrap()
}

/// Runs the tests; returns their names with true if passed, and the output.
fn run_tests(checkout: &Path, crate_name: &str) -> (Vec<(String, bool)>, String) {
    let output = cargo(checkout, &["test", "--offline", "--tests", "-p", crate_name]);
    let out = String::from_utf8(output.stdout).unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    // The place of a compiler warning.
    assert!(!err.contains("--> crates/"), "{err}");
    let results = out.lines().filter_map(|line| {
        let (name, result) = line.strip_prefix("test step_")?.split_once(" ... ")?;
        Some((name.to_owned(), result == "ok"))
    });
    let mut results: Vec<_> = results.collect();
    results.sort();
    assert_eq!(results.len(), 7, "{out}{err}");
    (results, out)
}

fn replace_in_file(path: &Path, replacements: &[(&str, &str)]) {
    let mut text = fs::read_to_string(path).unwrap();
    for (from, to) in replacements {
        assert!(text.contains(from), "{from} in {}", path.display());
        text = text.replace(from, to);
    }
    fs::write(path, text).unwrap();
}

#[test]
fn skeleton_compiles_fails_tests_and_passes_filled_in() {
    // Always the same folder, or every run would leave another build behind.
    let checkout = Path::new(env!("CARGO_TARGET_TMPDIR")).join("new-source");
    if checkout.exists() {
        fs::remove_dir_all(&checkout).unwrap();
    }
    fs::create_dir_all(checkout.join("crates")).unwrap();
    fs::write(checkout.join("Cargo.toml"), manifest()).unwrap();
    let lock = repository().join("Cargo.lock");
    fs::copy(lock, checkout.join("Cargo.lock")).unwrap();
    let folder = checkout.to_str().unwrap();
    let next = Scratch::new().ok(&["new-source", "lanternleague", "--folder", folder]);
    let written = checkout.join("crates/ranklore-lanternleague");

    let (results, out) = run_tests(&checkout, "ranklore-lanternleague");
    assert!(results.iter().all(|(_, passed)| !passed), "{results:?}");
    let fmt = |option| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["fmt", option]).current_dir(&checkout).output().unwrap()
    };
    // rustfmt may be missing locally; CI has it.
    if fmt("--version").status.success() {
        let checked = fmt("--check");
        assert!(checked.status.success(), "{checked:?}");
    }
    for message in [
        "fill in PROFILE in src/lib.rs",
        "fill in fixtures/list.json",
        "fill in initial_requests() in src/lib.rs",
    ] {
        assert!(out.contains(message), "{message} in {out}");
    }

    // The failing tests name the next step one after the other.
    let tests = written.join("tests/source.rs");
    let example = repository().join("examples/ranklore-lanternleague");
    fs::copy(example.join("fixtures/rounds.json"), written.join("fixtures/list.json")).unwrap();
    fs::copy(example.join("fixtures/round-1.json"), written.join("fixtures/results.json")).unwrap();
    replace_in_file(
        &written.join("src/lib.rs"),
        &[
            ("LIST: &str = \"\"", "LIST: &str = \"api/rounds\""),
            ("RESULTS: &str = \"\"", "RESULTS: &str = \"api/rounds/\""),
            (
                "Vec::new()",
                "vec![Request::get(LIST, ranklore_source::MediaKind::Json, \"the list of rounds\")]",
            ),
        ],
    );
    let (results, out) = run_tests(&checkout, "ranklore-lanternleague");
    let passed = results.iter().filter(|(_, passed)| *passed);
    let passed: Vec<&str> = passed.map(|(name, _)| name.as_str()).collect();
    assert_eq!(passed, ["3_it_asks_for_the_list_of_contests"]);
    for message in [
        "fill in CONTESTS in tests/source.rs",
        "fill in classify() in src/lib.rs",
        "fill in read_list() in src/lib.rs",
    ] {
        assert!(out.contains(message), "{message} in {out}");
    }

    // With the code of the example all tests pass.
    let source = fs::read_to_string(example.join("src/lib.rs")).unwrap();
    fs::write(written.join("src/lib.rs"), source.replace(".example", ".test")).unwrap();
    replace_in_file(
        &tests,
        &[
            ("CONTESTS: usize = 0", "CONTESTS: usize = 4"),
            ("CONTEST: &str = \"\"", "CONTEST: &str = \"1\""),
            ("= [\"\", \"\"]", "= [\"wren\", \"juniper\"]"),
            ("&[&str] = &[]", "&[&str] = &[\"rows[].rank\"]"),
        ],
    );
    let (results, out) = run_tests(&checkout, "ranklore-lanternleague");
    assert!(results.iter().all(|(_, passed)| *passed), "{out}");
    // Registered by the printed lines, the program mines the new site.
    let program = register_source(&checkout, &next.err);
    assert_source_works(&program, &example);
}

/// Builds the program in a checkout, with the printed lines added to the crates that need them.
fn register_source(checkout: &Path, steps: &str) -> PathBuf {
    for folder in ["crates/ranklore", "crates/ranklore-ingest", "fixtures/demo"] {
        copy_folder(&repository().join(folder), &checkout.join(folder));
    }
    let step = |file: &str| {
        let mut lines = steps.lines().skip_while(|line| !line.contains(file)).skip(1);
        lines.next().unwrap().trim().to_owned()
    };
    let insert = |file: &str, before: &str, line: &str| {
        replace_in_file(&checkout.join(file), &[(before, &format!("{line}\n{before}"))]);
    };
    let root = "Cargo.toml";
    let ingest = "crates/ranklore-ingest/Cargo.toml";
    let registry = "crates/ranklore-ingest/src/registry.rs";
    insert(root, "ranklore-ingest = {", &step(&format!("  {root}, ")));
    insert(ingest, "ranklore-o2cm.workspace", &step(ingest));
    insert(registry, "    &ranklore_o2cm::REGISTRATION,", &step(registry));
    let depended = format!("path = \"{}/crates/ranklore-ingest\"", repository().display());
    let here = "path = \"crates/ranklore-ingest\"";
    replace_in_file(&checkout.join(root), &[(&depended, here)]);
    // Named differently, or it would replace the program under test. Without its tests.
    let manifest = checkout.join("crates/ranklore/Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    let (text, _) = text.split_once("[[test]]").unwrap();
    let text = text.replace("name = \"ranklore\"", &format!("name = \"{REGISTERED_PROGRAM}\""));
    fs::write(&manifest, text).unwrap();
    let built = cargo(
        checkout,
        &[
            "build",
            "--offline",
            "--profile",
            "test",
            "--bin",
            REGISTERED_PROGRAM,
        ],
    );
    let err = String::from_utf8(built.stderr).unwrap();
    assert!(built.status.success(), "{err}");
    let program = format!("{REGISTERED_PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    target_folder().join("debug").join(program)
}

/// The program with the additional site.
const REGISTERED_PROGRAM: &str = "ranklore-with-lanternleague";

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let copy = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_folder(&path, &copy);
        } else {
            fs::copy(&path, &copy).unwrap();
        }
    }
}

/// Mines an imitated site, rates, exports, and imports the dataset into a new database.
fn assert_source_works(program: &Path, example: &Path) {
    let site = Server::new();
    for (target, file) in [
        ("GET /api/rounds", "rounds.json"),
        ("GET /api/rounds/1", "round-1.json"),
        ("GET /api/rounds/2", "round-2.json"),
    ] {
        let body = fs::read(example.join("fixtures").join(file)).unwrap();
        site.set_replies(target, [Reply::new(200, "application/json", body)]);
    }
    let scratch = Scratch::new();
    let other = Scratch::new();
    let run = |scratch: &Scratch, arguments: &[&str]| {
        let mut command = Command::new(program);
        let arguments = [arguments, &["--json"]].concat();
        command.args(arguments).current_dir(scratch.path("."));
        CommandOutput::run(command).exits(0).json()
    };
    let mirror = ["--base-url", site.url(), "--interval", "0"];
    let mined = run(&scratch, &[&["mine", "lanternleague"], &mirror[..]].concat());
    assert_eq!((&mined["contests"]["added"], &mined["results"]), (&json!(2), &json!(9)));
    run(&scratch, &["rate", "lanternleague"]);
    let leaderboard = ["leaderboard", "lanternleague", "--min-contests", "1"];
    let board = run(&scratch, &leaderboard);
    assert_eq!(board["rows"].as_array().unwrap().len(), 6, "{board}");
    run(&scratch, &["export", "lanternleague", "--to", "out"]);
    let folder = scratch.path("out");
    let imported = run(&other, &["import", folder.to_str().unwrap()]);
    assert_eq!(imported["contests"]["added"], 2, "{imported}");
    run(&other, &["rate", "lanternleague"]);
    assert_eq!(run(&other, &leaderboard), board);
    // The responses are archived and can be read again.
    run(&scratch, &["rebuild"]);
    assert_eq!(run(&scratch, &leaderboard), board);
}
