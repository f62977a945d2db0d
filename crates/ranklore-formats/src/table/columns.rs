//! Recognises column headings.

use serde::{Deserialize, Serialize};

use ranklore_contest::word_enum;

word_enum! {
    /// The meaning of a table column. Serde reads and writes it as its words.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum ColumnMeaning {
        /// The name of the contest.
        Contest = "contest",
        /// The id of the contest.
        #[serde(rename = "contest id")]
        ContestId = "contest id",
        /// Groups contests held together.
        Event = "event",
        /// The date of the contest.
        Date = "date",
        /// The division, class or age group: each is a contest of its own.
        Division = "division",
        /// The order within the event.
        Ordinal = "ordinal",
        /// The web page of the contest.
        Url = "url",
        /// The weight of the contest.
        Weight = "weight",
        /// The place.
        Place = "place",
        /// The score.
        Score = "score",
        /// The penalty.
        Penalty = "penalty",
        /// The name of the competitor.
        Competitor = "competitor",
        /// The id of the competitor, or of the person in a row of a team.
        #[serde(rename = "competitor id")]
        CompetitorId = "competitor id",
        /// The given name of the competitor, beside a column of surnames.
        #[serde(rename = "given name")]
        GivenName = "given name",
        /// The surname of the competitor, beside a column of given names.
        Surname = "surname",
        /// The name of the team.
        Team = "team",
        /// The id of the team.
        #[serde(rename = "team id")]
        TeamId = "team id",
        /// The names of all members of a team, in one cell.
        Members = "members",
        /// The status, such as dnf.
        Status = "status",
        /// The rating before the first contest.
        #[serde(rename = "starting rating")]
        StartingRating = "starting rating",
        /// The uncertainty of that rating.
        #[serde(rename = "starting sigma")]
        StartingSigma = "starting sigma",
        /// A sum or count over other columns, without data of its own.
        Summary = "summary",
        // The meanings below are those of tables of games.
        /// The competitor with the white pieces.
        White = "white",
        /// The competitor with the black pieces.
        Black = "black",
        /// The team that plays at home.
        Home = "home",
        /// The team that plays away.
        Away = "away",
        /// The competitor who moves first.
        First = "first",
        /// The competitor who moves second.
        Second = "second",
        /// The one competitor, without an order of play.
        #[serde(rename = "player 1")]
        Player1 = "player 1",
        /// The other competitor.
        #[serde(rename = "player 2")]
        Player2 = "player 2",
        /// The one team, without an order of play.
        #[serde(rename = "team 1")]
        Team1 = "team 1",
        /// The other team.
        #[serde(rename = "team 2")]
        Team2 = "team 2",
        /// The winner: the competitor, or a word for one of two other columns.
        Winner = "winner",
        /// The loser.
        Loser = "loser",
        /// The id of the competitor who is named first.
        #[serde(rename = "id 1")]
        Id1 = "id 1",
        /// The id of the competitor who is named second.
        #[serde(rename = "id 2")]
        Id2 = "id 2",
        /// The second member of the team that is named first.
        #[serde(rename = "partner 1")]
        Partner1 = "partner 1",
        /// The second member of the other team.
        #[serde(rename = "partner 2")]
        Partner2 = "partner 2",
        /// The score of the competitor who is named first.
        #[serde(rename = "score 1")]
        Score1 = "score 1",
        /// The score of the competitor who is named second.
        #[serde(rename = "score 2")]
        Score2 = "score 2",
        /// The penalties that decided a tied game, of the competitor who is named first.
        #[serde(rename = "shootout 1")]
        Shootout1 = "shootout 1",
        /// The penalties of the competitor who is named second.
        #[serde(rename = "shootout 2")]
        Shootout2 = "shootout 2",
        /// The result of the game: `1-0`, `½`, `3:1`.
        Outcome = "outcome",
        /// True if the game was drawn.
        Draw = "draw",
        /// True if neither team played at home.
        Neutral = "neutral",
        /// The time of day, beside a date.
        #[serde(rename = "time of day")]
        TimeOfDay = "time of day",
        /// The id of the event, beside the number of the game.
        #[serde(rename = "event id")]
        EventId = "event id",
        /// The number of the game within the event.
        #[serde(rename = "game number")]
        GameNumber = "game number",
        /// Not read, because the user says so.
        Ignore = "ignore",
    }
}

/// The strength of a heading's match: of two columns with one meaning the stronger match wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MatchStrength {
    /// The user states the meaning.
    Stated,
    /// The word that Ranklore itself uses.
    Exact,
    /// A synonym.
    Synonym,
    /// A word with other meanings as well.
    Vague,
}

