//! Recognises the headings of rounds in a wide table.

use super::headings::MatchStrength;
use super::meanings::ColumnMeaning;
use super::words::{has_word, normalise_word, strip_brackets};

/// Words for rounds, as [`normalise_word`] returns them; a number must accompany them.
const ROUND_WORDS: &str = "r rd rnd round runde ronde ronda race rennen course carrera manche w wk week woche semaine \
     semana g gw game gameday gameweek spiel partie partida partido match matchday spieltag \
     journee jornada heat lauf epreuve day tag jour dia stage etappe etape etapa tour \
     session event contest wettbewerb concours concurso competition tournament turnier tournoi \
     torneo tourney meet regatta 第 戦 節 回 战 轮 제 전 차전 라운드 \
     kolo krog kierros fordulo runda rodada giornata kolejka omgang umferd etap etapp tappa \
     hafta turas babak vong раунд этап кръг коло γυροσ";

/// Words for rounds without a number.
const FINAL_WORDS: &str = "final finals finale semifinal semifinals halbfinale demifinale quarterfinal quarterfinals \
     viertelfinale quartdefinale \
     finaali finali polfinal polufinale";

/// Headings of counts and personal data, which are never contests.
const NON_ROUND_WORDS: &str = "bib bibnumber bibno dossard dorsal startnummer startnr stnr stno startnumber startno no nr \
     num number numero nummer id playerid fideid license licence lizenz age alter edad ages \
     born birth birthyear yearofbirth yob dob dateofbirth birthdate birthday geburtsjahr \
     geburtsdatum jahrgang jg geboren naissance annee anneedenaissance nacimiento nacido ano \
     year jahr season saison sex gender geschlecht sexe sexo club verein nation nationality \
     country land pays pais noc ioc city town ort ville ciudad school schule university phone \
     zip plz height weight size shoesize solved solvedproblems problemssolved laps lap runden tours \
     gap diff difference behind ruckstand rueckstand ecart interval attempts attempt tries wins \
     losses draws ties won lost drawn win loss draw tie table board bwt bodyweight weightclass \
     wtcls lp npk jrk sorszam slno srno sno index idx row rownumber rownum wilks dots buchholz tiebreak tb pace speed lane bahn grid seed \
     klubs klubas klubi klub kulub clube seura kulup клуб valsts salis riik maa kraj krajina drzava \
     orszag ulke страна країна gads metai aasta vuosi ev rok anno yil год рік gimimometai \
     dzimsanasgads sunniaasta syntymavuosi rokurodzenia rocznik rocnik roknarozeni godiste \
     godinarodjenja annonascita annodinascita anonascimento fodelsear fodselsar dogumyili \
     годрождения 生年月日 年齢 학년 vecums amzius vanus wiek starost idade leeftijd alder \
     возраст вік startovnicislo startnicislo cislo numerstartowy nrstartowy rajtszam kilpailunumero \
     pettorale pettorina nummerlapp ゼッケン 番号 背番号 번호 编号 編號 号码 lytis dzimums sugu sukupuoli spol plec \
     pohlavi cinsiyet sesso пол стать 性別 성별 所属 소속 学校 citta";

/// Words of points that are computed from a result, beside the word for points: `Wilks Pts`.
const POINTS_OF_NO_ROUND: &str = "wilks dots sinclair ipf gl team club bonus handicap";

/// True if a heading is that of a numbered round: `Round 1`, `R2`, `3`, `4th race`, `5. Lauf`.
pub(crate) fn is_round_heading(heading: &str) -> bool {
    if heading.len() > 60 {
        return false;
    }
    // Words and numbers, split also where they touch.
    let mut parts: Vec<String> = Vec::new();
    let mut last = None;
    for c in heading.chars() {
        let kind = (c.is_alphabetic(), c.is_ascii_digit());
        if kind == (false, false) {
            last = None;
            continue;
        }
        match parts.last_mut().filter(|_| last == Some(kind)) {
            Some(part) => part.push(c),
            None => parts.push(c.into()),
        }
        last = Some(kind);
    }
    let is_number = |part: &String| part.len() <= 3 && part.bytes().all(|b| b.is_ascii_digit());
    let is_round = |part: &String| has_word(ROUND_WORDS, &normalise_word(part));
    match &parts[..] {
        [number] if is_number(number) => true,
        [word, number, ..] if is_round(word) && is_number(number) => true,
        [number, word, ..] if is_number(number) && is_round(word) => true,
        [number, ordinal, word, ..] if is_number(number) && is_round(word) => {
            has_word("st nd rd th e er ere eme a o", &normalise_word(ordinal))
        }
        _ => false,
    }
}

/// True if a heading is a word for a round, alone: `Week`.
pub(crate) fn is_round_word(heading: &str) -> bool {
    // Shorter ones can be initials.
    heading.len() > 2 && has_word(ROUND_WORDS, &normalise_word(heading))
}

/// True if a heading is that of a round without a number: `Final`.
pub(crate) fn is_final_heading(heading: &str) -> bool {
    has_word(FINAL_WORDS, &normalise_word(heading))
}

