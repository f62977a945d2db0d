//! Makes contests of the games of a PGN document.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};

use ranklore_contest::{
    BETWEEN_PLAYERS, Contest, ContestTime, Entrant, EntrantOutcome, Place, Quoted, Side,
};
use ranklore_grid::{FileReadError, Location, ReadLimits, decode_text, normalise_spelling};

use super::dates::{GameDay, Precision, parse_clock, parse_day};
use super::identity::{GameIds, GameOrder, is_page};
use super::players::{GamePlayers, have_ids};
use super::tags::{Fault, Game, GamePosition, GameScanner, GameText, Tag};
use crate::options::ReadOptions;
use crate::reading::Candidates;

/// Reads the games of a document: each is a contest of two. Games without a result are left out and
/// counted.
pub(crate) fn read(
    bytes: &[u8],
    options: &ReadOptions,
    limits: ReadLimits,
) -> Result<Candidates, FileReadError> {
    let (decoded, encoding_note) = decode_lines(bytes)?;
    let text = GameText(&decoded);
    let survey = Survey::new(text, limits)?;
    let (players, players_note) =
        GamePlayers::new(survey.games.len() - survey.games_of_one, survey.games_with_ids, options);
    let mut reader = GameReader {
        text,
        shared_sites: survey.shared_sites,
        players,
        order: GameOrder::default(),
        ids: GameIds::default(),
        candidates: Candidates::default(),
        unfinished: 0,
        against_nobody: 0,
        period_notes: Vec::new(),
    };
    reader.candidates.warnings.extend(encoding_note);
    reader.candidates.warnings.extend(players_note);
    let mut faults = survey.faults.into_iter().peekable();
    for position in survey.games {
        while let Some(fault) = faults.next_if(|fault| fault.line < u64::from(position.line)) {
            reader.refuse(None, fault);
        }
        reader.add(text.game_at(position));
    }
    faults.for_each(|fault| reader.refuse(None, fault));
    Ok(reader.finish())
}

/// Decodes the text as the reader of tables does, with lines that end in `\n`. UTF-8 is not copied.
pub(crate) fn decode_lines(bytes: &[u8]) -> Result<(Cow<'_, str>, Option<String>), FileReadError> {
    let (text, note) = if let Ok(text) = std::str::from_utf8(bytes) {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        (Cow::Borrowed(text), None)
    } else {
        let (text, note) = decode_text(bytes.into())?;
        (Cow::Owned(text), note)
    };
    if text.contains('\r') && !text.contains('\n') {
        return Ok((text.replace('\r', "\n").into(), note));
    }
    Ok((text, note))
}

/// The games of a text, and all that must be known of them before the first is made into a contest.
struct Survey<'t> {
    games: Vec<GamePosition>,
    /// The byes, and the games of unknown players.
    games_of_one: usize,
    /// The games whose players both have an id.
    games_with_ids: usize,
    /// The addresses in `Site` that games of different players share: they are those of a
    /// tournament.
    shared_sites: HashSet<Cow<'t, str>>,
    /// The faults outside of games.
    faults: Vec<Fault>,
}

impl<'t> Survey<'t> {
    fn new(text: GameText<'t>, limits: ReadLimits) -> Result<Self, FileReadError> {
        let mut survey = Self {
            games: Vec::new(),
            games_of_one: 0,
            games_with_ids: 0,
            shared_sites: HashSet::new(),
            faults: Vec::new(),
        };
        let mut sites = SharedSites::default();
        let mut scanner = GameScanner::new(text);
        for game in scanner.by_ref() {
            if survey.games.len() >= limits.results / 2 {
                let limit = limits.results / 2;
                let reason = format!("the document has more than {limit} games; split it");
                let line = Location::Line(game.position.line.into());
                return Err(FileReadError::new(line, reason));
            }
            survey.games.push(game.position);
            let lacks_player = lacks_player(text, &game);
            survey.games_of_one += usize::from(lacks_player);
            survey.games_with_ids += usize::from(!lacks_player && have_ids(text, &game));
            sites.add(text, &game);
        }
        if survey.games.is_empty() {
            return Err(FileReadError::whole_document(
                "the document has no games in PGN: no line begins with a tag such as [White \"Ada Berg\"]",
            ));
        }
        survey.shared_sites = sites.shared;
        survey.faults = scanner.faults;
        Ok(survey)
    }
}