use MatchStrength::{Exact, Synonym, Vague};

/// Known headings, as [`normalise_word`] returns them.
const HEADINGS: &[(ColumnMeaning, MatchStrength, &str)] = &[
    (ColumnMeaning::Contest, Exact, "contest contestname"),
    (
        ColumnMeaning::Contest,
        Synonym,
        "round roundname eventname tournament tournamentname race racename match \
         matchname competition competitionname tourney meet game gameday matchday session \
         wettbewerb runde turnier rennen spiel spieltag wettkampf concours tournoi course \
         manche partie epreuve ronda torneo carrera partido concurso competicion regatta \
         tour etappe stage stagename lauf",
    ),
    (ColumnMeaning::ContestId, Exact, "contestid"),
    (
        ColumnMeaning::ContestId,
        Synonym,
        "roundid eventid tournamentid raceid matchid competitionid gameid",
    ),
    (ColumnMeaning::Event, Exact, "event veranstaltung evenement evento"),
    (ColumnMeaning::Event, Synonym, "series seriesname serie"),
    (ColumnMeaning::Date, Exact, "date endsat endedat"),
    (
        ColumnMeaning::Date,
        Synonym,
        "day datum tag fecha jour dia contestdate eventdate racedate rounddate matchdate \
         gamedate enddate endtime datetime dateutc timeseconds timestamp heldon playedon \
         dateplayed endat",
    ),
    (ColumnMeaning::Date, Vague, "when startdate wann quand cuando"),
    (ColumnMeaning::Division, Exact, "division"),
    (
        ColumnMeaning::Division,
        Synonym,
        "div class category agegroup klasse kategorie altersklasse categorie classe \
         categoria clase grade bracket league liga",
    ),
    (ColumnMeaning::Ordinal, Exact, "ordinal"),
    (
        ColumnMeaning::Ordinal,
        Synonym,
        "roundnumber roundno racenumber raceno order sequence",
    ),
    (ColumnMeaning::Url, Exact, "url"),
    (ColumnMeaning::Url, Synonym, "link website webpage contesturl eventurl href"),
    (ColumnMeaning::Weight, Exact, "weight"),
    (
        ColumnMeaning::Weight,
        Synonym,
        "contestweight eventweight gewicht gewichtung coefficient",
    ),
    (ColumnMeaning::Place, Exact, "place"),
    (
        ColumnMeaning::Place,
        Synonym,
        "rank position pos placing placement platz platzierung rang standing \
         finishposition finishingposition finalposition finalrank finalplace overallplace \
         overallrank classement puesto posicion lugar plazierung rk plc pl clasificacion \
         contestrank",
    ),
    (ColumnMeaning::Place, Vague, "# finish ranking finished"),
    (ColumnMeaning::Score, Exact, "score"),
    (
        ColumnMeaning::Score,
        Synonym,
        "point pt scored totalscore finalscore totalpoint finaltime finishtime nettime \
         guntime chiptime racetime totaltime overalltime officialtime elapsedtime elapsed \
         punkt punkte punktzahl zeit laufzeit gesamtzeit temp tempstotal tiempototal puntuacion punto puntaje tiempo stroke marks netscore grossscore \
         duration",
    ),
    (
        ColumnMeaning::Score,
        Vague,
        "result time total ergebnis resultat resultado mark",
    ),
    (ColumnMeaning::Penalty, Exact, "penalty"),
    (
        ColumnMeaning::Penalty,
        Synonym,
        "penaltie penaltytime penaltypoint strafe strafpunkte strafzeit penalite \
         penalizacion",
    ),
    (ColumnMeaning::Competitor, Exact, "competitor handle"),
    (
        ColumnMeaning::Competitor,
        Synonym,
        "player playername participant participantname athlete athletename contestant \
         entrant competitorname user username fullname runner driver rider swimmer \
         skipper pilot fencer nickname spieler spielername teilnehmer teilnehmername \
         athlet fahrer lauefer laufer joueur concurrent coureur jugador atleta competidor \
         participante corredor spielerin teilnehmerin joueuse jugadora racer golfer \
         sailor debater dancer member",
    ),
    (ColumnMeaning::Competitor, Vague, "name nom nombre who"),
    (ColumnMeaning::CompetitorId, Exact, "competitorid"),
    (
        ColumnMeaning::CompetitorId,
        Synonym,
        "playerid athleteid participantid personid contestantid entrantid runnerid driverid riderid \
         swimmerid skipperid pilotid fencerid racerid golferid sailorid debaterid dancerid userid \
         memberid accountid uid wcaid fideid uciid uscfid ecfid fisid ibuid isuid fieid itaid ittfid \
         atpid wtaid utrid spielerid teilnehmerid athletenid sportlerid fahrerid lauferid \
         laeuferid mitgliedsid startpassid passid joueurid idjoueur idathlete \
         idcoureur idparticipant jugadorid idjugador idatleta idcorredor idparticipante idfide",
    ),
    (
        ColumnMeaning::CompetitorId,
        Vague,
        "licence license licencenumber licensenumber licenceno licenseno licencenr licensenr \
         licenceid licenseid membershipid membershipnumber membershipno membernumber memberno \
         lizenz lizenznummer lizenznr lizenzid startpass startpassnummer startpassnr spielerpass \
         spielerpassnummer passnummer passnr mitgliedsnummer mitgliedsnr nlicence nolicence \
         numerolicence numerodelicence ndelicence licencia nlicencia nolicencia numerolicencia \
         numerodelicencia",
    ),
    (ColumnMeaning::GivenName, Exact, "givenname firstname forename vorname prenom"),
    (
        ColumnMeaning::Surname,
        Exact,
        "surname lastname familyname nachname familienname zuname nomdefamille apellido \
         primerapellido segundoapellido",
    ),
    (ColumnMeaning::Team, Exact, "team"),
    (ColumnMeaning::Team, Synonym, "teamname squad crew mannschaft equipe equipo"),
    (ColumnMeaning::TeamId, Exact, "teamid"),
    (
        ColumnMeaning::TeamId,
        Synonym,
        "squadid crewid mannschaftsid equipeid idequipe equipoid idequipo",
    ),
    (ColumnMeaning::Members, Exact, "members teammember teammembers"),
    (
        ColumnMeaning::Members,
        Synonym,
        "memberlist membername membernames teammembername teammembernames \
         teammemberusername teammemberusernames pair paar partners pareja \
         mitglieder teammitglieder membres miembros integrantes",
    ),
    (ColumnMeaning::Status, Exact, "status"),
    (
        ColumnMeaning::Status,
        Synonym,
        "outcome state finishstatus resultstatus etat estado",
    ),
    (ColumnMeaning::StartingRating, Exact, "startingrating"),
    (
        ColumnMeaning::StartingRating,
        Synonym,
        "initialrating seedrating startrating ratingstart startelo startingelo initialelo \
         eloinitial seedelo mu startingmu startwertung startzahl",
    ),
    (ColumnMeaning::StartingRating, Vague, "elo elorating rating start"),
    (ColumnMeaning::StartingSigma, Exact, "startingsigma"),
    (
        ColumnMeaning::StartingSigma,
        Synonym,
        "initialsigma startsigma uncertainty ratingdeviation sigma rd startinguncertainty \
         startingrd initialrd deviation",
    ),
    (
        ColumnMeaning::Summary,
        Exact,
        "sum average avg mean overall totals grandtotal best bestof gesamt gesamtpunkte \
         summe schnitt mittel durchschnitt moyenne suma promedio media somme median \
         subtotal totaux general mittelwert teamtotal",
    ),
    // Counts do not rank.
    (ColumnMeaning::Summary, Vague, "count played drop dropped"),
];

