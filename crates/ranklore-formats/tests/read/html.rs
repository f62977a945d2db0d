//! Tables of HTML pages.

use ranklore_formats::{FileFormat, FileReading, MemberSeparator, ReadOptions, read};

use super::{contest_lines, notes};

const CUP: &str = "<table><tr><th>Place<th>Player<th>Score\
                   <tr><td rowspan=2>1<td><a href='/a'>Ada Lark</a><td>9<tr><td>Bea<br><td>9\
                   <tr><td>3<td>Cy<sup><a href='#n'>1</a></sup><td>7</table>";

fn page(text: &str, options: &ReadOptions) -> Result<FileReading, String> {
    let reading = read(FileFormat::Html, text.as_bytes(), "cup 2024-05-04.html", options);
    reading.map_err(|error| error.to_string())
}

#[test]
fn only_table_with_competitors_is_read() {
    let menu =
        "<!doctype html><title>Cup</title><table><tr><td>Home<td>News</table><h2>Results</h2>";
    let reading = page(&format!("{menu}{CUP}"), &ReadOptions::default()).unwrap();
    assert_eq!(
        contest_lines(&reading),
        ["cup 2024-05-04 2024-05-04: 1 Ada Lark (9), 1 Bea (9), 3 Cy (7)"]
    );
    assert!(
        notes(&reading).contains("the sheet is \"Results\"; not read"),
        "{}",
        notes(&reading)
    );
}

#[test]
fn several_tables_are_chosen_by_name() {
    let text = format!("<h2>Spring</h2>{CUP}<table><caption>Autumn</caption>{}", &CUP[7..]);
    let error = page(&text, &ReadOptions::default()).unwrap_err();
    assert!(error.contains("has 2 tables with competitors"), "{error}");
    let autumn = ReadOptions {
        sheet: Some("Autumn".to_owned()),
        ..ReadOptions::default()
    };
    assert_eq!(page(&text, &autumn).unwrap().contests.len(), 1);
    let all = ReadOptions {
        all_sheets: true,
        ..ReadOptions::default()
    };
    let reading = page(&text, &all).unwrap();
    let names: Vec<String> = reading.contests.iter().map(|contest| contest.name.clone()).collect();
    assert_eq!(names, ["Spring", "Autumn"]);
}

#[test]
fn page_without_results_is_refused() {
    let error = page("<html><p>404 not found", &ReadOptions::default()).unwrap_err();
    assert!(error.starts_with("the document has no table: "), "{error}");
    let text = "<table><tr><td>x</table><table><tr><td>Tool<td>Solved<tr><td>a<td>9</table>";
    let error = page(text, &ReadOptions::default()).unwrap_err();
    assert!(error.contains("the sheet is \"Table 2\"; not read (--sheet NAME"), "{error}");
    let csv = read(FileFormat::Table, CUP.as_bytes(), "x.csv", &ReadOptions::default());
    assert!(csv.unwrap_err().to_string().contains("--format html"));
}

#[test]
fn hidden_rows_are_no_competitors() {
    let ghosts = "<tr style='display: none'><td>2<td>Ghost<td>8<tr hidden><td>2<td>Ghoul<td>8";
    let text = CUP.replace("<tr><td>3", &format!("{ghosts}<tr><td>3"));
    let [shown, plain] = [&*text, CUP].map(|text| page(text, &ReadOptions::default()).unwrap());
    assert_eq!(contest_lines(&shown), contest_lines(&plain));
}

#[test]
fn tables_in_markdown_and_html_are_refused_together() {
    let text = format!("| Place | Name |\n|---|---|\n| 1 | Ann |\n| 2 | Bob |\n\n{CUP}\n");
    let options = ReadOptions::default();
    let error = read(FileFormat::Markdown, text.as_bytes(), "cup 2024-05-04.md", &options);
    let error = error.unwrap_err().to_string();
    assert!(error.contains("tables in Markdown and in HTML"), "{error}");
}

