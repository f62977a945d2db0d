//! The days of the week.

use super::words::{has_word, normalise_word};

const WEEKDAYS: &str = "monday tuesday wednesday thursday friday saturday sunday \
     mon tue tues wed thu thur thurs fri sat sun \
     montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so \
     lundi mardi mercredi jeudi vendredi samedi dimanche lun mar mer jeu ven sam dim \
     lunes martes miercoles jueves viernes sabado domingo mie jue vie sab dom \
     lunedi martedi mercoledi giovedi venerdi domenica gio \
     maandag dinsdag woensdag donderdag vrijdag zaterdag zondag ma wo vr za zo \
     mandag tirsdag onsdag torsdag fredag lordag sondag tisdag man tir tis ons tor fre lor son \
     segunda terca quarta quinta sexta \
     poniedzialek wtorek sroda czwartek piatek sobota niedziela pon wt sr czw pt sob niedz \
     pazartesi sali carsamba persembe cuma cumartesi pazar \
     日 月 火 水 木 金 土 日曜日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日";

/// True if a text is a day of the week: `Mon`, `Samstag`, `Do.`.
pub(crate) fn is_weekday(text: &str) -> bool {
    (2..=24).contains(&text.len()) && has_word(WEEKDAYS, &normalise_word(text))
}