impl ColumnMeaning {
    /// Returns the meaning of a heading and the strength of the match, if it is known.
    pub(crate) fn from_heading(heading: &str) -> Option<(Self, MatchStrength)> {
        // Long texts are not headings; and this function is called often.
        if heading.is_empty() || heading.len() > 60 {
            return None;
        }
        let word = if heading.chars().all(|c| c == '#') {
            "#".to_owned()
        } else {
            normalise_word(&strip_brackets(heading))
        };
        let look_up = |word: &str| {
            HEADINGS
                .iter()
                .find(|(_, _, words)| has_word(words, word))
                .map(|&(meaning, strength, _)| (meaning, strength))
        };
        let known = look_up(&word).or_else(|| {
            let singular = word
                .strip_suffix('s')
                .and_then(look_up)
                .or_else(|| word.strip_suffix("es").and_then(look_up))?;
            // A column headed "games" or "rounds" is a count.
            Some(match singular {
                (Self::Contest, _) => (Self::Summary, Vague),
                other => other,
            })
        });
        known.or_else(|| {
            let (object, field) = split_path(heading)?;
            match Self::from_heading(object)?.0 {
                object @ (Self::Competitor | Self::Team) => Self::of_field(object, field),
                _ => None,
            }
        })
    }

    /// Returns the meaning of a field of nested objects. It differs from that of a heading, since
    /// text tables can have dots in place of spaces: `Race.Time`.
    pub(crate) fn from_path(path: &str) -> Option<(Self, MatchStrength)> {
        let path_meaning = Self::from_heading(path);
        let Some((object, field)) = split_path(path) else {
            return path_meaning;
        };
        let is_person = normalise_word(object) == "person";
        match Self::from_heading(object) {
            Some((object @ (Self::Contest | Self::Event), _)) => path_meaning
                .filter(|known| known.0.describes_contest())
                .or_else(|| Self::of_field(object, field)),
            None if is_person => path_meaning.or_else(|| Self::of_field(Self::Competitor, field)),
            _ => path_meaning,
        }
    }

