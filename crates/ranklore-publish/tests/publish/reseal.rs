//! Edited datasets with updated checksums.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ranklore_publish::Manifest;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// Edits a text file of a dataset.
pub(crate) fn edit_file(path: &Path, change: impl FnOnce(String) -> String) {
    let text = fs::read_to_string(path).unwrap();
    let changed = change(text.clone());
    assert_ne!(text, changed, "nothing was changed in {}", path.display());
    fs::write(path, changed).unwrap();
}

/// Edits `datapackage.json`.
pub(crate) fn edit_manifest(folder: &Path, change: impl FnOnce(&mut Value)) {
    edit_file(&folder.join("datapackage.json"), |text| {
        let mut package: Value = serde_json::from_str(&text).unwrap();
        change(&mut package);
        package.to_string()
    });
}

fn sha256(bytes: &[u8]) -> String {
    let sum = Sha256::digest(bytes);
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Updates lengths and checksums of all files in `datapackage.json`, then `SHA256SUMS`.
pub(crate) fn update_manifest_and_checksums(folder: &Path) {
    let path = folder.join("datapackage.json");
    let mut package: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    for file in package["ranklore"]["files"].as_array_mut().unwrap() {
        let bytes = fs::read(folder.join(file["path"].as_str().unwrap())).unwrap();
        file["sha256"] = json!(sha256(&bytes));
        file["bytes"] = json!(bytes.len());
    }
    fs::write(&path, package.to_string()).unwrap();
    update_checksums(folder);
}

/// Updates `SHA256SUMS` only.
pub(crate) fn update_checksums(folder: &Path) {
    let lines: BTreeMap<_, _> = super::exports::files(folder).into_iter().collect();
    let lines = lines.iter().filter(|(path, _)| *path != "SHA256SUMS");
    let sums: String = lines.map(|(path, bytes)| format!("{}  {path}\n", sha256(bytes))).collect();
    fs::write(folder.join("SHA256SUMS"), sums).unwrap();
}

/// Returns the file of a table in a single-format dataset.
pub(crate) fn table_file(folder: &Path, table: &str) -> PathBuf {
    let manifest = Manifest::read(folder).unwrap();
    let file = manifest
        .files
        .iter()
        .find(|file| file.table.is_some_and(|sealed_table| sealed_table.name() == table))
        .unwrap();
    folder.join(&file.path)
}
