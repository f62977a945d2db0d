//! Tables that several pages have.

use maud::{Markup, html};
use ranklore_replay::{CompetitorLabel, ContestListRow, Display, LeaderboardRow, Mover};

use crate::failure::Failure;
use crate::links::Links;
use crate::pages::format::{count, day_element, name, optional_points, points, signed};
use crate::pages::parts::PlaceBand;

/// Returns a table with its caption, which a narrow screen scrolls.
pub(crate) fn table(caption: &str, head: &Markup, rows: &Markup) -> Markup {
    framed(caption, &html! { caption { (caption) } }, head, rows)
}

/// Returns a table below a heading of the same words, so that its caption is for screen readers only.
pub(crate) fn table_below_heading(caption: &str, head: &Markup, rows: &Markup) -> Markup {
    framed(caption, &html! { caption.unseen { (caption) } }, head, rows)
}

/// Returns a heading, a paragraph and a table.
pub(crate) fn table_section(caption: &str, text: &str, head: &Markup, rows: &Markup) -> Markup {
    html! {
        h2 { (caption) }
        p { (text) }
        (table_below_heading(caption, head, rows))
    }
}

/// Returns a table that a narrow screen scrolls, by keyboard too.
fn framed(label: &str, caption: &Markup, head: &Markup, rows: &Markup) -> Markup {
    html! {
        div.scroll role="region" aria-label=(label) tabindex="0" {
            table {
                (caption)
                thead { tr { (head) } }
                tbody { (rows) }
            }
        }
    }
}

/// Returns the headings of columns: the class, which may be empty, and the text of each.
pub(crate) fn headings(columns: &[(&str, &str)]) -> Markup {
    html! {
        @for (class, text) in columns {
            th class=[(!class.is_empty()).then_some(class)] scope="col" { (text) }
        }
    }
}

/// Returns a link to a competitor.
pub(crate) fn player_link(links: &Links, source: &str, label: &CompetitorLabel) -> Markup {
    linked(links.player(source, &label.external_id), &name(&label.name))
}

/// Returns a link, or the text alone if there is no page to link to.
pub(crate) fn linked(link: Option<String>, text: &Markup) -> Markup {
    html! {
        @match link {
            Some(link) => a href=(link) { (text) },
            None => (text),
        }
    }
}

/// Says why competitors cannot be shown, with what to choose instead.
pub(crate) fn fault_notes(faults: &[Failure]) -> Markup {
    html! {
        @for fault in faults {
            p.note role="note" {
                bdi { (fault.message) } ". "
                @for choice in &fault.choices { (linked(choice.link.clone(), &name(&choice.text))) " " }
            }
        }
    }
}

/// Returns the displayed rating; a provisional one has a question mark.
pub(crate) fn rating(display: &Display, rating: f64, provisional: bool) -> Markup {
    html! {
        (points(rating, display.rating_decimals()))
        @if provisional { abbr title="provisional: too little is known" { "?" } }
    }
}

/// Returns a change with a mark for its direction; `new` without an earlier rating.
pub(crate) fn change(change: Option<f64>, decimals: u8) -> Markup {
    let text = change.map_or_else(|| "new".to_owned(), |by| signed(by, decimals));
    // A change that rounds to 0 has no direction.
    let is_zero = !text.contains(|c: char| ('1'..='9').contains(&c));
    let class = match change {
        Some(change) if !is_zero && change > 0.0 => "up",
        Some(_) if !is_zero => "down",
        _ => "same",
    };
    html! { span class=(class) { (text) } }
}

/// The rows of a leaderboard and the rules that format them.
pub(crate) struct BoardTable<'b> {
    pub(crate) caption: &'b str,
    pub(crate) rows: &'b [LeaderboardRow],
    pub(crate) display: &'b Display,
    /// True if the conservative rating orders the list.
    pub(crate) has_conservative: bool,
    pub(crate) has_titles: bool,
    pub(crate) has_since: bool,
    /// The number of established competitors; none for a list without bands.
    pub(crate) established: Option<usize>,
    /// Returns the source of a competitor, as a run can have several.
    pub(crate) source: &'b dyn Fn(&CompetitorLabel) -> String,
    pub(crate) links: &'b Links,
}

