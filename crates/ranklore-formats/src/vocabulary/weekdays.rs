//! The days of the week.

use super::words::{has_word, normalise_word};

const WEEKDAYS: &str = "monday tuesday wednesday thursday friday saturday sunday \
     mon tue tues wed thu thur thurs fri sat sun \
     montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so \
     lundi mardi mercredi jeudi vendredi samedi dimanche lun mar mer jeu ven sam dim \
     lunes martes miercoles jueves viernes sabado domingo mie jue vie sab dom \
     lunedi martedi mercoledi giovedi venerdi domenica gio \
     maandag dinsdag woensdag donderdag vrijdag zaterdag zondag ma wo vr za zo \
     mandag tirsdag onsdag torsdag fredag lordag sondag tisdag man tir tis ons tor fre lor son";

/// True if a text is a day of the week: `Mon`, `Samstag`, `Do.`.
pub(crate) fn is_weekday(text: &str) -> bool {
    (2..=12).contains(&text.len()) && has_word(WEEKDAYS, &normalise_word(text))
}
