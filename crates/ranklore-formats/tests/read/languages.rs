//! Headings and cells of games in further languages.

use super::games::places;
use super::{contest_lines, from_2024, proposals, refused, table, table_with};
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

/// The headings of places, competitors, clubs and points.
const RESULTS: &str = "Vieta;Dalībnieks;Klubs;Punkti
    Vieta;Dalyvis;Klubas;Taškai
    Koht;Võistleja;Klubi;Punktid
    Sija;Kilpailija;Seura;Pisteet
    Sæti;Keppandi;Félag;Stig
    Helyezés;Versenyző;Egyesület;Pontok
    Loc;Nume;Club;Puncte
    Mjesto;Natjecatelj;Klub;Bodovi
    Uvrstitev;Tekmovalec;Klub;Točke
    Poradie;Pretekár;Klub;Body
    Pořadí;Závodník;Oddíl;Body
    Pozycja;Zawodnik;Klub;Punkty
    Место;Участник;Клуб;Очки
    Місце;Учасник;Клуб;Бали
    Място;Състезател;Клуб;Точки
    Место;Такмичар;Клуб;Бодови
    Θέση;Αθλητής;Σύλλογος;Βαθμοί
    ΘΕΣΗ;ΟΝΟΜΑΤΕΠΩΝΥΜΟ;ΣΥΛΛΟΓΟΣ;ΒΑΘΜΟΙ
    Sıra;Sporcu;Kulüp;Puan
    Colocação;Atleta;Clube;Pontos
    Posició;Corredor;Club;Punts
    Peringkat;Peserta;Klub;Poin
    Xếp hạng;Họ và tên;Đội;Điểm
    名次;运动员;单位;得分
    順位;競技者名;所属;得点
    순위;선수명;소속;점수
    דירוג;שם;מועדון;נקודות
    الترتيب;الاسم;النادي;النقاط
    رتبه;نام;باشگاه;امتیاز
    อันดับ;ชื่อ;สโมสร;คะแนน";

#[test]
fn places_and_points_are_read_in_further_languages() {
    for headings in RESULTS.lines().map(str::trim) {
        let places = format!("{headings}\n1;Ada;Nord;31\n2;Bea;Ost;27\n2;Cy;Nord;27\n4;Dan;West;9");
        let error = |error| panic!("{headings}: {error}");
        let reading = table_with(&places, &from_2024(1)).unwrap_or_else(error);
        assert_eq!(refused(&reading), [""; 0], "{headings}");
        let places = format!("{:?}", super::standings(&reading));
        assert!(places.contains("1 Ada, 2 Bea, 2 Cy, 4 Dan"), "{places}");
        let [_, name, _, points] = headings.split(';').collect::<Vec<_>>()[..] else {
            panic!("{headings}: four headings")
        };
        // These words mean something else in other languages.
        if ["Stig", "Body", "Punts", "Điểm"].contains(&points) {
            continue;
        }
        let points = format!("{name};{points}\nAda;27\nBea;31\nCy;9");
        let reading = table_with(&points, &from_2024(1)).unwrap_or_else(error);
        let lines = contest_lines(&reading);
        assert!(lines[0].contains("1 Bea (31), 2 Ada (27), 3 Cy (9)"), "{lines:?}");
    }
}

#[test]
fn results_of_sides_are_read_in_further_languages() {
    for headings in [
        "Datums;Mājinieki;Viesi;Rezultāts",
        "Kuupäev;Kodumeeskond;Külalised;Tulemus",
        "Pvm;Koti;Vieras;Tulos",
        "Dagsetning;Heima;Úti;Úrslit",
        "Data;Gazde;Oaspeți;Rezultat",
        "Datum;Domaći;Gosti;Rezultat",
        "Datum;Domači;Gostje;Rezultat",
        "Dátum;Domáci;Hostia;Výsledok",
        "Datum;Domácí;Hosté;Výsledek",
        "Data;Gospodarze;Goście;Wynik",
        "Дата;Хозяева;Гости;Счёт",
        "Дата;Господарі;Гості;Рахунок",
        "Дата;Домакин;Гост;Резултат",
        "Tarih;Ev Sahibi;Misafir;Sonuç",
        "Tanggal;Tuan Rumah;Tamu;Skor",
        "日期;主队;客队;比分",
        "날짜;홈팀;원정팀;결과",
        "Дата;Игрок 1;Игрок 2;Результат",
        "Datum;Hráč 1;Hráč 2;Výsledek",
    ] {
        let text = format!("{headings}\n2023-08-11;Ada;Bea;1-1\n2023-08-12;Cy;Ada;2-3");
        let reading = table(&text).unwrap_or_else(|error| panic!("{headings}: {error}"));
        let expected = [
            "2023-08-11 Ada – Bea: 1 Ada, 1 Bea",
            "2023-08-12 Ada – Cy: 1 Ada, 2 Cy",
        ];
        assert_eq!(places(&reading), expected, "{headings}");
    }
}

#[test]
fn winners_are_read_in_further_languages() {
    for headings in [
        "Uzvarētājs;Zaudētājs",
        "Võitja;Kaotaja",
        "Voittaja;Häviäjä",
        "Zwycięzca;Przegrany",
        "Vítěz;Poražený",
        "Győztes;Vesztes",
        "Победитель;Проигравший",
        "Kazanan;Kaybeden",
        "Νικητής;Ηττημένος",
        "胜者;败者",
    ] {
        let text = format!("date;{headings}\n2023-08-11;Ada;Bea\n2023-08-12;Cy;Ada");
        let reading = table(&text).unwrap_or_else(|error| panic!("{headings}: {error}"));
        let expected = [
            "2023-08-11 Ada – Bea: 1 Ada, 2 Bea",
            "2023-08-12 Ada – Cy: 1 Cy, 2 Ada",
        ];
        assert_eq!(places(&reading), expected, "{headings}");
    }
}
