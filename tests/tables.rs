//! Tables in the layouts of real publishers: each reads as `fixtures/tables/tables.toml` says, or
//! is refused with the option that settles it.

mod corpus;
mod variants;

use std::fmt::Write as _;

use crate::support::{Scratch, fixtures};
use corpus::{Corpus, Table, TableContest};

impl Table {
    /// Imports the table. Returns the difference from what it must give.
    fn check(&self) -> Result<(), String> {
        let scratch = Scratch::new();
        let file = fixtures().join("tables").join(&self.file);
        let mut words = vec!["import", file.to_str().unwrap(), "--source", "club"];
        words.extend(self.options.iter().map(String::as_str));
        let done = scratch.run(&words);
        let contests = if scratch.db().exists() {
            scratch.run(&["rate", "club"]);
            imported_contests(&scratch)
        } else {
            Vec::new()
        };
        let code = if self.refused.is_some() { 3 } else { 0 };
        if done.code != Some(code) {
            return Err(format!("exit code {:?}: {}", done.code, done.err));
        }
        match (&self.contests, &self.refused) {
            (Some(expected), None) => compare(expected, &contests).map_err(|difference| {
                let first = done.err.lines().next().unwrap_or_default();
                format!("{difference}; {first}")
            }),
            (None, Some(refusal)) => {
                if let Some(contest) = contests.first() {
                    return Err(format!("imported {contest:?}"));
                }
                let missing = refusal.iter().find(|refusal| !done.err.contains(*refusal));
                missing.map_or(Ok(()), |refusal| Err(format!("no {refusal:?} in {:?}", done.err)))
            }
            _ => panic!("{}: contests or a refusal", self.file),
        }
    }
}

/// Returns the first difference between contests.
fn compare(expected: &[TableContest], imported: &[TableContest]) -> Result<(), String> {
    let contests = expected.iter().zip(imported);
    let differs = |(expected, imported): &(&TableContest, &TableContest)| {
        let sorted = |places: &[String]| {
            let mut places = places.to_vec();
            places.sort_unstable();
            places
        };
        let kind = expected.kind.as_deref().unwrap_or("person");
        (&expected.name, &expected.division, &expected.date)
            != (&imported.name, &imported.division, &imported.date)
            || expected.event.is_some() && expected.event != imported.event
            || Some(kind) != imported.kind.as_deref()
            || sorted(&expected.places) != sorted(&imported.places)
    };
    if expected.len() != imported.len() {
        return Err(format!("{} contests, not {}", imported.len(), expected.len()));
    }
    match contests.clone().find(differs) {
        Some((_, imported)) => Err(format!("read as {imported:?}")),
        None => Ok(()),
    }
}

/// Returns the contests of the database, those that the run rates first and in its order.
fn imported_contests(scratch: &Scratch) -> Vec<TableContest> {
    let ids = scratch.rows(
        "SELECT contest_id FROM contest LEFT JOIN run_contest USING (contest_id)
         ORDER BY position IS NULL, position, ends_at, contest_id",
    );
    ids.iter().map(|id| imported_contest(scratch, id)).collect()
}

fn imported_contest(scratch: &Scratch, id: &str) -> TableContest {
    let text = |column: &str| {
        let sql = format!("SELECT {column} FROM contest WHERE contest_id = {id}");
        scratch.rows(&sql).remove(0)
    };
    let optional = |column: &str| {
        let is_set = text(&format!("{column} IS NOT NULL")) == "1";
        is_set.then(|| text(column))
    };
    let kinds = scratch.rows(&format!(
        "SELECT DISTINCT kind FROM standing JOIN competitor USING (competitor_id)
         WHERE contest_id = {id} ORDER BY kind"
    ));
    TableContest {
        name: text("name"),
        division: optional("division"),
        event: optional("event"),
        date: text("date(ends_at, 'unixepoch')"),
        kind: Some(kinds.join("/")),
        places: scratch.rows(&format!(
            "SELECT CASE WHEN place IS NULL THEN upper(status)
                 ELSE place || CASE WHEN count(*) OVER (PARTITION BY place) > 1 THEN '=' ELSE '' END
                 END || ' ' || competitor.name || coalesce((
                     SELECT ' [' || group_concat(person.name, ', ' ORDER BY member.ordinal) || ']'
                     FROM member JOIN competitor AS person ON person.competitor_id = person_id
                     WHERE member.contest_id = {id}
                         AND member.competitor_id = standing.competitor_id), '')
             FROM standing JOIN competitor USING (competitor_id)
             WHERE standing.contest_id = {id}"
        )),
    }
}

#[test]
fn tables_read_as_described() {
    let corpus = Corpus::read();
    let mut listing = String::new();
    let mut wrong = 0;
    for table in &corpus.table {
        let outcome = table.check();
        let word = if outcome.is_ok() { "right" } else { "WRONG" };
        wrong += usize::from(outcome.is_err());
        let file = &table.file;
        let options = table.options.join(" ");
        writeln!(listing, "{word}: {file} {options}: {}", table.why).unwrap();
        if let Err(reason) = outcome {
            writeln!(listing, "    {reason}").unwrap();
        }
    }
    println!("{listing}");
    assert_eq!(wrong, 0, "{listing}");
}

#[test]
fn stated_columns_are_kept_for_rebuild() {
    let scratch = Scratch::new();
    let file = fixtures().join("tables/chess-boards.csv");
    let import = ["import", file.to_str().unwrap(), "--source", "club"];
    scratch.ok(&[&import[..], &["--column", "Board=division"]].concat());
    let divided = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), divided);
    let other = scratch.run(&[&import[..], &["--column", "Board=board"]].concat());
    other.exits(2).says("\"board\" is not a meaning; use one of contest,");
    let other = scratch.run(&[&import[..], &["--column", "Hall=division"]].concat());
    other.exits(3).says("no column is headed \"Hall\"");
}

#[test]
fn mappings_are_refused_with_reason() {
    let scratch = Scratch::new();
    scratch.write("map.toml", "[columns]\nBoard = 'board'\n");
    let file = fixtures().join("tables/chess-boards.csv");
    let mapping = scratch.path("map.toml");
    let import = ["import", file.to_str().unwrap(), "--source", "club"];
    let with = |options: &[&str]| scratch.run(&[&import[..], options].concat());
    with(&["--mapping", mapping.to_str().unwrap()])
        .exits(2)
        .says("columns: \"Board\": \"board\" is not a meaning");
    with(&["--save-mapping", mapping.to_str().unwrap()]).exits(2).says("--dry-run");
}

#[test]
fn dry_run_shows_divisions() {
    let file = fixtures().join("tables/rowing-boat-classes.csv");
    let scratch = Scratch::new();
    let words = [
        "import",
        file.to_str().unwrap(),
        "--source",
        "club",
        "--dry-run",
    ];
    let output = scratch.ok(&words).out;
    for contest in [
        "Lock Sprint, 1x  ",
        "Lock Sprint, 2-  ",
        "Lock Sprint, 8+  ",
    ] {
        assert!(output.contains(contest), "{output}");
    }
}

#[test]
fn every_table_is_described() {
    let corpus = Corpus::read();
    for entry in std::fs::read_dir(fixtures().join("tables")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let described = corpus.table.iter().any(|table| table.file == name);
        assert!(described || name == "tables.toml", "{name}");
    }
}
