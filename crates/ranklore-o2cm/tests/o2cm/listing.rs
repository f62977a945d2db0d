//! Months and their competitions.

use ranklore_source::{SiteListing, Stage};

use crate::fixtures::{bytes, month, months, read, read_file, replace_in_fixture, source};

#[test]
fn months_are_requested_from_first_to_current() {
    let reading = read_file(&months(), "default.html");
    let keys: Vec<String> = reading.follow.iter().map(ranklore_source::Request::key).collect();
    assert_eq!(keys.len(), 18 * 12 + 4);
    assert_eq!(keys[0], "POST default.asp Go=Go&inmonth=1&inyear=2005");
    assert_eq!(keys[219], "POST default.asp Go=Go&inmonth=4&inyear=2023");
    // Competitions on the start page are listed by their months too.
    assert_eq!(reading.listed, []);
}

#[test]
fn invalid_bounds_are_refused() {
    for (part, by) in [
        ("min=\"2005\"", "min=\"0\""),
        ("min=\"2005\"", "min=\"-32768\""),
        ("max=\"2023\"", "max=\"2024999\""),
        ("max=\"2023\"", "max=\"2190\""),
        ("max=\"2023\"", "max=\"2022\""),
        ("value=\"4\"", "value=\"April\""),
        ("max=\"12\"", "max=\"11\""),
    ] {
        let error = read(&months(), &replace_in_fixture("default.html", part, by)).unwrap_err();
        assert!(error.at.starts_with("form FilterList"), "{by}: {error}");
    }
}

#[test]
fn current_and_last_month_are_renewed() {
    let april = month(2023, 4);
    assert_eq!(april.settles_at.unwrap().to_string(), "2023-06-01");
    let reading = read_file(&april, "default-2023-04.html");
    let request = &reading.listed[0].results[0];
    assert_eq!(request.settles_at.unwrap().to_string(), "2023-06-01");
}

#[test]
fn competition_is_listed_as_event() {
    let reading = read_file(&month(2023, 4), "default-2023-04.html");
    let ids: Vec<&str> = reading.listed.iter().map(|contest| &*contest.external_id).collect();
    // The site's ids have mixed case; keys are in lower case.
    assert_eq!(ids, ["brn23a", "gls23", "tst17"]);
    let first = &reading.listed[0];
    let expected = SiteListing {
        external_id: "brn23a".to_owned(),
        name: "Brine & Barley Ball".to_owned(),
        event: None,
        division: None,
        ordinal: None,
        url: Some("https://results.o2cm.com/event3.asp?event=Brn23A".to_owned()),
        starts_at: None,
        ends_at: first.ends_at,
        site_weight: None,
        stage: Stage::Finished,
        rateable: true,
        results: first.results.clone(),
    };
    assert_eq!(first, &expected);
    assert_eq!(first.ends_at.unwrap().to_string(), "2023-04-22");
}

#[test]
fn all_form_fields_are_sent() {
    let reading = read_file(&month(2023, 4), "default-2023-04.html");
    let key = reading.listed[0].results[0].key();
    let due = "POST event3.asp event=Brn23A&selAge=&selDiv=&selEnt=&selSkl=&selSty=&submit=OK";
    assert_eq!(key, due);
}

#[test]
fn year_defaults_to_requested_year() {
    let reading = read_file(&month(2013, 5), "default-2013-05.html");
    let days: Vec<String> = reading
        .listed
        .iter()
        .map(|contest| contest.ends_at.unwrap().to_string())
        .collect();
    // The date is in the third cell.
    assert_eq!(days, ["2013-05-18", "2013-05-04"]);
    let error = read(&month(2013, 4), &bytes("default-2013-05.html")).unwrap_err();
    assert!(error.expected.contains("unknown year"), "{error}");
}

#[test]
fn old_form_competitions_are_skipped_with_warning() {
    let reading = read_file(&month(2005, 11), "default-2005-11.html");
    let [old, other] = reading.listed.as_slice() else {
        panic!("{reading:?}");
    };
    assert_eq!((&*old.external_id, old.rateable), ("oar05", false));
    assert_eq!(old.results, []);
    assert!(other.rateable);
    assert_eq!(reading.refused, []);
    let [warning] = reading.warnings.as_slice() else {
        panic!("{:?}", reading.warnings);
    };
    assert!(warning.contains("oar05") && warning.contains("event2.asp"), "{warning}");
}

#[test]
fn empty_month_is_read() {
    let reading = read_file(&month(2020, 4), "default-2020-04.html");
    assert_eq!((reading.listed, reading.refused), (vec![], vec![]));
}

#[test]
fn unclosed_links_end_with_row() {
    let reading = read_file(&month(2023, 4), "default-2023-04.html");
    assert_eq!(reading.listed[1].name, "Gull Lake Showdown");
}

#[test]
fn duplicate_row_is_merged_conflicting_id_refused() {
    let april = month(2023, 4);
    let row = "<tr class=t1n><td>Apr 08</td><td><a href='event3.asp?event=gls23&bclr=#FFFFFF&tclr=#000000' target=_blank>Gull Lake Showdown</td></tr>";
    let twice = replace_in_fixture("default-2023-04.html", row, &row.repeat(2));
    let once = read_file(&april, "default-2023-04.html");
    assert_eq!(read(&april, &twice).unwrap().listed, once.listed);
    let other = row.replace("Showdown", "Other");
    let two = replace_in_fixture("default-2023-04.html", row, &[row, &other].concat());
    let reading = read(&april, &two).unwrap();
    assert_eq!(reading.listed, once.listed);
    assert_eq!(reading.refused[0].at, "table 1, row 6");
}

