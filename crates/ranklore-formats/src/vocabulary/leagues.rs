//! Abbreviations in league tables: a letter counts wins in one language and losses in another, so
//! that only the cells can tell.

/// The headings of one language or more, as [`normalise_word`](super::words::normalise_word) returns
/// them.
pub(crate) struct LeagueHeadings {
    pub(crate) wins: &'static str,
    pub(crate) draws: &'static str,
    pub(crate) losses: &'static str,
    /// Headings of points that are known only beside the others.
    pub(crate) points: &'static str,
}

const fn language(
    wins: &'static str,
    draws: &'static str,
    losses: &'static str,
    points: &'static str,
) -> LeagueHeadings {
    LeagueHeadings {
        wins,
        draws,
        losses,
        points,
    }
}

/// The headings of all languages. A new language is a line here.
pub(crate) const LEAGUES: [LeagueHeadings; 13] = [
    // English, German, Dutch.
    language(
        "w win wins won",
        "d t draw draws drawn tie ties tied",
        "l loss losses lost",
        "p",
    ),
    language("s g sg siege gew", "u unentschieden", "n v ng niederlagen verl", "p"),
    language("w winst gewonnen", "g gelijk", "v verlies verloren", "p"),
    // Swedish, Norwegian and Danish, Finnish.
    language("v vunna vinster", "o oavgjorda", "f forluster forlorade", "p"),
    language("v s vunnet seier vundne", "u uavgjort uafgjorte", "t tap tapt tabte", "p"),
    language("v voitot", "t tasapelit", "h haviot", "p"),
    // Polish, Czech and Slovak, Hungarian.
    language("z w wygrane zwyciestwa", "r remisy", "p porazki przegrane", "pkt"),
    language("v vyhry", "r remizy", "p prohry prehry", "b"),
    language("gy gyozelem", "d dontetlen", "v vereseg", "p"),
    // French, Spanish and Portuguese, Italian.
    language("g v gagnes victoires", "n nuls", "p d perdus defaites", "p"),
    language(
        "g pg v ganados vitorias",
        "e pe empatados empates",
        "p pp d perdidos derrotas",
        "p",
    ),
    language("v vinte vittorie", "n p pareggi nulle", "p s perse sconfitte", "p"),
    // Japanese and Chinese.
    language("勝 胜", "分 引分 平", "敗 負 负", "点"),
];

/// Headings of games won or lost in overtime or by a shootout, beside the others.
pub(crate) const OVERTIME: &str = "otw otl sow sol ot nv np svp snp";
