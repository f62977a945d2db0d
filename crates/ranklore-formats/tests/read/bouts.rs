//! Games with the round and the time in which they ended.

use super::{notes, standings, table, table_with};
use ranklore_formats::{ColumnMeaning, ReadOptions};

const HEAD: &str = "event,date,fighter1,fighter2,winner,round,time\n";

fn dates(reading: &ranklore_formats::FileReading) -> Vec<String> {
    reading.contests.iter().map(|contest| contest.ends_at.to_string()).collect()
}

#[test]
fn ends_of_bouts_date_and_order_nothing() {
    let rows = "Night 1,2024-05-04,Ivy,Max,Ivy,1,2:18\nNight 1,2024-05-04,Pia,Tom,Tom,3,5:00\n\
                Night 1,2024-05-04,Ivy,Tom,Ivy,1,0:57\n";
    let reading = table(&format!("{HEAD}{rows}")).unwrap();
    assert_eq!(standings(&reading), ["1 Ivy, 2 Max", "1 Tom, 2 Pia", "1 Ivy, 2 Tom"]);
    assert_eq!(dates(&reading), ["2024-05-04"; 3]);
    assert!(
        notes(&reading).contains("\"time\" (G) tells when bouts ended: it is not read"),
        "{}",
        notes(&reading)
    );
    // A way to win says the same without times.
    let methods = "event,date,fighter1,fighter2,winner,method,round\nNight 1,2024-05-04,Ivy,Max,Ivy,KO,3\n\
                   Night 1,2024-05-04,Ivy,Tom,Tom,Decision,1\n";
    let reading = table(methods).unwrap();
    assert_eq!(standings(&reading), ["1 Ivy, 2 Max", "1 Tom, 2 Ivy"]);
    assert!(notes(&reading).contains("\"round\" (G) tells when bouts ended"));
}

#[test]
fn times_of_the_day_date_games() {
    let rows = "Night 1,2024-05-04,Ivy,Max,Ivy,1,19:30\nNight 1,2024-05-04,Pia,Tom,Tom,1,2:18\n";
    let reading = table(&format!("{HEAD}{rows}")).unwrap();
    assert_eq!(standings(&reading), ["1 Ivy, 2 Max", "1 Tom, 2 Pia"]);
    assert_eq!(dates(&reading), ["2024-05-04T19:30:00Z", "2024-05-04T02:18:00Z"]);
}

#[test]
fn short_times_without_rounds_are_asked() {
    let text = "date,player1,player2,winner,time\n2024-05-04,Ivy,Max,Ivy,2:18\n2024-05-04,Ivy,Pia,Pia,0:57\n";
    let error = table(text).unwrap_err();
    assert!(error.contains("--column time=ignore"), "{error}");
    let stated = |meaning| ReadOptions {
        columns: [("time".to_owned(), meaning)].into(),
        ..ReadOptions::default()
    };
    let durations = table_with(text, &stated(ColumnMeaning::Ignore)).unwrap();
    assert_eq!(dates(&durations), ["2024-05-04"; 2]);
    let times = table_with(text, &stated(ColumnMeaning::TimeOfDay)).unwrap();
    assert_eq!(dates(&times), ["2024-05-04T02:18:00Z", "2024-05-04T00:57:00Z"]);
}
