//! Results of both divisions of a round.

use ranklore_contest::EntrantKind;
use ranklore_source::{Accounts, ContestOutcome, OfficialRating, SiteReading, Source};

use crate::fixtures::{
    find_results, places, read, read_round, replace_in_fixture, results, source, standings, text,
    to_latin1,
};

const FILE: &str = "dd_round_results-9601.xml";

#[test]
fn divisions_are_separate_contests() {
    let reading = read_round(9601);
    assert_eq!(reading.results.len(), 2);
    assert_eq!(
        places(&reading, "9601/2"),
        [
            ("[quince]", 1, 601.9),
            ("plum", 2, 377.14),
            ("new.here", 3, 0.0)
        ]
    );
    assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
}

#[test]
fn equal_points_share_place() {
    assert_eq!(
        places(&read_round(9601), "9601/1"),
        [
            ("Rowan<3", 1, 1301.4),
            ("möwe", 2, 1188.05),
            ("birch.owl", 3, 212.75),
            ("sloe gin", 3, 212.75),
            ("tin_kettle", 5, 0.0),
            ("zwei&vierzig", 5, 0.0),
            ("gravel", 7, -25.0),
        ]
    );
}

#[test]
fn coder_is_identified_by_number() {
    let reading = read_round(9601);
    let (entrants, _) = standings(&reading, "9601/1");
    assert_eq!(entrants[1].competitor, "40000014");
    assert_eq!(entrants[1].kind, EntrantKind::Person);
    let mut named = reading.named.iter();
    let named = named.find(|entrant| entrant.competitor == "40000014").unwrap();
    assert_eq!(named.name, "möwe");
    assert!(source().may_name_competitors(&results(9601).key()));
}

#[test]
fn official_ratings_have_volatility() {
    let reading = read_round(9601);
    let (_, official) = standings(&reading, "9601/1");
    assert_eq!(
        official[0],
        OfficialRating {
            competitor: "40000013".to_owned(),
            before: Some(2950.0),
            after: 3012.0,
            volatility: Some(350.0),
        }
    );
    assert_eq!(official.len(), 7);
}

#[test]
fn newcomer_rating_is_none_in_2001_then_1200() {
    let before = |round: u32, id: &str, coder: &str| {
        let reading = read_round(round);
        let (_, official) = standings(&reading, id);
        official.iter().find(|rating| rating.competitor == coder).unwrap().before
    };
    assert_eq!(before(853, "853/1", "105003"), None);
    assert_eq!(before(9601, "9601/2", "40000023"), Some(1200.0));
}

#[test]
fn duplicate_coder_rows_are_merged() {
    let reading = read_round(9512);
    assert_eq!(text("dd_round_results-9512.xml").matches("<row>").count(), 6);
    assert_eq!(
        places(&reading, "9512/1"),
        [
            ("birch.owl", 1, 598.36),
            ("möwe", 2, 410.0),
            ("sloe gin", 2, 410.0)
        ]
    );
    assert_eq!(reading.named.len(), 3);
    assert!(reading.warnings.is_empty());
}

#[test]
fn conflicting_coder_rows_are_refused() {
    let rows = text("dd_round_results-9512.xml");
    // The third row is the second one of the first coder.
    let second = rows.rfind("<handle>birch.owl<").unwrap();
    for (part, by, field) in [
        ("birch.owl", "birch_owl", "handle"),
        ("<new_rating>1808<", "<new_rating>1807<", "new_rating"),
        ("<final_points>598.36<", "<final_points>598.35<", "final_points"),
        ("<division>1<", "<division>2<", "division"),
    ] {
        let changed = [&rows[..second], &rows[second..].replacen(part, by, 1)].concat();
        let error = read(&results(9512), &to_latin1(&changed)).unwrap_err();
        assert_eq!(error.at, format!("row[2].{field}"), "{error}");
        assert_eq!(error.expected, "the same value as in row[0] of this coder");
    }
}

#[test]
fn rows_without_place_are_skipped_with_warning() {
    let reading = read_round(9511);
    let handles: Vec<&str> = places(&reading, "9511/1").iter().map(|place| place.0).collect();
    assert_eq!(handles, ["birch.owl", "möwe", "zwei&vierzig"]);
    let warning = "round 9511: 2 rows without a place left out";
    assert!(reading.warnings.contains(&warning.to_owned()), "{:?}", reading.warnings);
}

#[test]
fn unrated_coder_is_skipped_with_warning() {
    let reading = read_round(9511);
    let numbers: Vec<u32> = places(&reading, "9511/1").iter().map(|place| place.1).collect();
    // The site's places are 1, 3 and 4.
    assert_eq!(numbers, [1, 2, 3]);
    let warning = "round 9511, division 1: 1 coder not rated by the site left out";
    assert!(reading.warnings.contains(&warning.to_owned()), "{:?}", reading.warnings);
    assert_eq!(reading.named.len(), 3);
}

#[test]
fn unrated_round_has_two_unrated_divisions() {
    let reading = read_round(9513);
    for contest in ["9513/1", "9513/2"] {
        assert_eq!(find_results(&reading, contest).outcome, ContestOutcome::NotRated);
    }
    assert!(reading.named.is_empty());
}

#[test]
fn empty_division_has_no_standings() {
    let reading = read_round(853);
    assert_eq!(find_results(&reading, "853/2").outcome, ContestOutcome::NothingYet);
    assert_eq!(standings(&reading, "853/1").0.len(), 4);
}

