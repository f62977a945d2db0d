//! Maliciously crafted datasets cause clear errors and write nothing.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use ranklore_publish::{Dataset, DatasetChanges, DatasetFormat, Error, NoExportProgress, verify};
use ranklore_test_support::{World, at, source};
use serde_json::json;

use super::exports::{Exports as _, exported_sample, files};
use super::reseal::{edit_file, edit_manifest, table_file, update_manifest_and_checksums};

/// Reads a dataset in every possible way and returns the first problem.
fn single_problem(folder: &Path) -> String {
    let before = files(folder.parent().unwrap());
    let checked = verify(folder, &NoExportProgress);
    let of_documents = count_documents(folder);
    // Any input gives an error, not a panic.
    let _ = DatasetChanges::between(folder, folder, &NoExportProgress);
    assert!(files(folder.parent().unwrap()) == before, "something was written");
    match checked {
        Ok(checked) => {
            assert_ne!(checked.problems, Vec::<String>::new());
            assert!(checked.problems.len() <= 100);
            checked.problems[0].clone()
        }
        Err(error) => {
            assert!(of_documents.is_err());
            error.to_string()
        }
    }
}

fn count_documents(folder: &Path) -> Result<usize, Error> {
    let dataset = Dataset::open(folder)?;
    let mut many = 0;
    for source in &dataset.manifest().sources {
        for document in dataset.documents(&source.name)? {
            document?;
            many += 1;
        }
    }
    Ok(many)
}

/// Returns the problem of a single-format dataset after editing a file and updating all checksums.
fn problem_after(form: DatasetFormat, change: impl FnOnce(&Path)) -> String {
    let (_world, folder) = exported_sample(&[form]);
    change(&folder);
    update_manifest_and_checksums(&folder);
    single_problem(&folder)
}

fn problem_after_byte_edit(
    form: DatasetFormat,
    table: &str,
    change: impl FnOnce(Vec<u8>) -> Vec<u8>,
) -> String {
    problem_after(form, |folder| {
        let path = table_file(folder, table);
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, change(bytes)).unwrap();
    })
}

fn problem_after_replace(form: DatasetFormat, table: &str, from: &str, to: &str) -> String {
    problem_after(form, |folder| {
        edit_file(&table_file(folder, table), |text| text.replacen(from, to, 1));
    })
}

#[test]
fn paths_outside_folder_are_refused() {
    for path in [
        "../ranklore.sqlite",
        "/etc/hosts",
        "C:/x",
        "csv/../../x",
        "..",
        "",
        "csv\\x",
        "a//b",
    ] {
        let (_world, folder) = exported_sample(&[DatasetFormat::Csv]);
        edit_manifest(&folder, |package| {
            package["ranklore"]["files"][0]["path"] = json!(path);
        });
        let problem = single_problem(&folder);
        assert!(problem.contains("is no path below the dataset folder"), "{path:?}: {problem}");
    }
}

#[test]
fn overflowing_counts_are_reported() {
    let (_world, folder) = exported_sample(&[DatasetFormat::Csv, DatasetFormat::Parquet]);
    edit_manifest(&folder, |package| {
        for table in package["ranklore"]["tables"].as_array_mut().unwrap() {
            table["rows"] = json!(u64::MAX);
        }
        for source in package["ranklore"]["sources"].as_array_mut().unwrap() {
            source["standings"] = json!(u64::MAX);
        }
    });
    update_manifest_and_checksums(&folder);
    let problem = single_problem(&folder);
    assert!(problem.contains("the manifest lists 18446744073709551615"), "{problem}");
}

