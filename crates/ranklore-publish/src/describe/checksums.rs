//! `SHA256SUMS`: checksums of all files, in the format of `sha256sum -c`.

use std::collections::BTreeMap;

use crate::digest::Digest;

/// The file name.
pub(crate) const CHECKSUMS_FILE: &str = "SHA256SUMS";

/// Renders one line per path and SHA-256, sorted by path.
pub(crate) fn render_checksums(files: &BTreeMap<String, Digest>) -> String {
    files.iter().map(|(path, sha256)| checksum_line(path, sha256)).collect()
}

fn checksum_line(path: &str, sha256: &Digest) -> String {
    if path.contains(['\\', '\n', '\r']) {
        // A leading backslash marks a line with escapes.
        let path = path.replace('\\', "\\\\");
        let path = path.replace('\n', "\\n").replace('\r', "\\r");
        format!("\\{sha256}  {path}\n")
    } else {
        format!("{sha256}  {path}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(files: &[(&str, u8)]) -> String {
        let files = files.iter().map(|(path, byte)| ((*path).to_owned(), Digest([*byte; 32])));
        render_checksums(&files.collect())
    }

    #[test]
    fn lines_are_sorted_by_path() {
        let [a, b, c] = ["33", "11", "22"].map(|byte| byte.repeat(32));
        assert_eq!(
            rendered(&[("b/c.csv", 0x22), ("a", 0x33), ("b", 0x11)]),
            format!("{a}  a\n{b}  b\n{c}  b/c.csv\n")
        );
    }

    #[test]
    fn newline_in_path_is_escaped() {
        let sum = "11".repeat(32);
        assert_eq!(rendered(&[("a\nb\\", 0x11)]), format!("\\{sum}  a\\nb\\\\\n"));
    }
}
