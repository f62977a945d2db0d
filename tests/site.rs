//! `ranklore site`: the files, their links, what a second run writes and removes, and the names.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use crate::support::{Scratch, contest, large_contest};
use ranklore_contest::SourceName;
use ranklore_store::Store;

/// Returns all files of a folder, by their paths in it.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
                all.insert(name.to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    all
}

fn site(scratch: &Scratch) -> BTreeMap<String, Vec<u8>> {
    files(&scratch.path("public"))
}

fn text<'f>(files: &'f BTreeMap<String, Vec<u8>>, path: &str) -> &'f str {
    std::str::from_utf8(&files[path]).unwrap()
}

fn is_page(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "html")
}

/// Returns the values of `href`, `src` and `data-index` in a page.
fn links(page: &str) -> Vec<String> {
    let mut targets = Vec::new();
    for attribute in ["href=\"", "src=\"", "data-index=\""] {
        for (at, _) in page.match_indices(attribute) {
            let value = &page[at + attribute.len()..];
            targets.push(value[..value.find('"').unwrap()].to_owned());
        }
    }
    targets
}

/// Checks that each link of each page leads to a file of the site, and that there are more than
/// `least`. No link depends on the folder that the host has the site in.
#[track_caller]
fn assert_links_are_alive(files: &BTreeMap<String, Vec<u8>>, least: usize) {
    let mut count = 0;
    for path in files.keys().filter(|path| is_page(path)) {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for link in links(text(files, path)) {
            if link.starts_with('#') || link.starts_with("https://") {
                continue;
            }
            let target = match link.strip_prefix("../") {
                Some(target) if !folder.is_empty() => target.to_owned(),
                _ if folder.is_empty() => link.clone(),
                _ => format!("{folder}/{link}"),
            };
            assert!(files.contains_key(&target), "{path}: {link} is {target}");
            count += 1;
        }
    }
    assert!(count > least, "{count}");
}

#[test]
fn every_page_is_a_file_and_every_link_is_alive() {
    let scratch = Scratch::season();
    let run = scratch.ok(&["site", "club", "--to", "public"]);
    assert!(run.err.contains("public: about 6 competitors and 6 contests"), "{}", run.err);
    assert!(run.out.contains(" 0 unchanged, 0 removed"), "{}", run.out);
    let made = site(&scratch);
    assert_links_are_alive(&made, 50);
    for path in [
        "index.html",
        "leaderboard/index.html",
        "players/index.html",
        "contests/index.html",
        "player/ann.html",
        "contest/6.html",
        "style.css",
        "icon.svg",
        "search.js",
        "search/index.json",
    ] {
        assert!(made.contains_key(path), "{path}");
    }
    // Nothing in it needs a server.
    for (path, body) in &made {
        let body = String::from_utf8_lossy(body);
        let server = ["/api/", "action=", "href=\"/", "src=\"/"];
        let leak = server.iter().find(|server_path| body.contains(**server_path));
        assert_eq!(leak, None, "{path}");
    }
    assert!(text(&made, "player/ann.html").contains("<svg"));
    let json = scratch.json(&["site", "club", "--to", "public"]);
    assert_eq!(json["files"], made.len());
    assert_eq!(json["written"], 0);
    let bytes: usize = made.values().map(Vec::len).sum();
    assert_eq!(json["bytes"], bytes);
}

