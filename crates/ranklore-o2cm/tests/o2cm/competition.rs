//! Heats and standings of a competition.

use ranklore_conformance::MemoryArchive;
use ranklore_contest::{EntrantKind, UnixSeconds};
use ranklore_source::{
    ContestOutcome, MediaKind, Request, SiteListing, SiteReading, Source, Stage,
};

use crate::fixtures::{
    bytes, competition, entrants, find_heat, places, read, read_file, replace_in_fixture, source,
};

const FILE: &str = "event3-gls23.html";

#[test]
fn heats_keep_site_order_and_names() {
    let reading = read_file(&competition("gls23"), FILE);
    let heats: Vec<(&str, &str)> = reading
        .results
        .iter()
        .map(|heat| (&*heat.external_id, heat.name.as_deref().unwrap()))
        .collect();
    assert_eq!(
        heats,
        [
            ("gls23/40328968", "Amateur Bronze Am. Waltz (W)"),
            ("gls23/40328964", "Amateur Silver Smooth (WT)"),
            ("gls23/4032812B", "Amateur Gold Latin (CR)"),
            ("gls23/40328970", "Amateur Novice Waltz -- Combine -- (W)"),
            ("gls23/40328971", "Team Match * (WTF)"),
            ("gls23/50328722", "Rookie Leaders Bronze Intl. Paso Doble ### (P)"),
        ]
    );
}

#[test]
fn heat_includes_finalists_and_earlier_rounds() {
    let reading = read_file(&competition("gls23"), FILE);
    assert_eq!(
        places(find_heat(&reading, "gls23/40328968")),
        [
            ("Ada Vale & Bea Moor", 1),
            ("Cyd Oar & Dot Fen", 2),
            ("Eve Reed-Tarn & Fay Lock", 3),
            ("Gus Weir & Hal Ness", 4),
            ("Ida Mere & Jon Holm", 4),
            ("Kit Sand & Lou Beck", 6),
        ]
    );
}

#[test]
fn gaps_in_places_are_closed_with_warning() {
    let reading = read_file(&competition("gls23"), FILE);
    let last: Vec<u32> = places(find_heat(&reading, "gls23/40328964"))[5..]
        .iter()
        .map(|(_, place)| *place)
        .collect();
    // The site's places are 7, 7, 9.
    assert_eq!(last, [6, 6, 8]);
    let gaps = reading.warnings.iter().filter(|warning| warning.contains("gaps"));
    let gaps: Vec<&String> = gaps.collect();
    assert_eq!(gaps.len(), 1);
    assert!(gaps[0].ends_with(": 40328964"), "{gaps:?}");
}

#[test]
fn couple_has_two_sorted_members() {
    let reading = read_file(&competition("gls23"), FILE);
    let couple = &entrants(find_heat(&reading, "gls23/40328964"))[1];
    assert_eq!(couple.kind, EntrantKind::Couple);
    assert_eq!(couple.competitor, "Ada Vale & Bea Moor");
    assert_eq!(couple.members, ["Ada Vale", "Bea Moor"]);
    assert_eq!(
        (source().profile().team_name)(&couple.members).as_ref(),
        Some(&couple.competitor)
    );
}

#[test]
fn names_exclude_states_studios_and_numbers() {
    let reading = read_file(&competition("gls23"), FILE);
    let names = |id: &str| -> Vec<String> {
        let members = entrants(find_heat(&reading, id)).iter().flat_map(|entrant| &entrant.members);
        members.cloned().collect()
    };
    let names = [names("gls23/40328968"), names("gls23/4032812B")].concat();
    for odd in [" -", " of ", "CA", "Ca", "California", "OR", "  "] {
        assert!(names.iter().all(|name| !name.contains(odd)), "{odd}");
    }
    assert!(names.iter().all(|name| !name.contains(|c: char| c.is_ascii_digit())));
}

#[test]
fn last_spaced_hyphen_separates_state() {
    let reading = read_file(&competition("gls23"), FILE);
    let couple = &entrants(find_heat(&reading, "gls23/40328964"))[3];
    assert_eq!(couple.members, ["Ida Mere", "Jon Holm - Tarn"]);
}

#[test]
fn placeholders_are_skipped_with_warning() {
    let reading = read_file(&competition("gls23"), FILE);
    assert_eq!(
        places(find_heat(&reading, "gls23/4032812B")),
        [
            ("Ada Vale & Bea Moor", 1),
            ("Cyd Oar & Dot Fen", 2),
            ("Max Shoal & Ned Cove", 3)
        ]
    );
    let warning = "competition gls23: 5 entries with a placeholder for a person left out";
    assert!(reading.warnings.contains(&warning.to_owned()), "{:?}", reading.warnings);
}

