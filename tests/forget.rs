//! `forget` removes a name from every byte of the database and changes nothing else.

mod text;

use crate::support::{Scratch, contest};
use serde_json::json;

const NAME: &str = "Wilhelmina Ottoline";

fn league() -> Scratch {
    let scratch = Scratch::new();
    let rounds = [
        contest(1, 1, &[&["ada"], &[NAME], &["cy"]]),
        contest(2, 2, &[&[NAME, "ada"], &["cy"]]),
        contest(3, 3, &[&["cy"], &["ada"]]),
    ];
    for (index, round) in rounds.iter().enumerate() {
        scratch.write(&format!("rounds/{index}.json"), round);
    }
    let table = format!(
        "contest,date,player,place,start rating\nX,2023-12-01,\"{NAME}\",1,1700\nX,2023-12-01,cy,2,\n"
    );
    scratch.write("rounds/x.csv", table);
    scratch.ok(&["import", "rounds", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    scratch
}

/// True if the database or a file beside it contains the name.
fn contains_name(scratch: &Scratch, name: &str) -> bool {
    scratch.list("").iter().any(|file| {
        let path = scratch.path(file);
        let bytes = if path.is_file() {
            std::fs::read(path).unwrap()
        } else {
            Vec::new()
        };
        bytes.windows(name.len()).any(|window| window == name.as_bytes())
    })
}

/// Imports a table of contests, dates, players and places.
fn import(scratch: &Scratch, file: &str, rows: &str) {
    scratch.write(file, format!("contest,date,player,place\n{rows}"));
    scratch.ok(&["import", file, "--source", "club"]);
}

fn ratings(scratch: &Scratch) -> Vec<String> {
    scratch.rows(
        "SELECT contest.name, replace(competitor.external_id, 'forgotten-1', 'Wilhelmina Ottoline'),
             mu, sigma FROM rating JOIN contest USING (contest_id)
         JOIN competitor USING (competitor_id) ORDER BY 1, 2",
    )
}

#[test]
fn forget_removes_name_and_keeps_results() {
    let scratch = league();
    // Unused pages contain the name too.
    scratch.ok(&["competitor", "rename", "club", NAME, "Wilhelmina O."]);
    scratch.ok(&[
        "competitor",
        "merge",
        "club",
        NAME,
        "cy",
        "--note",
        "Wilhelmina is cy",
    ]);
    scratch.ok(&["competitor", "split", "club", NAME]);
    assert!(contains_name(&scratch, "Wilhelmina"));
    let before = ratings(&scratch);
    let dry = scratch.everything();
    let would = scratch.json(&["forget", "--yes", "club", NAME, "--dry-run"]);
    assert_eq!(scratch.everything(), dry);
    let done = scratch.json(&["forget", "--yes", "club", NAME]);
    assert_eq!(
        done,
        json!({
            "source": "club", "dry_run": false, "blank": "forgotten-1", "contests": 3,
            "documents": 3, "decisions": 3, "renamed_contests": 0,
            "unreadable": [], "spellings": [],
            "longer_names": [], "other_accounts": [],
        })
    );
    assert_eq!(would["documents"], done["documents"]);
    assert!(!contains_name(&scratch, "Wilhelmina"));
    assert!(!contains_name(&scratch, "Ottoline"));
    assert_eq!(ratings(&scratch), before);
    assert_eq!(scratch.json(&["rate", "club"])[0]["unchanged"], true);
    assert_eq!(scratch.store().check().unwrap(), []);
    // The hash of the original document stays, so that it is recognised.
    assert_eq!(scratch.count("SELECT count(*) FROM document WHERE kept_blake3 <> blake3"), 3);
}

#[test]
fn forgotten_person_stays_forgotten_after_import_and_rebuild() {
    let scratch = league();
    scratch.ok(&["forget", "--yes", "club", NAME]);
    let forgotten = scratch.content_hash();
    let rows = scratch.everything();
    // The same files are recognised, and nothing is written.
    scratch.ok(&["import", "rounds", "--source", "club"]);
    assert_eq!(scratch.everything(), rows);
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), forgotten);
    // A new contest with the name.
    scratch.write("rounds/4.json", contest(4, 4, &[&[NAME], &["cy"]]));
    scratch.ok(&["import", "rounds", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let results = "SELECT count(*) FROM standing JOIN competitor USING (competitor_id)
         WHERE external_id = 'forgotten-1'";
    assert_eq!(scratch.count(results), 4);
    let grown = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), grown);
    scratch.ok(&["forget", "--yes", "club", NAME]);
    assert!(!contains_name(&scratch, "Wilhelmina"));
    // Other sources and other people are unaffected.
    scratch.ok(&["import", "rounds", "--source", "other"]);
    assert!(scratch.count("SELECT count(*) FROM competitor WHERE name LIKE 'Wilh%'") == 1);
    let second = scratch.json(&["forget", "--yes", "club", "ada"]);
    assert_eq!(second["blank"], "forgotten-2");
}

