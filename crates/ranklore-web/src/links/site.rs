//! The files of a static site, and the links between them. Links are relative, so that a site works
//! in any folder of a host.

use std::collections::HashMap;
use std::sync::Arc;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// The most characters of an id in the name of a file.
const MAX_ID_CHARS: usize = 60;

/// The competitors and contests with a page of their own, and the names of these pages.
#[derive(Debug, Default)]
pub(crate) struct SitePages {
    source: String,
    /// True if the site has ratings, and the pages about them.
    is_rated: bool,
    players: HashMap<String, String>,
    contests: HashMap<String, String>,
}

impl SitePages {
    pub(crate) fn new<'i>(
        source: &str,
        is_rated: bool,
        players: impl IntoIterator<Item = &'i str>,
        contests: impl IntoIterator<Item = &'i str>,
    ) -> Self {
        Self {
            source: source.to_owned(),
            is_rated,
            players: name_pages(players),
            contests: name_pages(contests),
        }
    }

    /// Returns the name of the page of a competitor, without folder and ending.
    pub(crate) fn player(&self, id: &str) -> Option<&str> {
        self.players.get(id).map(String::as_str)
    }

    /// Returns the name of the page of a contest, without folder and ending.
    pub(crate) fn contest(&self, id: &str) -> Option<&str> {
        self.contests.get(id).map(String::as_str)
    }
}

/// Returns the names of the pages of ids.
fn name_pages<'i>(ids: impl IntoIterator<Item = &'i str>) -> HashMap<String, String> {
    ids.into_iter().map(|id| (id.to_owned(), page_name(id))).collect()
}

/// Returns the name of a page for an id. Every file system can have it, and no two ids share one,
/// also where names of files ignore case: an id that is not such a name gets a hash.
fn page_name(id: &str) -> String {
    let is_plain = (1..=MAX_ID_CHARS).contains(&id.len()) && id.chars().all(is_plain_char);
    if is_plain && id != "index" && !is_device(id) {
        return id.to_owned();
    }
    let mut name = String::new();
    let base_chars = id.nfkd().filter(|&c| !is_combining_mark(c));
    for c in base_chars.map(|c| c.to_ascii_lowercase()) {
        if name.len() == MAX_ID_CHARS {
            break;
        }
        if is_plain_char(c) {
            name.push(c);
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    let name = name.trim_end_matches('-');
    let hash = blake3::hash(id.as_bytes()).to_hex();
    format!("{name}_{}", &hash[..16])
}

const fn is_plain_char(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit()
}

/// True for the names of devices, which files cannot have on Windows, whatever their ending.
fn is_device(name: &str) -> bool {
    let port = name.strip_prefix("com").or_else(|| name.strip_prefix("lpt"));
    ["con", "prn", "aux", "nul"].contains(&name) || port.is_some_and(|port| port.len() == 1)
}

/// The links of one page of a site.
#[derive(Clone, Debug)]
pub(crate) struct SiteLinks {
    /// The path from the folder of the page to that of the site: empty, or `../`.
    pub(crate) up: &'static str,
    /// The name of the first page of the list on this page, without its ending.
    pub(crate) name: String,
    pub(crate) pages: Arc<SitePages>,
}

impl SiteLinks {
    /// True if the site has pages about ratings.
    pub(crate) fn are_rated(&self) -> bool {
        self.pages.is_rated
    }

    pub(crate) fn file(&self, path: &str) -> String {
        format!("{}{path}", self.up)
    }

    pub(crate) fn player(&self, source: &str, id: &str) -> Option<String> {
        let name = self.pages.player(id).filter(|_| source == self.pages.source)?;
        Some(self.file(&format!("player/{name}.html")))
    }

    pub(crate) fn contest(&self, source: &str, id: &str) -> Option<String> {
        let name = self.pages.contest(id).filter(|_| source == self.pages.source)?;
        Some(self.file(&format!("contest/{name}.html")))
    }

    /// Returns the name of a page of the list on this page; the first one is 0.
    pub(crate) fn list_page(&self, index: usize) -> String {
        list_page(&self.name, index)
    }
}

/// Returns the file name of a page of a list; the first one is 0. No name of a page has a dot.
pub(crate) fn list_page(name: &str, index: usize) -> String {
    match index {
        0 => format!("{name}.html"),
        index => format!("{name}.{}.html", index + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_pages_are_safe_and_unique() {
        assert_eq!(page_name("tourist"), "tourist");
        assert_eq!(page_name("987"), "987");
        let ids = [
            "Tourist",
            "TOURIST",
            "tour/ist",
            "../tourist",
            "index",
            "",
            ".",
            "tourist-",
            "Šárka",
            "con",
            "a b",
            "a  b",
        ];
        let names: Vec<String> = ids.iter().map(|id| page_name(id)).collect();
        for (id, name) in ids.iter().zip(&names) {
            let is_safe =
                |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
            assert!(name.chars().all(is_safe) && !name.is_empty(), "{id}: {name}");
            assert_eq!(names.iter().filter(|other| *other == name).count(), 1, "{id}: {name}");
        }
        assert!(names[0].starts_with("tourist_"), "{}", names[0]);
        assert!(page_name(&"x".repeat(1_000)).len() < 90);
    }

    #[test]
    fn links_are_relative() {
        let links = SiteLinks {
            up: "../",
            name: "tourist".to_owned(),
            pages: Arc::new(SitePages::new("club", true, ["tourist", "Ann"], ["1"])),
        };
        assert_eq!(links.player("club", "tourist").as_deref(), Some("../player/tourist.html"));
        assert_eq!(links.player("club", "nobody"), None);
        assert_eq!(links.player("other", "tourist"), None);
        assert_eq!(links.contest("club", "1").as_deref(), Some("../contest/1.html"));
        assert_eq!(links.list_page(0), "tourist.html");
        assert_eq!(links.list_page(1), "tourist.2.html");
    }
}
