//! Recognises column headings.

/// The meaning of a table column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Meaning {
    Contest,
    ContestId,
    Event,
    Date,
    Division,
    Ordinal,
    Url,
    Weight,
    Place,
    Score,
    Penalty,
    Competitor,
    Team,
    Status,
    StartingRating,
    StartingSigma,
    /// A sum or count over other columns, without data of its own.
    Summary,
}

/// The strength of a heading's match: of two columns with one meaning the stronger match wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sureness {
    /// The word that Ranklore itself uses.
    Own,
    /// A synonym.
    Synonym,
    /// A word with other meanings as well.
    Vague,
}

use Sureness::{Own, Synonym, Vague};

/// Known headings, as [`normalise_word`] returns them.
const HEADINGS: &[(Meaning, Sureness, &str)] = &[
    (Meaning::Contest, Own, "contest contestname"),
    (
        Meaning::Contest,
        Synonym,
        "round roundname eventname tournament tournamentname race racename match \
         matchname competition competitionname tourney meet game gameday matchday session \
         wettbewerb runde turnier rennen spiel spieltag wettkampf concours tournoi course \
         manche partie epreuve ronda torneo carrera partido concurso competicion regatta \
         tour etappe stage stagename lauf",
    ),
    (Meaning::ContestId, Own, "contestid"),
    (
        Meaning::ContestId,
        Synonym,
        "roundid eventid tournamentid raceid matchid competitionid gameid",
    ),
    (Meaning::Event, Own, "event veranstaltung evenement evento"),
    (Meaning::Event, Synonym, "series seriesname serie"),
    (Meaning::Date, Own, "date endsat endedat"),
    (
        Meaning::Date,
        Synonym,
        "day datum tag fecha jour dia contestdate eventdate racedate rounddate matchdate \
         gamedate enddate endtime datetime dateutc timeseconds timestamp heldon playedon \
         dateplayed endat",
    ),
    (Meaning::Date, Vague, "when startdate wann quand cuando"),
    (Meaning::Division, Own, "division"),
    (
        Meaning::Division,
        Synonym,
        "div class category agegroup klasse kategorie altersklasse categorie classe \
         categoria clase grade bracket league liga",
    ),
    (Meaning::Ordinal, Own, "ordinal"),
    (
        Meaning::Ordinal,
        Synonym,
        "roundnumber roundno racenumber raceno order sequence",
    ),
    (Meaning::Url, Own, "url"),
    (
        Meaning::Url,
        Synonym,
        "link website webpage contesturl eventurl href",
    ),
    (Meaning::Weight, Own, "weight"),
    (
        Meaning::Weight,
        Synonym,
        "contestweight eventweight gewicht gewichtung coefficient",
    ),
    (Meaning::Place, Own, "place"),
    (
        Meaning::Place,
        Synonym,
        "rank position pos placing placement platz platzierung rang standing \
         finishposition finishingposition finalposition finalrank finalplace overallplace \
         overallrank classement puesto posicion lugar plazierung rk plc pl clasificacion \
         contestrank",
    ),
    (Meaning::Place, Vague, "# finish ranking finished"),
    (Meaning::Score, Own, "score"),
    (
        Meaning::Score,
        Synonym,
        "point pt scored totalscore finalscore totalpoint finaltime finishtime nettime \
         guntime chiptime racetime elapsedtime elapsed punkt punkte punktzahl zeit \
         laufzeit temp puntuacion punto puntaje tiempo stroke marks netscore grossscore \
         duration",
    ),
    (
        Meaning::Score,
        Vague,
        "result time total ergebnis resultat resultado mark",
    ),
    (Meaning::Penalty, Own, "penalty"),
    (
        Meaning::Penalty,
        Synonym,
        "penaltie penaltytime penaltypoint strafe strafpunkte strafzeit penalite \
         penalizacion",
    ),
    (Meaning::Competitor, Own, "competitor handle"),
    (
        Meaning::Competitor,
        Synonym,
        "player playername participant participantname athlete athletename contestant \
         entrant competitorname user username fullname runner driver rider swimmer \
         skipper pilot fencer nickname spieler spielername teilnehmer teilnehmername \
         athlet fahrer lauefer laufer joueur concurrent coureur jugador atleta competidor \
         participante corredor spielerin teilnehmerin joueuse jugadora racer golfer \
         sailor debater dancer member",
    ),
    (Meaning::Competitor, Vague, "name nom nombre who"),
    (Meaning::Team, Own, "team"),
    (
        Meaning::Team,
        Synonym,
        "teamname squad crew mannschaft equipe equipo",
    ),
    (Meaning::Status, Own, "status"),
    (
        Meaning::Status,
        Synonym,
        "outcome state finishstatus resultstatus etat estado",
    ),
    (Meaning::StartingRating, Own, "startingrating"),
    (
        Meaning::StartingRating,
        Synonym,
        "initialrating seedrating startrating ratingstart startelo startingelo initialelo \
         eloinitial seedelo mu startingmu startwertung startzahl",
    ),
    (Meaning::StartingRating, Vague, "elo elorating rating start"),
    (Meaning::StartingSigma, Own, "startingsigma"),
    (
        Meaning::StartingSigma,
        Synonym,
        "initialsigma startsigma uncertainty ratingdeviation sigma rd startinguncertainty \
         startingrd initialrd deviation",
    ),
    (
        Meaning::Summary,
        Own,
        "sum average avg mean overall totals grandtotal best bestof count played gesamt \
         gesamtpunkte summe schnitt mittel durchschnitt moyenne suma promedio media somme \
         median drop dropped subtotal totaux general",
    ),
];