#[test]
fn empty_heat_is_skipped_single_couple_kept() {
    let reading = read_file(&competition("gls23"), FILE);
    assert_eq!(entrants(find_heat(&reading, "gls23/50328722")).len(), 1);
    assert!(reading.results.iter().all(|contest| contest.external_id != "gls23/50328723"));
    let warning = "competition gls23: 1 heat without any couple left out";
    assert!(reading.warnings.contains(&warning.to_owned()), "{:?}", reading.warnings);
}

#[test]
fn combined_heats_team_matches_and_tests_are_unrated() {
    let source = source();
    let mut archive = MemoryArchive::new(&source);
    archive.add(&competition("gls23"), 200, &bytes(FILE));
    let listed = SiteListing {
        ends_at: Some(UnixSeconds::MIN),
        results: vec![competition("gls23")],
        ..SiteListing::new("gls23", "Lantern Classic", Stage::Finished)
    };
    let contests = source.assemble(&listed, &archive).contests;
    let rated: Vec<bool> = contests.iter().map(|contest| contest.rated).collect();
    assert_eq!(rated, [true, true, true, false, false, true]);
}

#[test]
fn duplicate_couple_keeps_better_place() {
    let row =
        "<tr><td></td><td></td><td class=t2n>2) 101 Cyd  Oar &amp; Dot Fen - CA</td></tr>\r\n";
    let again = row.replace("2) 101", "3) 102").replace("Cyd  Oar", "Dot Fen - x");
    let again = again.replace("Dot Fen - x &amp; Dot Fen", "Dot Fen &amp; Cyd Oar");
    let body = replace_in_fixture(FILE, row, &[row, &again].concat());
    let reading = read(&competition("gls23"), &body).unwrap();
    let standings = places(find_heat(&reading, "gls23/40328970"));
    assert_eq!(standings, [("Ada Vale & Bea Moor", 1), ("Cyd Oar & Dot Fen", 2)]);
    assert!(reading.warnings.iter().any(|warning| warning.contains("already")));
}

/// Returns the page with one more row in heat 40328970.
fn insert_row(row: &str) -> Vec<u8> {
    let last =
        "<tr><td></td><td></td><td class=t2n>2) 101 Cyd  Oar &amp; Dot Fen - CA</td></tr>\r\n";
    let row = format!("<tr><td></td><td></td><td class=t2n>{row}</td></tr>\r\n");
    replace_in_fixture(FILE, last, &[last, &row].concat())
}

#[test]
fn namesake_couple_is_skipped_with_warning() {
    let before = read_file(&competition("gls23"), FILE);
    let assert_skipped = |row: &str, words: &str| {
        let reading = read(&competition("gls23"), &insert_row(row)).unwrap();
        assert_eq!(reading.results, before.results, "{row}");
        assert_eq!(reading.refused, []);
        let skipped = reading.warnings.iter().filter(|warning| warning.contains(words));
        assert_eq!(skipped.count(), 1, "{words}: {:?}", reading.warnings);
        assert!(!reading.warnings.concat().contains("Cyd"));
    };
    // A repeated row.
    assert_skipped(
        "3) 101 Cyd Oar &amp; Dot Fen - CA",
        "1 entry of a couple already in the heat left out",
    );
    // Possibly other people.
    assert_skipped(
        "3) 288 Cyd Oar &amp; Dot Fen - OR",
        "1 entry of a couple already in the heat under another number left out (possibly other \
         people with the same names), in 40328970",
    );
}

#[test]
fn couple_with_one_name_is_skipped_with_warning() {
    let before = read_file(&competition("gls23"), FILE);
    let body = insert_row("3) 288 Eve Reed &amp; Eve Reed - OR");
    let reading = read(&competition("gls23"), &body).unwrap();
    assert_eq!(reading.results, before.results);
    let warning = "competition gls23: 1 entry of two people with the same name left out";
    assert!(reading.warnings.contains(&warning.to_owned()), "{:?}", reading.warnings);
    let placeholders = |warnings: &[String]| -> Vec<String> {
        let warning = warnings.iter().filter(|warning| warning.contains("placeholder"));
        warning.cloned().collect()
    };
    assert_eq!(placeholders(&reading.warnings), placeholders(&before.warnings));
}

#[test]
fn ids_are_case_insensitive() {
    let body = replace_in_fixture(FILE, "heatid=4032812B", "heatid=4032812b");
    let reading = read(&competition("GLS23"), &body).unwrap();
    let before = read_file(&competition("gls23"), FILE);
    assert_eq!(reading.results, before.results);
}

#[test]
fn nested_table_hides_no_rows() {
    let before = read_file(&competition("gls23"), FILE);
    for by in [
        "class=t2n><table><tr><td>&nbsp;</td></tr></table>1) 231 Ola Dune",
        "class=t2n>1) 231 Ola<table></table> Dune",
    ] {
        let body = replace_in_fixture(FILE, "class=t2n>1) 231 Ola Dune", by);
        let reading = read(&competition("gls23"), &body).unwrap();
        assert_eq!(reading.results, before.results);
        assert_eq!(reading.refused, []);
    }
}

