//! Formats of other programs that are recognised and not read.

/// A format that is not read.
struct UnreadFormat {
    name: &'static str,
    /// The endings of its files.
    endings: &'static [&'static str],
    /// The texts that the beginning of a document of this format has; it begins with the first.
    marks: &'static [&'static str],
    /// The form in which its program exports results.
    export: &'static str,
}

/// The bytes at the beginning of a document that are searched for marks.
const SEARCHED_BYTES: usize = 1_024;

const CSV: &str = "export the results as CSV";

const UNREAD_FORMATS: [UnreadFormat; 10] = [
    UnreadFormat {
        name: "a HY-TEK file of swimming events without results",
        endings: &["hyv"],
        marks: &[],
        export: "export the results as .hy3",
    },
    UnreadFormat {
        name: "an SDIF file of swimming results",
        endings: &["sd3", "cl2"],
        marks: &["A01V3"],
        export: CSV,
    },
    UnreadFormat {
        name: "a tournament of Swiss-Manager",
        endings: &["tun", "tunx", "tum", "tumx", "tur", "turx", "tut", "tutx"],
        marks: &[],
        export: "export the FIDE report as .trf",
    },
    UnreadFormat {
        name: "a tournament of Vega",
        endings: &["veg", "vegx"],
        marks: &[],
        export: "export the FIDE report as .trf",
    },
    UnreadFormat {
        name: "a competition of MeOS",
        endings: &["meos", "meosxml"],
        marks: &[],
        export: "export the results as IOF XML 3.0",
    },
    UnreadFormat {
        name: "a series of Sailwave",
        endings: &["blw"],
        marks: &[],
        export: CSV,
    },
    UnreadFormat {
        name: "a record of a game in SGF",
        endings: &["sgf"],
        marks: &["(;", "GM["],
        export: "import a table with a row for each game",
    },
    UnreadFormat {
        name: "a PDF",
        endings: &["pdf"],
        marks: &["%PDF-"],
        export: "export the results as CSV from the program that made it",
    },
    UnreadFormat {
        name: "a text of a word processor",
        endings: &["doc", "docx", "odt", "rtf"],
        marks: &["{\\rtf"],
        export: "copy its table into a spreadsheet and save that as CSV",
    },
    UnreadFormat {
        name: "a database",
        endings: &["mdb", "accdb", "sqlite", "sqlite3", "fdb"],
        marks: &["SQLite format 3"],
        export: CSV,
    },
];

/// Returns the name of a format that is not read and the way to import its results, by the ending
/// of a file name: `a PDF; export …`. `None` for other names.
#[must_use]
pub fn describe_unread_name(file_name: &str) -> Option<String> {
    let (_, ending) = file_name.rsplit_once('.')?;
    let ending = ending.to_ascii_lowercase();
    let format = UNREAD_FORMATS.iter().find(|format| format.endings.contains(&&*ending))?;
    Some(format.describe())
}

/// Returns the same as [`describe_unread_name`], by the beginning of a document.
pub(crate) fn describe_unread_bytes(bytes: &[u8]) -> Option<String> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let beginning = &text[..text.len().min(SEARCHED_BYTES)];
    let contains = |mark: &&str| {
        let mut runs = beginning.windows(mark.len());
        runs.any(|run| run == mark.as_bytes())
    };
    let mut formats = UNREAD_FORMATS.iter().filter(|format| {
        let first = format.marks.first();
        first.is_some_and(|first| beginning.starts_with(first.as_bytes()))
    });
    Some(formats.find(|format| format.marks.iter().all(contains))?.describe())
}

impl UnreadFormat {
    fn describe(&self) -> String {
        format!("{}; {}", self.name, self.export)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_named_by_ending_and_content() {
        let sdif = "an SDIF file of swimming results; export the results as CSV";
        for (name, expected) in [
            ("meet.sd3", Some(sdif)),
            ("Meet.CL2", Some(sdif)),
            (
                "meet.hyv",
                Some(
                    "a HY-TEK file of swimming events without results; export the results as .hy3",
                ),
            ),
            ("meet.hy3", None),
            ("meet.csv", None),
            ("sd3", None),
        ] {
            assert_eq!(describe_unread_name(name).as_deref(), expected, "{name}");
        }
        for (text, expected) in [
            ("\u{feff}\nA01V3      02Quay", Some(sdif)),
            ("A107Results From MM to TM     Hy-Tek, Ltd", None),
            ("A1,Ada\nA2,Bea", None),
            ("name,A01V3", None),
            ("", None),
        ] {
            assert_eq!(describe_unread_bytes(text.as_bytes()).as_deref(), expected, "{text}");
        }
    }
}
