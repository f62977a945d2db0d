//! Search for names as users type them.

use proptest::prelude::*;
use ranklore_views::{MAX_CANDIDATES, NameMatch, find_by_names, find_name};

fn find(text: &str, names: &[&str]) -> NameMatch {
    find_name(text, names.iter().copied())
}

fn candidates(indices: &[usize]) -> NameMatch {
    NameMatch::Candidates(indices.to_vec(), 0)
}

#[test]
fn exact_name_comes_first() {
    let names = ["anna", "Anna", "Ánna", "Annas"];
    assert_eq!(find("Anna", &names), NameMatch::Exact(1));
    assert_eq!(find("Annas", &names), NameMatch::Exact(3));
    assert_eq!(find("ANNA", &names), candidates(&[0, 1, 2]));
    assert_eq!(find("x", &["x", "y", "x"]), candidates(&[0, 2]));
    assert_eq!(find("", &["", "y"]), NameMatch::Exact(0));
    let many = ["x"; 20];
    let first = NameMatch::Candidates((0..8).collect(), 12);
    assert_eq!(find("x", &many), first);
    assert_eq!(find("X", &many), first);
    assert_eq!(find("x", &["xy"; 20]), first);
}

#[test]
fn competitor_with_several_names_is_found_once() {
    let names = [
        (0, "Ngozi A."),
        (1, "Tobias"),
        (0, "Ngozi Abanwe"),
        (0, "NGOZI A."),
    ];
    let find = |text| find_by_names(text, names.iter().copied());
    assert_eq!(find("ngozi"), NameMatch::Near(0));
    assert_eq!(find("ngozi a."), NameMatch::Folded(0));
    assert_eq!(find("ngozi abnawe"), NameMatch::Near(0));
    assert_eq!(find("abanwe ngozi"), NameMatch::Near(0));
    let similar = [(0, "mika"), (0, "mikel"), (1, "mikulas")];
    assert_eq!(find_by_names("mik", similar.iter().copied()), candidates(&[0, 1]));
}

#[test]
fn case_accents_and_spaces_are_ignored() {
    for (text, name) in [
        ("sarka novakova", "Šárka Nováková"),
        ("ŠÁRKA NOVÁKOVÁ", "Šárka Nováková"),
        (" šárka \t nováková\n", "Šárka\u{a0}Nováková"),
        ("S\u{30c}a\u{301}rka", "Šárka"),
        ("lodz", "Łódź"),
        ("Soren Weiss", "Søren Weiß"),
        ("ISTANBUL", "İstanbul"),
        ("diyarbakir", "Diyarbakır"),
        ("ΣΊΣΥΦΟΣ", "Σίσυφος"),
        ("алексей", "АЛЕКСЕЙ"),
        ("Алексеи", "Алексей"),
        ("fullwidth", "Ｆｕｌｌｗｉｄｔｈ"),
        ("שלום", "שָׁלוֹם"),
        ("محمد", "مُحَمَّد"),
        ("한국", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}"),
    ] {
        let names = ["somebody else", name];
        assert_eq!(find(text, &names), NameMatch::Folded(1), "{text} {name}");
    }
}

#[test]
fn letter_changing_marks_are_kept() {
    for (text, name) in [("राम", "रम"), ("かき", "がき"), ("กุ", "กู")] {
        assert_eq!(find(text, &[name]), NameMatch::Nearest(Vec::new()), "{text} {name}");
    }
}

#[test]
fn allowed_typos_depend_on_length() {
    for (text, name, is_near) in [
        ("ab", "ac", false),
        ("abc", "abd", true),
        ("abcd", "acbd", true),
        ("abcd", "axyd", false),
        ("abcde", "axyde", true),
        ("abcdefgh", "badcefgh", true),
        ("abcdefgh", "axyzefgh", false),
        ("abcdefghi", "axyzefghi", true),
        ("abcdefghi", "wxyzefghi", false),
        ("Marne Holoway-Diaz", "Maren Holloway-Diaz", true),
    ] {
        let expected = if is_near {
            NameMatch::Near(0)
        } else {
            NameMatch::Nearest(Vec::new())
        };
        assert_eq!(find(text, &[name]), expected, "{text} {name}");
        assert_eq!(find(name, &[text]), expected, "{name} {text}");
    }
}