#[test]
fn forget_needs_the_exact_name() {
    let scratch = league();
    let before = scratch.everything();
    scratch
        .run(&["forget", "--yes", "club", "Wilhelmina Otoline"])
        .exits(1)
        .says(NAME);
    scratch
        .run(&["forget", "--yes", "club", "somebody else entirely"])
        .exits(1)
        .says("there is no competitor like");
    assert_eq!(scratch.everything(), before);
}

#[test]
fn other_accounts_are_listed_and_kept() {
    let scratch = league();
    scratch.ok(&["competitor", "merge", "club", NAME, "cy"]);
    let done = scratch.ok(&["forget", "--yes", "club", NAME]);
    done.says("other accounts of the same person are not forgotten: cy");
    assert!(!contains_name(&scratch, "Wilhelmina"));
    scratch.ok(&["rate", "club"]);
    let merged = "SELECT count(*) FROM competitor WHERE merged_into IS NOT NULL";
    assert_eq!(scratch.count(merged), 1);
    let hash = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), hash);
}

#[test]
fn starting_rating_choice_ignores_names() {
    let scratch = Scratch::new();
    scratch.write(
        "x.csv",
        "contest,date,player,place,start rating\nX,2023-12-01,bea,1,1600\nX,2023-12-01,cid,2,1800\n\
         X,2023-12-01,root,3,\nY,2023-12-02,root,1,\nY,2023-12-02,cid,2,1800\n",
    );
    scratch.ok(&["import", "x.csv", "--source", "club"]);
    scratch.ok(&["competitor", "merge", "club", "bea", "root"]);
    scratch.ok(&["competitor", "merge", "club", "cid", "root"]);
    scratch.write("z.csv", "contest,date,player,place\nZ,2023-12-03,root,1\nZ,2023-12-03,dot,2\n");
    scratch.ok(&["import", "z.csv", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let before = scratch.ratings(1);
    assert!(!before.is_empty());
    scratch.ok(&["forget", "--yes", "club", "bea"]);
    assert_eq!(scratch.json(&["rate", "club"])[0]["unchanged"], true);
    assert_eq!(scratch.ratings(1), before);
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.ratings(1), before);
}

#[test]
fn real_person_named_like_blank_is_kept_apart() {
    let scratch = league();
    scratch.ok(&["forget", "--yes", "club", NAME]);
    let before = scratch.everything();
    scratch.write("new/4.json", contest(4, 4, &[&["forgotten-1"], &["cy"]]));
    scratch
        .run(&["import", "new", "--source", "club"])
        .exits(3)
        .says("\"forgotten-1\" is the blank of a forgotten person of this source");
    let must_stay = |row: &String| row.starts_with("document:") || row.starts_with("standing:");
    let after = scratch.everything();
    assert!(
        after
            .iter()
            .filter(|row| must_stay(row))
            .eq(before.iter().filter(|row| must_stay(row)))
    );
    // A blank that was never given means nobody, nor does one of another source.
    scratch.write("new/4.json", contest(4, 4, &[&["forgotten-2"], &["cy"]]));
    scratch.ok(&["import", "new", "--source", "club"]);
    scratch.write("other/5.json", contest(5, 5, &[&["forgotten-1"], &["cy"]]));
    scratch.ok(&["import", "other", "--source", "other"]);
    assert_eq!(scratch.json(&["forget", "--yes", "club", "ada"])["blank"], "forgotten-3");
    // Documents may contain blanks.
    scratch.ok(&["rate", "club"]);
    let hash = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), hash);
}