#[test]
fn line_breaks_in_names_are_blanks() {
    let results = |names: [&str; 3]| {
        let [one, two, three] = names;
        format!(
            "<table><tr><th>Place<th>Name<tr><td>1<td>{one}<tr><td>2<td>{two}<tr><td>3<td>{three}</table>"
        )
    };
    let one_name = ReadOptions {
        members: Some(MemberSeparator::OneName),
        ..ReadOptions::default()
    };
    let text = results(["Ada<br>Lark", "Bo<br/>Kim", "Cy Dean"]);
    let reading = page(&text, &one_name).unwrap();
    assert_eq!(
        contest_lines(&reading),
        ["cup 2024-05-04 2024-05-04: 1 Ada Lark, 2 Bo Kim, 3 Cy Dean"]
    );
    let error = page(&text, &ReadOptions::default()).unwrap_err();
    assert!(error.contains("joined by a line break"), "{error}");
    // One cell of several names is enough.
    let text = results(["Ada Lark<br>Bo Kim", "Cy Dean", "Di Poe"]);
    let error = page(&text, &ReadOptions::default()).unwrap_err();
    assert!(error.contains("joined by a line break"), "{error}");
    // The same name stands in one line elsewhere.
    let game = |home: &str, away: &str| format!("<tr><td>{home}<td>{away}<td>1<td>0");
    let text = format!(
        "<table><tr><th>Home<th>Away<th>Home score<th>Away score{}{}</table>",
        game("Red<br>Bulls", "Cubs"),
        game("Cubs", "Red Bulls")
    );
    let from = ReadOptions {
        start: ranklore_contest::ContestTime::parse("2024-05-04"),
        ..ReadOptions::default()
    };
    let reading = page(&text, &from).unwrap();
    let lines = contest_lines(&reading);
    assert!(
        lines[0].contains("Red Bulls – Cubs") && lines[1].contains("Red Bulls (0)"),
        "{lines:?}"
    );
}

#[test]
fn lines_without_words_below_names_are_left_out() {
    let cell = |name: &str, notes: &str| format!("<td><div>{name}</div>{notes}");
    let [numbers, title] = [
        "<div> 1</div><div>-</div><div>1832</div>",
        "<div>GM</div><div>2510</div>",
    ];
    let rows = [
        cell("Lark, Ada", numbers),
        cell("Berg, Bo", title),
        cell("Cy", ""),
    ];
    let [one, two, three] = rows;
    let cup = format!(
        "<table><tr><th>#<th>Player<th>Pts<tr><td>1{one}<td>2.0<tr><td>2{two}<td>3.5<tr><td>3{three}<td>0</table>"
    );
    let options = ReadOptions {
        columns: [("#".to_owned(), ranklore_formats::ColumnMeaning::Ignore)].into(),
        ..ReadOptions::default()
    };
    let reading = page(&cup, &options).unwrap();
    assert_eq!(
        contest_lines(&reading),
        ["cup 2024-05-04 2024-05-04: 1 Berg, Bo (3.5), 2 Lark, Ada (2), 3 Cy (0)"]
    );
    assert!(notes(&reading).contains("lines that name nobody below the names in \"Player\""));
    // A word can be another name.
    let error = page(&cup.replace("GM", "Dee"), &options).unwrap_err();
    assert!(error.contains("--members"), "{error}");
}

#[test]
fn lines_that_describe_names_are_left_out() {
    let results = |cells: &[&str]| {
        let rows: Vec<String> = (1..)
            .zip(cells)
            .map(|(place, cell)| format!("<tr><td>{place}<td>{cell}"))
            .collect();
        format!("<table><tr><th>Place<th>Name{}</table>", rows.concat())
    };
    let expected =
        ["cup 2024-05-04 2024-05-04: 1 Ada Lark, 2 Bo Kim, 3 Cy Dean, 4 Di Poe".to_owned()];
    let runs = "</div><div class='detailed'>34 runs<span>| Member of the 25 Club</span></div>";
    let names = ["Ada Lark", "Bo Kim", "Cy Dean"];
    let [ada, bo, cy] = names.map(|name| format!("<div>{name}{runs}"));
    let reading = page(&results(&[&ada, &bo, &cy, "Di Poe"]), &ReadOptions::default()).unwrap();
    assert_eq!(contest_lines(&reading), expected);
    assert!(notes(&reading).contains("lines that name nobody below the names in \"Name\""));
    // Clubs, partners and years of birth look alike; teams of one club have numbers.
    for cells in [
        [
            "Ada Lark<br>Harbour",
            "Bo Kim<br>Hill",
            "Cy Dean<br>Hill",
            "Di Poe<br>Harbour",
        ],
        [
            "Ada<br>Bo Roe (21)",
            "Cy<br>Di Roe (19)",
            "Eve<br>Fay Kim (22)",
            "Gus<br>Di Lee (18)",
        ],
        [
            "Hill RC<br>Ada Lark 1980",
            "Bay RC<br>Bo Kim 1981",
            "Elm RC<br>Cy Poe 1982",
            "Di<br>E 3",
        ],
        ["Ada<br>Bo", "Cy<br>Di", "Eve<br>Fay", "Gus<br>Di"],
        ["Ada<br>Bo", "Cy<br>Ada", "Eve<br>Ada", "Gus<br>Bo"],
        [
            "Hill<br>Team 1",
            "Hill<br>Team 2",
            "Bay<br>Team 1",
            "Bay<br>Team 2",
        ],
    ] {
        let error = page(&results(&cells), &ReadOptions::default()).unwrap_err();
        assert!(error.contains("--members"), "{error}");
    }
}
