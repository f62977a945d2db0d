//! The tables of a dataset and their columns: the single definition of what is published. Data
//! without a column here is in no export.

use ranklore_contest::word_enum;

/// A table of a dataset.
#[derive(Debug)]
pub struct TableSpec {
    /// The table name.
    pub name: &'static str,
    /// The meaning of a row, in one sentence.
    pub meaning: &'static str,
    /// The columns in order.
    pub columns: &'static [ColumnSpec],
    /// The primary key columns.
    pub key: &'static [&'static str],
    /// The foreign keys.
    pub references: &'static [TableReference],
    /// The sort order of the rows.
    pub order: &'static str,
}

impl TableSpec {
    /// Returns the columns that the table has in a format version.
    #[must_use]
    pub fn columns_in(&self, version: u32) -> &'static [ColumnSpec] {
        let count = self.columns.partition_point(|column| column.since <= version);
        &self.columns[..count]
    }
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct ColumnSpec {
    /// The column name.
    pub name: &'static str,
    /// The type of the values.
    pub kind: ColumnKind,
    /// True if values may be missing.
    pub nullable: bool,
    /// The unit of the values; empty if none.
    pub unit: &'static str,
    /// The meaning, in one or two sentences.
    pub meaning: &'static str,
    /// An example value as in CSV.
    pub example: &'static str,
    /// The format version that added the column. Columns added after version 1 follow all older
    /// ones and are nullable.
    pub since: u32,
}

word_enum! {
    /// The type of a column.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ColumnKind {
        /// UTF-8 text.
        Text = "text",
        /// A 64-bit integer.
        Integer = "integer",
        /// A 64-bit floating-point number, always finite.
        Number = "number",
        /// A time in UTC, in whole seconds.
        Time = "time",
        /// True or false.
        Boolean = "boolean",
    }
}

/// A foreign key of a table.
#[derive(Debug)]
pub struct TableReference {
    /// The referencing columns.
    pub columns: &'static [&'static str],
    /// The referenced table.
    pub table: TableId,
    /// The referenced columns.
    pub to: &'static [&'static str],
}

/// Identifier of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TableId {
    /// Contests.
    Contest,
    /// Results of contests.
    Standing,
    /// Members of teams and couples.
    Member,
    /// People, teams and couples.
    Competitor,
    /// Runs of rating systems.
    RatingRun,
    /// Ratings after each contest.
    Rating,
}

impl TableId {
    /// All tables, each after those it refers to, except [`TableId::Competitor`], which is complete
    /// only after all standings.
    pub const ALL: [Self; 6] = [
        Self::Contest,
        Self::Standing,
        Self::Member,
        Self::Competitor,
        Self::RatingRun,
        Self::Rating,
    ];

    /// The tables of results; the others are computed from these.
    pub const RESULTS: [Self; 4] = [
        Self::Contest,
        Self::Standing,
        Self::Member,
        Self::Competitor,
    ];

    /// Returns the table definition.
    #[must_use]
    pub const fn spec(self) -> &'static TableSpec {
        match self {
            Self::Contest => &CONTEST,
            Self::Standing => &STANDING,
            Self::Member => &MEMBER,
            Self::Competitor => &COMPETITOR,
            Self::RatingRun => &RATING_RUN,
            Self::Rating => &RATING,
        }
    }

    /// Returns the table name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.spec().name
    }

    /// Returns the index in [`TableId::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

type Text = &'static str;

const fn text_column(name: Text, meaning: Text, example: Text) -> ColumnSpec {
    ColumnSpec {
        name,
        kind: ColumnKind::Text,
        nullable: false,
        unit: "",
        meaning,
        example,
        since: 1,
    }
}

const fn integer_column(name: Text, unit: Text, meaning: Text, example: Text) -> ColumnSpec {
    ColumnSpec {
        kind: ColumnKind::Integer,
        unit,
        ..text_column(name, meaning, example)
    }
}

const fn number_column(name: Text, unit: Text, meaning: Text, example: Text) -> ColumnSpec {
    ColumnSpec {
        kind: ColumnKind::Number,
        unit,
        ..text_column(name, meaning, example)
    }
}

