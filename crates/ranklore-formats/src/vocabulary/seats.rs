//! The headings about one of the two competitors of a game, such as `white`, `home_goals` or `Player 2 ID`.

pub(crate) mod scores;

use self::scores::{NUMBERED_SCORES, rank_score, singular};
use super::kinds::OPPONENTS;
use super::meanings::ColumnMeaning;
use super::words::{has_word, normalise_word, strip_brackets};
use ranklore_contest::{EntrantKind, Side};

/// The position of a competitor in a row: of the two columns that name them, the first or the
/// second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Seat {
    One,
    Two,
}

impl Seat {
    pub(crate) const BOTH: [Self; 2] = [Self::One, Self::Two];

    pub(crate) const fn index(self) -> usize {
        self as usize
    }

    pub(crate) const fn other(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }

    fn from_digit(mark: &str) -> Option<Self> {
        match mark {
            "1" => Some(Self::One),
            "2" => Some(Self::Two),
            _ => None,
        }
    }

    /// Returns the seat of `1`, `2`, `a` or `b`.
    pub(crate) fn from_mark(mark: &str) -> Option<Self> {
        match mark {
            "a" => Some(Self::One),
            "b" => Some(Self::Two),
            mark => Self::from_digit(mark),
        }
    }
}

/// Returns the index of a member of a team by its number or letter.
fn parse_member(mark: &str) -> Option<u8> {
    let first = match mark.as_bytes() {
        [b'1'..=b'9'] => b'1',
        [b'a'..=b'f'] => b'a',
        _ => return None,
    };
    Some(mark.as_bytes()[0] - first)
}

/// The words of two columns that name the competitors of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pairing {
    WhiteBlack,
    HomeAway,
    /// The one who moves first, and the other.
    FirstSecond,
    RedBlue,
    /// The two answers of a pairwise comparison.
    LeftRight,
    /// Player 1 and player 2, model A and model B: without an order of play.
    Numbered,
    WinnerLoser,
}

/// The words for both sides of a pairing.
const SIDES: &[(Pairing, &str, &str)] = &[
    (
        Pairing::WhiteBlack,
        "white weiss blancs blanc blancas blanca brancas branca bianco bianchi wit vit biale bile bily белые \
        vilagos beyaz valge valkoinen bijeli beli alb λευκα 白方 白番 白棋",
        "black schwarz noirs noir negras negra pretas preta nero neri zwart svart czarne cerne cerny черные \
         чёрные \
         sotet siyah musta crni negru μαυρα 黑方 黒番 黑棋",
    ),
    (
        Pairing::HomeAway,
        "home heim domicile local host casa mandante visitado visitada gospodarz gospodarze receveur recevant \
         thuis hjemme hjemmelag hjemmehold hemma hemmalag koti kotijoukkue thuisteam domaci domacin hazai evsahibi \
         ホーム \
         majinieki kodumeeskond heima gazde домакин домаћин хозяева господарі tuanrumah chunha 主队 主隊 홈팀 홈",
        "away gast exterieur visitante visitor visiting guest ospite ospiti trasferta gosc goscie \
         visiteur uit borte bortelag udehold borta bortalag vieras vierasjoukkue hoste vendeg deplasman \
         fora アウェイ アウェー ビジター \
         viesi kulalised uti oaspeti gosti gostje hostia misafir tamu doikhach visitant гост гости гості \
         φιλοξενουμενοσ 客队 客隊 원정팀 원정",
    ),
    (Pairing::FirstSecond, "first", "second"),
    (Pairing::FirstSecond, "affirmative aff", "negative neg"),
    (Pairing::RedBlue, "red orange 红方", "blue yellow 蓝方"),
    (Pairing::Numbered, "radiant", "dire"),
    (Pairing::Numbered, "challenger attacker", "defender"),
    (Pairing::Numbered, "government", "opposition"),
    (Pairing::LeftRight, "left", "right"),
    (
        Pairing::WinnerLoser,
        "winner winners winning sieger gewinner vainqueur gagnant ganador vencedor vinder vinnare vinner \
         vincitore winnaar 勝者 勝者チーム 승자 승리팀 승팀 获胜者 赢家 \
         uzvaretajs voitja voittaja zwyciezca vitez vitaz pobjednik pobednik gyoztes nyertes \
         castigator kazanan galip guanyador pemenang победитель переможець победител νικητησ 胜者 胜方 \
         勝方 מנצח الفائز",
        "loser losers losing verlierer perdant perdedor 敗者 패자 패배팀 패팀 输家 \
        zaudetajs kaotaja haviaja przegrany porazeny porazenik gubitnik vesztes invins kaybeden \
        maglup verliezer forlorare taber perdente sconfitto derrotado проигравший ηττημενοσ 败者 负方 負方 \
        מפסיד الخاسر",
    ),
];

