//! Games that are written as PGN are read back.

use proptest::prelude::*;
use ranklore_grid::normalise_spelling;

use super::pgn::{game, pgn};
use super::{contest_lines, refused};

#[test]
fn escapes_and_stray_quotes_are_read() {
    for (written, name) in [
        (r#"Dov \"Ace\" Lind"#, "Dov \"Ace\" Lind"),
        (r#"Dov "Ace" Lind"#, "Dov \"Ace\" Lind"),
        (r"C:\games\", r"C:\games\"),
        (r"a\\b", r"a\b"),
        (r#"Ada [x] ""#, "Ada [x] \""),
    ] {
        let reading = pgn(game(&[("Date", "2024.05.17"), ("White", written), ("Black", "Bea")]));
        let contest = reading.contests.get(0).unwrap();
        assert_eq!(contest.entrants[0].competitor, name, "{written}");
    }
}

/// A game that is written and read back.
#[derive(Clone, Debug)]
struct WrittenGame {
    white: String,
    black: String,
    day: u32,
    result: usize,
    moves: String,
}

fn written_game() -> impl Strategy<Value = WrittenGame> {
    // No word for nobody, such as NN, ends in these letters.
    let name = "[A-Z\"\\\\\\[\\]{};%é][a-z\"\\\\\\[\\]{};% ]{0,8}[b-df-hj-m]";
    let moves = prop::collection::vec(
        prop_oneof![
            "[a-h][1-8]".boxed(),
            Just("{[%clk 0:01:00]}".to_owned()).boxed(),
            Just("{[White \"x\"]\n[Black \"y\"]\n\n[Result \"1-0\"]\n}".to_owned()).boxed(),
            Just("; [White \"x\"] {\n".to_owned()).boxed(),
            Just("\n% [White \"x\"] {\n".to_owned()).boxed(),
            Just("\n".to_owned()).boxed(),
            Just("\n\n(1. e4 {;} $1)".to_owned()).boxed(),
        ],
        0..12,
    );
    (name, name, 1_u32..29, 0_usize..3, moves).prop_map(|(white, black, day, result, moves)| {
        // Several spaces in a row are read as one.
        let [white, black] = [white, black].map(|name| normalise_spelling(&name).into_owned());
        WrittenGame {
            white,
            black,
            day,
            result,
            moves: moves.join(" "),
        }
    })
}

proptest! {
    #[test]
    fn written_games_are_read_back(
        games in prop::collection::vec(written_game(), 1..8),
        end in prop::sample::select(vec!["\n", "\r\n"]),
    ) {
        let escape = |name: &str| name.replace('\\', "\\\\").replace('"', "\\\"");
        let mut text = String::new();
        let mut expected = Vec::new();
        for game in games.iter().filter(|game| game.white != game.black) {
            let result = ["1-0", "0-1", "1/2-1/2"][game.result];
            text.push_str(&format!(
                "[Event \"x\"]\n[White \"{}\"]\n[Black \"{}\"]\n[Date \"2024.05.{:02}\"]\n\
                 [Result \"{result}\"]\n\n{}\n{result}\n\n",
                escape(&game.white), escape(&game.black), game.day, game.moves
            ));
            let line = match game.result {
                0 => format!("1 {}, 2 {}", game.white, game.black),
                1 => format!("1 {}, 2 {}", game.black, game.white),
                _ => format!("1 {}, 1 {}", game.white, game.black),
            };
            let white = &game.white;
            let black = &game.black;
            let day = game.day;
            expected.push(format!("{white} – {black} 2024-05-{day:02}: {line}"));
        }
        prop_assume!(!expected.is_empty());
        let reading = pgn(text.replace('\n', end));
        prop_assert_eq!(contest_lines(&reading), expected);
        prop_assert_eq!(refused(&reading), [""; 0]);
    }
}
