//! Parquet files as tables.

use std::sync::Arc;

use arrow_array::builder::{
    Int32Builder, ListBuilder, StringBuilder, StringDictionaryBuilder, StructBuilder,
};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, DurationNanosecondArray,
    DurationSecondArray, Float32Array, Float64Array, Int32Array, Int64Array, NullArray,
    RecordBatch, StringArray, StructArray, Time32SecondArray, TimestampMicrosecondArray,
    TimestampMillisecondArray, UInt8Array,
};
use arrow_schema::{DataType, Field};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::data_type::{
    ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType, Int32Type as PhysicalInt32,
};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use ranklore_formats::{ColumnMeaning, FileFormat, FileReading, ReadOptions, any_text, read};

use super::{contest_lines, notes, refused, table};

pub(crate) fn written(batch: &RecordBatch, properties: WriterProperties) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
    bytes
}

fn file(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
    let columns = columns.into_iter().map(|(name, array)| (name, array, true));
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    written(&batch, WriterProperties::default())
}

fn parquet_with(bytes: &[u8], options: &ReadOptions) -> Result<FileReading, String> {
    read(FileFormat::Parquet, bytes, "in/Club night.parquet", options)
        .map_err(|error| error.to_string())
}

fn parquet(bytes: &[u8]) -> Result<FileReading, String> {
    parquet_with(bytes, &ReadOptions::default())
}

fn texts(values: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

pub(crate) fn sample() -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable([
        ("contest", texts(&["Run", "Run", "Run", "Ride", "Ride"]), true),
        (
            "date",
            Arc::new(Date32Array::from(vec![19783, 19783, 19783, 19876, 19876])) as ArrayRef,
            true,
        ),
        (
            "place",
            Arc::new(Int32Array::from(vec![Some(1), Some(2), None, Some(1), Some(2)])),
            true,
        ),
        ("player", texts(&["Zoë Alder", "Bram", "Dov", "Dov", "Bram"]), true),
        (
            "score",
            Arc::new(Float64Array::from(vec![
                Some(1.1),
                Some(1.234),
                Some(f64::NAN),
                Some(-3.0),
                None,
            ])),
            true,
        ),
        (
            "status",
            Arc::new(StringArray::from(vec![None, None, Some("DNF"), None, None])),
            true,
        ),
    ])
    .unwrap()
}

#[test]
fn csv_and_parquet_of_all_forms_give_same_reading() {
    let csv = table(
        "contest,date,place,player,score,status\n\
         Run,2024-03-01,1,Zoë Alder,1.1,\nRun,2024-03-01,2,Bram,1.2340,\nRun,2024-03-01,,Dov,,DNF\n\
         Ride,2024-06-02,1,Dov,-3,\nRide,2024-06-02,2,Bram,,\n",
    )
    .unwrap();
    assert_eq!(csv.contests.len(), 2);
    for compression in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
    ] {
        for dictionary in [true, false] {
            for rows in [1, 2, 100] {
                let properties = WriterProperties::builder()
                    .set_compression(compression)
                    .set_dictionary_enabled(dictionary)
                    .set_max_row_group_row_count(Some(rows))
                    .build();
                let reading = parquet(&written(&sample(), properties)).unwrap();
                assert_eq!(refused(&reading), [""; 0]);
                assert_eq!(reading.contests, csv.contests, "{compression} {dictionary} {rows}");
                assert_eq!(reading.layout.unwrap().header_line, None);
            }
        }
    }
    // Pages of version 2 keep levels apart.
    let properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_compression(Compression::SNAPPY)
        .build();
    let reading = parquet(&written(&sample(), properties)).unwrap();
    assert_eq!(reading.contests, csv.contests);
}

