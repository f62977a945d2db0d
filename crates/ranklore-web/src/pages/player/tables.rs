//! The tables of a competitor: contests, games, runs, and the numbers beside those of others.

use maud::{Markup, html};
use ranklore_replay::{PlayerContest, PlayerGames, RatingStep};

use crate::pages::format::{count, day_element, name, optional_points, plural, points};
use crate::pages::player::{PlayerPage, place};
use crate::pages::tables::{change, headings, player_link, rating, table, table_below_heading};
use crate::parameters::link;

impl PlayerPage<'_> {
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
            @for player in self.views() {
                tr {
                    th scope="row" { (player_link(&self.links, self.source, &player.competitor)) }
                    @match &player.standing {
                        Some(standing) => {
                            td.number { @if standing.active { (standing.row.place) } @else { "inactive" } }
                            td.number { (rating(&player.display, standing.row.rating, standing.row.provisional)) }
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
        let value = |appearance: &PlayerContest, number: fn(&RatingStep) -> Option<f64>| {
            optional_points(appearance.rating.as_ref().and_then(number), decimals)
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
            @for appearance in &view.rows {
                tr {
                    td { (day_element(appearance.contest.ends_at)) }
                    th scope="row" { (self.contest_link(appearance)) }
                    td.number { (place(appearance)) }
                    @if has_performances {
                        td.number.wide { (value(appearance, |step| step.performance)) }
                    }
                    td.number { (value(appearance, |step| Some(step.mu - step.change?))) }
                    td.number { (value(appearance, |step| Some(step.mu))) }
                    td.number { @if let Some(step) = &appearance.rating { (change(step.change, decimals)) } }
                    td.number.wide { (value(appearance, |step| Some(step.sigma))) }
                    td.wide { (self.remark(appearance)) }
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
    fn remark(&self, appearance: &PlayerContest) -> Markup {
        html! {
            @if let Some(reason) = appearance.unrated { span.same { (reason.as_str()) } " " }
            @if appearance.account.competitor_id != self.view.competitor.competitor_id { "as " (name(&appearance.account.external_id)) " " }
            @if let Some(team) = &appearance.team { "in " (player_link(&self.links, self.source, team)) }
        }
    }

    pub(super) fn games(&self, games: &PlayerGames) -> Markup {
        let record = &games.record;
        let head = headings(&[
            ("", "Name"),
            ("number", "Games"),
            ("number", "Won"),
            ("number", "Drawn"),
            ("number", "Lost"),
            ("wide", "Last game"),
        ]);
        let rows = html! {
            @for row in &games.opponents {
                tr {
                    th scope="row" { (player_link(&self.links, self.source, &row.opponent)) }
                    td.number { (count(row.record.games)) }
                    td.number { (count(row.record.won)) }
                    td.number { (count(row.record.drawn)) }
                    td.number { (count(row.record.lost)) }
                    td.wide { (day_element(row.last_game_at)) }
                }
            }
        };
        html! {
            h2 { "Games" }
            p {
                (plural(record.games, "game")) ": " (count(record.won)) " won, " (count(record.drawn)) " drawn, "
                (count(record.lost)) " lost."
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
            @for standing in &view.runs {
                tr {
                    th scope="row" {
                        @if standing.run.run_id == view.run.run_id {
                            (standing.run.run_id) " by " bdi { (standing.run.system) } " (shown)"
                        } @else if self.links.are_live() {
                            a href=(link(&self.path, [("run", &*standing.run.run_id.to_string())])) { (standing.run.run_id) " by " bdi { (standing.run.system) } }
                        } @else {
                            (standing.run.run_id) " by " bdi { (standing.run.system) }
                        }
                    }
                    td { @if standing.settings.is_empty() { "defaults" } @else { (name(&standing.settings.join(", "))) } }
                    td.number { (rating(&standing.display, standing.rating, standing.provisional)) }
                    td.number.wide { (points(standing.conservative, standing.display.decimals)) }
                    td.number.wide { (points(standing.sigma, standing.display.decimals)) }
                    td.number { (count(standing.contests)) }
                    td.number { (change(standing.last_change, standing.display.decimals)) }
                }
            }
        };
        html! {
            h2 { (caption) }
            (table_below_heading(caption, &head, &rows))
        }
    }
}
