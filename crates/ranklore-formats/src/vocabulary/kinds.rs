//! Kinds of headings beside their meanings: parts of contests, times, totals, second persons.

use super::headings::{MatchStrength, find_game_heading};
use super::meanings::ColumnMeaning;
use super::words::{has_word, normalise_word, split_words, strip_brackets};

/// Headings of columns with a second person of a team.
const PARTNERS: &str = "partner partnerin partenaire codriver copilot copilote copiloto beifahrer \
     beifahrerin navigator";

/// Headings of columns with the other side of a game.
pub(super) const OPPONENTS: &str = "opponent gegner gegnerin adversaire adversario oponente rival vs versus opp \
     avversario avversaria tegenstander motstander modstander motstandare przeciwnik rywal souper \
     vastustaja rakip 対戦相手 \
     pretinieks vastane ellenfel adversar adversari protivnik nasprotnik lawan doithu противник \
     соперник суперник αντιπαλοσ 对手 對手 相手 상대 상대팀 יריב الخصم";

/// True if a heading names a second person beside the competitor: `Partner`, `Opponent name`.
pub(crate) fn is_second_person_heading(heading: &str) -> bool {
    has_person_word(PARTNERS, heading) || is_opponent_heading(heading)
}

/// True if a heading names the other side of a game.
pub(crate) fn is_opponent_heading(heading: &str) -> bool {
    has_person_word(OPPONENTS, heading)
}

/// True if a heading means the board or table at which a game is played.
pub(crate) fn is_board_heading(heading: &str) -> bool {
    is_singular_or_plural(&["board table brett tisch tablero mesa echiquier"], field_name(heading))
}

/// True if a heading means one set of a game, `Set 1`, or can mean all of them: `Result`.
pub(crate) fn is_set_heading(heading: &str) -> bool {
    let word = normalise_word(&strip_brackets(heading));
    let mut numbers = ["set", "satz", "game"].iter().filter_map(|set| word.strip_prefix(set));
    has_word("set sets setscores score scores result results", &word)
        || numbers.any(|number| number.parse::<u8>().is_ok())
}

/// Returns the last part of a path of fields: `vs` of `round.vs`.
fn field_name(heading: &str) -> &str {
    // The dot of an abbreviation is followed by a blank.
    if heading.contains(' ') {
        return heading;
    }
    heading.trim_end_matches('.').rsplit('.').next().unwrap_or(heading)
}

fn has_person_word(words: &str, heading: &str) -> bool {
    let heading = strip_brackets(field_name(heading));
    let word = normalise_word(heading.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' '));
    let bare = word.strip_suffix("name").unwrap_or(&word);
    has_word(words, bare) || has_word(words, bare.strip_suffix('s').unwrap_or(bare))
}

/// Headings of the boats or cars that people share, and of their numbers.
const BOATS: &str = "boat sail yacht car hull boatname carname boatnumber carnumber sailnumber boatno carno \
     sailno boatnr carnr segelnummer segelnr boot bateau voile bib bibnumber startnr startnummer \
     startnumber dossard";

/// True if a heading means the boat or car of several people: `Sail Number`.
pub(crate) fn is_boat_heading(heading: &str) -> bool {
    is_singular_or_plural(&[BOATS], field_name(heading))
}

/// Headings of columns with names of places, or of people who do not compete.
const PLACES_AND_ROLES: &str = "city town location venue country nation nationality county region state province club \
     school university college sponsor manufacturer coach trainer manager captain owner ort stadt \
     land verein schule ville pays ciudad pais categoria category title track circuit stadium";

/// True if a heading means names of places, or of people who do not compete.
pub(crate) fn is_place_or_role_heading(heading: &str) -> bool {
    is_singular_or_plural(&[PLACES_AND_ROLES], heading)
}

