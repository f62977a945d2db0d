//! `SHA256SUMS`: checksums of all files, in the format of `sha256sum -c`.

/// The file name.
pub(crate) const CHECKSUMS_FILE: &str = "SHA256SUMS";

/// Renders one line per path and hexadecimal SHA-256, sorted by path.
pub(crate) fn render_checksums<'f>(files: impl IntoIterator<Item = (&'f str, &'f str)>) -> String {
    let mut files: Vec<_> = files.into_iter().collect();
    files.sort_unstable();
    files.iter().map(|(path, sha256)| checksum_line(path, sha256)).collect()
}

fn checksum_line(path: &str, sha256: &str) -> String {
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
    use super::render_checksums;

    #[test]
    fn lines_are_sorted_by_path() {
        assert_eq!(
            render_checksums([("b/c.csv", "22"), ("a", "33"), ("b", "11")]),
            "33  a\n11  b\n22  b/c.csv\n"
        );
    }

    #[test]
    fn newline_in_path_is_escaped() {
        assert_eq!(render_checksums([("a\nb\\", "11")]), "\\11  a\\nb\\\\\n");
    }
}