#[test]
fn only_a_clearly_nearest_name_matches() {
    // Fewer typos than the other.
    assert_eq!(find("tuorist", &["tourists", "tourist"]), NameMatch::Near(1));
    assert_eq!(find("petrovic", &["petrovcky", "petrowic", "xetrovickx"]), NameMatch::Near(1));
    // Equally many typos.
    assert_eq!(find("novik", &["novak", "somebody", "novek"]), candidates(&[0, 2]));
    // Another name contains it.
    assert_eq!(
        find("mila", &["mika", "camilan", "Mila Novak", "mina"]),
        candidates(&[2, 0, 3, 1])
    );
}

#[test]
fn unique_part_of_name_matches() {
    let names = ["Petr Novák", "Jana Nováková", "Jan Dvořák", "Marjana Lee"];
    assert_eq!(find("dvor", &names), NameMatch::Near(2));
    assert_eq!(find("dvorak jan", &names), NameMatch::Near(2));
    assert_eq!(find("novak", &names), candidates(&[0, 1]));
    assert_eq!(find("jan", &names), candidates(&[2, 1, 3]));
    assert_eq!(find("vák", &names), candidates(&[0, 1]));
    assert_eq!(find("zzz", &names), NameMatch::Nearest(Vec::new()));
    for nothing in ["", " ", "\u{301}"] {
        assert_eq!(find(nothing, &names), NameMatch::Nearest(Vec::new()));
    }
}

#[test]
fn mistyped_part_of_name_matches() {
    let names = [
        "Maren Holloway-Diaz",
        "Marek Hollander",
        "Aren Diaz",
        "R2 D2",
    ];
    assert_eq!(find("maren holoway", &names), NameMatch::Near(0));
    assert_eq!(find("dias", &names), candidates(&[2, 0]));
    assert_eq!(find("hollowai", &names), NameMatch::Near(0));
    assert_eq!(find("marex", &names), candidates(&[1, 0]));
    assert_eq!(find("holloway x", &names), NameMatch::Nearest(Vec::new()));
    let rounds = ["Spring Open, round 12", "Autumn Open, round 13"];
    assert_eq!(find("sprnig round 12", &rounds), NameMatch::Near(0));
    assert_eq!(find("sprnig round 13", &rounds), NameMatch::Nearest(Vec::new()));
}

#[test]
fn numbers_match_whole() {
    let nearest = |indices: &[usize]| NameMatch::Nearest(indices.to_vec());
    assert_eq!(find("Spring Round 12", &["Spring Round 13"]), nearest(&[0]));
    assert_eq!(
        find("Sprnig Round 12", &["Spring Round 13", "Spring Round 12"]),
        NameMatch::Near(1)
    );
    assert_eq!(find("round 1", &["Round 13", "Round 12"]), nearest(&[1, 0]));
    let rounds = [
        "Codeforces Round #100",
        "Codeforces Round 1500 (Div. 2)",
        "Codeforces Round 501 (Div. 1, based on a long name)",
        "Codeforces Beta Round 499",
        "Educational Round",
        "Codeforces Round 5",
    ];
    assert_eq!(find("Codeforces Round 500", &rounds), nearest(&[3, 2, 0, 5, 1]));
    assert_eq!(find("500 round codeforces", &rounds), nearest(&[3, 2, 0, 5, 1]));
    assert_eq!(find("codeforces round 100", &rounds[..5]), NameMatch::Near(0));
    assert_eq!(find("round 150", &rounds[1..2]), nearest(&[0]));
    assert_eq!(find("ound 1500", &rounds), NameMatch::Near(1));
    assert_eq!(find("ound 150", &rounds), nearest(&[]));
    assert_eq!(find("500", &rounds), nearest(&[]));
    // A number that the query does not have differs too.
    assert_eq!(find("tuorist", &["tourist2"]), nearest(&[0]));
    let huge = "9".repeat(40);
    assert_eq!(find(&format!("round {huge}"), &["Round 1"]), nearest(&[0]));
}