/// True if the texts below a heading name no competitors: it has another meaning, or names opponents.
pub(crate) fn names_no_competitor(heading: &str) -> bool {
    use ColumnMeaning::{
        Competitor, CompetitorId, Division, GivenName, Members, Surname, Team, TeamId,
    };
    const NAMES: [ColumnMeaning; 8] = [
        Competitor,
        CompetitorId,
        Division,
        GivenName,
        Members,
        Surname,
        Team,
        TeamId,
    ];
    // A ranking of games or series is one of competitors.
    let is_ranked = has_word("game series tag", &normalise_word(heading));
    let meaning = ColumnMeaning::from_heading(heading).map(|known| known.0);
    meaning.is_some_and(|known| !NAMES.contains(&known) && !is_ranked)
        || is_opponent_heading(heading)
}

/// Words of headings of codes, links, grounds, officials and remarks.
const DESCRIPTIONS: &str = "code id url link href location venue track circuit stadium arena division manager \
     judge referee umpire arbitro submitter reporter comment comments note notes remark remarks description";

/// True if the texts below a heading hardly name competitors: they describe the contest or give codes.
pub(crate) fn describes_contest(heading: &str) -> bool {
    split_words(heading).iter().any(|word| has_word(DESCRIPTIONS, word))
}

/// True if a heading means clubs, which can compete themselves.
pub(crate) fn is_club_heading(heading: &str) -> bool {
    is_named(
        "club verein clube kulub seura klub klubb \
     klubs klubas klubi kulup клуб",
        heading,
    )
}

/// True if a heading means nations: `country`, `Nation`.
pub(crate) fn is_nation_heading(heading: &str) -> bool {
    is_singular_or_plural(
        &["nation country nationality land pays pais noc \
     kraj krajina drzava valsts salis riik maa orszag ulke страна країна"],
        heading,
    )
}

/// True if a heading of dates is in a language whose dates begin with the day: `Datum`, `fecha`.
pub(crate) fn is_day_first_heading(heading: &str) -> bool {
    const DATES: &str = "dato datum fecha data pvm paivamaara дата tarih mactarihi termin \
     datums kuupaev dagsetning tanggal ngaythang датум ημερομηνια תאריך التاريخ";
    has_word(DATES, &normalise_word(&strip_brackets(heading)))
}

/// True if a heading means nations that can compete themselves.
pub(crate) fn is_country_heading(heading: &str) -> bool {
    is_singular_or_plural(&["country nation land pays pais"], heading)
}

/// True if a heading means the names of programs and machines, or further names of people, that compete where nothing
/// else is named.
pub(crate) fn is_further_name_heading(heading: &str) -> bool {
    const NAMES: &str = "bot agent model login nick pseudo pseudonym alias gamertag";
    is_named(NAMES, heading)
}

/// True if a heading means works of competitors: songs, films, robots.
pub(crate) fn is_work_heading(heading: &str) -> bool {
    is_named("song lied chanson cancion canzone titel titre titulo language sprache", heading)
}

/// Headings of numbers that describe a contest.
const COUNTS: &str = "player teilnehmer km distance length entry entrant starter finisher participant runner \
     anzahl number count field prize purse fee par attendance";

/// True if a heading means a number that describes a contest: `Entries`, `km`, `Entry fee`.
pub(crate) fn is_count_heading(heading: &str) -> bool {
    is_singular_or_plural(&[COUNTS], heading)
        || split_words(heading)
            .last()
            .is_some_and(|word| is_singular_or_plural(&[COUNTS], word))
}

/// Words before "name" in headings of further names of one thing.
const NAME_KINDS: &str = "short long full display official common other alt alternative nick user \
     file team squad league season series";

/// True if a heading means the name of some kind of thing that is no place and no role:
/// `marble_name`.
pub(crate) fn is_object_name_heading(heading: &str) -> bool {
    let words = split_words(heading);
    let Some(([.., kind], "name")) = words.split_last().map(|(last, rest)| (rest, last.as_str()))
    else {
        return false;
    };
    let is_other = |word: &String| has_word(NAME_KINDS, word) || is_place_or_role_heading(word);
    !kind.is_empty() && !words.iter().any(is_other)
}

/// True if a heading means the place where a contest was held.
pub(crate) fn is_venue_heading(heading: &str) -> bool {
    is_singular_or_plural(&["venue track circuit strecke circuito"], heading)
}

/// Headings of the seasons and years of contests.
pub(crate) const SEASONS: &str = "season saison temporada seizoen sezon stagione sasong sesong kausi year jahr annee anno ano \
     сезон";

