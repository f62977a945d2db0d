//! The titles of sites.

use crate::display::Title;

const fn title(name: &'static str, from: f64, colour: &'static str) -> Title {
    Title { name, from, colour }
}

/// Codeforces, as `codeforces.com/blog/entry/68288`
/// lists them. The lowest title has no lower bound.
pub(crate) const CODEFORCES_TITLES: &[Title] = &[
    title("newbie", f64::NEG_INFINITY, "gray"),
    title("pupil", 1200.0, "green"),
    title("specialist", 1400.0, "cyan"),
    title("expert", 1600.0, "blue"),
    title("candidate master", 1900.0, "violet"),
    title("master", 2100.0, "orange"),
    title("international master", 2300.0, "orange"),
    title("grandmaster", 2400.0, "red"),
    title("international grandmaster", 2600.0, "red"),
    title("legendary grandmaster", 3000.0, "red"),
];

/// Topcoder, from "Understanding Your Topcoder Rating" (topcoder.com): a title is a colour.
pub(crate) const TOPCODER_TITLES: &[Title] = &[
    title("grey", f64::NEG_INFINITY, "gray"),
    title("green", 900.0, "green"),
    title("blue", 1200.0, "blue"),
    title("yellow", 1500.0, "yellow"),
    title("red", 2200.0, "red"),
];
