//! Games of teams whose members stand in a column each.

use super::{contest_lines, table};
use ranklore_formats::{FileFormat, ReadOptions, read};

#[test]
fn alliances_of_three_play_games() {
    for headings in [
        "red1,red2,red3,blue1,blue2,blue3,red_score,blue_score",
        "Red 1,Red 2,Red 3,Blue 1,Blue 2,Blue 3,Red Score,Blue Score",
        "team 1 player 1,team 1 player 2,team 1 player 3,team 2 player 1,team 2 player 2,team 2 player 3,score1,score2",
    ] {
        let text = format!(
            "date,{headings}\n2024-03-01,254,118,33,971,1114,2056,80,75\n2024-03-02,33,971,44,254,1678,118,60,90\n"
        );
        let reading = table(&text).unwrap();
        assert_eq!(
            contest_lines(&reading),
            [
                "33 / 118 / 254 – 971 / 1114 / 2056 2024-03-01: 1 33 / 118 / 254 [33 118 254] (80), 2 971 / 1114 / 2056 [971 1114 2056] (75)",
                "118 / 254 / 1678 – 33 / 44 / 971 2024-03-02: 1 118 / 254 / 1678 [118 254 1678] (90), 2 33 / 44 / 971 [33 44 971] (60)"
            ],
            "{headings}"
        );
        let layout = reading.layout.unwrap();
        assert!(layout.columns[1..7].iter().all(|column| column.meaning.is_some()));
    }
}

#[test]
fn lists_of_numbers_are_members() {
    let json = br#"[{"date":"2024-03-01","red":["254","118"],"blue":["971","1114"],"red_score":80,"blue_score":75}]"#;
    let error =
        read(FileFormat::JsonTable, &json[..], "x.json", &ReadOptions::default()).unwrap_err();
    let options: Vec<String> = error.options.iter().map(ToString::to_string).collect();
    assert_eq!(options, ["--members ';'", "--members none"]);
}

#[test]
fn members_without_opponents_are_refused() {
    let text =
        "date,red1,red2,red3,blue1,blue2,red_score,blue_score\n2024-01-01,A,B,C,D,E,100,90\n";
    let error = table(text).err().unwrap();
    assert!(error.contains("\"red3\" (D) has no column of the other team"), "{error}");
}
