//! The search index of a site: small parts, of which a browser loads those that a text needs.

use serde_json::json;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::links::site::SitePages;
use crate::paths::SEARCH_INDEX;
use crate::site::choice::SitePlayer;

/// A file of a site, which is not a page: its path and its bytes.
pub(super) type SiteFile = (String, Vec<u8>);

/// The largest part, in bytes.
const MAX_PART_BYTES: usize = 50_000;

/// A part can end from here on. Where it ends depends on the next key, not on earlier parts: a new
/// name changes one or two parts.
const LEAST_PART_BYTES: usize = 35_000;

/// A key begins a new part if the first byte of its hash is smaller: one of 32.
const BORDER: u8 = 8;

/// The words of a name that it is found by.
const MAX_WORDS: usize = 5;

/// The characters of a key. Longer texts are compared with these.
const KEY_CHARS: usize = 24;

/// The most characters of a name.
const NAME_CHARS: usize = 100;

/// Returns the list of the parts, and the parts. A part is a list of keys with the name, the page
/// and, if it is not the name, the id; the list has the first key and the file of each part. All
/// are in the order in which JavaScript compares texts.
pub(super) fn index_files(players: &[SitePlayer], pages: &SitePages) -> Vec<SiteFile> {
    let mut entries = Vec::new();
    for player in players {
        let Some(page) = pages.player(&player.id) else {
            continue;
        };
        let name: String = player.name.chars().take(NAME_CHARS).collect();
        for key in keys(&player.name, &player.id) {
            let entry = if player.id == player.name {
                json!([key, name, page])
            } else {
                let id: String = player.id.chars().take(NAME_CHARS).collect();
                json!([key, name, page, id])
            };
            entries.push((key, entry.to_string()));
        }
    }
    // JavaScript compares texts by their UTF-16 units.
    entries.sort_by_cached_key(|(key, entry)| {
        let units: Vec<u16> = key.encode_utf16().collect();
        (units, entry.clone())
    });
    let mut list = Vec::new();
    let mut files = Vec::new();
    for part in split(&entries) {
        let (first_key, first_entry) = &part[0];
        let hash = blake3::hash(first_entry.as_bytes()).to_hex();
        let file = format!("{}.json", &hash[..12]);
        list.push(json!([first_key, file]));
        let lines: Vec<&str> = part.iter().map(|(_, entry)| &**entry).collect();
        let body = format!("[{}]\n", lines.join(",\n"));
        files.push((format!("search/{file}"), body.into_bytes()));
    }
    let path = SEARCH_INDEX.trim_start_matches('/').to_owned();
    files.push((path, format!("{}\n", json!(list)).into_bytes()));
    files
}

/// Splits sorted entries into parts.
fn split(entries: &[(String, String)]) -> Vec<&[(String, String)]> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut bytes = 0;
    for (index, (key, entry)) in entries.iter().enumerate() {
        let size = entry.len() + 2;
        let is_full = bytes + size + 2 > MAX_PART_BYTES;
        if index > start && (is_full || (bytes > LEAST_PART_BYTES && is_border(key))) {
            parts.push(&entries[start..index]);
            start = index;
            bytes = 0;
        }
        bytes += size;
    }
    if start < entries.len() {
        parts.push(&entries[start..]);
    }
    parts
}

fn is_border(key: &str) -> bool {
    blake3::hash(key.as_bytes()).as_bytes()[0] < BORDER
}

/// Returns the keys of a competitor: the name from each of its words on, and the id.
fn keys(name: &str, id: &str) -> Vec<String> {
    let folded = fold(name);
    let mut keys: Vec<String> = folded
        .char_indices()
        .filter(|&(at, _)| at == 0 || folded[..at].ends_with(|c: char| !c.is_alphanumeric()))
        .filter(|(_, c)| c.is_alphanumeric())
        .take(MAX_WORDS)
        .map(|(at, _)| cut(&folded[at..]))
        .collect();
    if id != name || keys.is_empty() {
        keys.push(cut(&fold(id)));
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn cut(text: &str) -> String {
    text.chars().take(KEY_CHARS).collect()
}

/// Returns a text in lower case, without accents and repeated spaces, as the script does.
fn fold(text: &str) -> String {
    let base_chars: String = text.nfkd().filter(|&c| !is_combining_mark(c)).collect();
    let lower = base_chars.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use ranklore_contest::EntrantKind;
    use ranklore_store::CompetitorId;

    use super::*;

    #[test]
    fn names_are_found_by_each_word_and_id() {
        assert_eq!(keys("Šárka  Větrná", "7"), ["7", "sarka vetrna", "vetrna"]);
        assert_eq!(keys("tourist", "tourist"), ["tourist"]);
        assert_eq!(keys("um_nik", "um_nik"), ["nik", "um_nik"]);
        assert_eq!(keys("---", "---"), ["---"]);
        assert!(keys(&"word ".repeat(1_000), "x").iter().all(|key| key.len() <= KEY_CHARS));
    }

    #[test]
    fn parts_are_small_and_hold_everything() {
        let player = |number: u32| SitePlayer {
            competitor_id: CompetitorId::new(number.into()),
            id: format!("id{number}"),
            name: format!("Name {} of {}", number % 7, number * 7919 % 10_007),
            kind: EntrantKind::Person,
        };
        let players: Vec<SitePlayer> = (0..5_000).map(player).collect();
        let ids: Vec<&str> = players.iter().map(|p| &*p.id).collect();
        let pages = SitePages::new("club", true, ids, []);
        let files = index_files(&players, &pages);
        assert!(files.len() > 10, "{}", files.len());
        let mut seen = 0;
        for (path, body) in &files {
            assert!(body.len() <= MAX_PART_BYTES + 10, "{path}: {}", body.len());
            let list: Vec<Vec<String>> = serde_json::from_slice(body).unwrap();
            assert!(list.is_sorted_by_key(|entry| entry[0].clone()), "{path}");
            if path != "search/index.json" {
                seen += list.len();
            }
        }
        let expected: usize = players.iter().map(|p| keys(&p.name, &p.id).len()).sum();
        assert_eq!(seen, expected);
        // A new name changes few parts.
        let mut more = players;
        more.insert(99, player(77_777));
        let ids: Vec<&str> = more.iter().map(|p| &*p.id).collect();
        let pages = SitePages::new("club", true, ids, []);
        let changed =
            index_files(&more, &pages).iter().filter(|file| !files.contains(file)).count();
        assert!(changed <= 2 * 5 + 1, "{changed} of {}", files.len());
    }
}
