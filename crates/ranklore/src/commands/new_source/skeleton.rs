//! The skeleton of a source: a crate with failing tests that name the missing parts.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use ranklore_contest::SourceName;

macro_rules! template {
    ($file:literal) => {
        include_str!(concat!("../../../templates/new-source/", $file, ".in"))
    };
}

/// The files: path in the crate, and text with the placeholders `SITE` (name of the source),
/// `SNAKE` (the same in an identifier) and `TYPE` (name of the type).
const FILES: [(&str, &str); 6] = [
    ("Cargo.toml", template!("Cargo.toml")),
    ("README.md", template!("README.md")),
    ("src/lib.rs", template!("lib.rs")),
    ("tests/source.rs", template!("source.rs")),
    ("fixtures/list.json", template!("list.json")),
    ("fixtures/results.json", template!("results.json")),
];

/// The longest name: crates.io allows 64 characters, and `ranklore-` has nine.
const MAX_LENGTH: usize = 55;

/// The names of a new source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Skeleton {
    /// The name of the source.
    pub(crate) site: String,
    /// The name of the crate and its folder: `ranklore-ctf-north`.
    pub(crate) crate_name: String,
    /// The crate as a Rust path: `ranklore_ctf_north`.
    pub(crate) module: String,
    /// The type that implements `Source`: `CtfNorth`.
    pub(crate) type_name: String,
}

impl Skeleton {
    /// Returns the names for a source of this name.
    ///
    /// # Errors
    /// If the name is not that of a source or a crate, or is used by the generated code.
    pub(crate) fn from_name(name: &str) -> anyhow::Result<Self> {
        SourceName::new(name)?;
        let has_valid_characters = name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c));
        let has_letter_first = name.starts_with(|c: char| c.is_ascii_lowercase());
        if name.len() > MAX_LENGTH || !has_letter_first || !has_valid_characters {
            bail!(
                "{name:?} is not a valid crate name; use a lower-case letter, then up to {} more \
                 lower-case letters, digits, '-' or '_'",
                MAX_LENGTH - 1
            );
        }
        let type_name: String = name.split(['-', '_']).map(capitalise).collect();
        let templates = FILES.iter();
        let mut words = templates.flat_map(|(_, text)| text.split(|c: char| !is_word_char(c)));
        // `Self` is a keyword that no template contains.
        if type_name == "Self" || words.any(|word| word == type_name) {
            bail!(
                "source {name:?} needs a type {type_name}, but the generated code uses that name \
                 already; choose a longer name"
            );
        }
        Ok(Self {
            site: name.to_owned(),
            crate_name: format!("ranklore-{name}"),
            module: format!("ranklore_{}", name.replace('-', "_")),
            type_name,
        })
    }

    /// Writes the crate into a checkout and returns its folder. Changes no existing file.
    ///
    /// # Errors
    /// If the folder exists or a file cannot be written.
    pub(crate) fn write(&self, checkout: &Path) -> anyhow::Result<PathBuf> {
        let folder = checkout.join("crates").join(&self.crate_name);
        let path = folder.display();
        if let Err(error) = fs::create_dir(&folder) {
            if error.kind() == io::ErrorKind::AlreadyExists {
                bail!("{path} exists already; remove it or choose another name");
            }
            return Err(error).with_context(|| path.to_string());
        }
        for (file, text) in FILES {
            let path = folder.join(file);
            self.write_file(&path, text).with_context(|| path.display().to_string())?;
        }
        Ok(folder)
    }

    fn write_file(&self, path: &Path, text: &str) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let text = text
            .replace("ranklore_SNAKE", &self.module)
            .replace("TYPE", &self.type_name)
            .replace("SITE", &self.site);
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        file.write_all(text.as_bytes())
    }
}

/// Returns the paths of the files in the crate.
pub(crate) fn file_paths() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(file, _)| *file)
}

/// Returns the root of the checkout around a folder: the first ancestor whose `Cargo.toml` is that
/// of a workspace with the dependency `ranklore-source`.
///
/// # Errors
/// If there is no such folder, or it is not in a checkout.
pub(crate) fn find_checkout(folder: &Path) -> anyhow::Result<PathBuf> {
    let folder = fs::canonicalize(folder).with_context(|| folder.display().to_string())?;
    let root = folder.ancestors().find(|folder| {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        let mut lines = manifest.lines();
        lines.any(|line| line.trim() == "[workspace]")
            && lines.any(|line| line.starts_with("ranklore-source"))
    });
    root.map(Path::to_owned).with_context(|| {
        format!(
            "{} is not in a checkout of Ranklore; change to one (git clone {}), or pass --folder",
            folder.display(),
            env!("CARGO_PKG_REPOSITORY")
        )
    })
}

fn capitalise(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_becomes_a_crate_and_a_type() {
        let skeleton = Skeleton::from_name("ctf-north_2").unwrap();
        assert_eq!(skeleton.crate_name, "ranklore-ctf-north_2");
        assert_eq!(skeleton.module, "ranklore_ctf_north_2");
        assert_eq!(skeleton.type_name, "CtfNorth2");
    }

    #[test]
    fn invalid_crate_names_are_refused() {
        let long = "a".repeat(MAX_LENGTH + 1);
        for name in [
            "", "-x", "a/b", "../x", "a b", "é", "a.b", "Big", "3x", "_x", &long,
        ] {
            assert!(Skeleton::from_name(name).is_err(), "{name:?}");
        }
        assert!(Skeleton::from_name(&long[1..]).is_ok());
    }

    #[test]
    fn names_used_in_templates_are_refused() {
        for name in [
            "self",
            "request",
            "site-reading",
            "list",
            "vec",
            "option",
            "contest-outcome",
        ] {
            let error = Skeleton::from_name(name).unwrap_err();
            let error = error.to_string();
            assert!(error.contains("uses that name already"), "{name}: {error}");
        }
    }

    #[test]
    fn no_placeholder_is_left() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("crates")).unwrap();
        let skeleton = Skeleton::from_name("harbour").unwrap();
        let written = skeleton.write(folder.path()).unwrap();
        for file in file_paths() {
            let text = fs::read_to_string(written.join(file)).unwrap();
            for word in ["SITE", "SNAKE", "TYPE"] {
                assert!(!text.contains(word), "{word} in {file}");
            }
        }
        let again = skeleton.write(folder.path()).unwrap_err();
        assert!(again.to_string().contains("exists already"), "{again}");
    }
}
