//! Two columns that may name the competitors.

use super::{contest_lines, proposals, refused, table};
use ranklore_formats::ReadOptions;

#[test]
fn rival_names_are_refused() {
    for (first, second) in [("Name", "Player"), ("Rider", "Owner"), ("Name", "Rider")] {
        let text = format!(
            "date,place,{first},{second}\n2024-03-01,1,Red Star,Ann Lee\n2024-03-01,2,Blue Jay,Bo Kim\n2024-03-01,3,Cub,Cy Dean\n"
        );
        let error = table(&text).err().unwrap();
        assert!(error.contains("both may name the competitors"), "{error}");
        let options = proposals(&text, &ReadOptions::default());
        let second_ignored = format!("--column {second}=ignore");
        let first_ignored = format!("--column {first}=ignore");
        assert!(
            options.contains(&second_ignored) || options.contains(&first_ignored),
            "{options:?}"
        );
        assert_eq!(options.len(), 2);
    }
}

#[test]
fn names_of_the_same_people_are_read() {
    for (headings, rows) in [
        ("Name,Handle", ["Ann Lee,al", "Bo Kim,bk"]),
        ("Name,Player", ["Ann Lee,Lee A.", "Bo Kim,Kim B."]),
        // The name of the team recurs.
        ("Name,Player", ["Reds,Ann Lee", "Reds,Bo Kim"]),
    ] {
        let [one, two] = rows;
        let text = format!("date,place,{headings}\n2024-03-01,1,{one}\n2024-03-01,2,{two}\n");
        assert_eq!(contest_lines(&table(&text).unwrap()).len(), 1, "{headings}");
    }
}

#[test]
fn counts_of_players_are_no_competitors() {
    for headings in [
        "Datum;Heim;Gast;Ergebnis;Heimspieler;Gastspieler",
        "Date;Home;Away;Score;Home Player;Away Player",
        "fecha;local;visitante;resultado;jugador local;jugador visitante",
        "Date;Home Team;Away Team;Score;Home Player;Away Player",
    ] {
        let text = format!(
            "{headings}\n2023-10-08;Ahorn;Birke;29-60;9;11\n2023-10-15;Birke;Tanne;72-76;8;10"
        );
        let reading = table(&text).unwrap();
        assert_eq!(refused(&reading), [""; 0], "{headings}");
        let contests = reading.contests.to_vec();
        let names: Vec<&str> = contests.iter().map(|contest| contest.name.as_str()).collect();
        assert_eq!(names, ["Ahorn – Birke", "Birke – Tanne"], "{headings}");
    }
}

#[test]
fn sides_beside_their_players_are_asked_in_any_order() {
    for headings in [
        "Home,Away,Home Player,Away Player",
        "Home Player,Away Player,Home,Away",
        "Home Team,Away Team,Home Player,Away Player",
        "Home Player,Away Player,Home Team,Away Team",
    ] {
        let text = format!(
            "date,{headings},Score\n2023-10-08,Ann,Bo,Cy,Dov,3-1\n2023-10-15,Eve,Fay,Gus,Hal,1-2"
        );
        let options = proposals(&text, &ReadOptions::default());
        assert_eq!(options.len(), 2, "{headings}: {options:?}");
    }
    // The players of one match follow one another.
    let text = "date,Home Player,Away Player,Home,Away,Score\n2023-10-08,Ann,Bo,Reds,Blues,3-1\n2023-10-08,Cy,Dov,Reds,Blues,1-2";
    let reading = table(text).unwrap();
    assert_eq!(contest_lines(&reading).len(), 2);
    assert_eq!(reading.contests.to_vec()[0].name, "Ann – Bo");
    // Numbers alone name the competitors.
    let text = "date,Home Player,Away Player,Score\n2023-10-08,9,11,3-1";
    assert_eq!(contest_lines(&table(text).unwrap()).len(), 1);
}