/// True if a heading means the season or the year of contests.
pub(crate) fn is_season_heading(heading: &str) -> bool {
    is_singular_or_plural(&[SEASONS], heading)
}

/// Headings of parts of a contest that usually have results of their own.
const CONTEST_PARTS: &str = "pool group heat discipline distance boatclass weapon weightclass gruppe \
     vorlauf disziplin distanz waffe gewichtsklasse bootsklasse groupe poule arme grupo serie arma \
     distancia disciplina bowstyle bowtype bogenart bogenklasse";

/// Headings of parts of a contest that are ranked separately or together.
const COMPETITOR_CLASSES: &str = "gender sex wave geschlecht sexe genre vague sexo genero ola";

/// True if a heading usually names parts of a contest that have results of their own.
pub(crate) fn is_contest_part_heading(heading: &str) -> bool {
    is_singular_or_plural(&[CONTEST_PARTS], heading)
}

/// True if a heading usually names the groups or stages in which teams play.
pub(crate) fn is_phase_heading(heading: &str) -> bool {
    const PHASES: &str = "phase fase stage conference konferenz conferencia group gruppe groupe grupo pool poule \
         league liga ligue region staffel";
    is_named(PHASES, heading)
}

/// True if a heading names the weight classes of a contest by an abbreviation or with their unit.
pub(crate) fn is_weight_class_heading(heading: &str) -> bool {
    is_singular_or_plural(&["wtcls wtclass weightclasskg weightcategory"], heading)
}

/// True if a heading names the equipment by which the competitors of a contest are divided.
pub(crate) fn is_equipment_heading(heading: &str) -> bool {
    is_singular_or_plural(&["equipment gear tested"], heading)
}

/// True if a heading usually names parts of a contest, which may be ranked separately.
pub(crate) fn is_division_heading(heading: &str) -> bool {
    is_singular_or_plural(&[COMPETITOR_CLASSES, CONTEST_PARTS], heading)
}

/// Headings of divisions in which different teams can have one name.
const TEAM_DIVISIONS: &str = "division div agegroup age agecategory ageclass agedivision altersklasse \
     jahrgangsstufe gender sex geschlecht sexe genre sexo genero sesso geslacht kjonn aldersgruppe \
     alderstrinn rekke raekke";

/// True if a heading means divisions in which different teams can have one name: `age_group_name`.
pub(crate) fn is_team_division_heading(heading: &str) -> bool {
    is_named(TEAM_DIVISIONS, heading)
}

/// True if a word of a cell means an age: `U13`, `Under 18`, `Moins de 13 ans`, `Juniors`.
pub(crate) fn is_age_group(cell: &str) -> bool {
    const AGES: &str = "u under sub moins junior juniors junioren youth jugend cadet cadets minimes benjamins \
         senior seniors senioren veterans masters";
    split_words(cell).iter().any(|word| has_word(AGES, word))
}

/// True if a heading means the level of teams, or of their leagues.
pub(crate) fn is_level_heading(heading: &str) -> bool {
    is_named("level tier grade niveau stufe spielklasse livello nivel niva", heading)
}

/// True if a space-separated list contains a heading, or the one before "name".
fn is_named(words: &str, heading: &str) -> bool {
    let words_of_heading = split_words(heading);
    let named = words_of_heading.split_last().filter(|(last, _)| *last == "name");
    is_singular_or_plural(&[words], heading)
        || named.is_some_and(|(_, kind)| is_singular_or_plural(&[words], &kind.concat()))
}

/// True if a space-separated list contains a heading, or its singular.
fn is_singular_or_plural(lists: &[&str], heading: &str) -> bool {
    let word = normalise_word(&strip_brackets(heading));
    let singular = word.strip_suffix('s').unwrap_or(&word);
    lists.iter().any(|words| has_word(words, &word) || has_word(words, singular))
}

/// Words of headings that date contests: `meeting_date`, `scheduled_at`, `start_time_utc`.
const DATE_WORDS: &str =
    "date dates datum fecha dt ts time timestamp at day night utc scheduled played";

