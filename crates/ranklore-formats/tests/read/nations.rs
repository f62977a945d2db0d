//! Columns of nations, teams, owners and jockeys beside those who compete.

use super::{contest_lines, notes, refused, table, table_with};
use ranklore_formats::{ColumnMeaning, ReadOptions};

fn rows(names: [&str; 3]) -> String {
    let [one, two, three] = names;
    format!(
        "Cup,2024-01-01,1,{one}\nCup,2024-01-01,2,{two}\nCup,2024-01-01,3,{three}\n\
         Open,2024-02-01,1,{three}\nOpen,2024-02-01,2,{one}\nOpen,2024-02-01,3,{two}"
    )
}

const BY_ID: [&str; 2] = [
    "Cup 2024-01-01: 1 p1, 2 p2, 3 p3",
    "Open 2024-02-01: 1 p3, 2 p1, 3 p2",
];

#[test]
fn people_of_nations_compete() {
    let ids = ["Norland,p1", "Norland,p2", "Sudland,p3"];
    let names = [
        "Norland,Ann Lee,p1",
        "Norland,Bo Kim,p2",
        "Sudland,Cy Day,p3",
    ];
    for (headings, cells) in [
        ("team,athlete_id", ids),
        ("name,athlete_id", ids),
        ("country,athlete_id", ids),
        ("country,competitor_names,person_ids", names),
        ("team,competitor_names,person_ids", names),
    ] {
        let reading = table(&format!("contest,date,rank,{headings}\n{}", rows(cells))).unwrap();
        assert_eq!(refused(&reading), [""; 0], "{headings}");
        assert_eq!(contest_lines(&reading), BY_ID, "{headings}");
    }
    // Two namesakes make no nation, and teams have one id each.
    let text =
        rows(["Ann,p1", "Ann,p2", "Cy,p3"]).replace("Cup,2024-01-01,2,Ann", "Cup,2024-01-01,2,Bo");
    let namesakes = format!("contest,date,rank,name,athlete_id\n{}", text.replace("3,Ann", "3,Bo"));
    assert_eq!(table(&namesakes).unwrap().dated_names.len(), 3);
    let teams = format!(
        "contest,date,rank,team,athlete_id\n{}",
        rows(["Reds,p1", "Blues,p2", "Greens,p3"])
    );
    assert_eq!(table(&teams).unwrap().dated_names.len(), 3);
}

#[test]
fn names_with_commas_that_recur_stay_whole() {
    let text = rows(["Norland", "\"Hong Kong, China\"", "Sudland"]);
    let reading = table(&format!("contest,date,rank,member_name\n{text}")).unwrap();
    assert_eq!(
        contest_lines(&reading)[0],
        "Cup 2024-01-01: 1 Norland, 2 Hong Kong, China, 3 Sudland"
    );
    // Teams of two are asked for.
    let text = rows(["\"Ann, Bo\"", "\"Cy, Dov\"", "Eve"]);
    let error = table(&format!("contest,date,rank,member_name\n{text}")).unwrap_err();
    assert!(error.contains("--members ',', or --members none"), "{error}");
}

const HORSES: &str = "contest,date,place,user_id,horse_id,horse_name\nA,2024-01-01,1,u1,h1,Alpha\n\
                      A,2024-01-01,2,u2,h2,Beta\nB,2024-02-01,1,u1,h3,Gamma\nB,2024-02-01,2,u3,h1,Alpha";

#[test]
fn id_of_the_noun_identifies_its_names() {
    let expected = ["A 2024-01-01: 1 h1, 2 h2", "B 2024-02-01: 1 h3, 2 h1"];
    for text in [
        HORSES.to_owned(),
        HORSES.replace("horse_id", "HorseId").replace("horse_name", "Horse Name"),
        HORSES.replace("user_id", "owner"),
    ] {
        assert_eq!(contest_lines(&table(&text).unwrap()), expected, "{text}");
    }
    // An id of two names is that of something else.
    let stables = HORSES.replace("horse_id", "horse_no").replace("user_id", "horse_id");
    let lines = contest_lines(&table(&stables).unwrap());
    assert_eq!(lines[0], "A 2024-01-01: 1 Alpha, 2 Beta");
}

#[test]
fn horses_and_jockeys_are_asked_for() {
    let text = HORSES.replace("user_id", "jockey").replace("u1", "Moss").replace("u2", "Nord");
    let error = table(&text).unwrap_err();
    assert!(error.contains("--column jockey=ignore"), "{error}");
    assert!(error.contains("--column jockey=competitor"), "{error}");
    for (meaning, first) in [
        (ColumnMeaning::Ignore, "A 2024-01-01: 1 h1, 2 h2"),
        (ColumnMeaning::Competitor, "A 2024-01-01: 1 Moss, 2 Nord"),
    ] {
        let options = ReadOptions {
            columns: [("jockey".to_owned(), meaning)].into(),
            ..ReadOptions::default()
        };
        let reading = table_with(&text, &options).unwrap();
        assert_eq!(contest_lines(&reading)[0], first);
        assert!(notes(&reading).contains("columns not used"));
    }
}

