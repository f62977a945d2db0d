//! The tables of a competitor: contests, games, runs, and the numbers beside those of others.

use maud::{Markup, html};
use ranklore_replay::{PlayerContest, PlayerGames, RatingStep};

use crate::pages::format::{count, day_element, name, optional_points, plural, points};
use crate::pages::player::{Shown, place};
use crate::pages::tables::{change, headings, player_link, rating, table, table_below_heading};
use crate::parameters::link;

impl Shown<'_> {
    pub(super) fn comparison_table(&self) -> Markup {
        let decimals = self.view.display.decimals;
        let head = headings(&[
            ("", "Name"),
            ("number", "Place"),
            ("number", "Rating"),
            ("number", "Sigma"),
            ("number", "Contests"),
            ("number", "Highest mu"),
        ]);
        let rows = html! {
            @for of in std::iter::once(self.view).chain(&self.others) {
                tr {
                    th scope="row" { (player_link(&self.links, self.source, &of.competitor)) }
                    @match &of.standing {
                        Some(standing) => {
                            td.number { @if standing.active { (standing.row.place) } @else { "inactive" } }
                            td.number { (rating(&of.display, standing.row.rating, standing.row.provisional)) }
                            td.number { (points(standing.row.sigma, decimals)) }
                            td.number { (count(standing.row.contests)) }
                            td.number { (points(standing.row.peak_mu, decimals)) }
                        },
                        None => td colspan="5" { "not rated" },
                    }
                }
            }
        };
        html! {
            (table("Compared competitors", &head, &rows))
            p { a href=(self.parameters.link(&self.path, &[("with", "")])) { "Show one only" } }
        }
    }

    pub(super) fn history(&self) -> Markup {
        let view = self.view;
        if view.history.is_empty() {
            let text = match view.team_contests {
                0 => "No contests by then.".to_owned(),
                contests => format!(
                    "{} in teams; this run rates teams, not their members.",
                    plural(contests as u64, "contest")
                ),
            };
            return html! { p.message { (text) } };
        }
        let decimals = view.display.decimals;
        let value = |of: &PlayerContest, number: fn(&RatingStep) -> Option<f64>| {
            optional_points(of.rating.as_ref().and_then(number), decimals)
        };
        let has_performances = view.has_performances();
        let head = html! {
            (headings(&[("", "Date"), ("", "Contest"), ("number", "Place")]))
            @if has_performances {
                (headings(&[("number wide", "Performance")]))
            }
            (headings(&[
                ("number", "Before"),
                ("number", "After"),
                ("number", "Change"),
                ("number wide", "Sigma"),
                ("wide", "Note"),
            ]))
        };
        let rows = html! {
            @for of in &view.rows {
                tr {
                    td { (day_element(of.contest.ends_at)) }
                    th scope="row" { (self.contest_link(of)) }
                    td.number { (place(of)) }
                    @if has_performances {
                        td.number.wide { (value(of, |step| step.performance)) }
                    }
                    td.number { (value(of, |step| Some(step.mu - step.change?))) }
                    td.number { (value(of, |step| Some(step.mu))) }
                    td.number { @if let Some(step) = &of.rating { (change(step.change, decimals)) } }
                    td.number.wide { (value(of, |step| Some(step.sigma))) }
                    td.wide { (self.remark(of)) }
                }
            }
        };
        html! {
            h2 { "Contests" }
            (table_below_heading("Contests, the newest first", &head, &rows))
            (self.paging().links())
        }
    }

    /// Returns the reason that a contest is not rated, the account if it is a merged one, and the
    /// team.
    fn remark(&self, of: &PlayerContest) -> Markup {
        html! {
            @if let Some(why) = of.unrated { span.same { (why.as_str()) } " " }
            @if of.account.competitor_id != self.view.competitor.competitor_id { "as " (name(&of.account.external_id)) " " }
            @if let Some(team) = &of.team { "in " (player_link(&self.links, self.source, team)) }
        }
    }

    pub(super) fn games(&self, games: &PlayerGames) -> Markup {
        let of = &games.record;
        let head = headings(&[
            ("", "Name"),
            ("number", "Games"),
            ("number", "Won"),
            ("number", "Drawn"),
            ("number", "Lost"),
            ("wide", "Last game"),
        ]);
        let rows = html! {
            @for of in &games.opponents {
                tr {
                    th scope="row" { (player_link(&self.links, self.source, &of.opponent)) }
                    td.number { (count(of.record.games)) }
                    td.number { (count(of.record.won)) }
                    td.number { (count(of.record.drawn)) }
                    td.number { (count(of.record.lost)) }
                    td.wide { (day_element(of.last_game_at)) }
                }
            }
        };
        html! {
            h2 { "Games" }
            p {
                (plural(of.games, "game")) ": " (count(of.won)) " won, " (count(of.drawn)) " drawn, "
                (count(of.lost)) " lost."
            }
            @if !games.opponents.is_empty() { (table("Most frequent opponents", &head, &rows)) }
        }
    }

    pub(super) fn runs(&self) -> Markup {
        let view = self.view;
        if view.runs.is_empty() {
            return html! {};
        }
        let caption = "Ratings in all runs";
        let head = headings(&[
            ("", "Run"),
            ("", "Settings"),
            ("number", "Rating"),
            ("number wide", "Conservative"),
            ("number wide", "Sigma"),
            ("number", "Contests"),
            ("number", "Change"),
        ]);
        let rows = html! {
            @for of in &view.runs {
                tr {
                    th scope="row" {
                        @if of.run.run_id == view.run.run_id {
                            (of.run.run_id) " by " bdi { (of.run.system) } " (shown)"
                        } @else if self.links.are_live() {
                            a href=(link(&self.path, [("run", &*of.run.run_id.to_string())])) { (of.run.run_id) " by " bdi { (of.run.system) } }
                        } @else {
                            (of.run.run_id) " by " bdi { (of.run.system) }
                        }
                    }
                    td { @if of.settings.is_empty() { "defaults" } @else { (name(&of.settings.join(", "))) } }
                    td.number { (rating(&of.display, of.rating, of.provisional)) }
                    td.number.wide { (points(of.conservative, of.display.decimals)) }
                    td.number.wide { (points(of.sigma, of.display.decimals)) }
                    td.number { (count(of.contests)) }
                    td.number { (change(of.last_change, of.display.decimals)) }
                }
            }
        };
        html! {
            h2 { (caption) }
            (table_below_heading(caption, &head, &rows))
        }
    }
}