/// Words of headings that date people, rows and files.
const OTHER_DATE_WORDS: &str = "birth birthdate birthday dob born geboren geb geburtsdatum naissance \
     nacimiento created updated modified registered registration joined entered entry signup published \
     posted scraped downloaded crawled fetched exported imported expires expiry deadline debut license \
     valid submission submitted";

/// The kind of dates that the words of a heading mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DateKind {
    /// Dates of contests.
    Contest,
    /// Dates of people, of entries, or of rows.
    Person,
    /// Dates of an unknown kind.
    Other,
}

impl DateKind {
    pub(crate) fn from_heading(heading: &str) -> Self {
        let words = split_words(heading);
        let has_any = |list: &str| words.iter().any(|word| has_word(list, word));
        let ends_like_date = |word: &String| word.ends_with("date") || word.ends_with("datum");
        if has_any(OTHER_DATE_WORDS) {
            Self::Person
        } else if has_any(DATE_WORDS) || words.iter().any(ends_like_date) {
            Self::Contest
        } else {
            Self::Other
        }
    }
}

/// Headings of years in which contests are held. That of a birth has a longer one.
pub(crate) const YEAR_WORDS: &str = "year jahr annee anno ano rok vuosi 年";

/// True if a heading is that of years or seasons.
pub(crate) fn is_year_heading(heading: &str) -> bool {
    let word = normalise_word(&strip_brackets(heading));
    has_word(YEAR_WORDS, &word) || is_season_heading(heading)
}

/// True if a heading means that the scores are times, where the lowest usually wins.
pub(crate) fn is_time_heading(heading: &str) -> bool {
    let word = normalise_word(&strip_brackets(heading));
    let mut times = "time zeit temps tiempo elapsed duration".split(' ');
    has_word(
        "temp tempstotal tiempototal tempo chrono tid aika tijd czas cas время タイム 時間 \
        laiks laikas aeg timp vrijeme vreme thoigian χρονοσ 用时 시간 זמן الوقت زمان เวลา",
        &word,
    ) || times.any(|time| word.ends_with(time))
}

/// Headings of totals, which can be the scores of a contest.
const TOTALS: &str = "total totalpts kopa kokku yhteensa osszesen osszpont ukupno skupaj celkem spolu razem totaal totalt \
     toplam jumlah tongdiem итого всего разом συνολο 合計 総計 总计 合计 합계 총계 סהכ";

/// True if a word of a heading means a total: `Total Pts`, `Season total`, `Best 4`.
pub(crate) fn is_total_heading(heading: &str) -> bool {
    let mut words = heading.split(|c: char| !c.is_alphanumeric());
    words.any(|word| {
        has_word(TOTALS, &normalise_word(word))
            || matches!(
                ColumnMeaning::from_heading(word),
                Some((ColumnMeaning::Summary, MatchStrength::Exact))
            )
    })
}

/// True if the numbers below a heading decide no contest, and are no results of one: ratings, averages, and the
/// numbers of games and rounds.
pub(crate) fn is_no_contest_heading(heading: &str) -> bool {
    let known = find_game_heading(&normalise_word(&strip_brackets(heading))).map(|known| known.0);
    is_rate_heading(heading)
        || matches!(known, Some(ColumnMeaning::Ordinal | ColumnMeaning::GameNumber))
}

/// True if a heading means the overall place as well as the overall sum.
pub(crate) fn is_overall_heading(heading: &str) -> bool {
    has_word("overall gesamt general", &normalise_word(&strip_brackets(heading)))
}

/// True if a heading of places says that they are those of all: `Rank All`, `Overall Place`.
pub(crate) fn is_overall_place_heading(heading: &str) -> bool {
    let words = split_words(heading);
    words
        .iter()
        .any(|word| has_word("overall gesamt general scratch all absolute assoluto", word))
}

/// True if a word of a heading is a time: `time_s`, `Race Time`.
pub(crate) fn has_time_word(heading: &str) -> bool {
    is_time_heading(heading) || split_words(heading).iter().any(|word| is_time_heading(word))
}

/// Words of headings of ratings, averages and shares, which order no contest.
const RATES: &str = "rating elo glicko mmr average avg mean median schnitt mittel mittelwert durchschnitt \
     moyenne promedio media percent percentage pct prozent ratio rate winrate";