#[test]
fn round_without_rows_has_no_standings() {
    for body in [
        text("dd_round_results-801.xml"),
        "<dd_round_results/>".to_owned(),
    ] {
        let reading = read(&results(801), &to_latin1(&body)).unwrap();
        for contest in ["801/1", "801/2"] {
            assert_eq!(find_results(&reading, contest).outcome, ContestOutcome::NothingYet);
        }
    }
}

#[test]
fn row_order_does_not_matter() {
    let rows = text(FILE);
    let (head, body) = rows.split_once("<row>").unwrap();
    let (body, tail) = body.rsplit_once("</row>").unwrap();
    let mut all: Vec<&str> = body.split("</row><row>").collect();
    all.reverse();
    let reversed = format!("{head}<row>{}</row>{tail}", all.join("</row><row>"));
    let reading = read(&results(9601), &to_latin1(&reversed)).unwrap();
    let sorted = |contest: &str, reading: &SiteReading| {
        let mut places = places(reading, contest);
        places.sort_by(|a, b| a.1.cmp(&b.1).then(a.0.cmp(b.0)));
        format!("{places:?}")
    };
    for contest in ["9601/1", "9601/2"] {
        assert_eq!(sorted(contest, &reading), sorted(contest, &read_round(9601)));
    }
}

#[test]
fn minimised_results_omit_payments() {
    let body = to_latin1(&text("dd_round_results-853.xml"));
    let minimised = source().minimise(&results(853).key(), &body);
    assert!(!String::from_utf8_lossy(&minimised).contains("paid"));
    assert_eq!(read(&results(853), &minimised), read(&results(853), &body));
    // Other fields are unchanged.
    let without = text("dd_round_results-853.xml")
        .replace("<paid>50000.0</paid>", "")
        .replace("<paid>0.0</paid>", "");
    assert_eq!(&*minimised, to_latin1(&without));
    // An unreadable response is kept unchanged.
    let cut = &body[..body.len() - 5];
    assert_eq!(&*source().minimise(&results(853).key(), cut), cut);
}

#[test]
fn places_contradicting_points_are_refused() {
    for (part, by) in [
        ("<division_placed>2<", "<division_placed>1<"),
        ("<division_placed>7<", "<division_placed>6<"),
        ("<division_placed>7<", "<division_placed>8<"),
        ("<final_points>1188.05<", "<final_points>1301.40<"),
        ("<final_points>1188.05<", "<final_points>1888.05<"),
        ("<final_points>-25.0<", "<final_points>25.0<"),
    ] {
        let error = read(&results(9601), &replace_in_fixture(FILE, part, by)).unwrap_err();
        assert!(error.at.ends_with(".division_placed"), "{by}: {error}");
    }
}

#[test]
fn invalid_rows_are_refused_unquoted() {
    for (part, by, at) in [
        ("<coder_id>40000013<", "<coder_id>tin_kettle<", "row[2].coder_id"),
        ("<coder_id>40000013<", "<coder_id>-40000013<", "row[2].coder_id"),
        ("<coder_id>40000013<", "<coder_id><", "row[2].coder_id"),
        ("<handle>gravel</handle>", "<handle/>", "row[5].handle"),
        ("<handle>gravel</handle>", "", "row[5].handle"),
        ("<new_rating>3012<", "<new_rating>NaN<", "row[2].new_rating"),
        ("<new_rating>3012<", "<new_rating>-3012<", "row[2].new_rating"),
        ("<new_rating>3012<", "<new_rating>4294970308<", "row[2].new_rating"),
        ("<new_rating>3012</new_rating>", "<new_rating/>", "row[2].new_rating"),
        ("<new_vol>350<", "<new_vol>three<", "row[2].new_vol"),
        ("<num_ratings>88<", "<num_ratings>8.8<", "row[2].num_ratings"),
        ("<final_points>1301.4<", "<final_points>inf<", "row[2].final_points"),
        ("<final_points>1301.4<", "<final_points>1e300<", "row[2].final_points"),
        ("<final_points>1301.4</final_points>", "<final_points/>", "row[2].final_points"),
        ("<division>2<", "<division>3<", "row[7].division"),
        ("<division>2</division>", "<division/>", "row[7].division"),
        ("<division_placed>7<", "<division_placed>0<", "row[5].division_placed"),
        ("<division_placed>7<", "<division_placed>-7<", "row[5].division_placed"),
        ("<rated_flag>1</rated_flag>", "<rated_flag/>", "row[0].rated_flag"),
        ("<rated_flag>1<", "<rated_flag>Y<", "row[0].rated_flag"),
        ("<rated_flag>1</rated_flag>", "", "row[0].rated_flag"),
    ] {
        let error = read(&results(9601), &replace_in_fixture(FILE, part, by)).unwrap_err();
        assert_eq!(error.at, at, "{by}: {error}");
        assert!(!error.expected.contains("kettle"), "{error}");
    }
}

#[test]
fn coder_in_both_divisions_is_refused() {
    let body = replace_in_fixture(FILE, "<coder_id>40000021<", "<coder_id>40000011<");
    assert_eq!(read(&results(9601), &body).unwrap_err().at, "row[7].handle");
}

#[test]
fn rated_round_without_places_is_refused() {
    let rows = text(FILE);
    let mut all = String::new();
    for part in rows.split("<division_placed>") {
        let part = match part.split_once("</division_placed>") {
            Some((_, rest)) => format!("<division_placed/>{rest}"),
            None => part.to_owned(),
        };
        all.push_str(&part);
    }
    let error = read(&results(9601), &to_latin1(&all)).unwrap_err();
    assert_eq!(error.at, "dd_round_results");
}
