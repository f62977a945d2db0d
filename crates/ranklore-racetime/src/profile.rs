//! The terms of the site, and the fields that are archived.

use std::time::Duration;

use ranklore_source::{NameDisplay, Profile, Terms};

use crate::options;

pub(crate) static PROFILE: Profile = Profile {
    options: &options::OPTIONS,
    separates_divisions: true,
    ..Profile::new(
        "racetime",
        Terms {
            interval: Duration::from_secs(2),
            // A documented API for programs.
            obeys_robots_txt: false,
            // Moderators record most races within days.
            provisional_period: Duration::from_hours(14 * 24),
            attribution: "racetime.gg (https://racetime.gg)",
            licence: "The site documents a public interface and names no licence for what it \
                      answers.",
            names: NameDisplay::AsPublished,
            ..Terms::new("https://racetime.gg")
        },
    )
};

/// The fields that are archived of a page. Removes comments, pictures, pronouns, streams, texts of
/// races.
pub(crate) const FIELDS: [&str; 19] = [
    "count",
    "num_pages",
    "races.name",
    "races.status.value",
    "races.goal.name",
    "races.goal.custom",
    "races.entrants_count",
    "races.started_at",
    "races.ended_at",
    "races.recorded",
    "races.entrants.user.id",
    "races.entrants.user.name",
    "races.entrants.team.name",
    "races.entrants.team.slug",
    "races.entrants.status.value",
    "races.entrants.finish_time",
    "races.entrants.place",
    "races.entrants.score",
    "races.entrants.score_change",
];
