//! The score of a match in football.txt: `2-1 (1-0)`, `2-2 a.e.t., 5-3 pen.`,
//! `4-2 pen. 3-3 a.e.t. (2-2, 2-0)`.

use super::Score;

/// Splits a score off the beginning of a text. `None` if its parts contradict each other.
pub(super) fn split_score(text: &str) -> Option<(Score, &str)> {
    let mut score = Score::default();
    let mut unmarked: Option<[u32; 2]> = None;
    let mut earlier = Vec::new();
    let mut rest = text;
    loop {
        let (word, behind) = split_word(rest);
        let word = word.trim_end_matches(',').to_ascii_lowercase();
        if let Some(goals) = parse_goals(&word) {
            if let Some(before) = unmarked.replace(goals)
                && score.ft.replace(before).is_some()
            {
                return None;
            }
        } else if matches!(&*word, "a.e.t." | "a.e.t" | "aet" | "aet.") {
            if score.et.replace(unmarked.take()?).is_some() {
                return None;
            }
        } else if matches!(&*word, "pen." | "pen" | "pens" | "pens." | "p.") {
            if score.p.replace(unmarked.take()?).is_some() {
                return None;
            }
        } else if let Some((brackets, behind)) = split_earlier_scores(rest) {
            // The goals before, the latest first, such as those of full time and the first half.
            let parts = brackets.split([',', ' ']).filter(|part| !part.is_empty());
            let goals: Vec<[u32; 2]> = parts.map(parse_goals).collect::<Option<_>>()?;
            if score.p.is_some() && score.goals().is_none() && unmarked.is_none() {
                score.ft = goals.first().copied();
            }
            earlier.extend(goals);
            rest = behind;
            continue;
        } else {
            break;
        }
        rest = behind;
    }
    if let Some(goals) = unmarked
        && score.ft.replace(goals).is_some()
    {
        return None;
    }
    let last = score.goals()?;
    earlier.extend(score.ft);
    let grows = earlier.iter().all(|goals| goals[0] <= last[0] && goals[1] <= last[1]);
    // A shootout has a winner, and follows a draw: of two legs it may not, which the line does not tell.
    let shootout_fits = score.p.is_none_or(|p| p[0] != p[1] && last[0] == last[1]);
    (grows && shootout_fits).then_some((score, rest))
}

/// Returns the text in brackets at the beginning and the text behind them.
fn split_earlier_scores(text: &str) -> Option<(&str, &str)> {
    text.trim_start().strip_prefix('(')?.split_once(')')
}

/// Parses the goals of both teams: `2-1`.
pub(super) fn parse_goals(word: &str) -> Option<[u32; 2]> {
    let (first, second) = word.split_once(['-', '–'])?;
    let goals = |text: &str| {
        let is_number = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| text.parse().ok()).flatten()
    };
    Some([goals(first)?, goals(second)?])
}

/// Splits the first word off a text, without the blanks before it.
pub(super) fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_scores_are_told_by_their_marks() {
        for (text, ft, et, p, rest) in [
            ("2-1  B", Some([2, 1]), None, None, "  B"),
            ("2-1 (1-0)  B", Some([2, 1]), None, None, "  B"),
            ("3-1 a.e.t.  B", None, Some([3, 1]), None, "  B"),
            ("2-2 a.e.t., 5-3 pen. B", None, Some([2, 2]), Some([5, 3]), " B"),
            ("4-2 pen. 3-3 a.e.t. (2-2, 2-0)", None, Some([3, 3]), Some([4, 2]), ""),
            ("4-1 pen. (1-1, 1-0)", Some([1, 1]), None, Some([4, 1]), ""),
            ("3-3 a.e.t. (2-2,) 4-2 pen.", None, Some([3, 3]), Some([4, 2]), ""),
            ("0-0, 4-2 pen", Some([0, 0]), None, Some([4, 2]), ""),
            ("1-1 2-1 aet", Some([1, 1]), Some([2, 1]), None, ""),
        ] {
            let (score, behind) = split_score(text).unwrap();
            assert_eq!((score.ft, score.et, score.p, behind), (ft, et, p, rest), "{text}");
        }
        for text in [
            "2-1 3-2 4-1",
            "4-2 pen.",
            "2-1 (x)",
            "a.e.t.",
            "2-1 aet 3-1 aet",
            "2-2 pen. 5-4",
            "2-1, 4-2 pen.",
            "1-1, 3-3 pen.",
            "1-0 (2-1)",
            "2-1 1-1 aet",
            "100-1",
        ] {
            assert!(split_score(text).is_none(), "{text}");
        }
    }
}