    /// Returns the meaning of a field within the object of a contest, a competitor or a team:
    /// `driver.name`. Other nested fields mean something only as a whole.
    fn of_field(object: Self, field: &str) -> Option<(Self, MatchStrength)> {
        let word = normalise_word(field);
        let (meaning, strength) = match (object, word.as_str()) {
            (Self::Contest, "name" | "title") => return Some((Self::Contest, Synonym)),
            (Self::Contest, "id") => return Some((Self::ContestId, Synonym)),
            (Self::Competitor, "id") => return Some((Self::CompetitorId, Synonym)),
            (Self::Team, "id") => return Some((Self::TeamId, Synonym)),
            _ => Self::from_heading(field)?,
        };
        match (object, meaning) {
            (Self::Contest | Self::Event, Self::Date)
            | (Self::Competitor, Self::CompetitorId)
            | (Self::Team, Self::TeamId) => Some((meaning, strength.max(Synonym))),
            (Self::Competitor, Self::Competitor | Self::GivenName | Self::Surname) => {
                Some((meaning, Synonym))
            }
            _ => None,
        }
    }

    /// True for what a field around the rows can say about all of them.
    pub(crate) const fn describes_contest(self) -> bool {
        matches!(
            self,
            Self::Contest
                | Self::ContestId
                | Self::Date
                | Self::Division
                | Self::Event
                | Self::Ordinal
                | Self::Url
                | Self::Weight
        )
    }
}

/// Splits a dotted path into the name of the innermost object and that of its field.
fn split_path(path: &str) -> Option<(&str, &str)> {
    let (object, field) = path.rsplit_once('.')?;
    Some((object.rsplit('.').next()?, field))
}

/// Headings of columns with a second person.
const SECOND_PERSONS: &str = "partner partnerin partenaire codriver copilot copilote \
     copiloto beifahrer beifahrerin navigator opponent gegner gegnerin adversaire adversario oponente \
     rival";

/// True if a heading names a second person beside the competitor: `Partner`, `Opponent name`.
pub(crate) fn is_second_person_heading(heading: &str) -> bool {
    let heading = strip_brackets(heading);
    let word = normalise_word(heading.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' '));
    let bare = word.strip_suffix("name").unwrap_or(&word);
    has_word(SECOND_PERSONS, bare)
        || has_word(SECOND_PERSONS, bare.strip_suffix('s').unwrap_or(bare))
}

/// Headings of parts of a contest that usually have results of their own.
const CONTEST_PARTS: &str = "pool group heat discipline distance boatclass weapon weightclass gruppe \
     vorlauf disziplin distanz waffe gewichtsklasse bootsklasse groupe poule arme grupo serie arma \
     distancia disciplina";

/// Headings of parts of a contest that are ranked separately or together.
const COMPETITOR_CLASSES: &str = "gender sex wave geschlecht sexe genre vague sexo genero ola";

/// True if a heading usually names parts of a contest that have results of their own.
pub(crate) fn is_contest_part_heading(heading: &str) -> bool {
    is_singular_or_plural(CONTEST_PARTS, heading)
}

/// True if a heading usually names parts of a contest, which may be ranked separately.
pub(crate) fn is_division_heading(heading: &str) -> bool {
    is_singular_or_plural(COMPETITOR_CLASSES, heading) || is_contest_part_heading(heading)
}

/// True if a space-separated list contains a heading, or its singular.
fn is_singular_or_plural(words: &str, heading: &str) -> bool {
    let word = normalise_word(&strip_brackets(heading));
    has_word(words, &word) || has_word(words, word.strip_suffix('s').unwrap_or(&word))
}

/// True if a heading means that the scores are times, where the lowest usually wins.
pub(crate) fn is_time_heading(heading: &str) -> bool {
    let word = normalise_word(&strip_brackets(heading));
    let mut times = "time zeit temps tiempo elapsed duration".split(' ');
    has_word("temp tempstotal tiempototal", &word) || times.any(|time| word.ends_with(time))
}