const fn time_column(name: Text, meaning: Text, example: Text) -> ColumnSpec {
    ColumnSpec {
        kind: ColumnKind::Time,
        unit: "UTC, whole seconds",
        ..text_column(name, meaning, example)
    }
}

const fn nullable(column: ColumnSpec) -> ColumnSpec {
    ColumnSpec {
        nullable: true,
        ..column
    }
}

const SOURCE: ColumnSpec = text_column(
    "source",
    "The source of the contest: a site, or the name given to imported results.",
    "codeforces",
);
const CONTEST_KEY: ColumnSpec =
    text_column("contest", "The id of the contest within its source.", "1749");
const KIND: ColumnSpec =
    text_column("kind", "The kind of competitor: person, team or couple.", "person");
const COMPETITOR_KEY: ColumnSpec = text_column(
    "competitor",
    "The key of the competitor within its source and kind: a handle, account number or name; a \
     pseudonym or a number in datasets without names.",
    "lamplighter",
);

const CONTEST_REFERENCE: TableReference = TableReference {
    columns: &["source", "contest"],
    table: TableId::Contest,
    to: &["source", "contest"],
};
const COMPETITOR_REFERENCE: TableReference = TableReference {
    columns: &["source", "kind", "competitor"],
    table: TableId::Competitor,
    to: &["source", "kind", "competitor"],
};

static CONTEST: TableSpec = TableSpec {
    name: "contest",
    meaning: "One contest whose result is known.",
    key: &["source", "contest"],
    references: &[],
    order: "by source, then in the order of replay: end, event, ordinal, contest (numbers as \
            numbers, before texts)",
    columns: &[
        SOURCE,
        CONTEST_KEY,
        text_column("name", "As published.", "Lantern Round 7 (Div. 1)"),
        nullable(text_column(
            "event",
            "Groups contests held together: divisions of a round, heats of a competition.",
            "Lantern Round 7",
        )),
        nullable(text_column("division", "Division, class or age group.", "Div. 1")),
        nullable(integer_column(
            "ordinal",
            "",
            "The position within the event, as given by the source.",
            "1",
        )),
        nullable(text_column(
            "url",
            "The web page of the contest.",
            "https://codeforces.com/contest/1749",
        )),
        nullable(time_column("starts_at", "The start of the contest.", "2022-10-20T14:35:00Z")),
        time_column("ends_at", "The time of the result.", "2022-10-20T16:35:00Z"),
        text_column(
            "state",
            "The state of the result: provisional (it may still change), final, or unrated \
             (never to be rated).",
            "final",
        ),
        ColumnSpec {
            kind: ColumnKind::Boolean,
            ..text_column(
                "rated",
                "True if rating systems rate the contest once it is provisional or final.",
                "true",
            )
        },
        number_column(
            "weight",
            "",
            "The weight in rating systems, above 0; 1 is an ordinary contest.",
            "1",
        ),
        nullable(number_column("site_weight", "", "The weight given by the source.", "24.5")),
        nullable(number_column(
            "performance_ceiling",
            "rating points",
            "The upper limit of performances, in systems that have one.",
            "2100",
        )),
        integer_column("entrants", "entrants", "The number of rows in standing.", "8419"),
    ],
};

static STANDING: TableSpec = TableSpec {
    name: "standing",
    meaning: "One result of a competitor in a contest.",
    key: &["source", "contest", "kind", "competitor"],
    references: &[CONTEST_REFERENCE, COMPETITOR_REFERENCE],
    order: "as contest, then by place, those without one last, then by competitor (byte by byte) \
            and kind",
    columns: &[
        SOURCE,
        CONTEST_KEY,
        KIND,
        COMPETITOR_KEY,
        nullable(integer_column(
            "place",
            "",
            "1 is first; ties share the lowest place (1, 2, 2, 4). Missing if status is set.",
            "17",
        )),
        nullable(number_column(
            "score",
            "as published",
            "Points, seconds, … as published; more is not necessarily better.",
            "4306",
        )),
        nullable(number_column("penalty", "as published", "Penalty as published.", "61")),
        nullable(text_column(
            "status",
            "The reason for a missing place: dnf (did not finish) or dq (disqualified). Both \
             rank below every finisher, without an order among themselves.",
            "dnf",
        )),
        ColumnSpec {
            since: 2,
            ..nullable(text_column(
                "side",
                "The side in a game of two: white or black, home or away, first or second. Missing \
                 if not known.",
                "home",
            ))
        },
    ],
};