/// Finds the addresses that games of different players share.
#[derive(Default)]
struct SharedSites<'t> {
    hasher: RandomState,
    /// The hash of the players of the first game at each address.
    first: HashMap<Cow<'t, str>, u64>,
    shared: HashSet<Cow<'t, str>>,
}

impl<'t> SharedSites<'t> {
    fn add(&mut self, text: GameText<'t>, game: &Game) {
        let Some(site) = text.value(game, Tag::Site).filter(|site| is_page(site)) else {
            return;
        };
        let players = (text.value(game, Tag::White), text.value(game, Tag::Black));
        let players_hash = self.hasher.hash_one(players);
        match self.first.entry(site) {
            Entry::Occupied(first) if *first.get() != players_hash => {
                self.shared.insert(first.key().clone());
            }
            Entry::Occupied(_) => {}
            Entry::Vacant(first) => {
                first.insert(players_hash);
            }
        }
    }
}

/// A reason to refuse a game, at one of its tags.
type TagResult<T> = Result<T, (Tag, String)>;

struct GameReader<'t> {
    text: GameText<'t>,
    shared_sites: HashSet<Cow<'t, str>>,
    players: GamePlayers,
    order: GameOrder,
    ids: GameIds,
    candidates: Candidates,
    unfinished: usize,
    /// The number of games without a second player: byes, and those of unknown players.
    against_nobody: usize,
    period_notes: Vec<(Precision, String)>,
}

/// The names and the time of a game.
struct Pairing<'t> {
    white: Cow<'t, str>,
    black: Cow<'t, str>,
    day: GameDay,
    ends_at: ContestTime,
    /// The id, if the game has neither an address nor an id of its own.
    derived_id: String,
    ordinal: Option<i64>,
}

impl<'t> GameReader<'t> {
    fn refuse(&mut self, contest: Option<String>, fault: Fault) {
        let refusal = (Location::Line(fault.line), fault.reason);
        self.candidates.refuse(contest, refusal);
    }

    fn add(&mut self, mut game: Game) {
        let name = self.name_of(&game);
        if let Some(fault) = game.fault.take() {
            return self.refuse(name, fault);
        }
        if lacks_player(self.text, &game) {
            self.against_nobody += 1;
            return;
        }
        // Unfinished games count too: their id must not change once they are finished.
        let pairing = self.pair(&game);
        let built = self.outcomes(&game).and_then(|outcomes| match outcomes {
            None => Ok(None),
            Some(outcomes) => self.build(&game, pairing?, outcomes).map(Some),
        });
        match built {
            Ok(None) => self.unfinished += 1,
            Ok(Some(contest)) => {
                let line = Location::Line(game.position.line.into());
                self.candidates.add_contest(line, &contest);
            }
            Err((tag, reason)) => {
                let line = self.text.line(&game, tag);
                self.refuse(name, Fault { line, reason });
            }
        }
    }

    fn name_of(&self, game: &Game) -> Option<String> {
        let white = self.text.value(game, Tag::White)?;
        let black = self.text.value(game, Tag::Black)?;
        Some(format!("{white} – {black}"))
    }