/// True if a word of a heading means a total: `Total Pts`, `Season total`, `Best 4`.
pub(crate) fn is_total_heading(heading: &str) -> bool {
    let mut words = heading.split(|c: char| !c.is_alphanumeric());
    words.any(|word| {
        normalise_word(word) == "total"
            || matches!(ColumnMeaning::from_heading(word), Some((ColumnMeaning::Summary, Exact)))
    })
}

/// True if a heading means the overall place as well as the overall sum.
pub(crate) fn is_overall_heading(heading: &str) -> bool {
    has_word("overall gesamt general", &normalise_word(&strip_brackets(heading)))
}

/// True if a heading means that the scores are strokes, where the lowest wins.
pub(crate) fn is_stroke_heading(heading: &str) -> bool {
    has_word("stroke strokes", &normalise_word(&strip_brackets(heading)))
}

/// True if a row label marks a summary of the rows above.
pub(crate) fn is_summary_label(cell: &str) -> bool {
    let word = normalise_word(cell);
    word == "total"
        || matches!(ColumnMeaning::from_heading(cell), Some((ColumnMeaning::Summary, _)))
}

/// Returns a heading without its units: `Time (s)`, `Score [pts]`.
pub(crate) fn strip_brackets(heading: &str) -> String {
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
pub(crate) fn normalise_word(text: &str) -> String {
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
    fn known_headings_are_recognised() {
        for (heading, meaning) in [
            ("Contest", ColumnMeaning::Contest),
            ("  ROUND ", ColumnMeaning::Contest),
            ("Event Name", ColumnMeaning::Contest),
            ("Wettbewerb", ColumnMeaning::Contest),
            ("Épreuve", ColumnMeaning::Contest),
            ("contest_id", ColumnMeaning::ContestId),
            ("event", ColumnMeaning::Event),
            ("Fecha", ColumnMeaning::Date),
            ("Date (UTC)", ColumnMeaning::Date),
            ("time_seconds", ColumnMeaning::Date),
            ("Klasse", ColumnMeaning::Division),
            ("#", ColumnMeaning::Place),
            ("Pos.", ColumnMeaning::Place),
            ("Posición", ColumnMeaning::Place),
            ("Points", ColumnMeaning::Score),
            ("Pts", ColumnMeaning::Score),
            ("Score [pts]", ColumnMeaning::Score),
            ("Time (s)", ColumnMeaning::Score),
            ("Temps", ColumnMeaning::Score),
            ("Penalties", ColumnMeaning::Penalty),
            ("Players", ColumnMeaning::Competitor),
            ("Läufer", ColumnMeaning::Competitor),
            ("Nom", ColumnMeaning::Competitor),
            ("Équipe", ColumnMeaning::Team),
            ("Members", ColumnMeaning::Members),
            ("WCA ID", ColumnMeaning::CompetitorId),
            ("personId", ColumnMeaning::CompetitorId),
            ("FideID", ColumnMeaning::CompetitorId),
            ("License No.", ColumnMeaning::CompetitorId),
            ("Startpass-ID", ColumnMeaning::CompetitorId),
            ("N° de licence", ColumnMeaning::CompetitorId),
            ("TeamId", ColumnMeaning::TeamId),
            ("Member", ColumnMeaning::Competitor),
            ("First name", ColumnMeaning::GivenName),
            ("Prénom", ColumnMeaning::GivenName),
            ("Apellidos", ColumnMeaning::Surname),
            ("Team members", ColumnMeaning::Members),
            ("Status", ColumnMeaning::Status),
            ("Seed rating", ColumnMeaning::StartingRating),
            ("RD", ColumnMeaning::StartingSigma),
            ("Avg.", ColumnMeaning::Summary),
            ("Matches", ColumnMeaning::Summary),
        ] {
            assert_eq!(
                ColumnMeaning::from_heading(heading).map(|m| m.0),
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
            "ID",
            "Bib",
            "Start number",
            "No",
        ] {
            assert_eq!(ColumnMeaning::from_heading(heading), None, "{heading}");
        }
    }

    #[test]
    fn listed_headings_are_normalised_and_unique() {
        let mut seen = std::collections::HashMap::new();
        for (meaning, _, words) in HEADINGS {
            for word in words.split(' ') {
                assert!(word == "#" || normalise_word(word) == word, "{word} is not plain");
                let before = seen.insert(word, *meaning);
                assert_eq!(before, None, "{word} is listed twice");
            }
        }
    }

    #[test]
    fn time_headings_are_recognised() {
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
