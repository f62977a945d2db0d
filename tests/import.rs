//! Results of importing the fixtures, and repeated imports.

use crate::support::{Scratch, archive, contest, fixtures};
use serde_json::json;

const CONTESTS: &str = "SELECT name, date(ends_at, 'unixepoch'), entrants FROM contest
     ORDER BY ends_at, ordinal, contest_id";

/// Imports a file of fixtures/import; returns the contests.
fn import_fixture(file: &str, options: &[&str], code: i32) -> (Scratch, Vec<String>) {
    let scratch = Scratch::new();
    let path = fixtures().join("import").join(file);
    let arguments = ["import", path.to_str().unwrap(), "--source", "club"];
    scratch.run(&[&arguments, options].concat()).exits(code);
    let contests = scratch.rows(CONTESTS);
    (scratch, contests)
}

#[test]
fn club_fixture_is_imported_exactly() {
    let scratch = Scratch::club();
    assert_eq!(
        scratch.rows(
            "SELECT external_id, ends_at, weight, performance_ceiling, entrants, state, rated
             FROM contest ORDER BY ends_at"
        ),
        [
            "1|1694116800|1|-|7|final|1",
            "2|1695326400|0.5|-|7|final|1",
            "3|1696536000|1|1600|5|final|1",
            "4|1697745600|1|-|5|final|1",
            "5|1698955200|1|-|1|final|1",
            "6|1700164800|1|-|8|final|1",
        ]
    );
    assert_eq!(
        scratch.rows(
            "SELECT place, competitor.name FROM standing JOIN competitor USING (competitor_id)
             JOIN contest USING (contest_id) WHERE contest.external_id = '2' ORDER BY 1, 2"
        ),
        [
            "1|Halvard Stoyne",
            "1|Oona Pereskaya",
            "3|Zuleikha Márn",
            "4|wicker_jo",
            "5|brindle_otter",
            "5|mika.tessel",
            "5|quince_77"
        ]
    );
    assert_eq!(scratch.count("SELECT count(*) FROM document"), 6);
    assert_eq!(scratch.store().check().unwrap(), []);
}

#[test]
fn scoreboard_takes_name_and_date_from_file_name() {
    let scratch = Scratch::new();
    let feed = r#"{"tasks":[],"standings":[{"pos":1,"team":"Segfault Gulls","score":1234},
        {"pos":2,"team":"Off By None","score":900.5},{"pos":2,"team":"Brass Lamp","score":900.5}]}"#;
    scratch.write("in/Harbour CTF 2024-06-01.json", feed);
    let import = ["import", "in", "--source", "ctf"];
    // As a table it says the same.
    let table = Scratch::new();
    table.write("in/Harbour CTF 2024-06-01.json", feed);
    table.ok(&import);
    let import = [&import[..], &["--format", "ctftime-feed"]].concat();
    let dry = scratch.json(&[&import[..], &["--dry-run"]].concat());
    assert_eq!(dry["contests"][0]["name"], "Harbour CTF 2024-06-01");
    scratch.ok(&import);
    assert_eq!(scratch.rows(CONTESTS), ["Harbour CTF 2024-06-01|2024-06-01|3"]);
    assert_eq!(table.content_hash(), scratch.content_hash());
    assert_eq!(
        scratch.rows(
            "SELECT place, kind, name, score FROM standing JOIN competitor USING (competitor_id)
             ORDER BY 1, 3"
        ),
        [
            "1|team|Segfault Gulls|1234",
            "2|team|Brass Lamp|900.5",
            "2|team|Off By None|900.5"
        ]
    );
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
    scratch.write("board.json", feed.replace("Brass Lamp", "Iron Lamp"));
    let board = [
        "import",
        "board.json",
        "--source",
        "ctf",
        "--format",
        "ctftime-feed",
    ];
    assert!(scratch.run(&board).exits(3).err.contains("--start"));
    scratch.ok(&[&board[..], &["--start", "2024-07-01"]].concat());
    assert_eq!(scratch.rows(CONTESTS)[1], "board|2024-07-01|3");
    scratch.ok(&["rate", "ctf"]);
}