#[test]
fn archived_bytes_do_not_restore_the_name() {
    let scratch = league();
    let sql = |sql: &str| scratch.alter(sql);
    sql("CREATE TABLE came AS SELECT document_id, body FROM document");
    scratch.ok(&["forget", "--yes", "club", NAME]);
    let hash = scratch.content_hash();
    // Simulates documents that could not be searched then.
    sql(
        "UPDATE document SET kept_blake3 = NULL, kept_length = NULL, kept_reading = NULL,
             body = (SELECT body FROM came WHERE came.document_id = document.document_id);
         DROP TABLE came;",
    );
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), hash);
    let called = "SELECT count(*) FROM competitor WHERE external_id LIKE 'Wilhelmina%'";
    assert_eq!(scratch.count(called), 0);
}

/// Simulates a process that died before the vacuum.
fn undo_vacuum(scratch: &Scratch) {
    scratch.alter("UPDATE tombstone SET swept_at = NULL");
}

#[test]
fn interrupted_forget_resumes_without_name() {
    let scratch = league();
    let nothing = scratch.ok(&["forget", "--yes", "club"]);
    assert!(nothing.out.contains("nothing to finish"), "{}", nothing.out);
    scratch.ok(&["competitor", "rename", "club", NAME, "Mina"]);
    scratch.ok(&["forget", "--yes", "club", "Mina"]);
    undo_vacuum(&scratch);
    let hint = "ranklore forget club";
    let status = scratch.ok(&["status", "--db", "ranklore.sqlite"]);
    let of_file = format!("{hint} --db ranklore.sqlite");
    assert!(status.out.contains(&of_file), "{}", status.out);
    let check = scratch.run(&["check"]).exits(1);
    assert!(check.out.contains(&format!("run `{hint}`")), "{}", check.out);
    assert_eq!(scratch.json(&["forget", "--yes", "club", "--dry-run"])["swept"], 1);
    scratch.run(&["check"]).exits(1);
    assert_eq!(scratch.json(&["forget", "--yes", "club"])["swept"], 1);
    scratch.ok(&["check"]);
    assert_eq!(scratch.json(&["forget", "--yes", "club"])["swept"], 0);
    scratch.run(&["forget", "--yes", "nowhere"]).exits(1).says("nowhere");
    // The removed name finishes the interrupted run too, and is then reported as unknown.
    undo_vacuum(&scratch);
    scratch
        .run(&["forget", "--yes", "club", "Mina"])
        .exits(1)
        .says("finished an interrupted forget")
        .says("there is no competitor like");
    scratch.ok(&["check"]);
}

#[test]
fn forgetting_a_blank_changes_nothing() {
    let scratch = league();
    scratch.ok(&["forget", "--yes", "club", NAME]);
    let stones = || scratch.rows("SELECT hex(name_hash), blank FROM tombstone");
    let hash = scratch.content_hash();
    let before = stones();
    let again = scratch.json(&["forget", "--yes", "club", "forgotten-1"]);
    assert_eq!(again["blank"], "forgotten-1");
    assert_eq!((&again["contests"], &again["documents"]), (&json!(0), &json!(0)));
    assert_eq!((scratch.content_hash(), stones()), (hash, before.clone()));
    // Results under the forgotten name belong to the same person, even after a rename.
    scratch.ok(&["competitor", "rename", "club", "forgotten-1", "Willa"]);
    let renamed = scratch.json(&["forget", "--yes", "club", "Willa"]);
    assert_eq!((&renamed["blank"], &renamed["decisions"]), (&json!("forgotten-1"), &json!(1)));
    assert!(!contains_name(&scratch, "Willa"));
    assert_eq!(stones(), before);
    scratch.write("rounds/4.json", contest(4, 4, &[&[NAME], &["cy"]]));
    scratch.ok(&["import", "rounds", "--source", "club"]);
    assert_eq!(scratch.count("SELECT count(DISTINCT competitor_id) FROM competitor"), 3);
}

