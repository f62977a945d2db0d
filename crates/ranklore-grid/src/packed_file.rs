//! Unpacks a ZIP archive that stands for one file.

use std::io::{Cursor, Read as _};

use crate::document::{FileReadError, MAX_DOCUMENT_BYTES};
use crate::zip_directory::{MAX_WORKBOOK_ENTRIES, check_zip_directory};

/// Returns the only file of a ZIP archive whose name has this ending, in any case.
///
/// # Errors
/// If the archive is broken or encrypted, has none or several, or if the file unpacks to more than
/// [`MAX_DOCUMENT_BYTES`].
pub fn unpack_only_file(bytes: &[u8], ending: &str) -> Result<Vec<u8>, FileReadError> {
    let corrupt = || {
        let reason = "the document is no valid ZIP archive, or encrypted; export it again";
        FileReadError::whole_document(reason)
    };
    check_zip_directory(&mut Cursor::new(bytes), MAX_WORKBOOK_ENTRIES).map_err(|_| corrupt())?;
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|_| corrupt())?;
    let has_ending = |name: &&str| name.to_ascii_lowercase().ends_with(ending);
    let names: Vec<String> = archive.file_names().filter(has_ending).map(str::to_owned).collect();
    let [name] = &names[..] else {
        let reason = format!("the archive does not have exactly one {ending} file; unpack it");
        return Err(FileReadError::whole_document(reason));
    };
    let file = archive.by_name(name).map_err(|_| corrupt())?;
    let mut unpacked = Vec::new();
    let mut bounded = file.take(MAX_DOCUMENT_BYTES as u64 + 1);
    bounded.read_to_end(&mut unpacked).map_err(|_| corrupt())?;
    if unpacked.len() > MAX_DOCUMENT_BYTES {
        return Err(FileReadError::whole_document(format!(
            "the archive unpacks to more than the limit of {MAX_DOCUMENT_BYTES} bytes; split it"
        )));
    }
    Ok(unpacked)
}