impl BoardTable<'_> {
    pub(crate) fn show(&self) -> Markup {
        let decimals = self.display.decimals;
        let head = html! {
            (headings(&[("number", "Place")]))
            @if self.established.is_some() { (headings(&[("", "Band")])) }
            (headings(&[("", "Name")]))
            @if self.has_titles { (headings(&[("", "Title")])) }
            (headings(&[("number", "Rating")]))
            @if self.has_since { (headings(&[("number", "Change since")])) }
            @if self.has_conservative {
                th.number scope="col" { abbr title="lower bound of the rating" { "Conservative" } }
            }
            th.number.wide scope="col" { abbr title="uncertainty of the rating" { "Sigma" } }
            th.number scope="col" { abbr title="change by the last contest" { "Change" } }
            (headings(&[("number wide", "Contests"), ("wide", "Last contest")]))
        };
        let rows = html! {
            @for row in self.rows {
                tr {
                    td.number { (row.standing.place) }
                    @if let Some(established) = self.established {
                        td { (PlaceBand::cell(PlaceBand::from_place(row.standing.place, established).filter(|_| !row.standing.provisional))) }
                    }
                    th scope="row" { (player_link(self.links, &(self.source)(&row.competitor), &row.competitor)) }
                    @if self.has_titles { td { (row.standing.title.unwrap_or_default()) } }
                    td.number { (rating(self.display, row.standing.rating, row.standing.provisional)) }
                    @if self.has_since { td.number { (change(row.change_since, decimals)) } }
                    @if self.has_conservative { td.number { (points(row.standing.conservative, decimals)) } }
                    td.number.wide { (points(row.standing.sigma, decimals)) }
                    td.number { (change(row.standing.last_change, decimals)) }
                    td.number.wide { (count(row.standing.contests)) }
                    td.wide { (day_element(Some(row.standing.last_contest_at))) }
                }
            }
        };
        table(self.caption, &head, &rows)
    }
}

/// Returns the table of contests.
pub(crate) fn contests_table(caption: &str, rows: &[ContestListRow], links: &Links) -> Markup {
    let has_divisions = rows.iter().any(|row| row.contest.division.is_some());
    let head = html! {
        (headings(&[("", "Date"), ("", "Contest")]))
        @if has_divisions { (headings(&[("", "Division")])) }
        (headings(&[("number", "Entrants"), ("", "Rated")]))
    };
    let rows = html! {
        @for row in rows {
            tr {
                td { (day_element(row.contest.ends_at)) }
                th scope="row" {
                    (linked(links.contest(&row.contest.source, &row.contest.external_id), &name(&row.contest.name)))
                }
                @if has_divisions { td { (name(row.contest.division.as_deref().unwrap_or_default())) } }
                td.number { (count(row.contest.entrants)) }
                td {
                    @match row.unrated {
                        None => (count(row.rated_results)),
                        Some(reason) => span.same { (reason.as_str()) },
                    }
                }
            }
        }
    };
    table(caption, &head, &rows)
}

/// Returns the table of movers; nothing without any.
pub(crate) fn movers_table(
    caption: &str,
    rows: &[Mover],
    display: &Display,
    source: &str,
    links: &Links,
) -> Markup {
    let decimals = display.decimals;
    if rows.is_empty() {
        return html! {};
    }
    let head = headings(&[
        ("", "Name"),
        ("number", "Change"),
        ("number", "From"),
        ("number", "To"),
    ]);
    let rows = html! {
        @for row in rows {
            tr {
                th scope="row" { (player_link(links, source, &row.competitor)) }
                td.number { (change(row.change, decimals)) }
                td.number { (optional_points(row.mu_before, decimals)) }
                td.number {
                    (points(row.mu, decimals))
                    @if row.provisional { abbr title="provisional: too little is known" { "?" } }
                }
            }
        }
    };
    table(caption, &head, &rows)
}