#[test]
fn words_and_whole_numbers_in_sequence_win() {
    let rounds = [
        "Codeforces Beta Round #2",
        "Codeforces Beta Round #10 (Div. 2)",
        "Codeforces Beta Round #20 (Div. 2 Only)",
        "Codeforces Round #100",
        "Codeforces Round #115",
        "Codeforces Round #101 (Div. 2)",
        "Codeforces Round #270",
        "Codeforces Round #300",
        "Codeforces Round #300, 115 problems",
    ];
    for (text, number) in [
        ("Codeforces Round 100", 3),
        ("Codeforces Round 115", 4),
        ("Codeforces Round 101", 5),
        ("#270", 6),
        ("Codeforces Beta Round 2", 0),
        ("Beta Round 2", 0),
    ] {
        assert_eq!(find(text, &rounds), NameMatch::Near(number), "{text}");
    }
    let cups = ["Cup 1, spring", "Cup 2", "Cup 10", "Cup 11", "Cup 12"];
    assert_eq!(find("Cup 1", &cups), NameMatch::Near(0));
    // Two names fit equally.
    assert_eq!(find("Cup 1", &["Cup 1, spring", "Cup 1, autumn", "Cup 2"]), candidates(&[0, 1]));
    // Punctuation of a single word is compared.
    assert_eq!(find("c++", &["C#"]), NameMatch::Nearest(Vec::new()));
}

#[test]
fn long_names_match_without_typos() {
    let name: String = "very long ".repeat(100);
    assert_eq!(find(&name.to_uppercase(), &["x", &name]), NameMatch::Folded(1));
    assert_eq!(find(&name[..500], &["x", &name]), NameMatch::Near(1));
    let typo = name.replacen('v', "w", 1);
    assert_eq!(find(&typo, &["x", &name]), NameMatch::Nearest(Vec::new()));
}

/// Returns a name with one typo.
fn add_typo(name: &str, at: usize, kind: u8, letter: char) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    let at = at % letters.len();
    match kind {
        0 => letters[at] = letter,
        1 => letters.insert(at, letter),
        2 => drop(letters.remove(at)),
        _ => letters.swap(at, (at + 1) % name.chars().count()),
    }
    letters.into_iter().collect()
}

proptest! {
    #[test]
    fn name_matches_itself(
        names in prop::collection::vec("\\PC{0,6}", 1..20),
        one in any::<prop::sample::Index>(),
    ) {
        let index = one.index(names.len());
        let same = names.iter().filter(|name| **name == names[index]).count();
        match find_name(&names[index], names.iter().map(String::as_str)) {
            NameMatch::Exact(match_index) => prop_assert_eq!((match_index, same), (index, 1)),
            NameMatch::Candidates(candidates, omitted) => {
                prop_assert!(same > 1 && candidates.len() == same.min(MAX_CANDIDATES));
                prop_assert_eq!(candidates.len() + omitted, same);
                prop_assert!(candidates.iter().all(|&candidates| names[candidates] == names[index]));
            }
            other => prop_assert!(false, "{other:?}"),
        }
    }

    #[test]
    fn name_with_one_typo_matches(
        mut names in prop::collection::vec("[a-z]{1,5}", 0..20),
        name in "[A-Zäß王]{10,30}",
        place in any::<prop::sample::Index>(),
        at in 0_usize..30,
        kind in 0_u8..4,
        letter in prop::char::range('a', 'z'),
    ) {
        let index = place.index(names.len() + 1);
        names.insert(index, name.clone());
        // Swapping the last letter with the first would be two typos.
        let text = add_typo(&name, at % (name.chars().count() - 1), kind, letter);
        let actual = find_name(&text, names.iter().map(String::as_str));
        prop_assert!(
            [NameMatch::Exact(index), NameMatch::Folded(index), NameMatch::Near(index)].contains(&actual),
            "{} {}: {:?}", text, name, actual
        );
    }

    #[test]
    fn any_text_is_searched_without_panic(text in any::<String>(), names in any::<Vec<String>>()) {
        let actual = find_name(&text, names.iter().map(String::as_str));
        if let NameMatch::Candidates(actual, _) = actual {
            prop_assert!(actual.len() <= MAX_CANDIDATES);
            prop_assert!(actual.iter().all(|index| *index < names.len()));
        }
    }
}