#[test]
fn values_of_every_type_are_texts() {
    let mut dictionary = StringDictionaryBuilder::<Int32Type>::new();
    dictionary.extend(["Ada", "Bo", "Ada"].map(Some));
    // 2024-03-01T18:30:00Z
    let at = 1_709_317_800;
    let bytes = file(vec![
        ("player", Arc::new(dictionary.finish())),
        ("place", Arc::new(UInt8Array::from(vec![1, 1, 2]))),
        ("contest id", Arc::new(Int64Array::from(vec![i64::MAX, i64::MIN, i64::MIN]))),
        (
            "date",
            Arc::new(TimestampMillisecondArray::from(vec![at * 1000; 3]).with_timezone("UTC")),
        ),
        (
            "score",
            Arc::new(
                Decimal128Array::from(vec![1_234_567, -5, 0])
                    .with_precision_and_scale(20, 3)
                    .unwrap(),
            ),
        ),
        ("weight", Arc::new(Float32Array::from(vec![0.1, 1.5, 1.5]))),
        (
            "division",
            Arc::new(BinaryArray::from(vec![b"Open".as_ref(), b"Zo\xc3\xab", b"Zo\xc3\xab"])),
        ),
        ("flag", Arc::new(BooleanArray::from(vec![true, false, true]))),
        ("nothing", Arc::new(NullArray::new(3))),
        ("lap", Arc::new(Time32SecondArray::from(vec![5000, 60, 1]))),
        ("seen", Arc::new(TimestampMicrosecondArray::from(vec![0, -1, at * 1_000_000]))),
    ]);
    let reading = parquet(&bytes).unwrap();
    assert_eq!(refused(&reading), [""; 0]);
    let mut lines = contest_lines(&reading);
    lines.sort();
    assert_eq!(
        lines,
        [
            "-9223372036854775808 2024-03-01T18:30:00Z: 1 Bo (-0.005), 2 Ada (0)",
            "9223372036854775807 2024-03-01T18:30:00Z: 1 Ada (1234.567)"
        ]
    );
    let contest = &reading.contests.get(0).unwrap();
    assert_eq!((contest.weight, contest.division.as_deref()), (0.1, Some("Open")));
}

#[test]
fn durations_are_times() {
    let columns = |time: ArrayRef| {
        file(vec![
            ("date", texts(&["2024-03-01"; 2])),
            ("player", texts(&["Ada", "Bo"])),
            ("time", time),
        ])
    };
    for time in [
        Arc::new(DurationSecondArray::from(vec![5025, 59])) as ArrayRef,
        Arc::new(DurationNanosecondArray::from(vec![5_025_000_000_000, 59_000_000_000])),
    ] {
        let error = parquet(&columns(Arc::clone(&time))).unwrap_err();
        assert!(error.contains("--lower-is-better"), "{error}");
        let reading = parquet_with(&columns(time), &super::lower_is_better()).unwrap();
        assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 Bo (59), 2 Ada (5025)"]);
    }
}