#[test]
fn odd_scoreboard_is_imported_with_warnings() {
    let scratch = Scratch::new();
    let feed = r#"{"standings":[{"pos":1,"team":"Segfault Gulls","score":"1234.50"},
        {"pos":2,"team":"Off By None","score":"900"},{"pos":3,"team":"Segfault Gulls","score":"12"}]}"#;
    scratch.write("Harbour 2024-06-01.json", feed);
    let import = [
        "import",
        "Harbour 2024-06-01.json",
        "--source",
        "ctf",
        "--format",
        "ctftime-feed",
    ];
    let dry = scratch.json(&[&import[..], &["--dry-run"]].concat());
    let imported = scratch.run(&import).exits(0);
    for warning in ["3 of 3 scores are text", "2 teams are called"] {
        assert!(imported.err.contains(warning), "{}", imported.err);
    }
    let again = scratch.json(&import);
    assert_eq!(again["contests"], json!({"added": 0, "revised": 0, "unchanged": 1}));
    assert_eq!(again["warnings"], dry["warnings"]);
    let warning = &again["warnings"][1];
    assert_eq!(warning["document"], "Harbour 2024-06-01.json");
    assert!(warning["what"].as_str().unwrap().contains("(2)"));
    let names = "SELECT name FROM standing JOIN competitor USING (competitor_id) ORDER BY place";
    assert_eq!(scratch.rows(names), ["Segfault Gulls (1)", "Off By None", "Segfault Gulls (2)"]);
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn unordered_contest_is_stored_and_not_rated() {
    let scratch = Scratch::club();
    let rated = scratch.json(&["rate", "club"]);
    assert_eq!(rated[0]["contests"], 4);
    assert_eq!(rated[0]["results"], 27);
    assert_eq!(rated[0]["without_order"], 2);
    assert_eq!(
        scratch.rows(
            "SELECT external_id, count(*) FROM rating JOIN contest USING (contest_id)
             GROUP BY 1 ORDER BY 1"
        ),
        ["1|7", "2|7", "3|5", "6|8"]
    );
    // The ceiling of 1600 binds in contest 3, whose winner performed better.
    let above = "SELECT count(*) FROM rating JOIN contest USING (contest_id)
         WHERE external_id = '3' AND performance > 1600";
    assert_eq!(scratch.count(above), 0);
    // Contests without an order do not count: wicker_jo was alone in contest 5.
    let board = scratch.json(&["leaderboard", "club"]);
    let rows = board["rows"].as_array().unwrap();
    let wicker = rows.iter().find(|row| row["name"] == "wicker_jo").unwrap();
    assert_eq!(wicker["contests"], 3);
    assert_eq!(wicker["last_contest_at"], 1_700_164_800);
    let evaluated = scratch.json(&["evaluate", "club"]);
    assert_eq!(evaluated["slices"][0]["slice"], "everybody");
    assert_eq!(evaluated["slices"][0]["contests"], 3);
    assert_eq!(evaluated["slices"][0]["results"], 19);
    assert_eq!(evaluated["slices"][1]["results"], 0);
    assert!(evaluated["slices"][1]["pair_inversion"].is_null());
}

#[test]
fn weight_and_ceiling_change_the_ratings() {
    let sigma = |weight: &str, ceiling: &str| {
        let scratch = Scratch::new();
        let mut file: serde_json::Value =
            serde_json::from_str(&contest(1, 0, &[&["a"], &["b"], &["c"]])).unwrap();
        file["weight"] = weight.parse().unwrap();
        file["perf_ceiling"] = ceiling.parse().unwrap();
        scratch.write("a.json", file.to_string());
        scratch.ok(&["import", "a.json", "--source", "a"]);
        scratch.ok(&["rate", "a"]);
        let winner = "SELECT sigma, performance FROM rating ORDER BY performance DESC";
        let row = scratch.rows(winner)[0].clone();
        let (sigma, performance) = row.split_once('|').unwrap();
        (sigma.parse::<f64>().unwrap(), performance.parse::<f64>().unwrap())
    };
    let (plain, performance) = sigma("1", "null");
    assert!(sigma("0.5", "null").0 > plain + 1.0, "half a contest teaches less");
    assert!(performance > 1550.0);
    assert!(sigma("1", "1550").1 <= 1550.0);
}

#[test]
fn long_csv_is_imported() {
    let (scratch, contests) = import_fixture("long.csv", &[], 0);
    assert_eq!(contests, ["Spring Run|2024-03-01|4", "Summer Run|2024-06-02|3"]);
    let unplaced = "SELECT competitor.name, status, place FROM standing
         JOIN competitor USING (competitor_id) WHERE status IS NOT NULL ORDER BY 1";
    assert_eq!(scratch.rows(unplaced), ["Castle, Ida|dq|-", "Dov Lindqvist|dnf|-"]);
}

