//! Files that cannot be opened, each with its own error, and concurrent readers and writers.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use ranklore_store::{Error, SCHEMA_VERSION, Store};
use ranklore_test_support::{TempDatabase, contest, import_contest};

fn database_with_players() -> TempDatabase {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let names: Vec<_> = (0..2000).map(|i| format!("player number {i}")).collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    import_contest(&mut batch, "club", 5, &contest("1", 10, &names));
    batch.commit().unwrap();
    drop(writer);
    scratch
}

/// Asserts that both ways of opening fail with this error.
macro_rules! refused {
    ($scratch:expr, $pattern:pat $(if $guard:expr)?) => {
        for result in [
            Store::open_reader($scratch.database()).map(drop),
            Store::open_writer($scratch.database(), "a test").map(drop),
        ] {
            assert!(matches!(result, Err($pattern) $(if $guard)?), "{result:?}");
        }
    };
}

#[test]
fn reader_does_not_create_file() {
    let scratch = TempDatabase::new();
    for empty in [false, true] {
        if empty {
            fs::write(scratch.database(), b"").unwrap();
        }
        let error = Store::open_reader(scratch.database()).unwrap_err();
        let is_expected = match error {
            Error::Missing { .. } => !empty,
            Error::Empty { .. } => empty,
            _ => false,
        };
        assert!(is_expected, "{error:?}");
        assert!(error.to_string().contains("import"), "{error}");
        assert_eq!(scratch.database().exists(), empty);
    }
    drop(scratch.open_writer());
    scratch.open_reader();
}

#[test]
fn foreign_files_are_rejected_unchanged() {
    let scratch = TempDatabase::new();
    let text = "not a database, but long enough to be one. ".repeat(100);
    fs::write(scratch.database(), &text).unwrap();
    refused!(scratch, Error::NotADatabase { .. });
    assert_eq!(fs::read_to_string(scratch.database()).unwrap(), text);

    let scratch = TempDatabase::new();
    scratch.open_raw().execute_batch("CREATE TABLE t (a)").unwrap();
    refused!(
        scratch,
        Error::OtherProgram {
            application_id: 0,
            ..
        }
    );
    let scratch = TempDatabase::new();
    scratch.open_raw().execute_batch("PRAGMA application_id = 7").unwrap();
    refused!(
        scratch,
        Error::OtherProgram {
            application_id: 7,
            ..
        }
    );
}

#[test]
fn newer_schema_is_rejected() {
    let scratch = database_with_players();
    let newer = SCHEMA_VERSION + 1;
    scratch.open_raw().pragma_update(None, "user_version", newer).unwrap();
    refused!(scratch, Error::NewerSchema { version, supported: SCHEMA_VERSION, .. } if version == newer);
}

#[test]
fn truncated_file_is_corrupt() {
    let scratch = database_with_players();
    let file = fs::File::options().write(true).open(scratch.database()).unwrap();
    let length = file.metadata().unwrap().len();
    file.set_len(length / 2).unwrap();
    let checked = Store::open_reader(scratch.database()).and_then(|store| store.check());
    match checked {
        Err(Error::Corrupt { .. }) => {}
        Ok(problems) => assert!(!problems.is_empty()),
        Err(error) => panic!("{error:?}"),
    }
    file.set_len(50).unwrap();
    refused!(scratch, Error::Corrupt { .. });
}

#[test]
fn read_only_file_rejects_writer() {
    let scratch = database_with_players();
    let folder = scratch.folder();
    let set = |path: &std::path::Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    set(&scratch.database(), 0o444);
    set(folder, 0o555);
    // Root may write everywhere, so nothing fails then.
    let root = fs::write(folder.join("probe"), b"").is_ok();
    let error = Store::open_writer(scratch.database(), "a test");
    set(folder, 0o755);
    if !root {
        assert!(matches!(error, Err(Error::ReadOnly { .. })), "{error:?}");
        drop(error);
        // A read-only file in a writable folder.
        let error = Store::open_writer(scratch.database(), "a test");
        assert!(matches!(error, Err(Error::ReadOnly { .. })), "{error:?}");
        scratch.open_reader();
    }
    let directory = Store::open_reader(folder);
    assert!(matches!(directory, Err(Error::NotAFile { .. })), "{directory:?}");
}

#[test]
fn second_writer_is_rejected_and_readers_continue() {
    let scratch = database_with_players();
    let first = Store::open_writer(scratch.database(), "ranklore import").unwrap();
    let error = Store::open_writer(scratch.database(), "ranklore rate").unwrap_err();
    assert!(matches!(error, Error::InUse { .. }), "{error:?}");
    let holder = format!("process {} (ranklore import) since ", std::process::id());
    assert!(error.to_string().contains(&holder), "{error}");
    // A symbolic link leads to the same lock.
    let link = scratch.database_with_suffix(".link");
    std::os::unix::fs::symlink(scratch.database(), &link).unwrap();
    let error = Store::open_writer(&link, "ranklore rate").unwrap_err();
    assert!(matches!(error, Error::InUse { .. }), "{error:?}");
    assert_eq!(scratch.open_reader().sources().unwrap().len(), 1);
    drop(first);
    drop(scratch.open_writer());
}

#[test]
fn last_close_removes_wal() {
    let scratch = database_with_players();
    let left = || ["-wal", "-shm"].map(|suffix| scratch.database_with_suffix(suffix).exists());
    assert_eq!(left(), [false, false], "after a writer");
    let reader = scratch.open_reader();
    reader.sources().unwrap();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    import_contest(&mut batch, "club", 5, &contest("2", 20, &["a", "b"]));
    batch.commit().unwrap();
    drop(writer);
    assert_eq!(reader.sources().unwrap()[0].contests, 2);
    drop(reader);
    assert_eq!(left(), [false, false], "after a reader");
}