/// Headings that are no word of a side beside that of a field.
const WHOLE_HEADINGS: &[(&str, Pairing, Seat, &str)] = &[
    ("fthg", Pairing::HomeAway, Seat::One, "ftgoal"),
    ("ftag", Pairing::HomeAway, Seat::Two, "ftgoal"),
    ("hg", Pairing::HomeAway, Seat::One, "goal"),
    ("ag", Pairing::HomeAway, Seat::Two, "goal"),
    ("hgoal", Pairing::HomeAway, Seat::One, "goal"),
    ("vgoal", Pairing::HomeAway, Seat::Two, "goal"),
    // On neutral ground, the home team is the one that is named so.
    ("homeneutral", Pairing::HomeAway, Seat::One, ""),
    ("visitorneutral", Pairing::HomeAway, Seat::Two, ""),
    // The tie is a draw. A winner of the tie, headed in the other order, won several games.
    ("winnertie", Pairing::WinnerLoser, Seat::One, ""),
    ("losertie", Pairing::WinnerLoser, Seat::Two, ""),
    ("ptsw", Pairing::WinnerLoser, Seat::One, "pt"),
    ("ptsl", Pairing::WinnerLoser, Seat::Two, "pt"),
    ("wteamid", Pairing::WinnerLoser, Seat::One, "teamid"),
    ("lteamid", Pairing::WinnerLoser, Seat::Two, "teamid"),
    ("wscore", Pairing::WinnerLoser, Seat::One, "score"),
    ("lscore", Pairing::WinnerLoser, Seat::Two, "score"),
    ("wplayer", Pairing::WinnerLoser, Seat::One, "player"),
    ("lplayer", Pairing::WinnerLoser, Seat::Two, "player"),
    ("wplayer1", Pairing::WinnerLoser, Seat::One, "1player"),
    ("wplayer2", Pairing::WinnerLoser, Seat::One, "2player"),
    ("lplayer1", Pairing::WinnerLoser, Seat::Two, "1player"),
    ("lplayer2", Pairing::WinnerLoser, Seat::Two, "2player"),
    ("wteam", Pairing::WinnerLoser, Seat::One, "team"),
    ("lteam", Pairing::WinnerLoser, Seat::Two, "team"),
    ("t1p1", Pairing::Numbered, Seat::One, "1"),
    ("t1p2", Pairing::Numbered, Seat::One, "2"),
    ("t2p1", Pairing::Numbered, Seat::Two, "1"),
    ("t2p2", Pairing::Numbered, Seat::Two, "2"),
    ("a점수", Pairing::Numbered, Seat::One, "score"),
    ("b점수", Pairing::Numbered, Seat::Two, "score"),
    ("rfighter", Pairing::RedBlue, Seat::One, "fighter"),
    ("bfighter", Pairing::RedBlue, Seat::Two, "fighter"),
];

const PERSONS: &str = "player playername username user name fullname competitor competitorname participant \
     participantname athlete athletename fighter wrestler boxer opponent handle nickname contestant entrant model \
     modelname bot agent engine p spieler spielername teilnehmer joueur jugador navn namn naam spiller \
     gracz zawodnik hrac игрок участник oyuncu pelaaja spelare speler giocatore jogador igrac \
     jatekos zaidejas mangija speletajs jucator παικτησ 선수 プレイヤー プレーヤー 選手 选手 棋手 玩家";

const TEAMS: &str = "team teamname club clubname squad ploeg mannschaft verein equipe equipo equipa squadra druzyna \
     チーム 팀 \
     ekipa takim joukkue csapat druzstvo komanda команда ομαδα 球队 队伍";

/// Further names of one competitor, weaker than the name itself.
const FURTHER_NAMES: &str = "shortname longname displayname teamshortname abbreviation abbr";