#[test]
fn semicolons_latin1_and_starting_ratings_are_read() {
    let (scratch, contests) = import_fixture("long-semicolon-latin1.csv", &[], 0);
    assert_eq!(contests, ["Frühlingslauf|2024-03-01|3", "Sommerlauf|2024-06-02|2"]);
    assert_eq!(
        scratch.rows("SELECT name, start_mu, start_sigma FROM competitor ORDER BY 1"),
        ["Bram Okoro|1450|-", "Jörg Käfer|-|-", "Zoë Alder|1600|-"]
    );
}

#[test]
fn teams_with_members_in_divisions_are_imported() {
    let (scratch, contests) = import_fixture("teams.tsv", &[], 0);
    assert_eq!(contests, ["Harbour CTF|2024-10-05|2", "Harbour CTF|2024-10-05|2"]);
    assert_eq!(
        scratch.rows("SELECT division, event, ordinal FROM contest ORDER BY ordinal"),
        ["Junior|Harbour CTF|1", "Open|Harbour CTF|2"]
    );
    assert_eq!(scratch.count("SELECT count(*) FROM member"), 4);
    // A single division gives its own run.
    let rated = scratch.json(&["rate", "club", "--division", "Open"]);
    assert_eq!(rated[0]["contests"], 1);
    scratch.run(&["rate", "club", "--division", "Seniors"]).exits(1).says("Seniors");
}

#[test]
fn wide_tables_are_imported() {
    let (_, contests) = import_fixture("wide.csv", &[], 0);
    assert_eq!(
        contests,
        [
            "Round 1 (2024-03-01)|2024-03-01|3",
            "Round 2 (2024-03-08)|2024-03-08|2",
            "Round 3 (2024-03-15)|2024-03-15|3"
        ]
    );
    let (_, contests) = import_fixture("wide-date-row.csv", &[], 0);
    assert_eq!(contests, ["Lauf 1|2024-03-01|3", "Lauf 2|2024-03-08|2"]);
}

#[test]
fn workbook_is_imported() {
    let options = ["--sheet", "Results", "--lower-is-better"];
    let (scratch, contests) = import_fixture("races.xlsx", &options, 3);
    assert_eq!(contests, ["Evening 1|2024-03-01|3", "Evening 2|2024-03-08|3"]);
    assert_eq!(scratch.count("SELECT count(*) FROM standing WHERE status = 'dnf'"), 1);
}

#[test]
fn workbooks_of_all_formats_have_the_same_hash() {
    let hashes = ["xlsx", "xls", "ods"].map(|ending| {
        let options = ["--sheet", "all", "--lower-is-better"];
        let (scratch, contests) = import_fixture(&format!("season.{ending}"), &options, 0);
        assert_eq!(
            contests,
            [
                "Round 1 (2024-03-01)|2024-03-01|2",
                "R2 08.03.2024|2024-03-08|3",
                "A final|2024-03-15|2",
                "B final|2024-03-15|2",
            ]
        );
        let rebuilt = scratch.json(&["rebuild"]);
        assert_eq!(rebuilt["sources"][0]["contests"], 4, "{rebuilt}");
        let hash = scratch.json(&["check", "--hash"])["content_hash"].clone();
        assert!(hash.is_string(), "{hash}");
        hash
    });
    assert_eq!(hashes[0], hashes[1]);
    assert_eq!(hashes[0], hashes[2]);
}

#[test]
fn json_ties_and_unknown_fields_are_read() {
    let (scratch, contests) = import_fixture("ties.json", &[], 0);
    assert_eq!(contests, ["Ties|2024-03-01|4"]);
    assert_eq!(
        scratch.rows(
            "SELECT place, name FROM standing JOIN competitor USING (competitor_id) ORDER BY 1, 2"
        ),
        ["1|zoe", "2|bram", "2|ida", "4|dov"]
    );
}

#[test]
fn folder_archive_and_single_files_are_equivalent() {
    let folder = Scratch::club();
    let names: Vec<String> = (1..=6).map(|n| format!("round-{n}.json")).collect();
    let files: Vec<Vec<u8>> = names
        .iter()
        .map(|name| std::fs::read(fixtures().join("club").join(name)).unwrap())
        .collect();
    let packed = Scratch::new();
    let content = names.iter().zip(&files).map(|(name, file)| (name.as_str(), &file[..]));
    packed.write("rounds.tar.zst", archive(content));
    packed.ok(&["import", "rounds.tar.zst", "--source", "club"]);
    let single = Scratch::new();
    for (name, file) in names.iter().zip(&files).rev() {
        single.write(name, file);
        single.ok(&["import", name, "--source", "club"]);
    }
    assert_eq!(packed.content_hash(), folder.content_hash());
    assert_eq!(single.content_hash(), folder.content_hash());
    let keys = "SELECT request_key FROM document ORDER BY 1";
    assert_eq!(packed.rows(keys), folder.rows(keys));
    assert_eq!(single.rows(keys), folder.rows(keys));
}