/// True if a heading means ratings, averages or shares: `Avg Rating`, `Win %`.
pub(crate) fn is_rate_heading(heading: &str) -> bool {
    heading.contains('%') || split_words(heading).iter().any(|word| has_word(RATES, word))
}

/// True if a heading means that the scores are strokes, where the lowest wins.
pub(crate) fn is_stroke_heading(heading: &str) -> bool {
    has_word("stroke strokes", &normalise_word(&strip_brackets(heading)))
}

/// The kind of a heading in the table of a season: what the games of a competitor came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeasonStatistic {
    Wins,
    Losses,
    Draws,
    /// The points of the table: `Pts`, `PTS Points`.
    Points,
    /// The goals and points for and against.
    Other,
}

impl SeasonStatistic {
    /// Returns the kind of a heading, which can explain its letters: `W Wins (3 points)`.
    pub(crate) fn from_heading(heading: &str) -> Option<Self> {
        let words = split_words(heading);
        let are_all = |list: &str| words.iter().all(|word| has_word(list, word));
        if words.is_empty() {
            None
        } else if are_all("w win wins won") {
            Some(Self::Wins)
        } else if are_all("l loss losses lost or forfeit forfeits") {
            Some(Self::Losses)
        } else if are_all("t tie ties tied d draw draws drawn") {
            Some(Self::Draws)
        } else if are_all("pt pts point points") {
            Some(Self::Points)
        } else if are_all("pf pa gf ga gd rf ra pct percentage")
            || words.iter().any(|word| has_word("for against allowed conceded", word))
        {
            Some(Self::Other)
        } else {
            None
        }
    }
}

/// The first words of labels of summaries such as "Total points" and "Average score".
const SUM_WORDS: &str = "total totals grand sum average avg mean gesamt summe schnitt mittelwert durchschnitt \
     moyenne somme suma promedio media median \
     summa";

/// True if a row label marks a summary of the rows above.
pub(crate) fn is_summary_label(cell: &str) -> bool {
    let word = normalise_word(cell);
    word == "total"
        || matches!(ColumnMeaning::from_heading(cell), Some((ColumnMeaning::Summary, _)))
        || is_compound_summary_label(cell)
}

fn is_compound_summary_label(cell: &str) -> bool {
    // Long texts are no labels; and this function is called often.
    if cell.len() > 40 {
        return false;
    }
    let words = cell.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut words = words.map(normalise_word);
    let is_sum = words.next().is_some_and(|word| has_word(SUM_WORDS, &word));
    let rest: Vec<String> = words.collect();
    let is_value = |word: &String| {
        use ColumnMeaning::{Penalty, Score, Summary};
        let known = ColumnMeaning::from_heading(word);
        known.is_some_and(|(meaning, _)| [Penalty, Score, Summary].contains(&meaning))
            || has_word("of the per all der de", word)
    };
    is_sum && !rest.is_empty() && rest.iter().all(is_value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_seasons_are_recognised() {
        use SeasonStatistic::{Draws, Losses, Other, Points, Wins};
        for (heading, kind) in [
            ("W", Some(Wins)),
            ("W Wins (3 points)", Some(Wins)),
            ("L Losses or Forfeits", Some(Losses)),
            ("PTS Points", Some(Points)),
            ("Points For", Some(Other)),
            ("Goals_Against", Some(Other)),
            ("PF", Some(Other)),
            ("T Ties (1 point)", Some(Draws)),
            ("Ties", Some(Draws)),
            ("", None),
            ("Card Points", None),
            ("Winner", None),
        ] {
            assert_eq!(SeasonStatistic::from_heading(heading), kind, "{heading}");
        }
    }

    #[test]
    fn rates_are_recognised() {
        for heading in ["Avg Rating", "Elo", "Win %", "PCT", "winRate", "Ø Schnitt"] {
            assert!(is_rate_heading(heading), "{heading}");
        }
        for heading in ["Points", "Total", "Meaning", "Rated games", "Rate My Run"] {
            assert_eq!(is_rate_heading(heading), heading.starts_with("Rate "), "{heading}");
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