    fn player(&self, game: &Game, tag: Tag) -> TagResult<Cow<'t, str>> {
        let name = self.text.value(game, tag);
        let name = name.map(|name| match name {
            Cow::Borrowed(name) => normalise_spelling(name),
            Cow::Owned(name) => normalise_spelling(&name).into_owned().into(),
        });
        name.ok_or_else(|| {
            let reason = format!(
                "the tag {side} names nobody; write the player, such as [{side} \"Ada Berg\"]",
                side = tag.as_str()
            );
            (tag, reason)
        })
    }

    fn pair(&mut self, game: &Game) -> TagResult<Pairing<'t>> {
        let text = self.text;
        let white = self.player(game, Tag::White)?;
        let black = self.player(game, Tag::Black)?;
        if white == black {
            let quoted = Quoted(&white);
            let reason = format!("{quoted} plays against itself; correct White or Black");
            return Err((Tag::Black, reason));
        }
        let (day, ends_at) = self.find_time(game)?;
        let round = text.value(game, Tag::Round);
        let event = text.value(game, Tag::Event).unwrap_or_default();
        let ordinal = self.order.next(&event, ends_at, round.as_deref());
        let players = (&*white, &*black);
        let derived_id = self.ids.derive(ends_at, round.as_deref(), players);
        Ok(Pairing {
            white,
            black,
            day,
            ends_at,
            derived_id,
            ordinal,
        })
    }

    /// Returns the day and the time of the start, or midnight UTC of the day.
    fn find_time(&self, game: &Game) -> TagResult<(GameDay, ContestTime)> {
        let text = self.text;
        let parse_at = |tag: Tag| -> TagResult<Option<GameDay>> {
            let day = text.value(game, tag).map_or(Ok(None), |date| parse_day(&date));
            day.map_err(|reason| (tag, reason))
        };
        let clock_at = |tag: Tag| -> TagResult<Option<i64>> {
            let clock = text.value(game, tag).map_or(Ok(None), |clock| parse_clock(&clock));
            clock.map_err(|reason| (tag, reason))
        };
        let (tag, day, clock) = if let Some(day) = parse_at(Tag::UtcDate)? {
            (Tag::UtcDate, day, clock_at(Tag::UtcTime)?)
        } else {
            let day = parse_at(Tag::Date)?.ok_or_else(|| {
                let reason = "the date is missing; write the day, such as [Date \"2024.05.17\"], or \
                           the year, such as [Date \"2024.??.??\"]";
                (Tag::Date, reason.to_owned())
            })?;
            let clock = match clock_at(Tag::UtcTime)? {
                None => clock_at(Tag::Time)?,
                clock => clock,
            };
            (Tag::Date, day, clock)
        };
        let ends_at = day.at(clock).map_err(|reason| (tag, reason))?;
        Ok((day, ends_at))
    }

    /// Returns the places of White and Black. `None` if the game is not finished.
    fn outcomes(&self, game: &Game) -> TagResult<Option<(Place, Place)>> {
        let first = Place::from_entrants_above(0);
        let second = Place::from_entrants_above(1);
        let Some(result) = self.text.value(game, Tag::Result) else {
            let reason = "the game has no result, perhaps because the file ends within it; add a tag \
                       such as [Result \"1-0\"], or [Result \"*\"] if it is not finished";
            return Err((Tag::Result, reason.to_owned()));
        };
        Ok(Some(match &*result {
            "*" => return Ok(None),
            "1-0" => (first, second),
            "0-1" => (second, first),
            "1/2-1/2" | "1/2" | "½-½" => (first, first),
            other => {
                let reason = format!("result {} is not 1-0, 0-1, 1/2-1/2 or *", Quoted(other));
                return Err((Tag::Result, reason));
            }
        }))
    }

    fn build(
        &mut self,
        game: &Game,
        pairing: Pairing<'t>,
        places: (Place, Place),
    ) -> TagResult<Contest> {
        let text = self.text;
        let ends_at = pairing.ends_at;
        let white = &pairing.white;
        let black = &pairing.black;
        let white_id = self.players.identify(text, game, Tag::WhiteFideId, white);
        let black_id = self.players.identify(text, game, Tag::BlackFideId, black);
        if white_id == black_id {
            let reason =
                format!("{white} and {black} have the same FIDE id {white_id}; correct one");
            return Err((Tag::BlackFideId, reason));
        }
        self.players.add_name(&white_id, white, ends_at);
        self.players.add_name(&black_id, black, ends_at);
        self.note_period(game, pairing.day, ends_at);
        let name = format!("{white}{BETWEEN_PLAYERS}{black}");
        let url = self.address(game);
        let external_id = match (&url, text.value(game, Tag::GameId)) {
            (Some(url), _) => url.clone(),
            (None, Some(id)) => id.into_owned(),
            (None, None) => pairing.derived_id,
        };
        let mut entrants = vec![
            new_entrant(white_id, places.0, Side::White),
            new_entrant(black_id, places.1, Side::Black),
        ];
        // Entrants are in the order of their places.
        if places.1 < places.0 {
            entrants.reverse();
        }
        let event = text.value(game, Tag::Event).map(Cow::into_owned);
        Ok(Contest {
            event,
            division: self.division(game),
            ordinal: pairing.ordinal,
            url,
            entrants,
            ..Contest::new(external_id, name, ends_at)
        })
    }

    /// Returns the address of the page of a game.
    fn address(&self, game: &Game) -> Option<String> {
        let site = self.text.value(game, Tag::Site);
        let links = [Tag::Link, Tag::GameUrl].into_iter();
        site.filter(|site| !self.shared_sites.contains(site))
            .into_iter()
            .chain(links.filter_map(|tag| self.text.value(game, tag)))
            .find(|url| is_page(url))
            .map(Cow::into_owned)
    }

    /// Returns the variant of chess, unless it is the ordinary game.
    fn division(&self, game: &Game) -> Option<String> {
        let variant = self.text.value(game, Tag::Variant)?;
        let is_ordinary = ["standard", "chess", "normal"]
            .iter()
            .any(|ordinary| variant.eq_ignore_ascii_case(ordinary));
        (!is_ordinary).then(|| variant.into_owned())
    }

    fn note_period(&mut self, game: &Game, day: GameDay, ends_at: ContestTime) {
        let (precision, periods) = match day.precision {
            Precision::Day => return,
            Precision::Month => (Precision::Month, "months"),
            Precision::Year => (Precision::Year, "years"),
        };
        if self.period_notes.iter().any(|note| note.0 == precision) {
            return;
        }
        let utc_date = self.text.value(game, Tag::UtcDate);
        let date = utc_date
            .filter(|date| matches!(parse_day(date), Ok(Some(_))))
            .or_else(|| self.text.value(game, Tag::Date));
        let quoted = Quoted(&date.unwrap_or_default());
        let note = format!(
            "dates such as {quoted} are {periods}: each game is dated to their last day, {ends_at}"
        );
        self.period_notes.push((precision, note));
    }

    fn finish(self) -> Candidates {
        let mut candidates = self.candidates;
        let notes = self.period_notes.into_iter().map(|(_, note)| note);
        candidates.warnings.extend(notes);
        let unfinished = self.unfinished;
        if unfinished > 0 {
            let note = format!("games without a result (*) are left out: {unfinished}");
            candidates.warnings.push(note);
        }
        let against_nobody = self.against_nobody;
        if against_nobody > 0 {
            let note =
                format!("byes and games of unknown players (NN, ?) are left out: {against_nobody}");
            candidates.warnings.push(note);
        }
        candidates.dated_names = self.players.finish();
        candidates
    }
}

/// True if a game has no second player, or one whose name is not known.
fn lacks_player(text: GameText<'_>, game: &Game) -> bool {
    [Tag::White, Tag::Black].into_iter().any(|tag| text.names_nobody(game, tag))
}

fn new_entrant(competitor: Cow<'_, str>, place: Place, side: Side) -> Entrant {
    Entrant {
        side: Some(side),
        ..Entrant::person(competitor, EntrantOutcome::Finished(place))
    }
}