#[test]
fn uuids_are_texts() {
    let schema = "message m { required binary date (STRING); required binary player (STRING); \
                  required int32 place; required fixed_len_byte_array(16) player_id (UUID); }";
    let schema = parquet::schema::parser::parse_message_type(schema).unwrap();
    let mut bytes = Vec::new();
    let properties = Arc::new(WriterProperties::default());
    let mut writer = SerializedFileWriter::new(&mut bytes, Arc::new(schema), properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for value in [b"2024-03-01".as_ref(), b"Ada"] {
        let mut column = group.next_column().unwrap().unwrap();
        let text = [ByteArray::from(value.to_vec())];
        let typed = column.typed::<ByteArrayType>();
        typed.write_batch(&text, None, None).unwrap();
        column.close().unwrap();
    }
    let mut column = group.next_column().unwrap().unwrap();
    let typed = column.typed::<PhysicalInt32>();
    typed.write_batch(&[1], None, None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    // Some UUIDs are texts by chance.
    let uuid = [FixedLenByteArray::from(b"0123456789abcdef".to_vec())];
    let typed = column.typed::<FixedLenByteArrayType>();
    typed.write_batch(&uuid, None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    assert_eq!(
        contest_lines(&parquet(&bytes).unwrap()),
        ["2024-03-01 2024-03-01: 1 30313233-3435-3637-3839-616263646566"]
    );
}

#[test]
fn structures_are_dotted_headings_and_lists_members() {
    let mut members = ListBuilder::new(StringBuilder::new());
    members.append_value([Some("Ann"), None, Some("Bo Li")]);
    members.append_null();
    members.append_value([Some("Cy")]);
    let driver: ArrayRef = Arc::new(StructArray::from(vec![
        (Arc::new(Field::new("name", DataType::Utf8, true)), texts(&["Ada", "Bo", "Cy"])),
        (
            Arc::new(Field::new("club", DataType::Utf8, true)),
            texts(&["Reds", "Blues", "Reds"]),
        ),
    ]));
    let place: ArrayRef = Arc::new(Int32Array::from(vec![1, 2, 3]));
    let date: ArrayRef = Arc::new(Date32Array::from(vec![19783; 3]));
    let reading = parquet(&file(vec![
        ("driver", driver),
        ("place", Arc::clone(&place)),
        ("date", Arc::clone(&date)),
    ]))
    .unwrap();
    assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 Ada, 2 Bo, 3 Cy"]);
    assert!(notes(&reading).contains("columns not used: \"driver.club\""));
    let mut laps = ListBuilder::new(StructBuilder::from_fields(
        vec![Field::new("s", DataType::Int32, true)],
        3,
    ));
    for _ in 0..3 {
        let lap = laps.values();
        lap.field_builder::<Int32Builder>(0).unwrap().append_value(1);
        lap.append(true);
        laps.append(true);
    }
    let reading = parquet(&file(vec![
        ("laps", Arc::new(laps.finish())),
        ("team", texts(&["Reds", "Blues", "Greens"])),
        ("members", Arc::new(members.finish())),
        ("place", place),
        ("date", date),
    ]))
    .unwrap();
    assert_eq!(
        contest_lines(&reading),
        ["2024-03-01 2024-03-01: 1 Reds [Ann Bo Li], 2 Blues, 3 Greens [Cy]"]
    );
    assert!(notes(&reading).contains("arrays of objects and maps are not read: \"laps\""));
}

#[test]
fn refusals_name_row_and_column() {
    let reading = parquet(&file(vec![
        ("player", texts(&["a", "b", "a"])),
        ("place", texts(&["1", "second", "3"])),
        ("date", texts(&["2024-03-01", "2024-03-02", "2024-03-01"])),
    ]))
    .unwrap();
    assert_eq!(
        refused(&reading),
        [
            "row 3: contest \"2024-03-01\": \"a\" stands twice, on row 1 and row 3; if these are different competitors, add a column of ids headed \"competitor id\", or pass --same-name-by with a column that tells them apart",
            "row 2, place: contest \"2024-03-02\": place \"second\" is not a place such as 1, T3, 3= or dnf; if \"second\" is a status, pass --status second=dnf (dnf, dq, dns or finished)"
        ]
    );
    let bytes = |values: &[u8]| {
        file(vec![
            ("player", texts(&["a"])),
            ("place", texts(&["1"])),
            ("photo", Arc::new(BinaryArray::from(vec![values]))),
        ])
    };
    let photo = bytes(b"\xff\xfe");
    let mut options = super::from_2024(1);
    let reading = parquet_with(&photo, &options).unwrap();
    assert_eq!(reading.contests.len(), 1);
    let note = "values that are neither text nor number are not read: \"photo\"";
    assert!(notes(&reading).contains(note), "{}", notes(&reading));
    options.columns = [("photo".to_owned(), ColumnMeaning::Division)].into();
    assert_eq!(
        parquet_with(&photo, &options).unwrap_err(),
        "row 1, photo: the value is neither text nor number: exclude the column with --column photo=ignore"
    );
    let long = file(vec![("player", texts(&["a", &"x".repeat((1 << 20) + 1)]))]);
    assert_eq!(
        parquet(&long).unwrap_err(),
        "row 2, player: a text has more than 1 MiB: shorten it"
    );
}

#[test]
fn dictionary_bomb_is_refused() {
    let text = "x".repeat(1 << 20);
    let batch = RecordBatch::try_from_iter([("player", texts(&vec![text.as_str(); 200]))]).unwrap();
    let properties = WriterProperties::builder()
        .set_dictionary_page_size_limit(4 << 20)
        .set_statistics_enabled(EnabledStatistics::None)
        .build();
    let bytes = written(&batch, properties);
    assert!(bytes.len() < 4 << 20, "{}", bytes.len());
    let error = parquet(&bytes).unwrap_err();
    assert!(
        error.starts_with("row 128: the cells have more than 128 MiB of text"),
        "{error}"
    );
}

#[test]
fn compression_bomb_is_refused() {
    let text = "x".repeat(1 << 20);
    let rows = 300;
    let batch = RecordBatch::try_from_iter_with_nullable([
        ("player", texts(&vec!["a"; rows]), true),
        ("note", texts(&vec![text.as_str(); rows]), true),
    ])
    .unwrap();
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::None)
        .build();
    let bytes = written(&batch, properties);
    assert!(bytes.len() < 1 << 20, "{}", bytes.len());
    let options = ReadOptions {
        columns: [("note".to_owned(), ColumnMeaning::Ignore)].into(),
        ..ReadOptions::default()
    };
    let error = parquet_with(&bytes, &options).unwrap_err();
    assert!(error.contains("unpacks to more than 256 MiB"), "{error}");
}

/// A file with these bytes as metadata.
fn with_metadata(metadata: &[u8]) -> Vec<u8> {
    let length = (metadata.len() as u32).to_le_bytes();
    [b"PAR1", metadata, &length, b"PAR1"].concat()
}

#[test]
fn hostile_schema_is_refused() {
    // A structure with the version 1, then a list of schema elements: each has a name, an empty
    // text, and a number of children.
    let schema = |count: u32, children: &[u8]| {
        let mut metadata = vec![0x15, 2, 0x19, 0xfc];
        let mut left = count;
        while left > 127 {
            metadata.push((left & 127) as u8 | 128);
            left >>= 7;
        }
        metadata.push(left as u8);
        for _ in 0..count {
            metadata.extend([0x48, 0, 0x15]);
            metadata.extend(children);
            metadata.push(0);
        }
        metadata.push(0);
        with_metadata(&metadata)
    };
    // Each is a group of the next one, or has two billion children.
    for hostile in [
        schema(400_000, &[2]),
        schema(2, &[0xfe, 0xff, 0xff, 0xff, 0x0f]),
    ] {
        assert_eq!(parquet(&hostile).unwrap_err(), "this Parquet file is broken: write it again");
    }
    let long = with_metadata(&vec![0; 5 << 20]);
    assert!(parquet(&long).unwrap_err().contains("more than 4 MiB"));
}

#[test]
fn broken_files_are_refused() {
    let good = written(&sample(), WriterProperties::default());
    for bytes in [
        &b""[..],
        b"PAR1",
        b"PAR1PAR1",
        b"name,place\nAda,1",
        &good[..good.len() - 1],
        &good[4..],
    ] {
        let error = parquet(bytes).unwrap_err();
        assert!(error.starts_with("this Parquet file "), "{error}");
    }
    let mut encrypted = good;
    let end = encrypted.len() - 1;
    encrypted[end] = b'E';
    assert!(parquet(&encrypted).unwrap_err().contains("is encrypted"));
    let twice = file(vec![
        ("player", texts(&["a"])),
        ("x.y", texts(&["a"])),
        (
            "x",
            Arc::new(StructArray::from(vec![(
                Arc::new(Field::new("y", DataType::Utf8, true)),
                texts(&["b"]),
            )])),
        ),
    ]);
    assert_eq!(
        parquet(&twice).unwrap_err(),
        "two columns are called \"x.y\": give them different names"
    );
    let empty = file(vec![("player", texts(&[]))]);
    assert_eq!(parquet(&empty).unwrap_err(), "there are no rows below the headings");
}

/// The library panics on such a page.
#[test]
fn page_without_its_dictionary_is_refused() {
    let mut bytes = file(vec![("player", texts(&["Ada", "Bea", "Ada"]))]);
    // The header of the first page: the type of page is 2, a dictionary, doubled. 1 is an index.
    assert_eq!(bytes[4..6], [0x15, 4]);
    bytes[5] = 2;
    assert_eq!(
        parquet(&bytes).unwrap_err(),
        "this Parquet file cannot be read: a dictionary is missing"
    );
}

#[test]
fn names_are_found_in_every_column() {
    let mut members = ListBuilder::new(StructBuilder::from_fields(
        vec![Field::new("name", DataType::Utf8, true)],
        2,
    ));
    for name in ["Cy", "Ada Bell"] {
        let member = members.values();
        let names = member.field_builder::<StringBuilder>(0).unwrap();
        names.append_value(name);
        member.append(true);
        members.append(true);
    }
    let members: ArrayRef = Arc::new(members.finish());
    let bytes: ArrayRef = Arc::new(BinaryArray::from(vec![b"\xff Ada Bell".as_ref(), b""]));
    for (name, values) in [
        ("player", texts(&["Cy", "Ada Bell"])),
        ("note", texts(&["with Ada Bell", ""])),
        ("members", members),
        ("raw", bytes),
        ("Ada Bell", texts(&["1", "2"])),
    ] {
        let batch = RecordBatch::try_from_iter_with_nullable([
            ("x", texts(&["x", "y"]), true),
            (name, values, true),
        ])
        .unwrap();
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_statistics_enabled(EnabledStatistics::None)
            .build();
        let bytes = written(&batch, properties);
        let finds = |name: &str| any_text(&bytes, &|text| text.contains(name)).unwrap();
        assert!(finds("Ada Bell"), "{name}");
        assert!(!finds("Ada Belle"), "{name}");
    }
    // Names in two columns are side by side, as in a text table.
    let columns = vec![("given", texts(&["Ada"])), ("surname", texts(&["Bell"]))];
    let bytes = file(columns);
    assert!(any_text(&bytes, &|text| text.contains("Ada\nBell")).unwrap());
    assert!(any_text(&bytes[..bytes.len() - 1], &|_| false).is_err());
}