/// True if a heading is never that of a contest: `Bib`, `Born`, `Laps`, `Sail No.`.
pub(crate) fn is_non_round_heading(heading: &str) -> bool {
    let bare = strip_brackets(heading);
    let mut words = bare.split(|c: char| !c.is_alphanumeric());
    let last = words.rfind(|word| !word.is_empty()).unwrap_or_default();
    // Advent of Code is a contest.
    let is_part_of_name = words.rfind(|word| !word.is_empty()) == Some("of");
    has_word(NON_ROUND_WORDS, &normalise_word(&bare))
        || (has_word("no nr num number nummer id code", &normalise_word(last)) && !is_part_of_name)
        || strip_result_word(&bare).is_some_and(|rest| has_word(POINTS_OF_NO_ROUND, &rest))
}

/// True if a heading says that the numbers below are the places of a round: `R1 Pos`, `Place R1`.
pub(crate) fn is_place_of_round(heading: &str) -> bool {
    is_result_of_round(heading, ColumnMeaning::Place)
}

/// True if a heading says that the numbers below are the scores of a round: `R1 Pts`.
pub(crate) fn is_score_of_round(heading: &str) -> bool {
    is_result_of_round(heading, ColumnMeaning::Score)
}

/// Returns the result of a round that a heading means: places of `R1 Pos`, nothing of `R1`.
pub(crate) fn result_of_round(heading: &str) -> Option<ColumnMeaning> {
    split_result_word(heading).map(|((meaning, _), _)| meaning)
}

fn is_result_of_round(heading: &str, result: ColumnMeaning) -> bool {
    split_result_word(heading).is_some_and(|((meaning, strength), _)| {
        meaning == result && strength != MatchStrength::Vague
    })
}

/// Returns the rest of a heading of which the last or the first word is a place, score, penalty or
/// status, normalised: `r1` of `R1 Pos` and `Points (R1)`.
pub(crate) fn strip_result_word(heading: &str) -> Option<String> {
    split_result_word(heading).map(|(_, rest)| rest)
}

/// Returns the result that the last or the first word of a heading means, and the rest, normalised.
fn split_result_word(heading: &str) -> Option<((ColumnMeaning, MatchStrength), String)> {
    // Long texts are not headings.
    if heading.len() > 60 {
        return None;
    }
    let result = |word: &str| {
        use ColumnMeaning::{Penalty, Place, Score, Status};
        let known = ColumnMeaning::from_heading(word);
        known.filter(|(meaning, _)| [Place, Score, Penalty, Status].contains(meaning))
    };
    let heading = heading.trim_matches(|c: char| !c.is_alphanumeric() && c != '#');
    let before = heading.trim_end_matches(|c: char| c.is_alphabetic() || c == '#');
    let after = heading.trim_start_matches(|c: char| c.is_alphabetic() || c == '#');
    let last = &heading[before.len()..];
    let first = &heading[..heading.len() - after.len()];
    let (meaning, rest) = match result(last) {
        Some(meaning) => (meaning, before),
        None => (result(first)?, after),
    };
    Some((meaning, normalise_word(rest))).filter(|(_, rest)| !rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_headings_are_recognised() {
        for heading in [
            "Round 1",
            "R2",
            "Race 3",
            "week 4",
            "Game 5",
            "Heat 6",
            "Day 2",
            "Stage 1",
            "1",
            "12",
            "Rd. 3",
            "4th race",
            "5. Lauf",
            "Journée 7",
            "Round 3: Berlin",
            "1ère manche",
            "第1戦",
            "第2節",
            "제3전",
            "4라운드",
        ] {
            assert!(is_round_heading(heading), "{heading}");
        }
        for heading in [
            "",
            "Bib",
            "Age",
            "2024",
            "Born",
            "Solved",
            "Bwt (kg)",
            "Table",
            "Laps",
            "Club 2",
            "Round",
            "Problem 1",
            "A",
            "Grounds 3",
            "No",
            "Leg 1",
            "Lap 2",
            "100m",
            "1 (31)",
        ] {
            assert!(!is_round_heading(heading), "{heading}");
        }
        for heading in [
            "Bib",
            "Age",
            "Born",
            "Year",
            "No.",
            "Start number",
            "Sail No.",
            "place_code",
            "Laps",
            "Solved",
            "Wilks Pts",
            "Team Points",
        ] {
            assert!(is_non_round_heading(heading), "{heading}");
        }
        assert!(is_final_heading("Semi-final") && !is_final_heading("Finalist"));
    }

    #[test]
    fn result_words_are_stripped() {
        for (heading, rest) in [
            ("R1 Pos", "r1"),
            ("R1 (Pts)", "r1"),
            ("R1Pts", "r1"),
            ("2024-01-05 Points", "20240105"),
            ("Points R1", "r1"),
            ("Race 2 - Time", "race2"),
            ("R1 #", "r1"),
        ] {
            assert_eq!(strip_result_word(heading).as_deref(), Some(rest), "{heading}");
        }
        for heading in ["", "R1", "Pos", "(Pts)", "Race 1", "Berlin", "2024-01-05"] {
            assert_eq!(strip_result_word(heading), None, "{heading}");
        }
        assert!(is_place_of_round("R1 Pos") && is_place_of_round("Place R1"));
        for heading in ["Place", "R1 Pts", "R1 #", "R1"] {
            assert!(!is_place_of_round(heading), "{heading}");
        }
    }
}
