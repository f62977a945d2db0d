//! The tables of a dataset, column by column: the one place that says what is published. What
//! stands in no column here leaves the file in no format.

/// A table of a dataset.
#[derive(Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// What a row of it is, in a sentence.
    pub meaning: &'static str,
    /// Its columns in order.
    pub columns: &'static [Column],
    /// The columns that tell its rows apart.
    pub key: &'static [&'static str],
    /// The tables that its rows refer to.
    pub references: &'static [Reference],
    /// The order of its rows.
    pub order: &'static str,
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What its values are.
    pub kind: Kind,
    /// Whether values may be missing.
    pub nullable: bool,
    /// In what its values are counted; empty where they are not.
    pub unit: &'static str,
    /// What it says, in a sentence or two.
    pub meaning: &'static str,
    /// A value as CSV has it.
    pub example: &'static str,
}

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text.
    Text,
    /// A whole number of 64 bits.
    Integer,
    /// A floating-point number of 64 bits, always finite.
    Number,
    /// A moment in UTC, in whole seconds.
    Time,
    /// True or false.
    Boolean,
}

impl Kind {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Time => "time",
            Self::Boolean => "boolean",
        }
    }
}

/// Rows of another table that the rows of a table refer to.
#[derive(Debug)]
pub struct Reference {
    /// The columns that refer.
    pub columns: &'static [&'static str],
    /// The other table.
    pub table: TableId,
    /// The columns there.
    pub to: &'static [&'static str],
}

/// Which table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TableId {
    /// Contests.
    Contest,
    /// Who stood where.
    Standing,
    /// People in teams and couples.
    Member,
    /// People, teams and couples.
    Competitor,
    /// Runs of rating systems.
    RatingRun,
    /// What they made of whom.
    Rating,
}

impl TableId {
    /// All of them, each after those that its rows refer to but for [`TableId::Competitor`], which
    /// is only known once all who stand anywhere are.
    pub const ALL: [Self; 6] = [
        Self::Contest,
        Self::Standing,
        Self::Member,
        Self::Competitor,
        Self::RatingRun,
        Self::Rating,
    ];

    /// Those that hold results; the others hold what was made of them.
    pub const RESULTS: [Self; 4] = [
        Self::Contest,
        Self::Standing,
        Self::Member,
        Self::Competitor,
    ];

    /// The table itself.
    #[must_use]
    pub const fn table(self) -> &'static Table {
        match self {
            Self::Contest => &CONTEST,
            Self::Standing => &STANDING,
            Self::Member => &MEMBER,
            Self::Competitor => &COMPETITOR,
            Self::RatingRun => &RATING_RUN,
            Self::Rating => &RATING,
        }
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.table().name
    }

    /// Its place in [`TableId::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

const fn text(name: &'static str, meaning: &'static str, example: &'static str) -> Column {
    Column {
        name,
        kind: Kind::Text,
        nullable: false,
        unit: "",
        meaning,
        example,
    }
}

const fn counted(
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    example: &'static str,
) -> Column {
    Column {
        kind: Kind::Integer,
        unit,
        ..text(name, meaning, example)
    }
}

const fn number(
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    example: &'static str,
) -> Column {
    Column {
        kind: Kind::Number,
        unit,
        ..text(name, meaning, example)
    }
}

const fn time(name: &'static str, meaning: &'static str, example: &'static str) -> Column {
    Column {
        kind: Kind::Time,
        unit: "UTC, whole seconds",
        ..text(name, meaning, example)
    }
}

const fn or_missing(column: Column) -> Column {
    Column {
        nullable: true,
        ..column
    }
}

const SOURCE: Column = text(
    "source",
    "Where the contest is from: a site, or the name that somebody gave to their own results.",
    "codeforces",
);
const OF_CONTEST: Column = text(
    "contest",
    "What identifies the contest within its source.",
    "1749",
);
const KIND: Column = text(
    "kind",
    "What the competitor is: person, team or couple.",
    "person",
);
const OF_COMPETITOR: Column = text(
    "competitor",
    "What identifies the competitor within its source, for its kind: a handle, the number of an \
     account, a name; a pseudonym or a number where the dataset is without names.",
    "lamplighter",
);

const TO_CONTEST: Reference = Reference {
    columns: &["source", "contest"],
    table: TableId::Contest,
    to: &["source", "contest"],
};
const TO_COMPETITOR: Reference = Reference {
    columns: &["source", "kind", "competitor"],
    table: TableId::Competitor,
    to: &["source", "kind", "competitor"],
};

static CONTEST: Table = Table {
    name: "contest",
    meaning: "One contest whose result is known.",
    key: &["source", "contest"],
    references: &[],
    order: "by source, then in the order of replay: end, event, ordinal, contest (numbers as \
            numbers, before texts)",
    columns: &[
        SOURCE,
        OF_CONTEST,
        text("name", "As published.", "Lantern Round 7 (Div. 1)"),
        or_missing(text(
            "event",
            "What groups contests held together: divisions of a round, heats of a competition.",
            "Lantern Round 7",
        )),
        or_missing(text("division", "Division, class or age group.", "Div. 1")),
        or_missing(counted(
            "ordinal",
            "",
            "The order of the source within the event.",
            "1",
        )),
        or_missing(text(
            "url",
            "Where people read about it.",
            "https://codeforces.com/contest/1749",
        )),
        or_missing(time("starts_at", "When it began.", "2022-10-20T14:35:00Z")),
        time("ends_at", "When the result stood.", "2022-10-20T16:35:00Z"),
        text(
            "state",
            "How far the result has come: provisional (it may still change), final, or unrated \
             (never to be rated).",
            "final",
        ),
        Column {
            kind: Kind::Boolean,
            ..text(
                "rated",
                "Whether it counts: rating systems rate provisional and final contests that do.",
                "true",
            )
        },
        number(
            "weight",
            "",
            "Multiplies in rating systems; 1 is an ordinary contest. Above 0.",
            "1",
        ),
        or_missing(number(
            "site_weight",
            "",
            "The weight that the source itself gives.",
            "24.5",
        )),
        or_missing(number(
            "performance_ceiling",
            "rating points",
            "No performance counts above this, in systems that know one.",
            "2100",
        )),
        counted(
            "entrants",
            "entrants",
            "How many stood: rows in standing.",
            "8419",
        ),
    ],
};

