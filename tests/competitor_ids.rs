//! Competitors that an id identifies: names over time, namesakes, forgetting, and a change from
//! names to ids.

#![expect(
    clippy::unwrap_used,
    clippy::format_push_string,
    reason = "clippy takes the helpers of tests for no tests"
)]

use crate::support::Scratch;

const SPRING: &str = "contest,date,place,player,player id
A,2024-03-01,1,Ada Berg,17
A,2024-03-01,2,Bo Kim,4
A,2024-03-01,3,Ada Berg,23
B,2024-04-01,1,Ada Lind,17
B,2024-04-01,2,Bo Kim,4
";
const EARLIER: &str = "contest,date,place,player,player id
Z,2023-06-01,1,Ada Old,17
Z,2023-06-01,2,Bo Kim,4
";

fn club() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("spring.csv", SPRING);
    scratch.ok(&["import", "spring.csv", "--source", "club"]);
    scratch
}

/// Returns the competitors and their earlier names.
fn names(scratch: &Scratch) -> Vec<String> {
    scratch.rows(
        "SELECT external_id, competitor.name, group_concat(competitor_name.name || ' ' ||
             date(first_seen_at, 'unixepoch') || ' ' || date(last_seen_at, 'unixepoch'), ', '
             ORDER BY first_seen_at)
         FROM competitor LEFT JOIN competitor_name USING (competitor_id)
         GROUP BY competitor_id ORDER BY external_id",
    )
}

#[test]
fn name_of_latest_contest_is_shown() {
    let scratch = club();
    let before = [
        "17|Ada Lind|Ada Berg 2024-03-01 2024-03-01, Ada Lind 2024-04-01 2024-04-01",
        "23|Ada Berg|-",
        "4|Bo Kim|-",
    ];
    assert_eq!(names(&scratch), before);
    // An earlier season does not bring the earlier name back.
    scratch.write("earlier.csv", EARLIER);
    scratch.ok(&["import", "earlier.csv", "--source", "club"]);
    let with_earlier = [
        "17|Ada Lind|Ada Old 2023-06-01 2023-06-01, Ada Berg 2024-03-01 2024-03-01, Ada Lind 2024-04-01 2024-04-01",
        before[1],
        before[2],
    ];
    assert_eq!(names(&scratch), with_earlier);
    scratch.write(
        "later.csv",
        "contest,date,place,player,player id\nC,2024-05-01,1,Bo Kim-Ray,4\nC,2024-05-01,2,Ada Lind,17\n",
    );
    scratch.ok(&["import", "later.csv", "--source", "club"]);
    let all = names(&scratch);
    assert_eq!(
        all[2],
        "4|Bo Kim-Ray|Bo Kim 2023-06-01 2024-04-01, Bo Kim-Ray 2024-05-01 2024-05-01"
    );
    // Nothing is new in the same files, and a rebuild reads the ids again.
    let stored = scratch.everything();
    scratch.ok(&[
        "import",
        "spring.csv",
        "earlier.csv",
        "later.csv",
        "--source",
        "club",
    ]);
    assert_eq!(scratch.everything(), stored);
    let hash = scratch.content_hash();
    scratch.ok(&["rebuild", "club"]);
    assert_eq!(names(&scratch), all);
    assert_eq!(scratch.content_hash(), hash);
    scratch.ok(&["import", "--undo", "--source", "club"]);
    assert_eq!(names(&scratch), with_earlier);
}

#[test]
fn pruned_documents_leave_names() {
    let scratch = club();
    scratch.write("spring.csv", SPRING.replace("Ada Berg,17", "Ada Alt,17"));
    scratch.ok(&["import", "spring.csv", "--source", "club"]);
    let before = names(&scratch);
    assert!(before[0].contains("Ada Alt"), "{before:?}");
    let prune = ["prune", "--documents", "superseded", "--older-than", "0d"];
    scratch.ok(&prune);
    scratch.ok(&["rebuild", "club"]);
    assert_eq!(names(&scratch), before);
}

