//! Tells from the name of a file how it is packed and which format it has.

use ranklore_formats::FileFormat;

use crate::import::icpc_parts::is_other_endpoint;

/// The format that the user states for the documents of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatedFormat {
    /// A table, in the form that the name of each file tells.
    Table,
    /// A fixed format, whatever the name of a file that the user names. Of folders and archives, the
    /// files whose names fit.
    Exactly(FileFormat),
}

impl StatedFormat {
    /// Returns the format of a file in a folder or an archive. `None` if it is passed over.
    pub(crate) fn of_unnamed(format: Option<Self>, name: &str) -> Option<FileFormat> {
        match format {
            None => FileFormat::from_file_name(name),
            Some(Self::Table) => FileFormat::of_table_file(name),
            Some(Self::Exactly(FileFormat::Icpc)) if is_other_endpoint(name) => None,
            Some(Self::Exactly(format)) => format.fits_file_name(name).then_some(format),
        }
    }

    /// Returns the format of a file that the user names. `None` if the name does not tell.
    pub(crate) fn of_named(format: Option<Self>, name: &str) -> Option<FileFormat> {
        match format {
            Some(Self::Exactly(format)) => Some(format),
            _ => Self::of_unnamed(format, name),
        }
    }
}

/// How a file is packed, as the end of its name tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// A single document.
    Document(Compression),
    /// A tar archive.
    Tar(Compression),
    /// A ZIP archive.
    Zip,
}

/// The compression of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    None,
    Gzip,
    Zstd,
}

impl Packing {
    /// Returns the packing of a file, and the name of its document: that of the file without the
    /// ending of a compression.
    pub(crate) fn from_name(name: &str) -> (Self, &str) {
        const ARCHIVES: [(&str, Packing); 6] = [
            (".zip", Packing::Zip),
            (".tar", Packing::Tar(Compression::None)),
            (".tar.gz", Packing::Tar(Compression::Gzip)),
            (".tgz", Packing::Tar(Compression::Gzip)),
            (".tar.zst", Packing::Tar(Compression::Zstd)),
            (".tzst", Packing::Tar(Compression::Zstd)),
        ];
        let lower = name.to_ascii_lowercase();
        let archive = ARCHIVES.iter().find(|(ending, _)| lower.ends_with(ending));
        if let Some((_, packing)) = archive {
            return (*packing, name);
        }
        for (ending, compression) in [(".gz", Compression::Gzip), (".zst", Compression::Zstd)] {
            if lower.ends_with(ending) {
                let document = &name[..name.len() - ending.len()];
                return (Self::Document(compression), document);
            }
        }
        (Self::Document(Compression::None), name)
    }
}

/// True for files of other programs; `~` marks lock files of spreadsheets.
pub(crate) fn is_hidden(name: &str) -> bool {
    name.starts_with(['.', '~']) && name != ".."
}

/// True for texts that describe a folder: they are no tables.
pub(crate) fn is_about_folder(key: &str) -> bool {
    let name = key.rsplit('/').next().unwrap_or(key).to_ascii_lowercase();
    let words = [
        "readme",
        "license",
        "licence",
        "copying",
        "notice",
        "changelog",
        "authors",
    ];
    name.strip_suffix(".txt").is_some_and(|stem| words.contains(&stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_follows_the_end_of_the_name() {
        use Compression::{Gzip, None, Zstd};
        for (name, packing, document) in [
            ("a.csv", Packing::Document(None), "a.csv"),
            ("a.CSV.GZ", Packing::Document(Gzip), "a.CSV"),
            ("a.json.zst", Packing::Document(Zstd), "a.json"),
            ("a.tar", Packing::Tar(None), "a.tar"),
            ("a.tar.gz", Packing::Tar(Gzip), "a.tar.gz"),
            ("a.TGZ", Packing::Tar(Gzip), "a.TGZ"),
            ("a.tar.zst", Packing::Tar(Zstd), "a.tar.zst"),
            ("a.zip", Packing::Zip, "a.zip"),
            ("gz", Packing::Document(None), "gz"),
        ] {
            assert_eq!(Packing::from_name(name), (packing, document), "{name}");
        }
    }

    #[test]
    fn stated_format_chooses_files() {
        let exactly = |format| Some(StatedFormat::Exactly(format));
        let table = Some(StatedFormat::Table);
        for (stated, name, unnamed, named) in [
            (None, "a.csv", Some(FileFormat::Table), Some(FileFormat::Table)),
            (None, "a.dat", None, None),
            (exactly(FileFormat::Table), "a.dat", None, Some(FileFormat::Table)),
            (
                exactly(FileFormat::CtftimeFeed),
                "a.json",
                Some(FileFormat::CtftimeFeed),
                Some(FileFormat::CtftimeFeed),
            ),
            (exactly(FileFormat::Tsv), "a.txt", Some(FileFormat::Tsv), Some(FileFormat::Tsv)),
            (exactly(FileFormat::Json), "a.csv", None, Some(FileFormat::Json)),
            (table, "a.xlsx", Some(FileFormat::Xlsx), Some(FileFormat::Xlsx)),
            (table, "a.dat", None, None),
            (exactly(FileFormat::Icpc), "cup/groups.json", None, Some(FileFormat::Icpc)),
        ] {
            assert_eq!(StatedFormat::of_unnamed(stated, name), unnamed, "{stated:?} {name}");
            assert_eq!(StatedFormat::of_named(stated, name), named, "{stated:?} {name}");
        }
    }
}