const SHOOTOUTS: &str =
    "penaltie penalty pen shootout penaltyscore shootoutscore penaltyshootout elfmeter tirsaubut";

const WON: &str = "winner iswinner won win haswon outcome";

const DRAWS: &str = "draw drawn tie tied remis unentschieden nul nulle matchnul egalite empate tablas \
     patta 무승부 平 d t u halved equal stalemate \
     uavgjort oavgjort uafgjort gelijk gelijkspel pareggio remisa remiza neriseno nereseno izenacen \
     tasapeli tasan dontetlen berabere beraberlik igualada ничья нічия ισοπαλια 引き分け 平局 和棋 \
     תיקו تعادل";

/// True if a normalised word says that nobody won.
pub(crate) fn is_draw_word(word: &str) -> bool {
    has_word(DRAWS, word)
}

/// The field that a column holds about one of the competitors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// The name; the number is the strength of the match, 0 is the best.
    Name(EntrantKind, u8),
    Id(u8),
    Score(u8),
    Shootout,
    /// True or a word, if the competitor won.
    Won,
}

/// The meaning of a heading about one of the competitors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeatHeading {
    /// `None` if the heading is only a field and a number.
    pub(crate) pairing: Option<Pairing>,
    pub(crate) seat: Seat,
    /// The member of a team.
    pub(crate) member: Option<u8>,
    pub(crate) field: Field,
    /// The word of the field, equal in the headings of both seats.
    pub(crate) word: String,
}

impl Field {
    pub(crate) const fn strength(self) -> u8 {
        match self {
            Self::Name(_, strength) | Self::Id(strength) | Self::Score(strength) => strength,
            Self::Shootout | Self::Won => 0,
        }
    }

