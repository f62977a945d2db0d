//! The name in texts: notes, names of files, contests and others, divisions, remarks.

use serde_json::json;

use super::{NAME, contains_name, import, league};
use crate::support::{Scratch, contest};

#[test]
fn decisions_about_others_lose_the_name() {
    let scratch = league();
    scratch.ok(&["withdraw", "club", "3", "--note", NAME]);
    scratch.ok(&["competitor", "rename", "club", "cy", NAME]);
    scratch.ok(&[
        "competitor",
        "rename",
        "club",
        "ada",
        NAME,
        "--note",
        "one Wilhelmina",
    ]);
    scratch.ok(&["competitor", "rename", "club", "ada", "Ada"]);
    let would = scratch.json(&["forget", "--yes", "club", NAME, "--dry-run"]);
    let done = scratch.json(&["forget", "--yes", "club", NAME]);
    assert_eq!((&would["decisions"], &done["decisions"]), (&json!(3), &json!(3)));
    assert!(!contains_name(&scratch, NAME));
    // The name within a longer word stays.
    assert!(contains_name(&scratch, "one Wilhelmina"));
    scratch.ok(&["rate", "club"]);
    let hash = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), hash);
}

#[test]
fn file_named_after_person_gets_blank() {
    let scratch = league();
    let table = format!("contest,date,player,place\nY,2023-12-02,{NAME},1\nY,2023-12-02,cy,2\n");
    scratch.write(&format!("more/{NAME}.csv"), &table);
    scratch.write("more/2.csv", table.replace('Y', "Z"));
    scratch.ok(&["import", "more", "--source", "club"]);
    let keys = "SELECT request_key FROM document WHERE request_key LIKE '%otto%'
        OR request_key LIKE '%forgotten%'";
    assert_eq!(scratch.rows(keys), [format!("{NAME}.csv")]);
    scratch.ok(&["forget", "--yes", "club", NAME]);
    assert_eq!(scratch.rows(keys), ["forgotten-1.csv"]);
    // The file is recognised under its new name.
    let rows = scratch.everything();
    scratch.ok(&["import", "more", "--source", "club"]);
    assert_eq!(scratch.everything(), rows);
    std::fs::remove_dir_all(scratch.path("more")).unwrap();
    assert!(!contains_name(&scratch, "Ottoline"));
}

#[test]
fn person_named_only_in_text_is_forgotten() {
    let scratch = league();
    let table = "contest,date,player,place,remark\nY,2024-02-01,ada,1,\"judge: Ottilie Vane\"\n\
                 Y,2024-02-01,cy,2,\n";
    scratch.write("y.csv", table);
    scratch.ok(&["import", "y.csv", "--source", "club"]);
    scratch.ok(&["withdraw", "club", "3", "--note", "asked by Tom Vane"]);
    std::fs::remove_file(scratch.path("y.csv")).unwrap();
    let done = scratch.json(&["forget", "--yes", "club", "Ottilie Vane"]);
    assert_eq!((&done["documents"], &done["contests"]), (&json!(1), &json!(0)));
    let done = scratch.json(&["forget", "--yes", "club", "Tom Vane"]);
    assert_eq!((&done["documents"], &done["decisions"]), (&json!(0), &json!(1)));
    assert!(!contains_name(&scratch, "Vane"));
    scratch.ok(&["rate", "club"]);
    let hash = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), hash);
}

#[test]
fn other_people_keep_longer_names_and_are_told() {
    let scratch = league();
    let longer = format!("{NAME} the Second");
    scratch.write("rounds/4.json", contest(4, 4, &[&[&longer], &["cy"]]));
    scratch.ok(&["import", "rounds", "--source", "club"]);
    let done = scratch.json(&["forget", "--yes", "club", NAME]);
    assert_eq!(done["longer_names"], json!([longer]));
    let remaining = "SELECT external_id FROM competitor WHERE external_id LIKE '%Ottoline%'";
    assert_eq!(scratch.rows(remaining), [longer]);
}

