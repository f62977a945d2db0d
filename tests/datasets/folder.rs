//! Snapshot of a folder's files.

use std::collections::BTreeMap;
use std::path::Path;

/// Every file below a folder by path. `Debug` shows paths only.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct FolderSnapshot(BTreeMap<String, Vec<u8>>);

impl FolderSnapshot {
    pub(crate) fn read(folder: &Path) -> Self {
        let mut files = BTreeMap::new();
        add_files(folder, "", &mut files);
        Self(files)
    }

    /// Writes the files into an empty folder.
    pub(crate) fn write(&self, folder: &Path) {
        for (path, bytes) in &self.0 {
            let path = folder.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
    }

    pub(crate) fn paths(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).collect()
    }

    pub(crate) fn contains(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    pub(crate) fn text(&self, path: &str) -> &str {
        std::str::from_utf8(&self.0[path]).unwrap()
    }

    /// Returns the table files.
    pub(crate) fn tables(&self) -> Self {
        let mut files = self.0.clone();
        files.retain(|path, _| path.contains('/') || path.contains("sqlite"));
        assert!(!files.is_empty());
        Self(files)
    }

    /// Returns the first file with these words in its content or path.
    pub(crate) fn find_text(&self, words: &str) -> Option<&str> {
        let words = words.as_bytes();
        let has = |bytes: &[u8]| bytes.windows(words.len()).any(|window| window == words);
        let file = self.0.iter().find(|(path, bytes)| has(path.as_bytes()) || has(bytes));
        file.map(|(path, _)| path.as_str())
    }
}

impl std::fmt::Debug for FolderSnapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let files = self.0.iter().map(|(path, bytes)| (path, bytes.len()));
        f.debug_map().entries(files).finish()
    }
}

fn add_files(folder: &Path, below: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{below}{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            add_files(&entry.path(), &format!("{path}/"), files);
        } else {
            files.insert(path, std::fs::read(entry.path()).unwrap());
        }
    }
}
