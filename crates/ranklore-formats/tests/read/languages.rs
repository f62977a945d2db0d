//! Headings and cells of games in further languages.

use super::games::places;
use super::{proposals, refused, table};
use ranklore_formats::ReadOptions;

#[test]
fn sides_and_dates_are_read_in_further_languages() {
    for (headings, days) in [
        (
            "Maç Tarihi;Ev sahibi;Deplasman;Ev sahibi Gol;Deplasman Gol",
            ["11.08.2023", "12.08.2023"],
        ),
        ("data;casa;fora;gols_casa;gols_fora", ["11/08/2023", "12/08/2023"]),
        (
            "日付;ホーム;アウェイ;ホーム得点;アウェイ得点",
            ["2023/08/11(金)", "2023/08/12(土)"],
        ),
        (
            "試合日;ホームチーム;アウェーチーム;ホームスコア;アウェースコア",
            ["2023年8月11日（金）", "2023年8月12日（土）"],
        ),
        (
            "data;białe;czarne;gole białe;gole czarne",
            ["piątek, 11 sierpnia 2023", "12 sierpnia 2023"],
        ),
    ] {
        let [one, two] = days;
        let text = format!("{headings}\n{one};Ada;Bea;3;1\n{two};Cy;Ada;2;3");
        let reading = table(&text).unwrap_or_else(|error| panic!("{headings}: {error}"));
        assert_eq!(refused(&reading), [""; 0], "{headings}");
        assert_eq!(
            places(&reading),
            [
                "2023-08-11 Ada – Bea: 1 Ada, 2 Bea",
                "2023-08-12 Ada – Cy: 1 Ada, 2 Cy"
            ],
            "{headings}"
        );
        let contests = reading.contests.to_vec();
        assert!(contests[0].entrants.iter().all(|entrant| entrant.side.is_some()), "{headings}");
    }
}

#[test]
fn colours_of_pieces_are_read_in_further_languages() {
    for colours in [
        "brancas;negras",
        "brancas;pretas",
        "bianco;nero",
        "wit;zwart",
        "vit;svart",
        "białe;czarne",
        "белые;чёрные",
        "bílý;černý",
    ] {
        let text =
            format!("data;{colours};result\n2023-08-11;Ada;Bea;1/2-1/2\n2023-08-12;Cy;Ada;1-0");
        let reading = table(&text).unwrap_or_else(|error| panic!("{colours}: {error}"));
        assert_eq!(
            places(&reading),
            [
                "2023-08-11 Ada – Bea: 1 Ada, 1 Bea",
                "2023-08-12 Ada – Cy: 1 Cy, 2 Ada"
            ],
            "{colours}"
        );
    }
}

#[test]
fn japanese_games_have_rounds_and_events() {
    let text = "シーズン,大会,節,試合日,ホーム,スコア,アウェイ\n1992,春杯,第2節,1992/09/05(土),灯台,4-2,波止\n1992,春杯,第1節,1992/09/05(土),港町,3-0,浜辺";
    let reading = table(text).unwrap();
    assert_eq!(refused(&reading), [""; 0]);
    let mut contests = reading.contests.to_vec();
    contests.sort_by_key(|contest| contest.ordinal);
    assert_eq!(contests[0].name, "港町 – 浜辺");
    assert_eq!(contests[0].event.as_deref(), Some("春杯"));
}

#[test]
fn a_side_alone_is_proposed_as_no_competitor() {
    for side in ["ホーム", "Heim", "local"] {
        let text = format!("date;{side};other\n2023-08-11;灯台港;4-2\n2023-08-12;港町港;3-1");
        let options = proposals(&text, &ReadOptions::default());
        let proposed = format!("{side}=competitor");
        assert!(!options.concat().contains(&proposed), "{options:?}");
    }
}

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

#[test]
fn sides_and_draws_are_read_in_chinese_and_korean() {
    for (headings, words) in [
        ("date;红方;蓝方;result", ["胜", "负", "平"]),
        ("date;팀A;팀B;승자", ["Ann", "Di", "무승부"]),
    ] {
        let [one, two, drawn] = words;
        let text = format!(
            "{headings}\n2024-03-01;Ann;Bo;{one}\n2024-03-02;Cy;Di;{two}\n2024-03-03;Ed;Flo;{drawn}\n"
        );
        let reading = table(&text).unwrap_or_else(|error| panic!("{headings}: {error}"));
        assert_eq!(
            places(&reading),
            [
                "2024-03-01 Ann – Bo: 1 Ann, 2 Bo",
                "2024-03-02 Cy – Di: 1 Di, 2 Cy",
                "2024-03-03 Ed – Flo: 1 Ed, 1 Flo"
            ],
            "{headings}"
        );
    }
    let scores = "date;팀A;팀B;A점수;B점수\n2024-03-01;Ann;Bo;4;6\n";
    assert_eq!(places(&table(scores).unwrap()), ["2024-03-01 Ann – Bo: 1 Bo, 2 Ann"]);
    // Several games of a day are no ranking.
    let games = "日期,玩家,桌号,胜负\n2024-03-01,甲,2,胜\n2024-03-01,乙,2,负\n2024-03-01,丙,2,胜\n2024-03-01,丁,2,负\n";
    assert!(table(games).unwrap_err().contains("several winners and losers in one contest"));
}
