//! Places with a minus, which a series does not count, and scores below 0.

use super::{from_2024, notes, proposals, standings, table_with};
use ranklore_formats::{ReadOptions, StatedLayout};

fn lowest_first() -> ReadOptions {
    ReadOptions {
        lower_is_better: true,
        ..from_2024(1)
    }
}

#[test]
fn discards_with_a_minus_win_no_race() {
    let best_of_the_fleet =
        "Name,Pts,R1,R2,R3\nAnn,3,1,-6,2\nBob,6,-9,1,5\nCy,9,2,7,(OCS-21)\nDi,16,-12,8,8\n";
    let reading = table_with(best_of_the_fleet, &from_2024(1)).unwrap();
    let expected = [
        "1 Ann, 2 Cy, 3 Bob, 4 Di",
        "1 Bob, 2 Ann, 3 Cy, 4 Di",
        "1 Ann, 2 Bob, 3 Di, - Cy",
    ];
    assert_eq!(standings(&reading), expected);
    assert!(notes(&reading).contains("numbers with a minus are discards"));
    // A user who takes the lowest for the best means no discard.
    assert_eq!(standings(&table_with(best_of_the_fleet, &lowest_first()).unwrap()), expected);
    // The places of all say so, too.
    let ranked = "Pos,Name,R1,R2,R3\n1,Ann,1,-3,1\n2,Bob,2,1,-4\n3,Cy,3,2,3\n4,Di,-4,4,2\n";
    let players = ReadOptions {
        layout: Some(StatedLayout::Players),
        ..from_2024(1)
    };
    let reading = table_with(ranked, &players).unwrap();
    assert_eq!(standings(&reading)[0], "1 Ann, 2 Bob, 3 Cy, 4 Di");
    // Without a total, the highest with a minus can be scores.
    let unsummed = "Name,R1,R2,R3\nAnn,1,-6,2\nBob,-9,1,5\nCy,2,-7,4\nDi,-12,8,8\n";
    let asked = ["--cells places", "--cells scores", "--lower-is-better"];
    assert_eq!(proposals(unsummed, &from_2024(1)), asked);
    // The points that teams scored leave those against them out, whatever the order of the rows.
    let scored = "Team,Points scored,Match 1,Match 2,Match 3\nAsh,5,2,3,-4\nBay,9,-9,4,5\nCove,3,1,2,-3\nDale,8,4,4,-6\n";
    assert_eq!(proposals(scored, &from_2024(1)), asked);
    let headed = scored.replace("Points scored", "Net");
    assert!(notes(&table_with(&headed, &from_2024(1)).unwrap()).contains("are discards"));
}

#[test]
fn scores_below_0_are_no_discards() {
    for (text, first) in [
        (
            "Name,Total,R1,R2\nAnn,-2,1,-3\nBob,0,2,-2\nCy,1,4,-3\nDi,3,2,1\n",
            "1 Ann, 2 Bob, 2 Di, 4 Cy",
        ),
        ("Name,R1,R2\nAnn,-2,0\nBob,1,-3\nCy,2,-4\nDi,3,-5\n", "1 Ann, 2 Bob, 3 Cy, 4 Di"),
        (
            "Name,R1,R2\nAnn,-2,-1\nBob,1,-3\nCy,2,-4\nDi,3,-5\n",
            "1 Ann, 2 Bob, 3 Cy, 4 Di",
        ),
    ] {
        assert_eq!(standings(&table_with(text, &lowest_first()).unwrap())[0], first, "{text}");
    }
    for text in [
        "Name,R1,R2\nAnn,-2,0\nBob,1,-3\nCy,2,-4\nDi,-5,3\nEd,7,-8",
        "Name,Sum,R1,R2,R3\nAnn,\"-1,200\",400,400,-2000\nBob,\"-1,500\",100,-1800,200\nCy,\"-2,300\",300,300,-2900\nDi,\"5,000\",1500,1500,2000\n",
        "Name,Average,R1,R2,R3\nAnn,-1.33,1,1,-6\nBob,-2,-9,2,1\nCy,0.33,3,2,-4\n",
        "Name,Total,R1,R2,R3\nAnn,4,6,6,-8\nBob,1,-7,5,3\nCy,-1,-9,6,2\nDi,-4,1,5,-10\n",
    ] {
        if let Err(error) = table_with(text, &from_2024(1)) {
            assert!(!error.contains("does not count"), "{error}");
        }
    }
}