#[test]
fn archived_scoresheet_is_read_as_empty() {
    for request in [
        Request::get("scoresheet3.asp", MediaKind::Html, "a final")
            .with_parameter("event", "gls23")
            .with_parameter("heatid", "40328968"),
        Request::post("scoresheet3.asp", MediaKind::Html, "a round")
            .with_form_field("heatid", "40328968")
            .with_form_field("event", "gls23")
            .with_form_field("selCount", 1),
    ] {
        let body = b"<HTML><form name=selectRound></form></HTML>";
        assert_eq!(read(&request, body), Ok(SiteReading::default()));
    }
}

#[test]
fn competition_without_heats_has_no_standings() {
    let reading = read_file(&competition("Brn23A"), "event3-Brn23A.html");
    let [nothing] = reading.results.as_slice() else {
        panic!("{reading:?}");
    };
    assert_eq!(nothing.external_id, "brn23a");
    assert_eq!(nothing.outcome, ContestOutcome::NothingYet);
}

#[test]
fn filter_page_without_heats_is_refused() {
    // A large competition answers a plain GET like this.
    let text = String::from_utf8(bytes(FILE)).unwrap();
    let start = text.find("<tr><td></td><td colspan='2' class='h5b'>").unwrap();
    let end = start + text[start..].find("</table>").unwrap();
    let body = [&text[..start], &text[end..]].concat();
    let error = read(&competition("gls23"), body.as_bytes()).unwrap_err();
    assert_eq!(error.at, "the heats");
}

#[test]
fn windows_1252_page_is_decoded() {
    let reading = read_file(&competition("kel05"), "event3-kel05.html");
    let standings = places(find_heat(&reading, "kel05/1"));
    assert_eq!(
        standings,
        [
            ("Zoë Vale & Åse Moor", 1),
            ("Ada Vale & Bea Moor", 1),
            ("Cyd Oar & Dot Fen", 3)
        ]
    );
}

#[test]
fn other_competition_is_refused() {
    let error = read(&competition("mac23"), &bytes(FILE)).unwrap_err();
    assert_eq!(error.at, "field event");
}

#[test]
fn invalid_couple_refuses_only_its_heat() {
    for (part, by) in [
        ("231 Ola Dune &amp; Pia Cape", "231 Ola Dune"),
        ("231 Ola Dune &amp; Pia Cape", "231 Ola Dune &amp; Pia Cape &amp; Rue Hill"),
        ("231 Ola Dune &amp; Pia Cape", "231 Ola\u{1} Dune &amp; Pia Cape"),
    ] {
        let body = replace_in_fixture(FILE, part, by);
        let reading = read(&competition("gls23"), &body).unwrap();
        assert_eq!(reading.results.len(), 5, "{by}");
        let [refused] = reading.refused.as_slice() else {
            panic!("{:?}", reading.refused);
        };
        assert!(refused.at.starts_with("heat 50328722, row "), "{refused}");
        assert!(!refused.expected.contains("Ola"), "{refused}");
    }
}

#[test]
fn invalid_heats_are_refused_with_position() {
    for (part, by, at) in [
        ("class=t2n>1) 231 Ola", "class=t2x>1) 231 Ola", "table 2, row "),
        ("class=t2n>1) 231 Ola", "class=t2n>1. 231 Ola", "table 2, row "),
        ("class=t2n>1) 231 Ola", "class=t2n>-1) 231 Ola", "table 2, row "),
        ("class=t2n>1) 231 Ola", "class=t2n>99999) 231 Ola", "table 2, row "),
        ("class=t2n>1) 231 Ola", "class=t2n>2) 231 Ola", "heat 50328722, row "),
        ("<td>----</td>", "<td>====</td>", "table 2, row "),
        ("heatid=50328722", "heat=50328722", "table 2, row "),
        ("heatid=50328722", "heatid=50328723", "table 2, row "),
        (
            "scoresheet3.asp?event=gls23&heatid=50328722",
            "heat.asp?event=gls23",
            "table 2, row ",
        ),
        ("event=gls23&heatid=50328722", "event=mac23&heatid=50328722", "table 2, row "),
        ("name='webfilter'", "name='filter'", "form webfilter"),
        ("class=h4>", "class=h5>", "cell h4"),
        ("</HTML>", "", "the whole"),
    ] {
        let error = match read(&competition("gls23"), &replace_in_fixture(FILE, part, by)) {
            Err(error) => error,
            // An invalid heat leaves the others.
            Ok(mut reading) => {
                assert!(reading.results.len() > 3 && reading.refused.len() == 1);
                assert!(at.starts_with("heat "), "{by}: {reading:?}");
                reading.refused.remove(0)
            }
        };
        assert!(error.at.starts_with(at), "{by}: {error}");
        assert!(!error.expected.contains("Ola"), "{error}");
    }
}
