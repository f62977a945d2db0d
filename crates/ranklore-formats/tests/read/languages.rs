//! Headings and cells of games in further languages.

use super::{refused, table};

#[test]
fn rounds_order_the_games_of_a_year() {
    for round in [
        "rodada",
        "giornata",
        "kolejka",
        "speelronde",
        "omgång",
        "runde",
        "fecha",
        "節",
    ] {
        let text = format!(
            "ano;{round};home;away;home goals;away goals\n2021;2;Cais;Olmo;1;0\n2021;1;Farol;Cais;1;2\n2022;2;Olmo;Cais;0;1\n2022;1;Cais;Farol;0;2"
        );
        let reading = table(&text).unwrap_or_else(|error| panic!("{round}: {error}"));
        assert_eq!(refused(&reading), [""; 0], "{round}");
        let mut contests = reading.contests.to_vec();
        contests.sort_by_key(|contest| (contest.ends_at, contest.ordinal));
        let names: Vec<&str> = contests.iter().map(|contest| contest.name.as_str()).collect();
        assert_eq!(
            names,
            ["Farol – Cais", "Cais – Olmo", "Cais – Farol", "Olmo – Cais"],
            "{round}"
        );
        assert!(contests[0].ends_at < contests[2].ends_at, "{round}");
    }
}
