//! Words for the scores of the sides of a game.

use crate::vocabulary::kinds::OPPONENTS;
use crate::vocabulary::words::{has_word, normalise_word, split_words, strip_brackets};

/// Returns the rank of a normalised word among those of scores; the best is 0.
pub(crate) fn rank_score(word: &str) -> Option<usize> {
    SCORES.iter().position(|known| has_word(known, singular(word)))
}

/// True if a normalised word means a result or points, of which the winner of a game may have one.
pub(crate) fn is_result_or_points(word: &str) -> bool {
    [RESULTS, POINTS].iter().any(|known| has_word(known, singular(word)))
}

/// True if two headings mean the scores of a competitor and of the opponent: `goals for` and `goals against`,
/// `Tore` and `Gegentore`, `score` and `opponent score`.
pub(crate) fn are_own_and_opposing_scores(own: &str, opposing: &str) -> bool {
    const OWN: &str = "for own scored favor favour pour fatti fatte fatto pro team a";
    const OPPOSING: &str = "against conceded allowed contra contro contre subiti subite en";
    let [own_word, opposing_word] =
        [own, opposing].map(|heading| normalise_word(&strip_brackets(heading)));
    if FOR_AND_AGAINST.contains(&[&own_word, &opposing_word]) {
        return true;
    }
    let rest = |heading: &str, is_side: &dyn Fn(&str) -> bool| -> Vec<String> {
        split_words(heading).into_iter().filter(|word| !is_side(word)).collect()
    };
    let own_rest = rest(own, &|word| has_word(OWN, word));
    let opposing_rest =
        rest(opposing, &|word| has_word(OPPOSING, word) || has_word(OPPONENTS, word));
    let is_opposing = opposing_rest.len() < split_words(opposing).len();
    let are_scores = !own_rest.is_empty() && own_rest.iter().all(|w| rank_score(w).is_some());
    are_scores
        && ((is_opposing && own_rest == opposing_rest)
            || opposing_word.strip_prefix("gegen") == Some(&*own_word))
}

const GOALS: &str = "goal goalcount golmarcado golosmarcado tore tor but butmarque gole gol golo mal \
     placar doelpunt doelpunten branky bramki 得点 \
     goly golai golovi goluri varti varavad maali maalit голы голи голове ゴール 골 进球";

const POINTS: &str = "point pt punkt punkte punti punto ponto poeng poang punten tanto \
     punkti taskai bodovi puan poin pont pontok pistee pisteet очки бали ποντοι 得分";

const RESULTS: &str = "result resultado risultato \
     wynik vysledek vysledok rezultat rezultatas tulemus tulos eredmeny sonuc результат резултат";

/// The fields that are scores, the best first.
const SCORES: [&str; 11] = [
    "ftscore",
    "ftgoal",
    "score skor スコア 점수 \
     счет счёт рахунок 比分",
    GOALS,
    POINTS,
    "run",
    "set satz satze saetze manche",
    "frame leg",
    "game",
    "map",
    RESULTS,
];

/// Scores that a number alone can follow: `set 1` is the first set.
pub(super) const NUMBERED_SCORES: &str = "score goal point pt tore result";

/// Abbreviations of what a team scored, and of what it let in.
const FOR_AND_AGAINST: [[&str; 2]; 7] = [
    ["gf", "ga"],
    ["gf", "gc"],
    ["gf", "gs"],
    ["bp", "bc"],
    ["pf", "pa"],
    ["rf", "ra"],
    ["sf", "sa"],
];

/// Returns a word without the s of its plural.
pub(super) fn singular(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}
