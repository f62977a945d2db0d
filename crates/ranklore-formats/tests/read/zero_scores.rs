//! Scores of 0 in wide tables, which can stand for competitors who did not take part.

use super::{from_2024, scores, standings, table_with};
use ranklore_formats::{ArchivedBy, FileFormat, ReadOptions, StatedLayout, read_archived};

const LEAGUE: &str = "Position,Player,Week 1,Week 2,Week 3,Points\n1,Ann,39.5,25.5,50,115\n\
                      2,Bo,39.5,0,45,84.5\n3,Cy,0,50,0,50\n";

fn players() -> ReadOptions {
    ReadOptions {
        layout: Some(StatedLayout::Players),
        ..from_2024(7)
    }
}

/// Adds the meaning of a score of 0.
fn with_zero(status: &str, options: ReadOptions) -> ReadOptions {
    let stated = serde_json::json!({"statuses": {"0": status}});
    let stated: ReadOptions = serde_json::from_value(stated).unwrap();
    ReadOptions {
        statuses: stated.statuses,
        ..options
    }
}

#[test]
fn zero_far_below_other_scores_is_refused_until_stated() {
    for text in [
        LEAGUE.to_owned(),
        "Player,Week 1,Week 2,Week 3\nAnn,39.5,25.5,50\nBo,39.5,0,45\nCy,0,50,0\n".to_owned(),
        LEAGUE.replace(",0", ",0.0"),
    ] {
        let error = table_with(&text, &scores(players())).unwrap_err();
        for status in ["dns", "finished"] {
            let zero = if text.contains("0.0") { "0.0" } else { "0" };
            assert!(error.contains(&format!("--status {zero}={status}")), "{error}");
        }
    }
    let absent = table_with(LEAGUE, &scores(with_zero("dns", players()))).unwrap();
    assert_eq!(standings(&absent), ["1 Ann, 1 Bo", "1 Cy, 2 Ann", "1 Ann, 2 Bo"]);
    let last = table_with(LEAGUE, &scores(with_zero("finished", players()))).unwrap();
    assert_eq!(
        standings(&last),
        [
            "1 Ann, 1 Bo, 3 Cy",
            "1 Cy, 2 Ann, 3 Bo",
            "1 Ann, 2 Bo, 3 Cy"
        ]
    );
    let archived = |reader| {
        let options = scores(players());
        read_archived(reader, FileFormat::Table, LEAGUE.as_bytes(), "league.csv", &options).is_ok()
    };
    assert!(archived(ArchivedBy::WithoutDoubts) && !archived(ArchivedBy::Current));
}

#[test]
fn zero_near_other_scores_is_a_score() {
    for text in [
        // Few points, points for places, and points for the first places alone.
        "Player,Week 1,Week 2\nAnn,3,2\nBo,1,0\nCy,0,1\n",
        "Player,Week 1,Week 2\nAnn,25,18\nBo,18,25\nCy,15,1\nDi,0,0\n",
        "Player,Week 1,Week 2\nAnn,10,8\nBo,8,10\nCy,6,6\nDi,0,0\nEd,0,0\n",
        // One competitor without points.
        "Player,Week 1,Week 2\nAnn,40,50\nBo,45,40\nCy,0,48\n",
    ] {
        let reading = table_with(text, &scores(players())).unwrap();
        let listed: usize = reading.contests.iter().map(|contest| contest.entrants.len()).sum();
        assert_eq!(listed, 2 * (text.lines().count() - 1), "{text}");
    }
}

#[test]
fn zero_among_places_names_its_statuses() {
    let text = "Player,Race 1,Race 2\nAnn,1st,2nd\nBo,2nd,0\nCy,3rd,1st\n";
    let reading = table_with(text, &players()).unwrap();
    let refusal = super::refused(&reading).join("; ");
    for option in ["--status 0=dnf", "--status 0=dns"] {
        assert!(refusal.contains(option), "{refusal}");
    }
    let absent = table_with(text, &with_zero("dns", players())).unwrap();
    assert_eq!(standings(&absent), ["1 Ann, 2 Bo, 3 Cy", "1 Cy, 2 Ann"]);
}

#[test]
fn rounds_at_the_end_in_which_all_have_zero_are_still_to_come() {
    let text = "Race,Ann,Bo\nOslo,12,2\nRoma,0,0\nLyon,13,21\nGraz,0,0\nBern,0,0\n";
    let sideways = ReadOptions {
        layout: Some(StatedLayout::Contests),
        ..from_2024(7)
    };
    let reading = table_with(text, &sideways).unwrap();
    assert_eq!(standings(&reading), ["1 Ann, 2 Bo", "1 Ann, 1 Bo", "1 Bo, 2 Ann"]);
    let notes = super::notes(&reading);
    assert!(notes.contains("\"Graz\" (E), \"Bern\" (F)"), "{notes}");
    let drawn = table_with(text, &with_zero("finished", sideways.clone())).unwrap();
    assert_eq!(standings(&drawn).len(), 5);
    // One round of two, zeros that are usual, and a player with a score or without a result.
    for text in [
        "Race,Ann,Bo\nOslo,12,2\nLyon,13,21\nGraz,0,0\n",
        "Race,Ann,Bo\nOslo,0,0\nLyon,0,1\nRiga,0,0\nGraz,0,0\n",
        "Race,Ann,Bo\nOslo,12,2\nLyon,13,21\nGraz,0,0\nBern,0,1\n",
        "Race,Ann,Bo,Cy\nOslo,12,2,\nLyon,13,,21\nGraz,0,0,\nBern,0,,0\n",
    ] {
        let reading = table_with(text, &sideways).unwrap();
        assert_eq!(reading.contests.iter().count(), text.lines().count() - 1, "{text}");
    }
}

#[test]
fn competitors_with_nothing_but_zero_may_be_absent() {
    let text = "Player,Nord,Ost,Syd\nAnn,500,0,70\nBo,40,500,110\nCy,0,30,0\nDi,0,0,0\nEd,0,0,0\n";
    let refusal = table_with(text, &players()).unwrap_err();
    assert!(refusal.contains("0 is all that 2 competitors have"), "{refusal}");
    let absent = table_with(text, &with_zero("dns", players())).unwrap();
    assert_eq!(standings(&absent), ["1 Ann, 2 Bo", "1 Bo, 2 Cy", "1 Bo, 2 Ann"]);
    // One alone, blank cells, and points for places.
    for text in [
        text.replace("\nEd,0,0,0", ""),
        text.replace("Cy,0", "Cy,"),
        "Player,Nord,Ost\nAnn,25,18\nBo,18,25\nDi,0,0\nEd,0,0\n".to_owned(),
    ] {
        assert!(table_with(&text, &players()).is_ok(), "{text}");
    }
}
