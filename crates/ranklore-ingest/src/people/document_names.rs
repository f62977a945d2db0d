//! Documents that have somebody's name in their own.

use ranklore_store::Tombstones;

/// Whether the name of a file has that of somebody who is forgotten. Only a hash of that is
/// known, so a folder or a file must be called so exactly, but for its ending.
pub(crate) fn is_named_after(path: &str, forgotten: &Tombstones) -> bool {
    stems(path).any(|stem| forgotten.blank(stem).is_some())
}

/// What the folders and the file of a path are called, with their endings and without.
fn stems(path: &str) -> impl Iterator<Item = &str> {
    path.split(['/', '\\']).flat_map(|part| {
        let stem = part.rsplit_once('.').map(|of| of.0);
        std::iter::once(part).chain(stem)
    })
}

/// Whether a path or an address has a name: as a file or folder, or as words one after another.
pub(crate) fn is_in_path(name: &str, path: &str) -> bool {
    let path = path.replace("%20", " ");
    if stems(&path).any(|stem| stem == name) {
        return true;
    }
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let name = words(name);
    !name.is_empty() && words(&path).windows(name.len()).any(|part| part == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_paths() {
        for path in [
            "Zelda Q.csv",
            "in/Zelda Q/1.json",
            "2024-zelda_q-results.csv",
            "https://example.org/p/Zelda%20Q?page=2",
        ] {
            assert!(is_in_path("Zelda Q", path), "{path}");
        }
        for path in [
            "Zelda.csv",
            "Q Zelda.csv",
            "Zelda Quinn.csv",
            "in/Zelda/Quest.csv",
        ] {
            assert!(!is_in_path("Zelda Q", path), "{path}");
        }
        assert!(is_in_path("!!", "!!.csv"));
        assert!(!is_in_path("!!", "!.csv"));
    }
}