#[test]
fn import_twice_adds_nothing() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    let before = scratch.everything();
    let club = fixtures().join("club");
    let again = scratch.json(&["import", club.to_str().unwrap(), "--source", "club"]);
    assert_eq!(again["contests"], serde_json::json!({"added": 0, "revised": 0, "unchanged": 6}));
    assert_eq!(again["documents"], 6);
    assert_eq!(scratch.everything(), before);
    assert_eq!(scratch.count("SELECT count(*) FROM sync_run"), 1);
}

#[test]
fn corrected_file_is_a_new_revision() {
    let scratch = Scratch::new();
    scratch.write("a.json", contest(1, 0, &[&["a"], &["b"], &["c"]]));
    scratch.write("b.json", contest(2, 1, &[&["a"], &["b"]]));
    scratch.ok(&["import", ".", "--source", "club"]);
    let first = scratch.content_hash();
    scratch.write("a.json", contest(1, 0, &[&["b"], &["a"]]));
    let again = scratch.json(&["import", "a.json", "b.json", "--source", "club"]);
    assert_eq!(again["contests"], serde_json::json!({"added": 0, "revised": 1, "unchanged": 1}));
    assert_ne!(scratch.content_hash(), first);
    assert_eq!(
        scratch.rows(
            "SELECT external_id, revision, entrants, request_key, document_id FROM contest
             JOIN document USING (document_id) ORDER BY 1"
        ),
        ["1|2|2|a.json|3", "2|1|2|b.json|2"]
    );
    // The first document is kept.
    assert_eq!(scratch.count("SELECT count(*) FROM document WHERE request_key = 'a.json'"), 2);
    let corrected = scratch.content_hash();
    let fresh = Scratch::new();
    fresh.write("b.json", contest(2, 1, &[&["a"], &["b"]]));
    fresh.write("a.json", contest(1, 0, &[&["b"], &["a"]]));
    fresh.ok(&["import", ".", "--source", "club"]);
    assert_eq!(
        fresh.content_hash(),
        corrected,
        "a corrected file is as if it had always been right"
    );
}

#[test]
fn equal_file_names_in_two_folders_are_two_documents() {
    let scratch = Scratch::new();
    scratch.write("2023/results.json", contest(1, 0, &[&["a"], &["b"]]));
    scratch.write("2024/results.json", contest(2, 1, &[&["a"], &["b"]]));
    let both = [
        "import",
        "2023/results.json",
        "2024/results.json",
        "--source",
        "club",
    ];
    scratch.ok(&both);
    let before = scratch.everything();
    scratch.ok(&both);
    assert_eq!(scratch.everything(), before);
    assert_eq!(
        scratch.rows("SELECT request_key FROM document ORDER BY 1"),
        ["2024/results.json", "results.json"]
    );
}

#[test]
fn dry_run_previews_and_creates_no_file() {
    let scratch = Scratch::new();
    let path = fixtures().join("import/long.csv");
    let arguments = [
        "import",
        path.to_str().unwrap(),
        "--source",
        "club",
        "--dry-run",
    ];
    let done = scratch.ok(&arguments);
    for words in [
        "Spring Run",
        "competitor (exact)",
        "2 contests with 7 results",
        "nothing written",
    ] {
        assert!(done.out.contains(words), "no {words:?} in {}", done.out);
    }
    let preview = scratch.json(&arguments);
    assert_eq!(preview["contests"][0]["entrants"], 4);
    assert_eq!(preview["dry_run"], true);
    assert_eq!(scratch.list("."), [""; 0]);
}

#[test]
fn database_path_is_read_from_environment() {
    let scratch = Scratch::new();
    scratch.write("a.json", contest(1, 0, &[&["a"], &["b"]]));
    let mut command = scratch.command(&["import", "a.json", "--source", "club"]);
    command.env("RANKLORE_DB", "named.sqlite");
    crate::support::CommandOutput::run(command).exits(0);
    assert!(scratch.path("named.sqlite").exists());
    assert!(!scratch.db().exists());
}