#[test]
fn namesakes_are_listed_with_their_ids() {
    let scratch = club();
    scratch.ok(&["rate", "club"]);
    let table = "contest,date,place,player,player id\nC,2024-05-01,1,Ada Berg,17\nC,2024-05-01,2,Bo Kim,4\n";
    scratch.write("c.csv", table);
    scratch.ok(&["import", "c.csv", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let refused = scratch.run(&["player", "club", "Ada Berg"]).exits(1);
    for id in ["\"17\", called \"Ada Berg\"", "\"23\", called \"Ada Berg\""] {
        assert!(refused.err.contains(id), "{}", refused.err);
    }
    let player = scratch.ok(&["player", "club", "17"]);
    assert!(player.out.contains("Ada Lind"), "{}", player.out);
    // An earlier name finds the competitor.
    scratch.ok(&["player", "club", "Ada Lind"]);
    scratch.run(&["forget", "--yes", "club", "Ada Berg"]).exits(1);
}

#[test]
fn forgotten_id_and_name_do_not_return() {
    let scratch = club();
    scratch.write(
        "ada.csv",
        "date,place,player,player id\n2024-07-01,1,Ada Berg,17\n2024-07-01,2,Bo Kim,4\n",
    );
    scratch.ok(&["import", "ada.csv", "--source", "club"]);
    scratch.ok(&["forget", "--yes", "club", "Bo Kim"]);
    let listed_names = names(&scratch);
    assert!(
        listed_names.contains(&"forgotten-1|forgotten-1|-".to_owned()),
        "{listed_names:?}"
    );
    let has_name = |scratch: &Scratch| {
        let bytes = std::fs::read(scratch.db()).unwrap();
        bytes.windows(6).any(|window| window == b"Bo Kim")
    };
    assert!(!has_name(&scratch));
    scratch.ok(&["rebuild", "club"]);
    assert_eq!(names(&scratch), listed_names);
    scratch.write(
        "new.csv",
        "date,place,player,player id\n2024-08-01,1,Bo Kim,4\n2024-08-01,2,Ada Berg,17\n",
    );
    scratch.ok(&["import", "new.csv", "--source", "club"]);
    assert!(!has_name(&scratch));
    assert_eq!(scratch.count("SELECT count(*) FROM competitor"), 3);
    // The other person of a shared name keeps it.
    scratch.ok(&["forget", "--yes", "club", "17"]);
    let rest = names(&scratch);
    assert!(rest.contains(&"23|Ada Berg|-".to_owned()), "{rest:?}");
    assert!(!rest.iter().any(|name| name.contains("Lind")), "{rest:?}");
}

#[test]
fn change_from_names_to_ids_is_reported_with_the_command() {
    let scratch = Scratch::new();
    scratch.write("a.csv", "date,place,player\n2024-01-01,1,Ada Berg\n2024-01-01,2,Bo Kim\n");
    scratch.ok(&["import", "a.csv", "--source", "club"]);
    scratch.write(
        "b.csv",
        "date,place,player,player id\n2024-02-01,1,Ada Berg,17\n2024-02-01,2,Bo Kim,4\n",
    );
    let imported = scratch.ok(&["import", "b.csv", "--source", "club"]);
    let warning = "2 competitors are in this source by name and by id, such as \"Ada Berg\" and \"17\", and rated as two: merge each with ranklore competitor merge club 'Ada Berg' 17, or import the files without ids again with ids";
    assert!(imported.err.contains(warning), "{}", imported.err);
    scratch.ok(&["competitor", "merge", "club", "Ada Berg", "17"]);
    scratch.write("c.csv", "date,place,player\n2024-03-01,1,Bo Kim\n2024-03-01,2,Cy\n");
    let imported = scratch.ok(&["import", "c.csv", "--source", "club"]);
    assert!(
        imported
            .err
            .contains("1 competitor is in this source by name and by id, such as \"Bo Kim\""),
        "{}",
        imported.err
    );
    // The same file with ids takes the place of the one with names.
    for (file, date) in [("a.csv", "2024-01-01"), ("c.csv", "2024-03-01")] {
        let table =
            format!("date,place,player,player id\n{date},1,Ada Berg,17\n{date},2,Bo Kim,4\n");
        scratch.write(file, table);
    }
    let imported = scratch.ok(&["import", "a.csv", "c.csv", "--source", "club"]);
    assert!(!imported.err.contains("by name and by id"), "{}", imported.err);
}

#[test]
fn same_name_by_is_stored_and_shown() {
    let scratch = Scratch::new();
    let table = "date,place,player,born\n2024-01-01,1,Ada Berg,1990\n2024-01-01,2,Ada Berg,2004\n2024-01-01,3,Bo,1990\n";
    scratch.write("a.csv", table);
    let refused = scratch.run(&["import", "a.csv", "--source", "club"]).exits(3);
    assert!(refused.err.contains("or pass --same-name-by born"), "{}", refused.err);
    let options = [
        "import",
        "a.csv",
        "--source",
        "club",
        "--same-name-by",
        "born",
    ];
    let dry = scratch.ok(&[&options[..], &["--dry-run", "--save-mapping", "a.toml"]].concat());
    assert!(
        dry.out.contains("same name by") || dry.err.contains("same name by"),
        "{}{}",
        dry.out,
        dry.err
    );
    let mapping = std::fs::read_to_string(scratch.path("a.toml")).unwrap();
    assert!(mapping.contains("same-name-by = \"born\""), "{mapping}");
    scratch.ok(&["import", "a.csv", "--source", "club", "--mapping", "a.toml"]);
    let stored = [
        "Ada Berg (1990)|Ada Berg|-",
        "Ada Berg (2004)|Ada Berg|-",
        "Bo (1990)|Bo|-",
    ];
    assert_eq!(names(&scratch), stored);
    scratch.ok(&["rebuild", "club"]);
    assert_eq!(names(&scratch), stored);
    scratch.ok(&["forget", "--yes", "club", "Bo"]);
    assert_eq!(names(&scratch)[2], "forgotten-1|forgotten-1|-");
    scratch.ok(&["import", "a.csv", "--source", "club", "--mapping", "a.toml"]);
    assert_eq!(names(&scratch).len(), 3);
}

#[test]
fn ids_of_later_sheets_survive_a_rebuild() {
    let scratch = Scratch::new();
    let sheets = [
        ("Spring", "1709251200", "player id", ["17", "23"]),
        ("Summer", "1717200000", "WCA ID", ["17", "23"]),
    ];
    scratch.write("season.ods", workbook(&sheets));
    let import = ["import", "season.ods", "--source", "club", "--sheet", "all"];
    scratch.ok(&import);
    assert_eq!(scratch.count("SELECT count(*) FROM competitor"), 2);
    let hash = scratch.content_hash();
    scratch.ok(&["rebuild", "club"]);
    assert_eq!(scratch.content_hash(), hash);
    assert_eq!(scratch.count("SELECT count(*) FROM competitor"), 2);
}

/// Returns an .ods workbook with a contest of two on each sheet, with its date and the heading and
/// the values of a column of ids.
fn workbook(sheets: &[(&str, &str, &str, [&str; 2])]) -> Vec<u8> {
    const NAMES: &str = "urn:oasis:names:tc:opendocument:xmlns";
    let mut content = format!(
        "<office:document-content xmlns:office='{NAMES}:office:1.0' \
         xmlns:table='{NAMES}:table:1.0' xmlns:text='{NAMES}:text:1.0'>\
         <office:body><office:spreadsheet>"
    );
    for (contest, date, heading, [first, second]) in sheets {
        content += &format!("<table:table table:name='{contest}'>");
        for cells in [
            ["contest", "date", "place", "player", heading],
            [contest, date, "1", "Ada Lind", first],
            [contest, date, "2", "Bo Kim", second],
        ] {
            let cells = cells.map(|cell| {
                let kind = "office:value-type='string'";
                format!("<table:table-cell {kind}><text:p>{cell}</text:p></table:table-cell>")
            });
            content += &format!("<table:table-row>{}</table:table-row>", cells.concat());
        }
        content += "</table:table>";
    }
    content += "</office:spreadsheet></office:body></office:document-content>";
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let kind = "application/vnd.oasis.opendocument.spreadsheet";
    for (name, text) in [("mimetype", kind), ("content.xml", &*content)] {
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(name, options).unwrap();
        std::io::Write::write_all(&mut zip, text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}
