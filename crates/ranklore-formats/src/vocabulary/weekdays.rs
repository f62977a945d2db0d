//! The days of the week.

use super::words::{has_word, normalise_word};

/// The words for each day, from Monday.
const WEEKDAYS: [&str; 7] = [
    "monday mon montag mo lundi lun lunes lunedi maandag ma mandag man segunda poniedzialek pon \
     pazartesi 月 月曜日",
    "tuesday tue tues dienstag di mardi mar martes martedi dinsdag tirsdag tisdag tir tis terca wtorek \
     wt sali 火 火曜日",
    "wednesday wed mittwoch mi mercredi mer miercoles mie mercoledi woensdag wo onsdag ons quarta sroda \
     sr carsamba 水 水曜日",
    "thursday thu thur thurs donnerstag do jeudi jeu jueves jue giovedi gio donderdag torsdag tor quinta \
     czwartek czw persembe 木 木曜日",
    "friday fri freitag fr vendredi ven viernes vie venerdi vrijdag vr fredag fre sexta piatek pt cuma \
     金 金曜日",
    "saturday sat samstag sonnabend sa samedi sam sabado sab zaterdag za lordag lor sobota sob \
     cumartesi 土 土曜日",
    "sunday sun sonntag so dimanche dim domingo dom domenica zondag zo sondag son niedziela niedz pazar \
     日 日曜日",
];

/// Returns the number of a day of the week, from 0 for Monday: `Mon`, `Samstag`, `Do.`.
fn parse_any_weekday(text: &str) -> Option<usize> {
    if !(2..=24).contains(&text.len()) {
        return None;
    }
    let word = normalise_word(text);
    WEEKDAYS.iter().position(|words| has_word(words, &word))
}

/// Returns the number of a day of the week, from 0 for Monday, if its word has no other meaning: `Mon`,
/// `Samstag`, `jeu.`.
pub(crate) fn parse_weekday(text: &str) -> Option<usize> {
    // `So` is a Sunday in German and a Saturday in Polish, `tor` a Thursday in Swedish and a Tuesday
    // in Slovenian.
    let is_ambiguous = |word: &str| word.len() == 2 || word == "tor";
    parse_any_weekday(text).filter(|_| !is_ambiguous(&normalise_word(text)))
}

/// True if a text is a day of the week: `Mon`, `Samstag`, `Do.`.
pub(crate) fn is_weekday(text: &str) -> bool {
    parse_any_weekday(text).is_some()
}
