//! Imports one table from every container and form, and through standard input.

mod bombs;
mod forms;

use std::io::{Cursor, Write};
use std::process::{Command, Stdio};

use crate::support::{CommandOutput, RANKLORE, Scratch};

const TABLE: &str = "\
contest,date,place,player,club
Spring Cup,2024-03-01,1,Zoë Alder,North
Spring Cup,2024-03-01,T2,Bram Okoro,West
Spring Cup,2024-03-01,T2,Ida Castle,
Summer Cup,2024-06-02 18:30,1,Bram Okoro,West
Summer Cup,2024-06-02 18:30,dnf,Zoë Alder,North
";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn tar(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_ustar();
    header.set_size(bytes.len() as u64);
    tar.append_data(&mut header, name, bytes).unwrap();
    tar.into_inner().unwrap()
}

fn zip(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(bytes).unwrap();
    zip.finish().unwrap().into_inner()
}

/// Runs a command with bytes as its standard input.
fn run_with_input(scratch: &Scratch, arguments: &[&str], input: &[u8]) -> CommandOutput {
    let mut child = Command::new(RANKLORE)
        .current_dir(scratch.path("."))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A refused command may not read it.
    drop(child.stdin.take().unwrap().write_all(input));
    let output = child.wait_with_output().unwrap();
    CommandOutput {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn content_hash(scratch: &Scratch) -> String {
    scratch.ok(&["check", "--hash"]).out
}

#[test]
fn table_in_every_container_is_imported_alike() {
    let table = TABLE.as_bytes();
    let tabs = TABLE.replace(',', "\t");
    let expected = {
        let scratch = Scratch::new();
        scratch.write("cup.csv", table);
        scratch.ok(&["import", "cup.csv", "--source", "club"]);
        content_hash(&scratch)
    };
    for (name, bytes) in [
        ("cup.tsv", tabs.clone().into_bytes()),
        ("cup.csv.gz", gzip(table)),
        ("cup.csv.zst", zstd::bulk::compress(table, 1).unwrap()),
        ("cups.tar", tar("cup.csv", table)),
        ("cups.tar.gz", gzip(&tar("cup.csv", table))),
        ("cups.tar.zst", zstd::bulk::compress(&tar("cup.csv", table), 1).unwrap()),
        ("cups.zip", zip("cup.csv", table)),
    ] {
        let scratch = Scratch::new();
        scratch.write(name, bytes);
        scratch.ok(&["import", name, "--source", "club"]);
        assert_eq!(content_hash(&scratch), expected, "{name}");
        // The archive holds the table itself, so the container is not needed again.
        scratch.ok(&["rebuild", "club"]);
        assert_eq!(content_hash(&scratch), expected, "{name}, rebuilt");
    }
    for (input, options) in [
        (table.to_vec(), &["--format", "csv"][..]),
        (gzip(table), &["--as", "cup.csv"]),
        (
            zstd::bulk::compress(table, 1).unwrap(),
            &["--format", "table", "--as", "cup.csv"],
        ),
        (tabs.into_bytes(), &["--format", "tsv"]),
    ] {
        let scratch = Scratch::new();
        let arguments = [&["import", "-", "--source", "club"], options].concat();
        let run = run_with_input(&scratch, &arguments, &input);
        assert_eq!(run.code, Some(0), "{options:?}: {}", run.err);
        assert_eq!(content_hash(&scratch), expected, "{options:?}");
    }
}

#[test]
fn name_of_standard_input_names_its_document() {
    let scratch = Scratch::new();
    let table = "place,player\n1,Ada Lark\n2,Bea Fox\n";
    let import = ["import", "-", "--source", "club"];
    let refused = run_with_input(&scratch, &import, table.as_bytes());
    assert_eq!(refused.code, Some(1), "{}", refused.out);
    for word in ["--format", "--as"] {
        assert!(refused.err.contains(word), "{}", refused.err);
    }
    assert!(!scratch.db().exists());
    let unnamed = [&import[..], &["--format", "csv", "--replace"]].concat();
    let refused = run_with_input(&scratch, &unnamed, table.as_bytes());
    assert_eq!(refused.code, Some(2), "{}", refused.out);
    assert!(refused.err.contains("--as NAME"), "{}", refused.err);
    let archive = [&import[..], &["--as", "runs.tar.gz"]].concat();
    let refused = run_with_input(&scratch, &archive, table.as_bytes());
    assert_eq!(refused.code, Some(1), "{}", refused.out);
    let refusal = "an archive cannot be read from standard input";
    assert!(refused.err.contains(refusal), "{}", refused.err);
    assert!(!scratch.db().exists());
    let named = [&import[..], &["--as", "run 2024-03-01.csv.gz"]].concat();
    let run = run_with_input(&scratch, &named, &gzip(table.as_bytes()));
    assert_eq!(run.code, Some(0), "{}", run.err);
    let named = [&import[..], &["--as", "run 2024-03-01.csv"]].concat();
    let again = run_with_input(&scratch, &named, table.as_bytes());
    assert!(again.out.contains("1 unchanged"), "{}", again.out);
    assert_eq!(
        scratch.rows("SELECT name, date(ends_at, 'unixepoch') FROM contest"),
        ["run 2024-03-01|2024-03-01"]
    );
}

#[test]
fn scoreboard_of_a_contest_api_is_imported_and_rebuilt() {
    let scratch = Scratch::new();
    let contest = r#"{"name":"Harbour","start_time":"2024-05-04T10:00:00Z","duration":"5:00:00"}"#;
    let teams = r#"[{"id":"1","name":"Gulls"},{"id":"2","name":"Brass Lamp"}]"#;
    let scoreboard = r#"{"state":{"ended":"x"},"rows":[
        {"rank":1,"team_id":"2","score":{"num_solved":3,"total_time":61}},
        {"rank":2,"team_id":"1","score":{"num_solved":0,"total_time":0}}]}"#;
    scratch.write("harbour/contest.json", contest);
    scratch.write("harbour/scoreboard.json", scoreboard);
    // Other endpoints are no documents.
    scratch.write("harbour/groups.json", "[]");
    let import = ["import", "harbour", "--source", "icpc", "--format", "icpc"];
    let lacking = scratch.run(&import).exits(3);
    assert!(lacking.err.contains("teams.json"), "{}", lacking.err);
    scratch.write("harbour/teams.json", teams);
    scratch.ok(&import);
    let contests = "SELECT name, ends_at, entrants, state FROM contest";
    let provisional = ["Harbour|1714834800|2|provisional"];
    assert_eq!(scratch.rows(contests), provisional);
    let before = content_hash(&scratch);
    scratch.ok(&["rebuild", "icpc"]);
    assert_eq!(content_hash(&scratch), before);
    let finalized = r#"{"ended":"x","finalized":"x"}"#;
    let scoreboard = scoreboard.replace(r#"{"ended":"x"}"#, finalized);
    scratch.write("harbour/scoreboard.json", scoreboard);
    scratch.ok(&import);
    assert_eq!(scratch.rows(contests), ["Harbour|1714834800|2|final"]);
}
