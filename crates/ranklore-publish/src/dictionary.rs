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

word_enum! {
    /// Identifier of a table. Each table follows those that it refers to, except
    /// [`TableId::Competitor`], which is complete only after all standings.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum TableId {
        /// Contests.
        Contest = "contest",
        /// Results of contests.
        Standing = "standing",
        /// Members of teams and couples.
        Member = "member",
        /// People, teams and couples.
        Competitor = "competitor",
        /// Runs of rating systems.
        RatingRun = "rating_run",
        /// Ratings after each contest.
        Rating = "rating",
    }
}

impl TableId {
    /// All tables, in the order of their definition.
    pub const ALL: [Self; 6] = Self::VARIANTS;

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
        self.as_str()
    }

    /// Returns the index in [`TableId::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// Creates the definition of a column: name, type (`or nothing` if values may be missing), unit,
/// meaning, example.
macro_rules! column {
    (
        $name:literal $kind:ident $(or $nothing:ident)? $(in $unit:literal)?
        $(since $since:literal)?: $meaning:literal, $example:literal
    ) => {
        ColumnSpec {
            name: $name,
            kind: ColumnKind::$kind,
            nullable: !concat!("" $(, stringify!($nothing))?).is_empty(),
            unit: concat!("" $(, $unit)?),
            meaning: $meaning,
            example: $example,
            since: 1 $( - 1 + $since)?,
        }
    };
}

const SOURCE: ColumnSpec = column!("source" Text:
    "The source of the contest: a site, or the name given to imported results.", "codeforces");
const CONTEST_KEY: ColumnSpec =
    column!("contest" Text: "The id of the contest within its source.", "1749");
const KIND: ColumnSpec =
    column!("kind" Text: "The kind of competitor: person, team or couple.", "person");
const COMPETITOR_KEY: ColumnSpec = column!("competitor" Text:
    "The key of the competitor within its source and kind: a handle, account number or name; a \
     pseudonym or a number in datasets without names.", "lamplighter");

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
        column!("name" Text: "As published.", "Lantern Round 7 (Div. 1)"),
        column!("event" Text or nothing:
            "Groups contests held together: divisions of a round, heats of a competition.",
            "Lantern Round 7"),
        column!("division" Text or nothing: "Division, class or age group.", "Div. 1"),
        column!("ordinal" Integer or nothing:
            "The position within the event, as given by the source.", "1"),
        column!("url" Text or nothing:
            "The web page of the contest.", "https://codeforces.com/contest/1749"),
        column!("starts_at" Time or nothing in "UTC, whole seconds":
            "The start of the contest.", "2022-10-20T14:35:00Z"),
        column!("ends_at" Time in "UTC, whole seconds":
            "The time of the result.", "2022-10-20T16:35:00Z"),
        column!("state" Text:
            "The state of the result: provisional (it may still change), final, or unrated (never \
             to be rated).", "final"),
        column!("rated" Boolean:
            "True if rating systems rate the contest once it is provisional or final.", "true"),
        column!("weight" Number:
            "The weight in rating systems, above 0; 1 is an ordinary contest.", "1"),
        column!("site_weight" Number or nothing: "The weight given by the source.", "24.5"),
        column!("performance_ceiling" Number or nothing in "rating points":
            "The upper limit of performances, in systems that have one.", "2100"),
        column!("entrants" Integer in "entrants": "The number of rows in standing.", "8419"),
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
        column!("place" Integer or nothing:
            "1 is first; ties share the lowest place (1, 2, 2, 4). Missing if status is set.",
            "17"),
        column!("score" Number or nothing in "as published":
            "Points, seconds, … as published; more is not necessarily better.", "4306"),
        column!("penalty" Number or nothing in "as published": "Penalty as published.", "61"),
        column!("status" Text or nothing:
            "The reason for a missing place: dnf (did not finish) or dq (disqualified). Both rank \
             below every finisher, without an order among themselves.", "dnf"),
        column!("side" Text or nothing since 2:
            "The side in a game of two: white or black, home or away, first or second. Missing if \
             not known.", "home"),
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
        column!("ordinal" Integer: "1 for the first, as published.", "2"),
        column!("person" Text: "The member: a competitor of kind person.", "mossygull"),
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
        column!("name" Text or nothing:
            "The current display name; missing in datasets without names.", "Lamplighter"),
        column!("start_mu" Number or nothing in "rating points":
            "The starting rating before the first contest, if given.", "1600"),
        column!("start_sigma" Number or nothing in "rating points":
            "The uncertainty of start_mu; if missing, that of the rating system.", "120"),
        column!("merged_into" Text or nothing:
            "The competitor of the same kind that this account is merged into.", "lamplighter2"),
    ],
};

static RATING_RUN: TableSpec = TableSpec {
    name: "rating_run",
    meaning: "One rating system with its parameters over one selection of contests.",
    key: &["run"],
    references: &[],
    order: "by run",
    columns: &[
        column!("run" Integer: "Its number within this dataset.", "1"),
        column!("system" Text:
            "The name of the rating system; official for ratings published by a site.", "elo-mmr"),
        column!("parameters" Text:
            "The parameters of the system, as JSON.", r#"{"rho":1.0,"weight_limit":0.2}"#),
        column!("selection" Text:
            "The selection of rated contests, as JSON.", r#"{"sources":["codeforces"]}"#),
        column!("engine" Text:
            "The version of the numerics: the same results, parameters and engine give the same \
             bits.", "3"),
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
        column!("run" Integer: "The number of the run.", "1"),
        KIND,
        COMPETITOR_KEY,
        column!("mu" Number in "rating points": "The rating after the contest.", "2143.7"),
        column!("sigma" Number in "rating points":
            "Its uncertainty; 0 where the system has none.", "81.2"),
        column!("performance" Number or nothing in "rating points":
            "The performance in this contest alone, in systems that compute one.", "2310.4"),
        column!("volatility" Number or nothing in "as the system has it":
            "The volatility of the rating, in systems that have one.", "412"),
        column!("mu_before" Number or nothing in "rating points":
            "The rating before the contest, if published by the site.", "2098"),
    ],
};