    /// True if both are the same field, of any strength.
    pub(crate) fn is_same(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

impl Pairing {
    /// Returns the sides of both competitors, if the pairing says who has the advantage.
    pub(crate) const fn sides(self) -> Option<[Side; 2]> {
        match self {
            Self::WhiteBlack => Some([Side::White, Side::Black]),
            Self::HomeAway => Some([Side::Home, Side::Away]),
            Self::FirstSecond => Some([Side::First, Side::Second]),
            Self::RedBlue | Self::LeftRight | Self::Numbered | Self::WinnerLoser => None,
        }
    }

    /// Returns the meanings of the columns of names.
    pub(crate) const fn meanings(self, kind: EntrantKind) -> [ColumnMeaning; 2] {
        use ColumnMeaning as Of;
        match (self, kind) {
            (Self::WhiteBlack, _) => [Of::White, Of::Black],
            (Self::HomeAway, _) => [Of::Home, Of::Away],
            (Self::FirstSecond, _) => [Of::First, Of::Second],
            (Self::WinnerLoser, _) => [Of::Winner, Of::Loser],
            (Self::RedBlue | Self::LeftRight | Self::Numbered, EntrantKind::Team) => {
                [Of::Team1, Of::Team2]
            }
            (Self::RedBlue | Self::LeftRight | Self::Numbered, _) => [Of::Player1, Of::Player2],
        }
    }

    /// Returns the pairing and the seat of a stated meaning of a column of names.
    pub(crate) const fn from_meaning(meaning: ColumnMeaning) -> Option<(Self, Seat)> {
        use ColumnMeaning as Of;
        Some(match meaning {
            Of::White => (Self::WhiteBlack, Seat::One),
            Of::Black => (Self::WhiteBlack, Seat::Two),
            Of::Home => (Self::HomeAway, Seat::One),
            Of::Away => (Self::HomeAway, Seat::Two),
            Of::First => (Self::FirstSecond, Seat::One),
            Of::Second => (Self::FirstSecond, Seat::Two),
            Of::Player1 | Of::Team1 => (Self::Numbered, Seat::One),
            Of::Player2 | Of::Team2 => (Self::Numbered, Seat::Two),
            Of::Winner => (Self::WinnerLoser, Seat::One),
            Of::Loser => (Self::WinnerLoser, Seat::Two),
            _ => return None,
        })
    }
}

/// Returns the normalised word of a heading, without units.
pub(crate) fn heading_word(heading: &str) -> String {
    if heading.len() > 60 {
        return String::new();
    }
    normalise_word(&strip_brackets(heading))
}

/// Parses a heading about one of the competitors, as [`heading_word`] returns it.
pub(crate) fn parse_seat_heading(word: &str) -> Option<SeatHeading> {
    let entry = WHOLE_HEADINGS.iter().find(|(known, ..)| *known == word);
    if let Some(&(_, pairing, seat, field)) = entry {
        return seat_heading(Some(pairing), seat, field);
    }
    parse_sided(word).or_else(|| match replace_number_word(word) {
        Some(numbered) => parse_numbered(&numbered),
        None => parse_numbered(word),
    })
}

/// Parses a heading about the opponent of a winner: `Opponent Score`.
pub(crate) fn parse_opponent_of_winner(word: &str) -> Option<SeatHeading> {
    let rest = OPPONENTS.split(' ').find_map(|opponent| word.strip_prefix(opponent))?;
    let mut fields = std::iter::once(rest).chain(rest.strip_prefix('s'));
    fields.find_map(|field| seat_heading(Some(Pairing::WinnerLoser), Seat::Two, field))
}

/// Returns `team1score` of `teamonescore`.
fn replace_number_word(word: &str) -> Option<String> {
    let nouns = PERSONS.split(' ').chain(TEAMS.split(' '));
    let mut nouns = nouns.filter(|noun| noun.len() > 1);
    nouns.find_map(|noun| {
        let rest = word.strip_prefix(noun)?;
        let numbers = [("one", "1"), ("two", "2")].into_iter();
        let mut numbered =
            numbers.filter_map(|(name, digit)| Some((rest.strip_prefix(name)?, digit)));
        let (field, digit) = numbered.next()?;
        Some(format!("{noun}{digit}{field}"))
    })
}

/// Returns the seat that a word of a side means: `white`, `away team`, `red`.
pub(crate) fn parse_side_word(word: &str) -> Option<(Pairing, Seat)> {
    let heading = parse_sided(word)?;
    Some((heading.pairing?, heading.seat))
}

/// Returns the side of a heading and the rest of it, whatever that means: `home_corners`.
pub(crate) fn split_side(word: &str) -> Option<(Pairing, Seat, &str)> {
    let sides = SIDES.iter().flat_map(|&(pairing, ones, twos)| {
        let seats = [(Seat::One, ones), (Seat::Two, twos)].into_iter();
        seats.flat_map(move |(seat, sides)| sides.split(' ').map(move |side| (pairing, seat, side)))
    });
    let split = sides.filter_map(|(pairing, seat, side)| {
        let rest = word.strip_prefix(side).or_else(|| word.strip_suffix(side))?;
        Some((pairing, seat, rest))
    });
    // Of "visit" and "visitor", the longer is meant.
    split.min_by_key(|(.., rest)| rest.len())
}

/// Returns the kind of competitors that a heading names, unless the words of a side decide.
pub(crate) fn kind_of(pairing: Pairing, word: &str) -> EntrantKind {
    let names_team = TEAMS.split(' ').any(|team| word.contains(team));
    let names_player = ["player", "spieler", "joueur", "jugador"].iter().any(|p| word.contains(p));
    if names_team || (pairing == Pairing::HomeAway && !names_player) {
        EntrantKind::Team
    } else {
        EntrantKind::Person
    }
}

/// True if a normalised word of a heading is one for competitors or their names.
pub(crate) fn names_competitor(word: &str) -> bool {
    has_word(PERSONS, word) || has_word(TEAMS, word)
}

fn parse_sided(word: &str) -> Option<SeatHeading> {
    for &(pairing, ones, twos) in SIDES {
        for (seat, sides) in [(Seat::One, ones), (Seat::Two, twos)] {
            for side in sides.split(' ') {
                let rest = word.strip_prefix(side).or_else(|| word.strip_suffix(side));
                let heading = rest.and_then(|rest| seat_heading(Some(pairing), seat, rest));
                if heading.is_some() {
                    return heading;
                }
            }
        }
    }
    None
}

/// Parses `player1`, `team 2 score`, `score1`, `model_a`, `player 1b`, `team1 player2`.
fn parse_numbered(word: &str) -> Option<SeatHeading> {
    let at = word.find(['1', '2']);
    let (seat, before, after) = match at {
        Some(at) => (Seat::from_mark(&word[at..=at])?, &word[..at], &word[at + 1..]),
        None => split_at_letter(word)?,
    };
    let is_noun = has_word(PERSONS, before) || has_word(TEAMS, before);
    if !is_noun {
        // `score1`, `id2`, `goals player 1`.
        let noun_after = has_word(PERSONS, after) || has_word(TEAMS, after);
        let fits = after.is_empty() || (at.is_some() && noun_after);
        let field = singular(before);
        let is_field = has_word(NUMBERED_SCORES, field)
            || field == "id"
            || (at.is_none() && rank_score(field).is_some());
        return (fits && is_field).then(|| seat_heading(None, seat, field))?;
    }
    let pairing = Some(Pairing::Numbered);
    if after.is_empty() {
        return seat_heading(pairing, seat, before);
    }
    // `team1 player2` and `player 1b` name a member.
    if at.is_some()
        && let Some((noun, member)) = after.split_at_checked(after.len() - 1)
        && let Some(member) = parse_member(member)
        && (noun.is_empty() || has_word(PERSONS, noun))
    {
        let kind = EntrantKind::Team;
        return Some(SeatHeading {
            pairing,
            seat,
            member: Some(member),
            field: Field::Name(kind, 0),
            word: before.to_owned() + noun,
        });
    }
    let is_team = has_word(TEAMS, before);
    match parse_field(after)? {
        Field::Name(..) if is_team => seat_heading(pairing, seat, "teamname"),
        _ => seat_heading(pairing, seat, after),
    }
}

/// Splits `model_a` or `player_b_score` at the letter of the seat.
fn split_at_letter(word: &str) -> Option<(Seat, &str, &str)> {
    let nouns = PERSONS.split(' ').chain(TEAMS.split(' '));
    let mut nouns = nouns.filter(|noun| noun.len() > 1);
    nouns.find_map(|noun| split_after(word, noun)).or_else(|| {
        let (field, letter) = word.split_at_checked(word.len().checked_sub(1)?)?;
        let seat = Seat::from_mark(letter).filter(|_| rank_score(field).is_some())?;
        Some((seat, field, ""))
    })
}

/// Splits a word at the letter of the seat after a noun.
fn split_after<'w>(word: &'w str, noun: &str) -> Option<(Seat, &'w str, &'w str)> {
    let rest = word.strip_prefix(noun)?;
    let seat = match rest.bytes().next()? {
        b'a' => Seat::One,
        b'b' => Seat::Two,
        _ => return None,
    };
    let fits = rest.len() == 1 || parse_field(&rest[1..]).is_some();
    fits.then(|| (seat, &word[..noun.len()], &rest[1..]))
}

fn seat_heading(pairing: Option<Pairing>, seat: Seat, rest: &str) -> Option<SeatHeading> {
    // `winner1 name` is the first of two winners.
    let digit = rest.get(..1).filter(|mark| mark.bytes().all(|byte| byte.is_ascii_digit()));
    let member = digit.and_then(parse_member);
    let rest = if member.is_some() { &rest[1..] } else { rest };
    let mut field = parse_field(rest)?;
    if let (Field::Name(kind, _), Some(pairing)) = (&mut field, pairing) {
        *kind = kind_of(pairing, rest);
    }
    Some(SeatHeading {
        pairing,
        seat,
        member,
        field,
        word: rest.to_owned(),
    })
}

fn parse_field(rest: &str) -> Option<Field> {
    if rest.is_empty() {
        return Some(Field::Name(EntrantKind::Person, 2));
    }
    if has_word(PERSONS, rest) || has_word(TEAMS, rest) {
        // `player name` is better than `player`.
        let strength = u8::from(!rest.ends_with("name"));
        return Some(Field::Name(EntrantKind::Person, strength));
    }
    if has_word(FURTHER_NAMES, rest) {
        return Some(Field::Name(EntrantKind::Person, 2));
    }
    if let Some(noun) = rest.strip_suffix("id") {
        let is_competitor = noun.is_empty() || has_word(PERSONS, noun) || has_word(TEAMS, noun);
        // A plain id is better than that of a federation.
        let is_issuer = has_word("fide uscf ecf person account", noun);
        return (is_competitor || is_issuer).then_some(Field::Id(u8::from(is_issuer)));
    }
    let singular = singular(rest);
    // `home team score` and `score of the home team`.
    let nouns = PERSONS.split(' ').chain(TEAMS.split(' '));
    let mut bare = nouns.filter_map(|noun| singular.strip_prefix(noun));
    if has_word(SHOOTOUTS, singular) {
        return Some(Field::Shootout);
    }
    if has_word(WON, rest) {
        return Some(Field::Won);
    }
    let rank = rank_score(singular).or_else(|| bare.find_map(rank_score))?;
    Some(Field::Score(rank as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(heading: &str) -> String {
        let Some(seat_heading) = parse_seat_heading(&heading_word(heading)) else {
            return "none".to_owned();
        };
        let pairing = seat_heading.pairing;
        let pairing = pairing.map_or("any".to_owned(), |pairing| format!("{pairing:?}"));
        let member =
            seat_heading.member.map_or(String::new(), |member| format!(" member {member}"));
        let field = match seat_heading.field {
            Field::Name(kind, _) => kind.as_str(),
            Field::Id(_) => "id",
            Field::Score(_) => "score",
            Field::Shootout => "shootout",
            Field::Won => "won",
        };
        format!("{pairing} {:?}{member} {field}", seat_heading.seat)
    }

    #[test]
    fn headings_of_competitors_are_recognised() {
        for (heading, expected) in [
            ("White", "WhiteBlack One person"),
            ("Weiß", "WhiteBlack One person"),
            ("Schwarz", "WhiteBlack Two person"),
            ("white_id", "WhiteBlack One id"),
            ("WhiteFideId", "WhiteBlack One id"),
            ("black.username", "WhiteBlack Two person"),
            ("home", "HomeAway One team"),
            ("HomeTeam", "HomeAway One team"),
            ("away_score", "HomeAway Two score"),
            ("Away team goals", "HomeAway Two score"),
            ("home_team_id", "HomeAway One id"),
            ("home_penalties", "HomeAway One shootout"),
            ("FTHG", "HomeAway One score"),
            ("Heimmannschaft", "HomeAway One team"),
            ("Tore Gast", "HomeAway Two score"),
            ("visitante", "HomeAway Two team"),
            ("winner_name", "WinnerLoser One person"),
            ("winning_team", "WinnerLoser One team"),
            ("loser_id", "WinnerLoser Two id"),
            ("winner1_name", "WinnerLoser One member 0 person"),
            ("Verlierer", "WinnerLoser Two person"),
            ("WTeamID", "WinnerLoser One id"),
            ("player_1", "Numbered One person"),
            ("Player 2 ID", "Numbered Two id"),
            ("player1_score", "Numbered One score"),
            ("player_1b", "Numbered One member 1 team"),
            ("Team 2 Player 1", "Numbered Two member 0 team"),
            ("Team 2 Player 4", "Numbered Two member 3 team"),
            ("red3", "RedBlue One member 2 person"),
            ("team_1", "Numbered One team"),
            ("score2", "any Two score"),
            ("score_b", "any Two score"),
            ("id1", "any One id"),
            ("model_a", "Numbered One person"),
            ("left", "LeftRight One person"),
            ("player_b_score", "Numbered Two score"),
            ("player_b_winner", "Numbered Two won"),
            ("home_win", "HomeAway One won"),
            ("Team B", "Numbered Two team"),
            ("first_player", "FirstSecond One person"),
            ("R_fighter", "RedBlue One person"),
            ("blue_team", "RedBlue Two team"),
            ("Gość", "HomeAway Two team"),
            ("Home/Neutral", "HomeAway One team"),
            ("w_player1", "WinnerLoser One member 0 person"),
            ("puntos_visitante", "HomeAway Two score"),
            ("golosMarcadosVisitado", "HomeAway One score"),
            ("saetzeA", "any One score"),
            ("teamOneScore", "Numbered One score"),
            ("playerTwo", "Numbered Two person"),
            ("teama_short_name", "Numbered One team"),
            ("Winners Score", "WinnerLoser One score"),
        ] {
            assert_eq!(show(heading), expected, "{heading}");
        }
        for heading in [
            "",
            "HTHG",
            "white_elo",
            "winner_rank_points",
            "Set 1",
            "W1",
            "Round 1",
            "home page",
            "Whitehall",
            "HomeTown",
            "draw_size",
            "Player",
            "HS",
            "1",
            "B365H",
        ] {
            assert_eq!(show(heading), "none", "{heading}");
        }
    }
}