#[test]
fn nations_compete_where_nothing_else_is_named() {
    for heading in ["Country", "Nation", "Land", "País", "Pays"] {
        let text = format!(
            "Year,SF,{heading},Song,Place,Points\n2008,1,Norland,Alpha,2,90\n2008,1,Sudland,Beta,1,120\n\
             2008,1,Estia,Gamma,3,40\n"
        );
        let reading = table_with(&text, &super::from_2024(1)).unwrap();
        assert_eq!(super::standings(&reading), ["1 Sudland, 2 Norland, 3 Estia"], "{heading}");
    }
    // Another column may name them.
    for other in ["Artist", "Sportsman", "Skip"] {
        let text =
            format!("Country,{other},Place\nNorland,Ann Lee,2\nSudland,Bo Kim,1\nEstia,Cy Day,3\n");
        let error = table_with(&text, &super::from_2024(1)).unwrap_err();
        assert!(error.contains("no column is headed competitor"), "{error}");
    }
    let text = "Country,Player,Place\nNorland,Ann Lee,2\nSudland,Bo Kim,1\nEstia,Cy Day,3\n";
    let reading = table_with(text, &super::from_2024(1)).unwrap();
    assert_eq!(super::standings(&reading), ["1 Bo Kim, 2 Ann Lee, 3 Cy Day"]);
}

#[test]
fn the_only_names_beside_a_ranking_compete() {
    let read = |text: &str| table_with(text, &super::from_2024(1));
    for heading in ["Sportsman", "Kartographer", "Ship name", "Verein"] {
        let text = format!(
            "Make,Place,{heading},Points\nX1,1,Ann Lee,90\nX1,2,Bo Kim,80\nY2,3,Cy Day,80\n"
        );
        let reading = read(&text).unwrap();
        assert_eq!(super::standings(&reading), ["1 Ann Lee, 2 Bo Kim, 3 Cy Day"], "{heading}");
    }
    for text in [
        // Another column may name them, or describes the contest.
        "Place,Sportsman,Dog,Points\n1,Ann Lee,Rex,9\n2,Bo Kim,Zoe,8\n3,Cy Day,Max,7\n",
        "Place,Venue,Town,Points\n1,Dune Hall,York,9\n2,Moor Hall,Hull,8\n3,Fen Hall,Leeds,7\n",
        "Place,Season,Points\n1,Autumn,9\n2,Spring,8\n3,Winter,7\n",
        "Place,Opponent,Points\n1,Ann Lee,9\n2,Bo Kim,8\n3,Cy Day,7\n",
        // No ranking of the rows.
        "Place,Track,Points\n4,Dune Ring,9\n1,Moor Ring,8\n7,Fen Ring,7\n",
        // Names repeat, or are results.
        "Place,Sportsman,Points\n1,Ann Lee,9\n2,Bo Kim,8\n3,Ann Lee,7\n",
        "Place,Mark\n1,1h 20m\n2,1h 21m\n3,1h 25m\n",
        "Place,Gender Place,Time\n1,M1,10:01\n2,F1,10:20\n3,M2,11:02\n",
        "Place,Photo,Time\n1,ivy.jpg,10:01\n2,max.jpg,10:20\n3,pia.jpg,11:02\n",
        "Place,Bib,Sportsman,Points\n1,7,Ann Lee,9\n2,8,Bo Kim,8\n3,9,Cy Day,7\n",
        "Place,Coach,Points\n1,Ann Lee,9\n2,Bo Kim,8\n3,Cy Day,7\n",
        // Vague.
        "#,Town,Points\n1,York,9\n2,Hull,8\n3,Leeds,7\n",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn programs_and_nicknames_compete_where_nothing_else_is_named() {
    for heading in ["Bot", "model_name", "Pseudonym", "Nick"] {
        let text = format!("Points,{heading},City\n90,gpt-4,Ayr\n95,mix-2,Bonn\n12,rho,Caen\n");
        let reading = table_with(&text, &super::from_2024(1)).unwrap();
        assert_eq!(super::standings(&reading), ["1 mix-2, 2 gpt-4, 3 rho"], "{heading}");
        // Other texts may be the names.
        let other = text.replace("City", "Chauffeur");
        assert!(table_with(&other, &super::from_2024(1)).is_err(), "{heading}");
        let named = text.replace("City", "Name");
        let reading = table_with(&named, &super::from_2024(1)).unwrap();
        assert_eq!(super::standings(&reading), ["1 Bonn, 2 Ayr, 3 Caen"], "{heading}");
    }
}