#[test]
fn division_of_a_run_gets_the_blank() {
    let scratch = Scratch::new();
    let header = "event,division,date,player,place\n";
    let rows = "E1,Ada Bell cup,2024-01-01,Ada Bell,1\nE1,Ada Bell cup,2024-01-01,bea,2\n\
                E1,Junior,2024-01-01,bea,1\nE1,Junior,2024-01-01,cy,2\n";
    scratch.write("t.csv", [header, rows].concat());
    scratch.ok(&["import", "t.csv", "--source", "club"]);
    scratch.ok(&["rate", "club", "--division", "Ada Bell cup"]);
    let ratings = "SELECT mu, sigma FROM rating ORDER BY 1";
    let before = scratch.rows(ratings);
    std::fs::remove_file(scratch.path("t.csv")).unwrap();
    scratch.ok(&["forget", "--yes", "club", "Ada Bell"]);
    assert!(!contains_name(&scratch, "Bell"));
    assert_eq!(scratch.rows(ratings), before);
    let again = scratch.json(&["rate", "club", "--division", "forgotten-1 cup"]);
    assert_eq!(again[0]["unchanged"], true);
}

#[test]
fn display_names_of_others_lose_any_spelling() {
    let scratch = Scratch::new();
    scratch.write(
        "n.json",
        r#"{"name": "R", "time_seconds": 1710300000,
            "standings": [["x17", 0, 0], ["Ada Bell", 1, 1], ["zed", 2, 2]],
            "competitors": [{"competitor": "x17", "name": "ADA BELL"},
                            {"competitor": "zed", "name": "Zed, coach of Ada Bell"}]}"#,
    );
    scratch.ok(&["import", "n.json", "--source", "club"]);
    let done = scratch.json(&["forget", "--yes", "club", "Ada Bell"]);
    assert_eq!(done["longer_names"], json!(["Zed, coach of Ada Bell"]));
    let hash = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), hash);
    assert_eq!(scratch.count("SELECT count(*) FROM competitor WHERE name = 'ADA BELL'"), 0);
}

#[test]
fn text_with_a_blank_is_never_taken_for_another() {
    let scratch = Scratch::new();
    let rows = "forgotten-1 cup,2024-03-01,bea,1\nforgotten-1 cup,2024-03-01,cy,2\n\
                Ada Bell cup,2024-03-01,bea,1\nAda Bell cup,2024-03-01,Ada Bell,2\n";
    import(&scratch, "a.csv", rows);
    scratch.ok(&["rate", "club"]);
    let done = scratch.json(&["forget", "--yes", "club", "Ada Bell"]);
    assert_eq!(done["blank"], "forgotten-2");
    // Another contest of the same day now comes first.
    assert_eq!(scratch.json(&["rate", "club"])[0]["unchanged"], false);
    let hash = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), hash);
    // Nor does a later one.
    let rows = "forgotten-2 cup,2024-03-01,cy,1\nforgotten-2 cup,2024-03-01,bea,2\n";
    scratch.write("b.csv", format!("contest,date,player,place\n{rows}"));
    scratch
        .run(&["import", "b.csv", "--source", "club"])
        .exits(3)
        .says("has the blank of a forgotten person");
    assert_eq!(scratch.content_hash(), hash);
}

#[test]
fn quoted_and_escaped_names_are_found_in_text() {
    for (name, remark) in [
        ("Ada \"Ace\" Bell", r#""by Ada ""Ace"" Bell""#),
        ("AC/DC", r"{'note': 'by AC\/DC'}"),
        ("Zoe O'Bell", "Zoe&nbspO&#39;Bell"),
    ] {
        let scratch = Scratch::new();
        let rows = format!(
            "R,2024-03-01,\"{}\",1,{remark}\nR,2024-03-01,cy,2,\nR,2024-03-01,di,3,\n",
            name.replace('"', "\"\"")
        );
        scratch.write("a.csv", format!("contest,date,player,place,remark\n{rows}"));
        scratch.ok(&["import", "a.csv", "--source", "club"]);
        let other = format!("Q,2024-03-02,bea,1,{remark}\nQ,2024-03-02,cy,2,\n");
        scratch.write("b.csv", format!("contest,date,player,place,remark\n{other}"));
        scratch.ok(&["import", "b.csv", "--source", "club"]);
        assert_eq!(scratch.json(&["forget", "--yes", "club", name])["documents"], 2, "{name}");
    }
}