#[test]
fn invalid_manifest_is_refused() {
    let deep = "[".repeat(100_000);
    let deep_inside = format!("{{\"ranklore\": {}", "{\"a\":".repeat(100_000));
    for (manifest, is) in [
        (deep, "not from Ranklore"),
        (deep_inside, "not from Ranklore"),
        ("{}".to_owned(), "not from Ranklore"),
        ("[]".to_owned(), "not from Ranklore"),
        (r#"{"ranklore": 1}"#.to_owned(), "not from Ranklore"),
        (r#"{"ranklore": {"format_version": -1}}"#.to_owned(), "not from Ranklore"),
        (r#"{"ranklore": {"format_version": 3}}"#.to_owned(), "update Ranklore"),
        (
            r#"{"ranklore": {"format_version": 18446744073709551615}}"#.to_owned(),
            "update Ranklore",
        ),
        (r#"{"ranklore": {"format_version": 1}}"#.to_owned(), "is missing"),
    ] {
        let (_world, folder) = exported_sample(&[DatasetFormat::Csv]);
        fs::write(folder.join("datapackage.json"), manifest).unwrap();
        let problem = single_problem(&folder);
        assert!(problem.contains(is), "{problem}");
    }
}

#[test]
fn csv_with_wrong_columns_or_values_is_refused() {
    let standing =
        |from: &str, to: &str| problem_after_replace(DatasetFormat::Csv, "standing", from, to);
    let problem = standing("mossfinch,2,17,", "mossfinch,");
    assert!(problem.contains("standing.csv, row 4: "), "{problem}");
    let problem = standing("mossfinch,2,17,", "mossfinch,2,17,,,,");
    assert!(problem.contains("standing.csv, row 4: "), "{problem}");
    let problem = standing("competitor,place", "place,competitor");
    assert!(
        problem.ends_with("its columns are not those of the table standing"),
        "{problem}"
    );
    let problem = standing(",place", "");
    assert!(
        problem.ends_with("its columns are not those of the table standing"),
        "{problem}"
    );
    for (cell, is) in [
        ("two", "\"two\" is no integer"),
        ("2.0", "\"2.0\" is no integer"),
        ("99999999999999999999", "is no integer"),
    ] {
        let problem = standing("mossfinch,2,", &format!("mossfinch,{cell},"));
        assert!(problem.contains("row 4, column place: ") && problem.ends_with(is), "{problem}");
    }
    for cell in ["NaN", "inf", "1e999", "0x10", "1,5"] {
        let problem = standing("larkspur7,1,4306.5,", &format!("larkspur7,1,\"{cell}\","));
        assert!(problem.ends_with("is no number"), "{problem}");
    }
    let problem = problem_after_replace(
        DatasetFormat::Csv,
        "contest",
        "2020-09-13T12:26:40Z",
        "2020-09-13T12:26:40.5Z",
    );
    assert!(problem.ends_with("is no time"), "{problem}");
    let problem = problem_after_replace(
        DatasetFormat::Csv,
        "contest",
        "2020-09-13T12:26:40Z",
        "9999-12-30T00:00:00Z",
    );
    assert!(problem.ends_with("is no time"), "{problem}");
    let problem = problem_after_replace(DatasetFormat::Csv, "contest", "2020-09-13T12:26:40Z", "");
    assert!(problem.ends_with("column ends_at: a value is missing"), "{problem}");
}

#[test]
fn csv_with_invalid_utf8_is_refused() {
    let problem = problem_after_byte_edit(DatasetFormat::Csv, "contest", |mut bytes| {
        let at = bytes.iter().rposition(|byte| *byte == b'L').unwrap();
        bytes[at] = 0xff;
        bytes
    });
    assert!(problem.contains("UTF-8"), "{problem}");
    let problem = problem_after_byte_edit(DatasetFormat::Csv, "contest", |_| Vec::new());
    assert!(problem.ends_with("its columns are not those of the table contest"), "{problem}");
    let problem = problem_after_byte_edit(DatasetFormat::Csv, "contest", |bytes| {
        [b"\"".to_vec(), bytes].concat()
    });
    assert!(problem.ends_with("its columns are not those of the table contest"), "{problem}");
}

#[test]
fn endless_rows_are_refused() {
    for (form, is) in [
        (DatasetFormat::Csv, "the row is longer than 16 MiB"),
        (DatasetFormat::JsonLines, "the line is unterminated or longer than 16 MiB"),
    ] {
        let (_world, folder) = exported_sample(&[form]);
        let path = table_file(&folder, "standing");
        let mut bytes = fs::read(&path).unwrap();
        bytes.extend(b"\"");
        bytes.resize(bytes.len() + (17 << 20), b'a');
        fs::write(&path, bytes).unwrap();
        let problem = count_documents(&folder).unwrap_err().to_string();
        assert!(problem.ends_with(is), "{problem}");
    }
}

#[test]
fn raw_formula_in_escaped_csv_is_refused() {
    let mut world = super::exports::sample_world();
    world.write_run("gulls", "elo", 1.0);
    let export = super::exports::ExportSpec {
        defuse: true,
        ..super::exports::ExportSpec::new("out", &super::exports::SOURCES)
            .with_formats(&[DatasetFormat::Csv])
    };
    world.export(&export).unwrap();
    let folder = world.path("out");
    edit_file(&table_file(&folder, "competitor"), |text| text.replace("'=Terry", "=Terry"));
    update_manifest_and_checksums(&folder);
    assert!(single_problem(&folder).contains("it begins like a formula"));
}

#[test]
fn json_lines_with_wrong_members_are_refused() {
    let standing = |from: &str, to: &str| {
        problem_after_replace(DatasetFormat::JsonLines, "standing", from, to)
    };
    let problem = standing("\"place\"", "\"rank\"");
    assert!(problem.ends_with("row 1, column place: it is missing"), "{problem}");
    let problem = standing("\"place\":1", "\"place\":1,\"rank\":1");
    assert!(problem.ends_with("it has 10 members instead of 9"), "{problem}");
    let problem = standing("\"place\":1", "\"place\":2,\"place\":1");
    assert!(problem.ends_with("it has 10 members instead of 9"), "{problem}");
    let problem = standing("\"score\":null", "\"place\":1");
    assert!(problem.ends_with("row 1, column score: it is missing"), "{problem}");
    let problem = standing("\"place\":1", "\"place\":\"1\"");
    assert!(problem.ends_with("\"1\" is no integer"), "{problem}");
    let problem = standing("\"place\":1", "\"place\":1e0");
    assert!(problem.ends_with("1.0 is no integer"), "{problem}");
    let problem = standing("\"score\":4306.5", "\"score\":1e999");
    assert!(problem.contains("row 3: the number is out of range"), "{problem}");
    let problem = standing("\"source\":\"gulls\"", "\"source\":null");
    assert!(problem.ends_with("row 1, column source: a value is missing"), "{problem}");
    let problem = standing("{", "[{");
    assert!(problem.contains("row 1: "), "{problem}");
    let problem = standing("{", "\n{");
    assert!(problem.contains("row 1: "), "{problem}");
    let problem = standing("\"score\":null", &format!("\"score\":{}", "[".repeat(100_000)));
    assert!(problem.contains("the JSON is nested too deep"), "{problem}");
}

#[test]
fn truncated_json_lines_are_refused() {
    let problem = problem_after_byte_edit(DatasetFormat::JsonLines, "standing", |mut bytes| {
        assert_eq!(bytes.pop(), Some(b'\n'));
        bytes
    });
    assert!(problem.contains("the line is unterminated"), "{problem}");
    let problem = problem_after_byte_edit(DatasetFormat::JsonLines, "standing", |mut bytes| {
        let at = bytes.iter().position(|byte| *byte == b'g').unwrap();
        bytes[at] = 0xff;
        bytes
    });
    assert!(problem.contains("row 1: "), "{problem}");
}

/// Rewrites a Parquet table with other columns.
fn edit_columns(path: &Path, change: impl FnOnce(&mut Vec<(String, ArrayRef, bool)>)) {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let rows = reader.build().unwrap().next().unwrap().unwrap();
    let fields = rows.schema();
    let mut columns = fields
        .fields()
        .iter()
        .zip(rows.columns())
        .map(|(field, column)| (field.name().clone(), Arc::clone(column), field.is_nullable()))
        .collect();
    change(&mut columns);
    let rows = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let mut writer =
        ArrowWriter::try_new(File::create(path).unwrap(), rows.schema(), None).unwrap();
    writer.write(&rows).unwrap();
    writer.close().unwrap();
}

fn problem_after_parquet_edit(change: impl FnOnce(&mut Vec<(String, ArrayRef, bool)>)) -> String {
    problem_after(DatasetFormat::Parquet, |folder| {
        edit_columns(&table_file(folder, "standing"), change);
    })
}

const ROW_COUNT: usize = 10;

#[test]
fn parquet_with_wrong_columns_is_refused() {
    let other = "its columns are not those of the table standing";
    let problem = problem_after_parquet_edit(|columns| drop(columns.remove(4)));
    assert!(problem.ends_with(other), "{problem}");
    let problem = problem_after_parquet_edit(|columns| columns.swap(0, 1));
    assert!(problem.ends_with(other), "{problem}");
    let problem = problem_after_parquet_edit(|columns| columns[4].0 = "rank".to_owned());
    assert!(problem.ends_with(other), "{problem}");
    let problem = problem_after_parquet_edit(|columns| {
        columns[4].1 = Arc::new(StringArray::from(vec!["1"; ROW_COUNT]));
    });
    assert!(problem.ends_with(other), "{problem}");
    let problem = problem_after_parquet_edit(|columns| {
        columns[5].1 = Arc::new(Int64Array::from(vec![1; ROW_COUNT]));
    });
    assert!(problem.ends_with(other), "{problem}");
    let problem = problem_after_parquet_edit(|columns| {
        let extra: ArrayRef = Arc::new(Int64Array::from(vec![1; ROW_COUNT]));
        columns.push(("more".to_owned(), extra, true));
    });
    assert!(problem.ends_with(other), "{problem}");
}

#[test]
fn parquet_with_invalid_values_is_refused() {
    let problem = problem_after_parquet_edit(|columns| {
        let mut sources: Vec<Option<&str>> = vec![Some("gulls"); ROW_COUNT];
        sources[3] = None;
        columns[0].1 = Arc::new(StringArray::from(sources));
        columns[0].2 = true;
    });
    assert!(problem.ends_with("row 4, column source: a value is missing"), "{problem}");
    for value in [f64::NAN, f64::INFINITY] {
        let problem = problem_after_parquet_edit(|columns| {
            columns[5].1 = Arc::new(Float64Array::from(vec![value; ROW_COUNT]));
        });
        assert!(problem.ends_with("row 1, column score: it is no finite number"), "{problem}");
    }
    let problem = problem_after_parquet_edit(|columns| {
        columns[4].1 = Arc::new(Int64Array::from(vec![i64::MIN; ROW_COUNT]));
    });
    assert!(problem.contains("its place is -9223372036854775808"), "{problem}");
}

#[test]
fn damaged_parquet_is_refused() {
    for change in [
        |_| Vec::new(),
        |_| b"PAR1PAR1".to_vec(),
        |bytes: Vec<u8>| bytes[..bytes.len() / 2].to_vec(),
        |bytes: Vec<u8>| bytes[bytes.len() / 2..].to_vec(),
        |mut bytes: Vec<u8>| {
            // The claimed length of the footer.
            let at = bytes.len() - 8;
            bytes[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
            bytes
        },
    ] {
        let problem = problem_after_byte_edit(DatasetFormat::Parquet, "standing", change);
        assert!(problem.contains("standing.parquet"), "{problem}");
    }
}

#[test]
fn flipped_byte_in_parquet_never_panics() {
    let (_world, folder) = exported_sample(&[DatasetFormat::Parquet]);
    for table in ["standing", "contest"] {
        let path = table_file(&folder, table);
        let intact = fs::read(&path).unwrap();
        for at in (0..intact.len()).step_by(37) {
            let mut flipped = intact.clone();
            flipped[at] ^= 0xff;
            fs::write(&path, &flipped).unwrap();
            // The result is valid or an error; verification reports the checksum anyway.
            let _ = count_documents(&folder);
        }
        fs::write(&path, &intact).unwrap();
    }
}

fn problem_after_sql(sql: &str) -> String {
    problem_after(DatasetFormat::Sqlite, |folder| {
        let connection = rusqlite::Connection::open(folder.join("dataset.sqlite")).unwrap();
        connection.execute_batch(sql).unwrap();
    })
}

/// Recreates the table `standing` without column types.
const ALLOW_ANY_VALUE: &str =
    "CREATE TABLE loose (source, contest, kind, competitor, place, score, penalty, status, side);
    INSERT INTO loose SELECT * FROM standing; DROP TABLE standing;
    ALTER TABLE loose RENAME TO standing;";

#[test]
fn sqlite_with_wrong_tables_is_refused() {
    let problem = problem_after_sql("PRAGMA foreign_keys = OFF; DROP TABLE standing");
    assert!(
        problem.ends_with("its columns are not those of the table standing"),
        "{problem}"
    );
    let problem = problem_after_sql("ALTER TABLE standing RENAME COLUMN place TO rank");
    assert!(
        problem.ends_with("its columns are not those of the table standing"),
        "{problem}"
    );
    let problem = problem_after_sql("CREATE VIEW v AS SELECT 1");
    assert!(problem.contains("neither table nor index"), "{problem}");
    let problem = problem_after_sql("CREATE TRIGGER t AFTER INSERT ON contest BEGIN SELECT 1; END");
    assert!(problem.contains("neither table nor index"), "{problem}");
}

#[test]
fn sqlite_with_invalid_values_is_refused() {
    for (set, is) in [
        ("score = 'many' WHERE place = 1", "row 1, column score: it is no number"),
        ("score = 1 WHERE place = 1", "row 1, column score: it is no number"),
        ("score = 9e999 WHERE place = 1", "row 1, column score: it is no number"),
        ("place = 1.5 WHERE place = 1", "row 1, column place: it is no integer"),
        ("source = NULL", "row 1, column source: a value is missing"),
        ("source = x'ff'", "has bytes in column source"),
        ("source = cast(x'ff' AS TEXT)", "has a text that is no UTF-8 in column source"),
        ("source = 5", "row 1, column source: it is no text"),
    ] {
        let problem = problem_after_sql(&format!(
            "PRAGMA foreign_keys = OFF; {ALLOW_ANY_VALUE} UPDATE standing SET {set}"
        ));
        assert!(problem.contains(is), "{set}: {problem}");
    }
}

#[test]
fn invalid_contest_files_are_refused() {
    let file = |change: &dyn Fn(String) -> String| {
        problem_after(DatasetFormat::EloMmr, |folder| {
            edit_file(&folder.join("elo-mmr/lantern/000001.json"), change);
        })
    };
    let problem = file(&|text| format!("[{text},{}]", text.replace("\"9\"", "\"99\"")));
    assert!(problem.ends_with("it must hold exactly 1 contest"), "{problem}");
    let problem = file(&|_| "[]".to_owned());
    assert!(problem.ends_with("it must hold exactly 1 contest"), "{problem}");
    let problem = file(&|_| "{".to_owned());
    assert!(problem.contains("this is not JSON"), "{problem}");
    let problem = file(&|_| "[".repeat(100_000));
    assert!(problem.contains("000001.json"), "{problem}");
    let problem = file(&|text| text.replacen("\"mossfinch\"", "\"tern\"", 1));
    assert!(problem.contains("stands twice"), "{problem}");
}

/// Edits tables of a CSV dataset, updates all checksums and counts its documents.
fn count_documents_after(edits: &[(&str, &dyn Fn(String) -> String)]) -> Result<usize, Error> {
    let (_world, folder) = exported_sample(&[DatasetFormat::Csv]);
    for (table, change) in edits {
        edit_file(&table_file(&folder, table), change);
    }
    update_manifest_and_checksums(&folder);
    single_problem(&folder);
    count_documents(&folder)
}

#[test]
fn long_merge_chain_is_followed() {
    let chain = |text: String| {
        let mut text = text;
        let mut rows: Vec<String> = (0..20_000)
            .map(|at| format!("lantern,person,q{at:06},,,,q{:06}\r\n", at + 1))
            .collect();
        rows.push("lantern,person,q020000,,,,\r\n".to_owned());
        text =
            text.replace("lantern,person,tern,", &format!("{}lantern,person,tern,", rows.concat()));
        text.replace(",wren\r\n", ",q000000\r\n")
    };
    assert_eq!(count_documents_after(&[("competitor", &chain)]).unwrap(), 4);
}

#[test]
fn merge_cycle_is_followed_once() {
    let circle = |text: String| text.replace("wren,Wren Owlett,,,", "wren,Wren Owlett,,,owl");
    assert_eq!(count_documents_after(&[("competitor", &circle)]).unwrap(), 4);
}

#[test]
fn rows_without_contest_are_an_error() {
    let lost =
        |text: String| text.replace("gulls,7,couple,Eve & Fay,2", "gulls,7,couple,Zoe & Fay,2");
    let problem = count_documents_after(&[("member", &lost)]).unwrap_err().to_string();
    assert!(problem.contains("member, row 4: it belongs to no contest"), "{problem}");
    let lost = |text: String| format!("{text}lantern,z,person,tern,1,,,,\r\n");
    let problem = count_documents_after(&[("standing", &lost)]).unwrap_err().to_string();
    assert!(problem.contains("standing, row 11: it belongs to no contest"), "{problem}");
}

#[test]
fn import_of_invalid_dataset_writes_nothing() {
    let (_world, folder) = exported_sample(&[DatasetFormat::Csv]);
    edit_file(&table_file(&folder, "standing"), |text| {
        text.replace("tern,2,17,", "tern,5,17,")
    });
    update_manifest_and_checksums(&folder);
    let mut fresh = World::new();
    let dataset = Dataset::open(&folder).unwrap();
    let documents = dataset.documents(&source("lantern")).unwrap();
    let documents = documents.map(|document| document.map_err(ranklore_ingest::Error::documents));
    let report = ranklore_ingest::import_documents(
        &mut fresh.store,
        &source("lantern"),
        &[],
        documents,
        3,
        || at(1_000),
        &ranklore_replay::NoProgress,
    );
    let error = report.unwrap_err().to_string();
    assert!(error.contains("has place 5, but"), "{error}");
    assert_eq!(fresh.store.source_id(&source("lantern")).unwrap(), None);
}

#[test]
fn folder_in_place_of_file_is_refused() {
    let (_world, folder) = exported_sample(&[DatasetFormat::Csv]);
    let path = table_file(&folder, "standing");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    let problem = single_problem(&folder);
    assert!(problem.contains("standing.csv"), "{problem}");
}
