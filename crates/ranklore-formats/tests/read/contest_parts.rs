//! Parts of contests: rounds of events of a competition, and times beside a total.

use ranklore_formats::{ColumnMeaning, ReadOptions};

use crate::{contest_lines, from_2024, table, table_with};

const CUBES: &str = "competitionId,eventId,roundTypeId,pos,best,average,personName,personId,personCountryId,formatId,value1,value2\n\
    QuayOpen,333,1,1,900,1000,Ann Lee,2010LEEA01,Italy,a,900,1000\n\
    QuayOpen,333,1,2,950,1100,Bo Kim,2011KIMB01,Italy,a,950,1100\n\
    QuayOpen,333,1,3,960,1200,Cy Roe,2012ROEC01,Italy,a,960,1100\n\
    QuayOpen,333,f,1,850,1000,Bo Kim,2011KIMB01,Italy,a,850,1000\n\
    QuayOpen,333,f,2,960,1100,Ann Lee,2010LEEA01,Italy,a,960,1100\n\
    QuayOpen,222,f,1,250,300,Ann Lee,2010LEEA01,Italy,a,250,300\n\
    QuayOpen,222,f,2,350,400,Bo Kim,2011KIMB01,Italy,a,350,400\n\
    DuneCubing,333,f,1,850,1000,Bo Kim,2011KIMB01,Italy,a,850,1000\n\
    DuneCubing,333,f,2,960,1100,Cy Roe,2012ROEC01,Italy,a,960,1100\n";

#[test]
fn rounds_of_events_of_a_competition_are_contests() {
    let reading = table_with(CUBES, &from_2024(7)).unwrap();
    let contests = reading.contests.to_vec();
    let ids: Vec<&str> = contests.iter().map(|contest| &*contest.external_id).collect();
    let expected = [
        "QuayOpen/333 1",
        "QuayOpen/333 f",
        "QuayOpen/222 f",
        "DuneCubing/333 f",
    ];
    assert_eq!(ids, expected);
    assert_eq!(
        contest_lines(&reading)[..2],
        [
            "QuayOpen 2024-01-01: 1 2010LEEA01, 2 2011KIMB01, 3 2012ROEC01",
            "QuayOpen 2024-01-01: 1 2011KIMB01, 2 2010LEEA01"
        ]
    );
    // An extract has the same ids.
    let finals: Vec<&str> = CUBES.split_inclusive('\n').filter(|l| !l.contains(",1,1,9")).collect();
    let finals: String = finals.into_iter().filter(|line| !line.contains("333,1")).collect();
    let longer = format!("{finals}QuayOpen,222,f,3,360,410,Cy Roe,2012ROEC01,Italy,a,360,410\n");
    let reading = table_with(&longer, &from_2024(7)).unwrap();
    let ids: Vec<String> = reading.contests.iter().map(|contest| contest.external_id).collect();
    assert_eq!(ids, expected[1..]);
    assert!(table(CUBES).unwrap_err().contains("the date is missing"));
}

#[test]
fn ids_of_parts_without_places_are_refused_until_stated() {
    let text = "tournamentId,eventId,stage,Date,Points,Player\nT1,1,a,2024-03-01,9,Ann\nT1,1,a,2024-03-01,8,Bo\n\
                T1,1,b,2024-03-01,9,Bo\nT1,1,b,2024-03-01,7,Ann\n";
    let error = table(text).unwrap_err();
    assert!(error.contains("pass --column eventId=division"), "{error}");
    let options = ReadOptions {
        columns: ["eventId", "stage"]
            .map(|heading| (heading.to_owned(), ColumnMeaning::Division))
            .into(),
        ..ReadOptions::default()
    };
    let reading = table_with(text, &options).unwrap();
    let divisions: Vec<_> = reading.contests.iter().map(|contest| contest.division).collect();
    assert_eq!(divisions, [Some("1 a".to_owned()), Some("1 b".to_owned())]);
}

#[test]
fn numbered_times_beside_a_total_are_parts() {
    let options = ReadOptions {
        every_days: None,
        ..from_2024(1)
    };
    for (headings, cells) in [
        ("Place,Name,T1,T2,Total", ["1,Ann,40.1,41.2,81.3", "2,Bo,41.1,41.9,83.0"]),
        ("Place,Team,T1,T2,Total", ["1,Ann,40.1,41.2,81.3", "2,Bo,41.1,41.9,83.0"]),
        (
            "Place,Name,Swim,T1,Bike,T2,Run,Total",
            [
                "1,Ann,10:01,1:01,40:12,0:50,20:10,1:12:14",
                "2,Bo,11:01,1:11,41:12,0:55,21:10,1:15:29",
            ],
        ),
    ] {
        let text = format!("{headings}\n{}\n", cells.join("\n"));
        let reading = table_with(&text, &options).unwrap();
        let lines = contest_lines(&reading);
        assert_eq!(lines.len(), 1, "{headings}: {lines:?}");
        assert!(lines[0].starts_with("Club night 2024-01-01: 1 Ann ("), "{lines:?}");
    }
    let unranked = "Name,T1,T2,Total\nAnn,40.1,41.2,81.3\nBo,41.1,41.9,83.0\n";
    let error = table_with(unranked, &options).unwrap_err();
    assert!(error.contains("--layout"), "{error}");
}
