//! Words for women and men, in headings and cells.

use super::words::{has_word, normalise_word, strip_brackets};

const HEADINGS: &str = "gender sex geschlecht sexe genre sexo genero sesso geslacht kjonn kon koen sukupuoli \
     plec pohlavi spol mf fm mw пол 性別 성별";

const WORDS: &str = "female females male males women woman men man womens mens girls girl boys boy ladies lady \
     frauen frau herren herr damen dame weiblich mannlich maennlich maenner manner femmes femme hommes \
     homme feminin masculin mujeres mujer hombres hombre femenino masculino feminino donne uomini \
     femminile maschile kvinner menn kvinnor dam naiset miehet 女 男 女子 男子 女性 男性 mixed open";

/// True if a heading means the gender of competitors.
pub(crate) fn is_gender_heading(heading: &str) -> bool {
    has_word(HEADINGS, &normalise_word(&strip_brackets(heading)))
}

/// True if a cell is a word for women or men.
pub(crate) fn is_gender_word(cell: &str) -> bool {
    // Most cells are numbers, or longer texts.
    cell.len() <= 20 && has_word(WORDS, &normalise_word(cell))
}

/// True if a cell is a letter for women or men.
pub(crate) fn is_gender_letter(cell: &str) -> bool {
    matches!(
        cell,
        "F" | "M" | "W" | "H" | "D" | "K" | "X" | "f" | "m" | "w" | "h" | "d" | "k" | "x"
    )
}
