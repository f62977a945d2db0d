//! Damaged databases: a bit, some bytes or a cell of a table is altered. `check` finds it, or every
//! answer stays the same.

use crate::Round;
use crate::operations::{self, Operations};
use crate::random::Random;
use crate::site::{demo_site, mine_command};
use crate::support::{CommandOutput, Scratch, contest, fixtures};
use rusqlite::Connection;
use rusqlite::types::Value;
use std::rc::Rc;

/// Commands whose output must not change unless the damage is found. The last ones write.
const ANSWERS: &[&[&str]] = &[
    // As text it says how many days ago the last sync was.
    &["status", "--json"],
    &["sources"],
    &["check", "--hash"],
    &["leaderboard", "club"],
    &["leaderboard", "club", "--run", "2"],
    &["leaderboard", "harbour"],
    &["leaderboard", "lantern", "--limit", "500"],
    &["leaderboard", "codeforces"],
    &["player", "lantern", "Ngozi Abanwe"],
    &["player", "lantern", "Odd Sock"],
    &["player", "club", "Oona Pereskaya"],
    &["contest", "lantern", "7"],
    &["contest", "harbour", "Harbour CTF/Open@1728086400"],
    &["contest", "codeforces", "7"],
    &["documents", "club"],
    &["documents", "lantern"],
    &["documents", "codeforces"],
    &["competitor", "decisions", "lantern"],
    &[
        "export",
        "club",
        "harbour",
        "lantern",
        "codeforces",
        "--to",
        "out",
        "--format",
        "csv",
        "--run=1",
        "--run=2",
        "--run=3",
        "--run=4",
        "--run=5",
        "--run=6",
    ],
    &["evaluate", "lantern"],
    &["evaluate", "club", "--all"],
];

/// Prepares the intact database and its answers.
pub(crate) fn prepare(_: &Rc<Operations>) -> Round {
    let intact = database();
    let size = std::fs::metadata(intact.db()).unwrap().len();
    let answers = answers(&intact.copy());
    for ((code, out), command) in answers.iter().zip(ANSWERS) {
        assert_eq!(*code, Some(0), "{command:?}: {out}");
    }
    assert_eq!(differences(&answers, &self::answers(&intact.copy())), None::<String>);
    Box::new(move |scratch, random| {
        std::fs::copy(intact.db(), scratch.db()).unwrap();
        let damage = match random.below(8) {
            0 => alter_cell(scratch, random),
            1 | 2 => overwrite(scratch, random, size),
            _ => Some(flip_bit(scratch, random, size)),
        };
        let Some(damage) = damage else {
            return "without effect";
        };
        let check = scratch.run(&["check"]);
        operations::assert_no_crash(&check, &damage);
        if check.code != Some(0) {
            return "found by check";
        }
        let now = self::answers(scratch);
        match differences(&answers, &now) {
            Some(difference) => panic!("{damage}: {difference}"),
            None if answers == now => "unchanged answers",
            None => "refused by a view",
        }
    })
}

/// Returns a database with four sources, teams, unfinished entrants, decisions, a forgotten person,
/// five runs and their evaluations, without a write-ahead log.
fn database() -> Scratch {
    let scratch = Scratch::club();
    let site = demo_site();
    let fixture = |name: &str| fixtures().join(name).to_str().unwrap().to_owned();
    let (teams, league) = (fixture("import/teams.tsv"), fixture("demo/lantern-league.csv"));
    scratch.ok(&["import", &teams, "--source", "harbour"]);
    scratch.ok(&["import", &league, "--source", "lantern"]);
    let mine = mine_command(&site);
    let mine: Vec<&str> = mine.iter().map(String::as_str).collect();
    scratch.ok(&mine);
    scratch.write("late.json", contest(1, 900, &[&["Oona Pereskaya"], &["Ada Late"]]));
    scratch.ok(&["import", "late.json", "--source", "club"]);
    scratch.ok(&["forget", "--yes", "club", "Ada Late"]);
    scratch.ok(&[
        "competitor",
        "merge",
        "lantern",
        "pebble_sum",
        "Ngozi Abanwe",
        "--note",
        "same",
    ]);
    scratch.ok(&[
        "competitor",
        "rename",
        "lantern",
        "oddsock_tern",
        "Odd Sock",
    ]);
    scratch.ok(&["withdraw", "lantern", "3@1709596800"]);
    scratch.ok(&["rate", "club"]);
    scratch.ok(&["rate", "club", "--system", "glicko"]);
    scratch.ok(&["rate", "harbour", "--teams", "members"]);
    scratch.ok(&["rate", "lantern", "--system", "elo-mmx"]);
    scratch.ok(&["rate", "codeforces"]);
    scratch.ok(&["evaluate", "club", "--all"]);
    scratch.ok(&["evaluate", "lantern"]);
    scratch.ok(&["check"]);
    let alone = Scratch::new();
    std::fs::copy(scratch.db(), alone.db()).unwrap();
    alone
}

/// The exit code and the output of a command, and what it wrote.
type Answer = (Option<i32>, String);