static MEMBER: TableSpec = TableSpec {
    name: "member",
    meaning: "One member of a team or couple in a contest.",
    key: &["source", "contest", "kind", "competitor", "ordinal"],
    references: &[TableReference {
        columns: &["source", "contest", "kind", "competitor"],
        table: TableId::Standing,
        to: &["source", "contest", "kind", "competitor"],
    }],
    order: "as standing, then by ordinal",
    columns: &[
        SOURCE,
        CONTEST_KEY,
        KIND,
        COMPETITOR_KEY,
        integer_column("ordinal", "", "1 for the first, as published.", "2"),
        text_column("person", "The member: a competitor of kind person.", "mossygull"),
    ],
};

static COMPETITOR: TableSpec = TableSpec {
    name: "competitor",
    meaning: "A competitor with a result, a membership or a rating.",
    key: &["source", "kind", "competitor"],
    references: &[TableReference {
        columns: &["source", "kind", "merged_into"],
        table: TableId::Competitor,
        to: &["source", "kind", "competitor"],
    }],
    order: "by source, competitor (byte by byte), kind",
    columns: &[
        SOURCE,
        KIND,
        COMPETITOR_KEY,
        nullable(text_column(
            "name",
            "The current display name; missing in datasets without names.",
            "Lamplighter",
        )),
        nullable(number_column(
            "start_mu",
            "rating points",
            "The starting rating before the first contest, if given.",
            "1600",
        )),
        nullable(number_column(
            "start_sigma",
            "rating points",
            "The uncertainty of start_mu; if missing, that of the rating system.",
            "120",
        )),
        nullable(text_column(
            "merged_into",
            "The competitor of the same kind that this account is merged into.",
            "lamplighter2",
        )),
    ],
};

static RATING_RUN: TableSpec = TableSpec {
    name: "rating_run",
    meaning: "One rating system with its parameters over one selection of contests.",
    key: &["run"],
    references: &[],
    order: "by run",
    columns: &[
        integer_column("run", "", "Its number within this dataset.", "1"),
        text_column(
            "system",
            "The name of the rating system; official for ratings published by a site.",
            "elo-mmr",
        ),
        text_column(
            "parameters",
            "The parameters of the system, as JSON.",
            r#"{"rho":1.0,"weight_limit":0.2}"#,
        ),
        text_column(
            "selection",
            "The selection of rated contests, as JSON.",
            r#"{"sources":["codeforces"]}"#,
        ),
        text_column(
            "engine",
            "The version of the numerics: the same results, parameters and engine give the same \
             bits.",
            "3",
        ),
    ],
};

static RATING: TableSpec = TableSpec {
    name: "rating",
    meaning: "The rating of a competitor after a contest.",
    key: &["source", "contest", "run", "kind", "competitor"],
    references: &[
        CONTEST_REFERENCE,
        TableReference {
            columns: &["run"],
            table: TableId::RatingRun,
            to: &["run"],
        },
        COMPETITOR_REFERENCE,
    ],
    order: "as contest, then by run, competitor and kind",
    columns: &[
        SOURCE,
        CONTEST_KEY,
        integer_column("run", "", "The number of the run.", "1"),
        KIND,
        COMPETITOR_KEY,
        number_column("mu", "rating points", "The rating after the contest.", "2143.7"),
        number_column(
            "sigma",
            "rating points",
            "Its uncertainty; 0 where the system has none.",
            "81.2",
        ),
        nullable(number_column(
            "performance",
            "rating points",
            "The performance in this contest alone, in systems that compute one.",
            "2310.4",
        )),
        nullable(number_column(
            "volatility",
            "as the system has it",
            "The volatility of the rating, in systems that have one.",
            "412",
        )),
        nullable(number_column(
            "mu_before",
            "rating points",
            "The rating before the contest, if published by the site.",
            "2098",
        )),
    ],
};
