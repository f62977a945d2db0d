//! Sources with pseudonyms, which always have a key.

use ranklore_contest::ForgottenNames as _;
use ranklore_test_support::{TempDatabase, add_tombstone, at, source};
use rusqlite::params;

#[test]
fn source_keeps_its_name_key() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let club = batch.get_or_insert_source(&source("club"), at(1)).unwrap();
    let ball = batch.get_or_insert_source(&source("ball"), at(1)).unwrap();
    add_tombstone(&mut batch, ball, "zoe");
    assert!(batch.pseudonym_keys().unwrap().is_empty());
    batch.require_pseudonyms(ball).unwrap();
    batch.commit().unwrap();
    let keys = writer.pseudonym_keys().unwrap();
    assert!(keys.contains_key(&ball) && !keys.contains_key(&club));
    let forgotten = writer.tombstones(ball).unwrap();
    assert_eq!(forgotten.placeholder("zoe").unwrap(), "forgotten-1");
    let mut batch = writer.batch().unwrap();
    batch.require_pseudonyms(ball).unwrap();
    batch.require_pseudonyms(club).unwrap();
    batch.commit().unwrap();
    let now = scratch.open_reader().pseudonym_keys().unwrap();
    assert_eq!(now[&ball], keys[&ball]);
    assert_ne!(now[&club], now[&ball]);
}

#[test]
fn pseudonyms_require_name_key() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    batch.get_or_insert_source(&source("club"), at(1)).unwrap();
    batch.commit().unwrap();
    drop(writer);
    let raw = scratch.open_raw();
    for sql in [
        "UPDATE source SET pseudonyms = 1",
        "UPDATE source SET pseudonyms = 1, name_key = NULL",
    ] {
        assert!(raw.execute(sql, params![]).is_err(), "{sql}");
    }
}