#[test]
fn later_starting_rating_wins() {
    let scratch = Scratch::new();
    let table = |contest: &str, start: &str| {
        format!(
            "contest,date,player,place,start rating\n\
             {contest},2024-01-01,Ada,1,{start}\n{contest},2024-01-01,Bea,2,\n"
        )
    };
    let starts = || scratch.rows("SELECT name, start_mu FROM competitor ORDER BY 1");
    let import = |path: &str| scratch.json(&["import", path, "--source", "club"]);
    scratch.write("in/1.csv", table("A", "1850"));
    scratch.write("in/2.csv", table("B", "1900"));
    let dry = scratch.json(&["import", "in", "--source", "club", "--dry-run"]);
    assert_eq!(dry["starting_ratings"], 1);
    assert_eq!(import("in")["starting_ratings"], 1, "one competitor");
    assert_eq!(starts(), ["Ada|1900", "Bea|-"]);
    scratch.ok(&["rate", "club"]);
    let before = scratch.everything();
    for again in ["in", "in/1.csv", "in/2.csv", "in"] {
        assert_eq!(import(again)["starting_ratings"], 0, "{again}");
        assert_eq!(scratch.everything(), before, "{again}");
    }
    // A corrected document is newer than both.
    scratch.write("in/1.csv", table("A", "1700"));
    assert_eq!(import("in")["starting_ratings"], 1);
    assert_eq!(starts(), ["Ada|1700", "Bea|-"]);
}

#[test]
fn starting_rating_of_team_applies_to_team() {
    let scratch = Scratch::new();
    let teams = "contest,date,team,place,start rating\n\
         A,2024-01-01,Owls,1,1700\nA,2024-01-01,Rooks,2,1600\n";
    scratch.write("a.csv", teams);
    scratch.ok(&["import", "a.csv", "--source", "club"]);
    assert_eq!(
        scratch.rows("SELECT kind, name, start_mu FROM competitor WHERE start_mu > 0 ORDER BY 2"),
        ["team|Owls|1700", "team|Rooks|1600"]
    );
    let nowhere = "SELECT count(*) FROM competitor WHERE competitor_id NOT IN
         (SELECT competitor_id FROM standing UNION SELECT person_id FROM member)";
    assert_eq!(scratch.count(nowhere), 0);
}

/// Two races as a racing site gives them: 9999 did not finish, a deleted account has no id.
const RACES: &str = r#"[
    {"slug": "odd-otter", "ended_at": "2024-01-01T10:00:00Z", "recorded": true, "entrants": [
        {"user_id": "ada", "place": 1}, {"user_id": null, "place": 2}, {"user_id": "bea", "place": 9999}]},
    {"slug": "calm-crane", "ended_at": "2024-01-02T10:00:00Z", "recorded": false, "entrants": [
        {"user_id": "bea", "place": 1}, {"user_id": null, "place": 2}]}]"#;

#[test]
fn selected_rows_are_read_alike_by_mapping_and_rebuild() {
    let scratch = Scratch::new();
    scratch.write("races.json", RACES);
    let import = [
        "import",
        "races.json",
        "--source=races",
        "--column=slug=contest",
        "--status=9999=dnf",
    ];
    scratch
        .run(&[&import[..], &["--dry-run"]].concat())
        .exits(3)
        .says("--where 'user_id!='")
        .says("--anonymous");
    let selecting = [
        &import[..],
        &["--where=recorded=true", "--where", "user_id!="],
    ]
    .concat();
    scratch.ok(&[
        &selecting[..],
        &["--dry-run", "--save-mapping", "races.toml"],
    ]
    .concat());
    let mapped = [
        "import",
        "races.json",
        "--source=races",
        "--mapping=races.toml",
    ];
    scratch.ok(&mapped);
    let standings = "SELECT contest.name, competitor.name, place, status FROM standing
         JOIN competitor USING (competitor_id) JOIN contest USING (contest_id) ORDER BY 1, 2";
    let expected = ["odd-otter|ada|1|-", "odd-otter|bea|-|dnf"];
    assert_eq!(scratch.rows(standings), expected);
    let hash = scratch.store().content_hash().unwrap();
    scratch.ok(&["rebuild", "races"]);
    assert_eq!(scratch.store().content_hash().unwrap(), hash);

    let all = Scratch::new();
    all.write("races.json", RACES);
    all.ok(&[&import[..], &["--anonymous"]].concat());
    let competitors = "SELECT name FROM competitor ORDER BY name";
    let expected = [
        "ada",
        "anonymous 1 of calm-crane@1704189600",
        "anonymous 1 of odd-otter@1704103200",
        "bea",
    ];
    assert_eq!(all.rows(competitors), expected);
}