impl Meaning {
    /// Returns the meaning of a heading and the strength of the match, if it is known.
    pub(crate) fn of(heading: &str) -> Option<(Self, Sureness)> {
        // Long texts are not headings; and this function is called often.
        if heading.is_empty() || heading.len() > 60 {
            return None;
        }
        let word = if heading.chars().all(|c| c == '#') {
            "#".to_owned()
        } else {
            plain(&without_brackets(heading))
        };
        let look_up = |word: &str| {
            HEADINGS
                .iter()
                .find(|(_, _, words)| has_word(words, word))
                .map(|&(meaning, sureness, _)| (meaning, sureness))
        };
        look_up(&word).or_else(|| {
            let singular = word
                .strip_suffix('s')
                .and_then(look_up)
                .or_else(|| word.strip_suffix("es").and_then(look_up))?;
            // A column headed "games" or "rounds" is a count.
            Some(match singular {
                (Self::Contest, sureness) => (Self::Summary, sureness),
                other => other,
            })
        })
    }

    /// Returns the name of the meaning in a layout.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Contest => "contest",
            Self::ContestId => "contest id",
            Self::Event => "event",
            Self::Date => "date",
            Self::Division => "division",
            Self::Ordinal => "ordinal",
            Self::Url => "url",
            Self::Weight => "weight",
            Self::Place => "place",
            Self::Score => "score",
            Self::Penalty => "penalty",
            Self::Competitor => "competitor",
            Self::Team => "team",
            Self::Status => "status",
            Self::StartingRating => "starting rating",
            Self::StartingSigma => "starting sigma",
            Self::Summary => "summary",
        }
    }
}

/// True if a heading means that the scores are times, where the lowest usually wins.
pub(crate) fn is_time_heading(heading: &str) -> bool {
    let word = plain(&without_brackets(heading));
    let mut times = "time zeit temps tiempo elapsed duration".split(' ');
    word == "temp" || times.any(|time| word.ends_with(time))
}

/// True if a row label marks a summary of the rows above.
pub(crate) fn is_summary_label(cell: &str) -> bool {
    let word = plain(cell);
    word == "total" || matches!(Meaning::of(cell), Some((Meaning::Summary, _)))
}