#[test]
fn other_spelling_stays_another_competitor() {
    let scratch = league();
    let upper = NAME.to_uppercase();
    scratch.write("rounds/4.json", contest(4, 4, &[&[&upper], &[NAME]]));
    scratch.ok(&["import", "rounds", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let done = scratch.json(&["forget", "--yes", "club", NAME]);
    assert_eq!(done["spellings"], json!([upper]));
    let blanks = "SELECT external_id FROM competitor WHERE external_id LIKE 'forgotten-%'";
    let blanks = || scratch.rows(blanks);
    let before = blanks();
    assert_eq!(before.len(), 2, "{before:?}");
    assert_eq!(scratch.json(&["rate", "club"])[0]["unchanged"], true);
    let hash = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), hash);
    // A later spelling gets a third blank.
    scratch.write("rounds/5.json", contest(5, 5, &[&[&NAME.to_lowercase()], &["cy"]]));
    scratch.ok(&["import", "rounds", "--source", "club"]);
    assert_eq!(blanks().len(), 3);
    assert!(!contains_name(&scratch, "ottoline"));
}

#[test]
fn damaged_document_loses_its_bytes_and_is_listed() {
    let scratch = league();
    let connection = rusqlite::Connection::open(scratch.db()).unwrap();
    let sql = "UPDATE document SET body = x'00' WHERE request_key = '2.json'";
    assert_eq!(connection.execute(sql, []).unwrap(), 1);
    let done = scratch.json(&["forget", "--yes", "club", NAME]);
    assert_eq!(done["unreadable"][0]["document"], "2.json");
    assert_eq!(scratch.json(&["forget", "--yes", "club", NAME])["documents"], 0);
}

#[test]
fn dry_run_works_beside_a_writer() {
    let scratch = league();
    let writer = ranklore_store::Store::open_writer(scratch.db(), "a test").unwrap();
    let would = scratch.json(&["forget", "--yes", "club", NAME, "--dry-run"]);
    drop(writer);
    let done = scratch.json(&["forget", "--yes", "club", NAME]);
    for field in ["blank", "contests", "documents", "decisions", "spellings"] {
        assert_eq!(would[field], done[field], "{field}");
    }
}

#[test]
fn reader_with_old_snapshot_is_reported() {
    let scratch = league();
    let store = scratch.store();
    let snapshot = store.snapshot().unwrap();
    scratch
        .run(&["forget", "--yes", "club", NAME, "--db", "ranklore.sqlite"])
        .exits(5)
        .says("could not be rewritten")
        .says("run `ranklore forget club --db ranklore.sqlite`");
    drop(snapshot);
    scratch.ok(&["forget", "--yes", "club"]);
    assert!(!contains_name(&scratch, NAME));
}

#[test]
fn blanks_are_never_forgotten_again() {
    let scratch = Scratch::new();
    import(
        &scratch,
        "a.csv",
        "Ada Bell cup,2024-03-01,bea,1\nAda Bell cup,2024-03-01,Ada Bell,2\n\
         B,2024-03-02,forgotten,1\nB,2024-03-02,bea,2\nC,2024-03-02,bob,1\nC,2024-03-02,bea,2\n",
    );
    scratch.ok(&["withdraw", "club", "Ada Bell cup@1709251200"]);
    scratch.ok(&["rate", "club"]);
    for name in ["Ada Bell", "forgotten", "bob"] {
        scratch.ok(&["forget", "--yes", "club", name]);
    }
    assert_eq!(scratch.json(&["rate", "club"])[0]["unchanged"], true);
    let names = scratch.rows("SELECT name FROM contest ORDER BY 1");
    assert_eq!(names, ["B", "C", "forgotten-1 cup"]);
    let rows = scratch.everything();
    let hash = scratch.content_hash();
    scratch.ok(&["import", "a.csv", "--source", "club"]);
    assert_eq!(scratch.everything(), rows);
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), hash);
}

#[test]
fn import_options_survive_a_second_forget() {
    let scratch = Scratch::new();
    let rows = "A1,03/04/2024,Ada Bell,12\nA1,03/04/2024,Bob Cole,14\nA1,03/04/2024,cy,19.5\n";
    scratch.write("GET t.csv", format!("contest,date,player,score\n{rows}"));
    let import = [
        "import",
        "GET t.csv",
        "--source",
        "club",
        "--dates",
        "dmy",
        "--lower-is-better",
    ];
    scratch.ok(&import);
    for name in ["Ada Bell", "Bob Cole"] {
        scratch.ok(&["forget", "--yes", "club", name]);
    }
    let rows = scratch.everything();
    scratch.ok(&import);
    assert_eq!(scratch.everything(), rows);
}