#[test]
fn second_run_writes_changed_pages_only() {
    let scratch = Scratch::season();
    scratch.ok(&["site", "--to", "public"]);
    let before = site(&scratch);
    let old = SystemTime::UNIX_EPOCH;
    for path in before.keys() {
        let file = fs::File::options().write(true).open(scratch.path("public").join(path));
        file.unwrap().set_modified(old).unwrap();
    }
    scratch.write("public/CNAME", "ratings.example.org");
    scratch.write("public/player/stranger.html", "not ours");
    scratch.write("public/contest/.unfinished-7", "half");
    // A contest of some of them.
    scratch.write("8.json", contest(8, 80, &[&["ann"], &["bea"], &["cy"]]));
    scratch.ok(&["import", "8.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let run = scratch.ok(&["site", "--to", "public"]);
    assert!(run.out.contains("1 removed"), "{}", run.out);
    let after = site(&scratch);
    assert_links_are_alive(&after, 50);
    assert!(after.contains_key("CNAME"), "files of others stay");
    assert!(!after.contains_key("player/stranger.html"), "not in the folders of the site");
    assert!(!after.contains_key("contest/.unfinished-7"));
    let touched = |path: &str| {
        let metadata = fs::metadata(scratch.path("public").join(path)).unwrap();
        metadata.modified().unwrap() != old
    };
    for path in before.keys() {
        assert_eq!(touched(path), before[path] != after[path], "{path}");
    }
    // Those who were not there keep their pages, although their places have changed.
    for path in [
        "player/dov.html",
        "player/eve.html",
        "contest/3.html",
        "style.css",
    ] {
        assert!(!touched(path), "{path}");
    }
    for path in [
        "player/ann.html",
        "contests/index.html",
        "leaderboard/index.html",
    ] {
        assert!(touched(path), "{path}");
    }
}

#[test]
fn pages_can_be_limited() {
    let scratch = Scratch::season();
    scratch.ok(&["site", "--to", "public", "--players", "2"]);
    let made = site(&scratch);
    assert_links_are_alive(&made, 50);
    let count = |made: &BTreeMap<String, Vec<u8>>, folder: &str| {
        made.keys().filter(|path| path.starts_with(folder)).count()
    };
    assert_eq!(count(&made, "player/"), 2);
    assert_eq!(count(&made, "contest/"), 6);
    let board = text(&made, "leaderboard/index.html");
    assert!(["ann", "bea", "cy", "dov", "eve"].iter().all(|name| board.contains(name)));
    let contests = scratch.json(&["players", "club"])["rows"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["contests"].as_u64().unwrap() >= 4)
        .count();
    scratch.ok(&["site", "--to", "public", "--min-contests", "4"]);
    assert_eq!(count(&site(&scratch), "player/"), contests);
    scratch.ok(&["site", "--to", "public", "--since", "2023-12-30"]);
    let recent = site(&scratch);
    assert_eq!(count(&recent, "contest/"), 2);
    assert_links_are_alive(&recent, 50);
    // A dry run writes nothing.
    let run = scratch.ok(&["site", "--to", "nowhere", "--dry-run"]);
    assert!(run.out.contains("nowhere: about 6 competitors"), "{}", run.out);
    assert!(!scratch.path("nowhere").exists());
    let json = scratch.json(&["site", "--to", "nowhere", "--dry-run"]);
    assert!(json["written"].is_null() && json["bytes"].as_u64() > Some(10_000));
}

#[test]
fn long_lists_have_several_pages() {
    let scratch = Scratch::new();
    scratch.write("1.json", large_contest(1, 1_100));
    scratch.ok(&["import", "1.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    scratch.ok(&["site", "--to", "public", "--players", "20"]);
    let made = site(&scratch);
    assert_links_are_alive(&made, 50);
    for name in ["contest/1", "leaderboard/index", "players/index"] {
        for ending in ["", ".2", ".3"] {
            assert!(made.contains_key(&format!("{name}{ending}.html")), "{name}{ending}");
        }
        assert!(!made.contains_key(&format!("{name}.4.html")), "{name}");
    }
    let last = text(&made, "contest/1.3.html");
    assert!(last.contains("1,001 to 1,100 of 1,100"), "{last}");
}

#[test]
fn folders_of_others_are_refused() {
    let scratch = Scratch::season();
    scratch.write("mine/index.html", "my own page");
    let refused = scratch.run(&["site", "--to", "mine"]);
    refused.exits(1).says("has \"index.html\", which is not of a site");
    assert_eq!(fs::read(scratch.path("mine/index.html")).unwrap(), b"my own page");
    // The site would have a file of this name, too.
    scratch.write("styled/style.css", "my own style");
    scratch
        .run(&["site", "--to", "styled"])
        .exits(1)
        .says("has \"style.css\", which is not of a site");
    scratch.write("file", "");
    scratch.run(&["site", "--to", "file"]).exits(1).says("is not a folder");
    scratch.ok(&["site", "--to", "public"]);
    scratch.write("9.json", contest(9, 90, &[&["zed"], &["yan"], &["xi"]]));
    scratch.ok(&["import", "9.json", "--source", "other"]);
    let refused = scratch.run(&["site", "other", "--to", "public"]);
    refused.exits(1).says("has the site of \"club\"");
    // Pages would be written, and others removed, in another folder.
    #[cfg(unix)]
    {
        fs::create_dir_all(scratch.path("linked")).unwrap();
        scratch.write("precious/file", "mine");
        std::os::unix::fs::symlink(scratch.path("precious"), scratch.path("linked/player"))
            .unwrap();
        scratch
            .run(&["site", "club", "--to", "linked"])
            .exits(1)
            .says("has the link \"player\"");
        assert!(scratch.path("precious/file").exists());
    }
    // A source without ratings has lists and contests, and no links to other pages.
    let unrated = scratch.ok(&["site", "other", "--to", "unrated"]);
    assert!(unrated.err.contains("rate it first: ranklore rate other"));
    let made = files(&scratch.path("unrated"));
    assert!(made.contains_key("contest/9.html") && made.contains_key("players/index.html"));
    assert_links_are_alive(&made, 20);
    // What cannot be written is an error with the file.
    fs::remove_file(scratch.path("public/player/ann.html")).unwrap();
    fs::create_dir(scratch.path("public/player/ann.html")).unwrap();
    let failed = scratch.run(&["site", "club", "--to", "public"]);
    failed.exits(1).says("cannot write").says("ann.html");
}

#[test]
fn forgotten_person_leaves_the_site() {
    const NAME: &str = "Wilhelmina Ottoline";
    let scratch = Scratch::new();
    for id in 1..=3 {
        let round = contest(id, id, &[&["ada"], &[NAME], &["cy"]]);
        scratch.write(&format!("rounds/{id}.json"), round);
    }
    scratch.ok(&["import", "rounds", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    scratch.ok(&["site", "--to", "public"]);
    let has_name = |made: &BTreeMap<String, Vec<u8>>| {
        let bytes = made
            .iter()
            .map(|(path, body)| format!("{path} {}", String::from_utf8_lossy(body)).to_lowercase());
        bytes.filter(|text| text.contains("wilhelmina")).count()
    };
    assert!(has_name(&site(&scratch)) > 5);
    scratch.ok(&["forget", "--yes", "club", NAME]);
    scratch.ok(&["rate", "club"]);
    scratch.ok(&["site", "--to", "public"]);
    let made = site(&scratch);
    assert_eq!(has_name(&made), 0);
    assert_links_are_alive(&made, 50);
}

#[test]
fn names_follow_the_policy() {
    let scratch = Scratch::new();
    for id in 1..=3 {
        scratch.write(
            &format!("{id}.json"),
            contest(id, id * 10, &[&["Wyn Vale"], &["Bea Moor"], &["Cyd Oar"]]),
        );
    }
    scratch.ok(&["import", ".", "--source", "ball"]);
    let mut writer = Store::open_writer(scratch.db(), "a test").unwrap();
    let source = writer.source_id(&SourceName::new("ball").unwrap()).unwrap();
    let mut batch = writer.batch().unwrap();
    batch.require_pseudonyms(source.unwrap()).unwrap();
    batch.commit().unwrap();
    drop(writer);
    scratch.ok(&["rate", "ball"]);
    scratch.ok(&["site", "--to", "public"]);
    let made = site(&scratch);
    assert_links_are_alive(&made, 50);
    for (path, body) in &made {
        let body = format!("{path} {}", String::from_utf8_lossy(body)).to_lowercase();
        for name in ["wyn", "vale", "bea", "moor", "cyd", "oar "] {
            // "board" and the like are words of the pages.
            assert!(!body.contains(&format!(">{name}")), "{path} has {name}");
            assert!(!path.contains(name), "{path}");
        }
    }
    let has_pseudonyms = |path: &&String| path.starts_with("player/person-");
    assert_eq!(made.keys().filter(has_pseudonyms).count(), 3);
    // Terms that forbid publishing forbid a site.
    scratch.write("t.json", contest(1, 1, &[&["a"], &["b"], &["c"]]));
    scratch.ok(&["import", "t.json", "--source", "topcoder"]);
    scratch
        .run(&["site", "topcoder", "--to", "forbidden"])
        .exits(1)
        .says("--i-have-permission");
    assert!(!scratch.path("forbidden").exists());
    scratch.ok(&[
        "site",
        "topcoder",
        "--to",
        "forbidden",
        "--i-have-permission",
    ]);
}

#[test]
fn hostile_names_make_safe_files() {
    let long = "x".repeat(900);
    let hostile = [
        "../../escape",
        "<script>alert(1)</script>",
        "\"quoted\" & 'single'",
        "\u{202e}right to left",
        "index",
        "INDEX",
        "nul",
        &long,
        "ann",
        "Ann",
    ];
    let scratch = Scratch::new();
    let groups: Vec<Vec<&str>> = hostile.iter().map(|name| vec![*name]).collect();
    let groups: Vec<&[&str]> = groups.iter().map(Vec::as_slice).collect();
    for id in 1..=2 {
        scratch.write(&format!("{id}.csv"), {
            let rows = groups
                .iter()
                .zip(1..)
                .map(|(group, place)| format!("{place},\"{}\"\n", group[0].replace('"', "\"\"")));
            // The same bytes with another start would be the same contest.
            format!("place,player,night {id}\n{}", rows.collect::<String>())
        });
        let file = format!("{id}.csv");
        let day = format!("2024-01-0{id}");
        scratch.ok(&["import", &file, "--source", "club", "--start", &day]);
    }
    scratch.ok(&["rate", "club"]);
    scratch.ok(&["site", "--to", "public"]);
    let made = site(&scratch);
    assert_links_are_alive(&made, 50);
    assert_eq!(made.keys().filter(|path| path.starts_with("player/")).count(), hostile.len());
    let lower: std::collections::BTreeSet<String> =
        made.keys().map(|path| path.to_lowercase()).collect();
    assert_eq!(lower.len(), made.len(), "names differ without case");
    for (path, body) in &made {
        let is_safe = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
        assert!(path.chars().all(is_safe) && !path.contains(".."), "{path}");
        if is_page(path) {
            let body = String::from_utf8_lossy(body);
            assert!(!body.contains("<script>alert"), "{path}");
        }
    }
    assert!(!scratch.path("escape").exists() && !scratch.path("../escape").exists());
}

/// Runs the commands of the workflow, with an import in place of the sync.
#[test]
fn workflow_has_valid_commands() {
    let workflow = include_str!("../docs/publish-site.yml");
    let lines = workflow.lines().map(str::trim);
    let commands: Vec<&str> = lines.filter_map(|line| line.strip_prefix("ranklore ")).collect();
    let [sync, rate, site] = commands[..] else {
        panic!("{commands:?}");
    };
    assert_eq!(sync, "mine \"$SOURCE\" || test $? -eq 3");
    let scratch = Scratch::season();
    for command in [rate, site] {
        let words = command.replace("\"$SOURCE\"", "club");
        scratch.ok(&words.split(' ').collect::<Vec<_>>());
    }
    assert!(scratch.path("public/index.html").exists());
}
