//! Unpacks the pages of a row group within limits. The library would trust the sizes that a page
//! claims, or none: it gets each page unpacked.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use parquet::arrow::arrow_reader::RowGroups;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{Page, PageIterator, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;

/// A row group of a file.
pub(super) struct BoundedRowGroup {
    pub(super) file: Arc<Bytes>,
    pub(super) metadata: Arc<ParquetMetaData>,
    pub(super) index: usize,
    /// The bytes that the pages of all row groups may still have when unpacked.
    pub(super) bytes_left: Arc<AtomicU64>,
    /// The most values of a column.
    pub(super) max_values: u64,
}

impl RowGroups for BoundedRowGroup {
    fn num_rows(&self) -> usize {
        usize::try_from(self.metadata.row_group(self.index).num_rows()).unwrap_or(0)
    }

    fn column_chunks(&self, column: usize) -> Result<Box<dyn PageIterator>> {
        let group = self.metadata.row_group(self.index);
        let chunk = group.columns().get(column).ok_or_else(|| broken("a column is missing"))?;
        let pages = BoundedPages::open(self, chunk, self.num_rows())?;
        Ok(Box::new(SinglePages(Some(pages))))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(std::iter::once(self.metadata.row_group(self.index)))
    }

    fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }
}

/// The pages of the only column chunk.
struct SinglePages(Option<BoundedPages>);

impl Iterator for SinglePages {
    type Item = Result<Box<dyn PageReader>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.take().map(|pages| Ok(Box::new(pages) as _))
    }
}

impl PageIterator for SinglePages {}

fn broken(reason: &str) -> ParquetError {
    ParquetError::General(reason.to_owned())
}

/// The unpacked pages of a column chunk.
struct BoundedPages {
    packed: SerializedPageReader<Bytes>,
    compression: Compression,
    bytes_left: Arc<AtomicU64>,
    values_left: u64,
    has_dictionary: bool,
}

impl BoundedPages {
    fn open(group: &BoundedRowGroup, chunk: &ColumnChunkMetaData, rows: usize) -> Result<Self> {
        let compression = chunk.compression();
        if !matches!(
            compression,
            Compression::UNCOMPRESSED
                | Compression::SNAPPY
                | Compression::GZIP(_)
                | Compression::ZSTD(_)
        ) {
            let name = compression.to_string();
            return Err(broken(&format!(
                "its compression {} is not supported: use zstd, snappy, gzip or none",
                name.split('(').next().unwrap_or_default()
            )));
        }
        // The library panics on these.
        let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
        if start < 0 || chunk.compressed_size() < 0 {
            return Err(broken("a column lies outside of the file"));
        }
        // Said to be uncompressed, pages are handed over as they are.
        let chunk = chunk
            .clone()
            .into_builder()
            .set_compression(Compression::UNCOMPRESSED)
            .build()?;
        Ok(Self {
            packed: SerializedPageReader::new(Arc::clone(&group.file), &chunk, rows, None)?,
            compression,
            bytes_left: Arc::clone(&group.bytes_left),
            values_left: group.max_values,
            has_dictionary: false,
        })
    }

    /// Errors for too many values; for the encoding in which a page of few bytes can have many long
    /// texts; and for a page that refers to a dictionary which is missing: the library panics on it.
    fn check_values(&mut self, count: u32, encoding: Encoding) -> Result<()> {
        self.values_left = self
            .values_left
            .checked_sub(count.into())
            .ok_or_else(|| broken("a column has too many values: split the table"))?;
        if encoding == Encoding::DELTA_BYTE_ARRAY {
            return Err(broken(
                "its encoding DELTA_BYTE_ARRAY is not supported: write it with version 1.0 of the \
                 format",
            ));
        }
        let is_dictionary =
            matches!(encoding, Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY);
        if is_dictionary && !self.has_dictionary {
            return Err(broken("a dictionary is missing"));
        }
        Ok(())
    }

    /// Unpacks what follows the first `plain` bytes.
    fn unpack(&self, packed: &Bytes, plain: usize) -> Result<Bytes> {
        let left = self.bytes_left.load(Ordering::Relaxed);
        let (head, body) = packed.split_at(plain);
        let mut unpacked = head.to_vec();
        let mut read = |from: &mut dyn Read| -> Result<()> {
            unpacked.reserve(body.len().saturating_mul(3).min(left as usize));
            from.take(left + 1).read_to_end(&mut unpacked)?;
            Ok(())
        };
        match self.compression {
            _ if body.is_empty() => {}
            Compression::SNAPPY => {
                let length = snap::raw::decompress_len(body).unwrap_or(usize::MAX);
                if length as u64 > left {
                    return Err(too_large());
                }
                unpacked.resize(plain + length, 0);
                let result = snap::raw::Decoder::new().decompress(body, &mut unpacked[plain..]);
                result.map_err(|error| broken(&error.to_string()))?;
            }
            Compression::GZIP(_) => read(&mut flate2::read::MultiGzDecoder::new(body))?,
            Compression::ZSTD(_) => read(&mut zstd::stream::read::Decoder::with_buffer(body)?)?,
            _ => {
                self.use_bytes(packed.len())?;
                return Ok(packed.clone());
            }
        }
        self.use_bytes(unpacked.len())?;
        Ok(Bytes::from(unpacked))
    }

    fn use_bytes(&self, count: usize) -> Result<()> {
        let use_up = |left: u64| left.checked_sub(count as u64);
        let left = self.bytes_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, use_up);
        left.map(|_| ()).map_err(|_| too_large())
    }
}

fn too_large() -> ParquetError {
    broken("it unpacks to more than 256 MiB: split the table into several files")
}

impl Iterator for BoundedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for BoundedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let Some(mut page) = self.packed.get_next_page()? else {
            return Ok(None);
        };
        if !matches!(page, Page::DictionaryPage { .. }) {
            self.check_values(page.num_values(), page.encoding())?;
        }
        match &mut page {
            Page::DictionaryPage {
                buf, num_values, ..
            } => {
                *buf = self.unpack(buf, 0)?;
                // A value takes at least a byte.
                if *num_values as usize > buf.len() {
                    return Err(broken("a dictionary is too short"));
                }
                self.has_dictionary = true;
            }
            Page::DataPage { buf, .. } => *buf = self.unpack(buf, 0)?,
            Page::DataPageV2 {
                buf,
                def_levels_byte_len,
                rep_levels_byte_len,
                is_compressed,
                ..
            } => {
                let levels = u64::from(*def_levels_byte_len) + u64::from(*rep_levels_byte_len);
                if levels > buf.len() as u64 {
                    return Err(broken("a page is too short"));
                }
                if *is_compressed {
                    *buf = self.unpack(buf, levels as usize)?;
                    *is_compressed = false;
                }
            }
        }
        Ok(Some(page))
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.packed.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.packed.skip_next_page()
    }
}
