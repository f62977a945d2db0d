//! Files that are part of the program: style, icon, scripts.

use crate::paths::{CURVE_SCRIPT, ICON, SEARCH_SCRIPT, STYLE};

/// A file that is part of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asset {
    /// The path on the server.
    pub(crate) path: &'static str,
    pub(crate) media_type: &'static str,
    pub(crate) body: &'static str,
}

const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The files that pages of the server and of a site use.
pub(crate) const ASSETS: [Asset; 3] = [
    asset(STYLE, CSS, include_str!("style.css")),
    asset(ICON, "image/svg+xml", include_str!("icon.svg")),
    asset(CURVE_SCRIPT, SCRIPT, include_str!("curve.js")),
];

/// The script that only a site needs: on the server a form searches.
pub(crate) const SITE_SEARCH: Asset = asset(SEARCH_SCRIPT, SCRIPT, include_str!("site/search.js"));

const fn asset(path: &'static str, media_type: &'static str, body: &'static str) -> Asset {
    Asset {
        path,
        media_type,
        body,
    }
}