static STANDING: Table = Table {
    name: "standing",
    meaning: "One result: who stood where in a contest.",
    key: &["source", "contest", "kind", "competitor"],
    references: &[TO_CONTEST, TO_COMPETITOR],
    order: "as contest, then by place, those without one last, then by competitor (byte by byte) \
            and kind",
    columns: &[
        SOURCE,
        OF_CONTEST,
        KIND,
        OF_COMPETITOR,
        or_missing(counted(
            "place",
            "",
            "1 is first; ties share the lowest place (1, 2, 2, 4). Missing where status says why.",
            "17",
        )),
        or_missing(number(
            "score",
            "as published",
            "Points, seconds, … as published; says nothing about who is better.",
            "4306",
        )),
        or_missing(number(
            "penalty",
            "as published",
            "Penalty as published.",
            "61",
        )),
        or_missing(text(
            "status",
            "Why there is no place: dnf (did not finish) or dq (disqualified). Both are below \
             every finisher and unordered among themselves.",
            "dnf",
        )),
    ],
};

static MEMBER: Table = Table {
    name: "member",
    meaning: "One person in a team or couple that stood in a contest.",
    key: &["source", "contest", "kind", "competitor", "ordinal"],
    references: &[Reference {
        columns: &["source", "contest", "kind", "competitor"],
        table: TableId::Standing,
        to: &["source", "contest", "kind", "competitor"],
    }],
    order: "as standing, then by ordinal",
    columns: &[
        SOURCE,
        OF_CONTEST,
        KIND,
        OF_COMPETITOR,
        counted("ordinal", "", "1 for the first, as published.", "2"),
        text(
            "person",
            "Who: a competitor of the kind person.",
            "mossygull",
        ),
    ],
};

static COMPETITOR: Table = Table {
    name: "competitor",
    meaning: "Somebody who stands in a contest, as a member or with a rating.",
    key: &["source", "kind", "competitor"],
    references: &[Reference {
        columns: &["source", "kind", "merged_into"],
        table: TableId::Competitor,
        to: &["source", "kind", "competitor"],
    }],
    order: "by source, competitor (byte by byte), kind",
    columns: &[
        SOURCE,
        KIND,
        OF_COMPETITOR,
        or_missing(text(
            "name",
            "What the source calls them by now; missing where the dataset is without names.",
            "Lamplighter",
        )),
        or_missing(number(
            "start_mu",
            "rating points",
            "A rating brought along from before the first contest.",
            "1600",
        )),
        or_missing(number(
            "start_sigma",
            "rating points",
            "The uncertainty of start_mu; missing for that of the rating system.",
            "120",
        )),
        or_missing(text(
            "merged_into",
            "The competitor of the same kind whose results this one's count as.",
            "lamplighter2",
        )),
    ],
};

static RATING_RUN: Table = Table {
    name: "rating_run",
    meaning: "One rating system with its parameters over one selection of contests.",
    key: &["run"],
    references: &[],
    order: "by run",
    columns: &[
        counted("run", "", "Its number within this dataset.", "1"),
        text(
            "system",
            "The name of the rating system; official for what a site says itself.",
            "elo-mmr",
        ),
        text(
            "parameters",
            "The parameters of the system, as JSON.",
            r#"{"rho":1.0,"weight_limit":0.2}"#,
        ),
        text(
            "selection",
            "Which contests were rated, as JSON.",
            r#"{"sources":["codeforces"]}"#,
        ),
        text(
            "engine",
            "The version of the numerics: the same results, parameters and engine give the same \
             bits.",
            "3",
        ),
    ],
};

static RATING: Table = Table {
    name: "rating",
    meaning: "What a competitor's rating was after a contest.",
    key: &["source", "contest", "run", "kind", "competitor"],
    references: &[
        TO_CONTEST,
        Reference {
            columns: &["run"],
            table: TableId::RatingRun,
            to: &["run"],
        },
        TO_COMPETITOR,
    ],
    order: "as contest, then by run, competitor and kind",
    columns: &[
        SOURCE,
        OF_CONTEST,
        counted("run", "", "Which run.", "1"),
        KIND,
        OF_COMPETITOR,
        number(
            "mu",
            "rating points",
            "The rating after the contest.",
            "2143.7",
        ),
        number(
            "sigma",
            "rating points",
            "Its uncertainty; 0 where the system has none.",
            "81.2",
        ),
        or_missing(number(
            "performance",
            "rating points",
            "How well they did in this contest alone, in systems that say so.",
            "2310.4",
        )),
        or_missing(number(
            "volatility",
            "as the system has it",
            "How much the rating swings, in systems that say so.",
            "412",
        )),
        or_missing(number(
            "mu_before",
            "rating points",
            "The rating before the contest, where a site says it itself.",
            "2098",
        )),
    ],
};
