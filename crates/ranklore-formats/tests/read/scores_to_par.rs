//! Strokes below and above par, among which `E` is even.

use super::{contest_lines, from_2024, lower_is_better, refused, table_with};
use ranklore_formats::ReadOptions;

fn from_start(options: ReadOptions) -> ReadOptions {
    ReadOptions {
        start: from_2024(1).start,
        ..options
    }
}

#[test]
fn even_par_is_zero_among_signed_numbers() {
    let text = "Player,Score\nAnn,-3\nBo,E\nCy,+2\nDi,WD\n";
    let error = table_with(text, &from_start(ReadOptions::default())).unwrap_err();
    assert!(error.contains("--lower-is-better"), "{error}");
    let reading = table_with(text, &from_start(lower_is_better())).unwrap();
    let line = &contest_lines(&reading)[0];
    assert!(line.contains("1 Ann (-3), 2 Bo (0), 3 Cy (2)"), "{line}");
    let placed = "Pos,Player,Score\n1,Ann,-3\n2,Bo,E\n3,Cy,+2\n";
    let reading = table_with(placed, &from_start(ReadOptions::default())).unwrap();
    let line = &contest_lines(&reading)[0];
    assert!(line.contains("1 Ann (-3), 2 Bo (0), 3 Cy (2)"), "{line}");
}

#[test]
fn letter_among_other_numbers_is_no_zero() {
    for scores in [["12", "E", "9"], ["-3", "E", "5"], ["-3", "E", "-5"]] {
        let [one, two, three] = scores;
        let text = format!("Player,Score\nAnn,{one}\nBo,{two}\nCy,{three}\n");
        let reading = table_with(&text, &from_start(lower_is_better())).unwrap();
        assert!(refused(&reading)[0].contains("\"E\" is not a number"), "{scores:?}");
    }
}

#[test]
fn strokes_of_golf_are_asked_for() {
    let options = ["--lower-is-better", "--column SCORE=score"];
    for (heading, text) in [
        ("Gross_Score", "Date,Player,Gross_Score\n2024-05-04,Ada,86\n2024-05-04,Bea,68\n"),
        (
            "Total",
            "Date,Player,Hole 1,Hole 2,Total\n2024-05-04,Ada,4,5,9\n2024-05-04,Bea,3,5,8\n",
        ),
        ("Score", "Date,Player,Score,Par\n2024-05-04,Ada,81,72\n2024-05-04,Bea,79,72\n"),
    ] {
        let expected = options.map(|option| option.replace("SCORE", heading));
        assert_eq!(super::proposals(text, &ReadOptions::default()), expected, "{text}");
    }
}