/// Returns a heading without its units: `Time (s)`, `Score [pts]`.
pub(crate) fn without_brackets(heading: &str) -> String {
    let mut depth = 0_usize;
    heading
        .chars()
        .filter(|c| match c {
            '(' | '[' | '{' => {
                depth += 1;
                false
            }
            ')' | ']' | '}' => {
                depth = depth.saturating_sub(1);
                false
            }
            _ => depth == 0,
        })
        .collect()
}

/// True if a space-separated list contains a word.
pub(crate) fn has_word(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

/// Returns the letters and digits of a text, in lower case, without accents.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            'à'..='å' | 'ā' | 'ă' | 'ą' => plain.push('a'),
            'ç' | 'ć' | 'č' => plain.push('c'),
            'è'..='ë' | 'ē' | 'ę' | 'ě' => plain.push('e'),
            'ì'..='ï' | 'ī' => plain.push('i'),
            'ñ' | 'ń' | 'ň' => plain.push('n'),
            'ò'..='ö' | 'ø' | 'ō' | 'ő' => plain.push('o'),
            'ù'..='ü' | 'ū' | 'ů' | 'ű' => plain.push('u'),
            'ý' | 'ÿ' => plain.push('y'),
            'š' | 'ś' => plain.push('s'),
            'ž' | 'ź' | 'ż' => plain.push('z'),
            'ß' => plain.push_str("ss"),
            'æ' => plain.push_str("ae"),
            c if c.is_alphanumeric() => plain.push(c),
            _ => {}
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_matched_generously() {
        for (heading, meaning) in [
            ("Contest", Meaning::Contest),
            ("  ROUND ", Meaning::Contest),
            ("Event Name", Meaning::Contest),
            ("Wettbewerb", Meaning::Contest),
            ("Épreuve", Meaning::Contest),
            ("contest_id", Meaning::ContestId),
            ("event", Meaning::Event),
            ("Fecha", Meaning::Date),
            ("Date (UTC)", Meaning::Date),
            ("time_seconds", Meaning::Date),
            ("Klasse", Meaning::Division),
            ("#", Meaning::Place),
            ("Pos.", Meaning::Place),
            ("Posición", Meaning::Place),
            ("Points", Meaning::Score),
            ("Pts", Meaning::Score),
            ("Score [pts]", Meaning::Score),
            ("Time (s)", Meaning::Score),
            ("Temps", Meaning::Score),
            ("Penalties", Meaning::Penalty),
            ("Players", Meaning::Competitor),
            ("Läufer", Meaning::Competitor),
            ("Nom", Meaning::Competitor),
            ("Équipe", Meaning::Team),
            ("Status", Meaning::Status),
            ("Seed rating", Meaning::StartingRating),
            ("RD", Meaning::StartingSigma),
            ("Avg.", Meaning::Summary),
            ("Matches", Meaning::Summary),
        ] {
            assert_eq!(
                Meaning::of(heading).map(|m| m.0),
                Some(meaning),
                "{heading}"
            );
        }
        for heading in [
            "",
            "Round 1",
            "R1",
            "2024-03-01",
            "Club",
            "##1",
            "(pts)",
            "Comment",
        ] {
            assert_eq!(Meaning::of(heading), None, "{heading}");
        }
    }

    #[test]
    fn every_listed_heading_is_plain_and_listed_once() {
        let mut seen = std::collections::HashMap::new();
        for (meaning, _, words) in HEADINGS {
            for word in words.split(' ') {
                assert!(word == "#" || plain(word) == word, "{word} is not plain");
                let before = seen.insert(word, *meaning);
                assert_eq!(before, None, "{word} is listed twice");
            }
        }
    }

    #[test]
    fn times_are_told_by_their_heading() {
        for heading in [
            "time",
            "Finish time",
            "Zeit",
            "Temps",
            "Laufzeit",
            "Time (s)",
        ] {
            assert!(is_time_heading(heading), "{heading}");
        }
        for heading in ["score", "points", "times played", "timer"] {
            assert!(!is_time_heading(heading), "{heading}");
        }
    }
}
