//! Import of files: find documents, read them ahead, insert them, preview them. Imports `people`,
//! `derive` and the modules beside this folder, but not `mine`.

pub(crate) mod archives;
pub(crate) mod dataset;
pub(crate) mod dataset_error;
pub(crate) mod dates;
pub(crate) mod documents;
pub(crate) mod dump;
pub(crate) mod file_names;
pub(crate) mod files;
pub(crate) mod icpc_parts;
pub(crate) mod input_document;
pub(crate) mod intake;
pub(crate) mod preview;
pub(crate) mod report;
pub(crate) mod versions;
