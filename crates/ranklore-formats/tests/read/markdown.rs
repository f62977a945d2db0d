//! Tables in Markdown.

use ranklore_formats::{FileFormat, FileReading, ReadOptions, read};

const SEASON: &str = "\
# Reef Grand Prix

Held at the pier.

## Drivers

| Rank | Driver | Races | Total |
|---:|:---|---:|---:|
| 1 | **Ivy Ash** | 7 | 131 |
| 2 | [Max Bay](https://club.example/max) | 6 | 99 |

## Points of places

| Position | Points |
|---:|---:|
| 1 | 25 |
| 2 | 20 |
";

const CUPS: &str = "\
## Spring
Rank | Player | Score
-----|--------|------
1 | Ivy | 9
2 | Max Moe | 8
## Autumn
Rank | Player | Score
-----|--------|------
1 | Max Moe | 7
2 | Ivy | 5
";

fn markdown(text: &str, options: &ReadOptions) -> Result<FileReading, String> {
    assert_eq!(FileFormat::of_text(text.as_bytes()), FileFormat::Markdown);
    let reading = read(FileFormat::Markdown, text.as_bytes(), "club.md", options);
    reading.map_err(|error| format!("{error} {:?}", error.options))
}

fn with_sheet(sheet: Option<&str>) -> ReadOptions {
    ReadOptions {
        start: ranklore_contest::ContestTime::parse("2024-05-04"),
        all_sheets: sheet == Some("all"),
        sheet: sheet.filter(|sheet| *sheet != "all").map(str::to_owned),
        ..ReadOptions::default()
    }
}

fn order(reading: &FileReading) -> Vec<String> {
    let contests = reading.contests.iter();
    let lines = contests.map(|contest| {
        let names: Vec<_> = contest.entrants.iter().map(|entrant| &*entrant.competitor).collect();
        format!("{}: {}", contest.name, names.join(", "))
    });
    lines.collect()
}

#[test]
fn ruler_is_no_data_and_marks_are_no_names() {
    let reading = markdown(SEASON, &with_sheet(None)).unwrap();
    assert_eq!(order(&reading), ["club: Ivy Ash, Max Bay"]);
    assert_eq!(reading.refused, []);
}

#[test]
fn each_table_is_named_by_its_heading() {
    let error = markdown(CUPS, &with_sheet(None)).unwrap_err();
    assert!(error.contains("2 tables with competitors"), "{error}");
    assert!(error.contains("--sheet all") && error.contains("--sheet Spring"), "{error}");
    let both = markdown(CUPS, &with_sheet(Some("all"))).unwrap();
    assert_eq!(order(&both), ["Spring: Ivy, Max Moe", "Autumn: Max Moe, Ivy"]);
    let autumn = markdown(CUPS, &with_sheet(Some("Autumn"))).unwrap();
    assert_eq!(order(&autumn), ["Autumn: Max Moe, Ivy"]);
}

#[test]
fn errors_name_lines_of_the_document() {
    let broken = SEASON.replace("| 2 | [Max", "| 2nd? | [Max");
    let reading = markdown(&broken, &with_sheet(None)).unwrap();
    let refused = reading.refused[0].to_string();
    assert!(refused.starts_with("line 10: "), "{refused}");
}

#[test]
fn options_of_a_refused_table_are_named() {
    let undated = ReadOptions {
        all_sheets: true,
        ..ReadOptions::default()
    };
    let reading = markdown(CUPS, &undated).unwrap();
    assert_eq!(reading.refused.len(), 2);
    assert!(reading.refused.iter().all(|refusal| !refusal.options.is_empty()));
}

#[test]
fn dashes_without_headings_are_no_markdown() {
    for text in [
        "a|b\n1|-\n-|-\n",
        "a,b\n---,---\n",
        "a | b\n-----\n",
        "-|-\n-|-\n",
    ] {
        assert_eq!(FileFormat::of_text(text.as_bytes()), FileFormat::Table, "{text}");
    }
}

#[test]
fn rulers_of_few_dashes_are_rulers() {
    for ruler in [
        "|--|----|-----|",
        "|-|-|-|",
        "|:-:|:-|-:|",
        "--|--|--",
        "-|-|-",
    ] {
        let text = format!("# Cup\n\n|No|Team|Score|\n{ruler}\n|1|A|30|\n|2|B|20|\n");
        let reading = markdown(&text, &with_sheet(None)).unwrap();
        assert_eq!(order(&reading), ["club: A, B"], "{ruler}");
    }
    // A row of dashes among others is a competitor without results.
    let text = "|Team|Score|\n|---|---|\n|A|30|\n|-|-|\n|B|20|\n";
    assert_eq!(order(&markdown(text, &with_sheet(None)).unwrap()), ["club: A, B"]);
}

#[test]
fn columns_below_rulers_without_bars_are_split() {
    let text = "# Cup\n\n Place  Team        Points\n------  ---------  -------\n     1  Alpha One       30\n     2  Bo              20\n\n\
                # Open\n\n  **Place**   **Team**   **Points**\n  ----------- ---------- ------------\n  1           Cy         30\n  2           Di         20\n";
    let read = |sheet| {
        let reading = read(FileFormat::Markdown, text.as_bytes(), "club.md", &with_sheet(sheet));
        order(&reading.unwrap())
    };
    assert_eq!(read(Some("Cup")), ["Cup: Alpha One, Bo"]);
    assert_eq!(read(Some("all")), ["Cup: Alpha One, Bo", "Open: Cy, Di"]);
    // A title with a line below it is no table.
    let titled = "Title\n-----\n\n|Team|Score|\n|---|---|\n|A|30|\n|B|20|\n";
    assert_eq!(order(&markdown(titled, &with_sheet(None)).unwrap()), ["club: A, B"]);
}

#[test]
fn weights_that_differ_within_a_table_are_no_weights_of_contests() {
    let catches = "## Spring\nPlace | Angler | Weight | Points\n---|---|---|---\n1 | Ivy | 17.5 | 9\n\
                   2 | Max Moe | 16.2 | 8\n## Autumn\nPlace | Angler | Weight | Points\n---|---|---|---\n\
                   1 | Max Moe | 19 | 7\n2 | Ivy | 18.25 | 5\n";
    let refused = markdown(catches, &with_sheet(Some("all"))).unwrap().refused;
    let advice = "pass --column Weight=ignore if it is not the weight";
    assert!(refused[0].to_string().contains(advice), "{}", refused[0]);
    let catches = catches.replace("| 8\n", "| 8\n3 | Di | 11 | 7\n");
    let catches = catches.replace("| 5\n", "| 5\n3 | Di | 9.5 | 4\n");
    let reading = markdown(&catches, &with_sheet(Some("all"))).unwrap();
    assert_eq!(order(&reading), ["Spring: Ivy, Max Moe, Di", "Autumn: Max Moe, Ivy, Di"]);
    assert_eq!(reading.refused, []);
}