#[test]
fn competition_id_is_case_insensitive() {
    let april = month(2023, 4);
    let once = read_file(&april, "default-2023-04.html");
    let other_case = replace_in_fixture("default-2023-04.html", "event=Brn23A", "event=BRN23a");
    let listed = read(&april, &other_case).unwrap().listed;
    let ids = |listed: &[SiteListing]| -> Vec<String> {
        listed.iter().map(|contest| contest.external_id.clone()).collect()
    };
    assert_eq!(ids(&listed), ids(&once.listed));
    // The request uses the case that the site writes.
    assert!(listed[0].results[0].key().contains(" event=BRN23a&"));
    let row = "<tr class=t1n><td>Apr 08</td><td><a href='event3.asp?event=gls23&bclr=#FFFFFF&tclr=#000000' target=_blank>Gull Lake Showdown</td></tr>";
    let again = row.replace("event=gls23", "event=GLS23");
    let twice = replace_in_fixture("default-2023-04.html", row, &[row, &again].concat());
    let reading = read(&april, &twice).unwrap();
    assert_eq!((reading.listed, reading.refused), (once.listed, vec![]));
}

#[test]
fn banners_and_footers_are_ignored() {
    let april = month(2023, 4);
    let file = "default-2023-04.html";
    let once = read_file(&april, file);
    let heading = "<tr> <td colspan=2 class=h3 align=center>2023</td> </tr>";
    for (part, by) in [
        ("<BODY ", "<BODY><a href='https://www.o2cm.com'>O2CM</a><BODY "),
        (
            heading,
            "<tr><td colspan=2><a href='register.asp?event=nxt24'>Sign up!</a></td></tr>\
             <tr> <td colspan=2 class=h3 align=center>2023</td> </tr>",
        ),
        (
            "</table>",
            "<tr><td></td></tr><tr><td>Hosted at</td><td><a href=http://x.example>X</a></td></tr>\
             </table>",
        ),
        (
            "</table>",
            "</table><table><tr class=t1n><td>&copy; 2023</td><td><a href=terms.asp>Terms</a>\
             </td></tr></table>",
        ),
    ] {
        let reading = read(&april, &replace_in_fixture(file, part, by)).unwrap();
        assert_eq!(reading, once, "{by}");
    }
    // A competition link outside the list is refused.
    let by = "</table><a href='event3.asp?event=nxt23'>The next</a>";
    let reading = read(&april, &replace_in_fixture(file, "</table>", by)).unwrap();
    assert_eq!(reading.listed, once.listed);
    let [refused] = reading.refused.as_slice() else {
        panic!("{:?}", reading.refused);
    };
    assert!(refused.expected.contains("4 links to competitions, not 3"));
}

#[test]
fn invalid_row_is_refused_alone() {
    let april = month(2023, 4);
    let file = "default-2023-04.html";
    for (part, by) in [
        ("<tr class=t1n><td>Apr 22</td>", "<tr class=t1x><td>Apr 22</td>"),
        ("Apr 22</td>", "Apr 32</td>"),
        ("Apr 22</td>", "in April</td>"),
        ("<td>Apr 22</td>", ""),
        ("event=Brn23A", "event=Brn%2023A"),
        ("event3.asp?event=Brn23A", "event4.asp?event=Brn23A"),
        ("event3.asp?event=Brn23A", "comp.asp?event=Brn23A"),
        ("Brine &amp; Barley Ball", ""),
        ("<td>Apr 22</td>", "<td>Apr 22</td><td>new!</td>"),
    ] {
        let reading = read(&april, &replace_in_fixture(file, part, by)).unwrap();
        let ids: Vec<&str> = reading.listed.iter().map(|contest| &*contest.external_id).collect();
        assert_eq!(ids, ["gls23", "tst17"], "{by}");
        let [refused] = reading.refused.as_slice() else {
            panic!("{by}: {:?}", reading.refused);
        };
        assert_eq!(refused.at, "table 1, row 4", "{by}");
    }
}

#[test]
fn unknown_list_layout_is_refused() {
    let april = month(2023, 4);
    let file = "default-2023-04.html";
    for (part, by) in [
        ("<tr class=t1n>", "<tr class=row>"),
        ("event3.asp", "competition"),
        ("<td>Apr ", "<td>April "),
        ("class=h3 align=center>2023", "class=h3 align=center>This year"),
        ("class=h3 align=center>2023", "class=year>2023"),
        ("name=FilterList", "name=Search"),
    ] {
        assert!(read(&april, &replace_in_fixture(file, part, by)).is_err(), "{by}");
    }
}

#[test]
fn heading_without_year_refuses_rows_below() {
    let april = month(2023, 4);
    for by in [
        "class=year align=center>2022",
        "class=h3 align=center>",
        "class=h3>last year",
    ] {
        let body = replace_in_fixture("default.html", "class=h3 align=center>2022", by);
        let reading = read(&april, &body).unwrap();
        let days: Vec<String> = reading
            .listed
            .iter()
            .map(|contest| contest.ends_at.unwrap().to_string())
            .collect();
        assert_eq!(days, ["2023-04-08", "2023-01-14"], "{by}");
        // The heading and the row below it.
        assert_eq!(reading.refused.len(), 2, "{by}: {:?}", reading.refused);
    }
    // Without the heading, December 2023 follows January.
    let heading = "<tr> <td colspan=2 class=h3 align=center>2022</td> </tr>";
    let error = read(&april, &replace_in_fixture("default.html", heading, "")).unwrap_err();
    assert!(error.expected.contains("order of their months"), "{error}");
}

#[test]
fn terms_are_polite_and_private() {
    use ranklore_source::Source;
    let source = source();
    let terms = source.profile().terms;
    assert!(terms.interval.as_secs() >= 1 && terms.obeys_robots_txt && !terms.may_publish);
}