fn answers(scratch: &Scratch) -> Vec<Answer> {
    let folder = scratch.path("");
    let folder = folder.to_str().unwrap();
    let mut answers = Vec::new();
    for command in ANSWERS {
        let answer = scratch.run(command);
        operations::assert_no_crash(&answer, command[0]);
        let CommandOutput { code, out, .. } = answer;
        answers.push((code, out.replace(folder, "")));
    }
    let dataset = operations::folder_contents(scratch, "out");
    answers.push((Some(0), format!("{dataset:x?}")));
    answers
}

/// Returns the first answer that succeeds and differs.
fn differences(intact: &[Answer], now: &[Answer]) -> Option<String> {
    let names = ANSWERS.iter().map(|command| command.join(" "));
    let names = names.chain(["the exported files".to_owned()]);
    let exported = now
        .iter()
        .zip(ANSWERS)
        .all(|((code, _), command)| command[0] != "export" || *code == Some(0));
    for ((name, intact), now) in names.zip(intact).zip(now) {
        let succeeds = now.0 == Some(0) && (name != "the exported files" || exported);
        if succeeds && intact != now {
            let line = intact.1.lines().zip(now.1.lines()).find(|(a, b)| a != b);
            return Some(format!("{name} answers something else: {line:?}"));
        }
    }
    None
}

fn flip_bit(scratch: &Scratch, random: &mut Random, size: u64) -> String {
    let at = random.below(size as usize);
    let bit = random.below(8);
    let mut bytes = std::fs::read(scratch.db()).unwrap();
    bytes[at] ^= 1 << bit;
    let damage = format!("bit {bit} of byte {at}, {}", place(scratch, at));
    std::fs::write(scratch.db(), bytes).unwrap();
    damage
}

fn overwrite(scratch: &Scratch, random: &mut Random, size: u64) -> Option<String> {
    let count = 1 + random.below(64);
    let at = random.below(size as usize - count);
    let mut bytes = std::fs::read(scratch.db()).unwrap();
    let before = bytes.clone();
    for byte in &mut bytes[at..at + count] {
        *byte = random.next() as u8;
    }
    let damage = format!("{count} bytes from {at}, {}", place(scratch, at));
    std::fs::write(scratch.db(), &bytes).unwrap();
    (bytes != before).then_some(damage)
}

/// Returns the table or index of a byte of the intact file.
fn place(scratch: &Scratch, at: usize) -> String {
    const PAGE_BYTES: usize = 8192;
    let raw = scratch.raw();
    let page = (at / PAGE_BYTES + 1) as i64;
    let owner = raw.query_row(
        "SELECT name || ' ' || pagetype FROM dbstat WHERE pageno = ?1",
        [page],
        |row| row.get::<_, String>(0),
    );
    owner.unwrap_or_else(|_| "a free page".to_owned())
}

/// Alters one cell of a random table by SQL, unless a constraint forbids that.
fn alter_cell(scratch: &Scratch, random: &mut Random) -> Option<String> {
    let tables = scratch.rows(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
    );
    let table = random.pick(&tables);
    let columns =
        scratch.rows(&format!("SELECT name FROM pragma_table_info('{table}') ORDER BY cid"));
    let column = random.pick(&columns);
    let rows = scratch.count(&format!("SELECT count(*) FROM {table}"));
    if rows == 0 {
        return None;
    }
    let offset = random.below(rows as usize);
    let raw = scratch.raw();
    let keys = scratch.rows(&format!(
        "SELECT name FROM pragma_table_info('{table}') WHERE pk > 0 ORDER BY pk"
    ));
    let order = keys.join(", ");
    let key: Vec<Value> =
        keys.iter().map(|key| read_cell(&raw, table, key, &order, offset)).collect();
    let before = read_cell(&raw, table, column, &order, offset);
    let after = altered(&before, random)?;
    let matches: Vec<String> = keys.iter().map(|key| format!("{key} IS ?")).collect();
    let sql = format!("UPDATE {table} SET {column} = ? WHERE {}", matches.join(" AND "));
    let values = std::iter::once(after.clone()).chain(key);
    let updated = raw.execute(&sql, rusqlite::params_from_iter(values));
    // STRICT tables, CHECK and UNIQUE forbid some changes.
    matches!(updated, Ok(1))
        .then(|| format!("{table}.{column} of row {offset}: {before:?} to {after:?}"))
}

fn read_cell(raw: &Connection, table: &str, column: &str, order: &str, offset: usize) -> Value {
    let sql = format!("SELECT {column} FROM {table} ORDER BY {order} LIMIT 1 OFFSET {offset}");
    raw.query_row(&sql, [], |row| row.get(0)).unwrap()
}

fn altered(cell: &Value, random: &mut Random) -> Option<Value> {
    Some(match cell {
        Value::Null => return None,
        Value::Integer(number) => Value::Integer(number + 1 + random.below(1000) as i64),
        Value::Real(number) => Value::Real(number + 0.5 + random.fraction() * 1000.0),
        Value::Text(text) => Value::Text(format!("{text}x")),
        Value::Blob(bytes) => {
            let mut bytes = bytes.clone();
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
            Value::Blob(bytes)
        }
    })
}
