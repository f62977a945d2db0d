//! Reads the lines of a file, compressed with zstd or not.

use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};

/// The magic number of a zstd frame. The last four bits of the skippable one are arbitrary.
const ZSTD_MAGIC: u32 = 0xfd2f_b528;
const SKIPPABLE_MAGIC: u32 = 0x184d_2a50;

/// Dumps use windows of up to 2 GiB; the decoder's default limit is 128 MiB.
const MAX_WINDOW_LOG: u32 = 31;

/// The longest line, in bytes. Texts end at 40,000 characters, but pictures add to them.
const MAX_LINE: usize = 16 << 20;

/// Some programs write it before the first line.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The number of a line, from 1, and the line without its line break.
type NumberedLine<'a> = (u64, &'a [u8]);

/// The lines of one file that are not empty.
pub(crate) struct LineReader<'f> {
    file: Box<dyn BufRead + 'f>,
    line: Vec<u8>,
    number: u64,
}

impl<'f> LineReader<'f> {
    pub(crate) fn new(mut file: impl Read + 'f) -> io::Result<Self> {
        let mut head = Vec::with_capacity(4);
        file.by_ref().take(4).read_to_end(&mut head)?;
        let magic = <[u8; 4]>::try_from(head.as_slice()).map(u32::from_le_bytes);
        let file = Cursor::new(head).chain(file);
        let file: Box<dyn BufRead + 'f> = match magic {
            Ok(magic) if magic == ZSTD_MAGIC || magic & !15 == SKIPPABLE_MAGIC => {
                let mut unpacked = zstd::stream::read::Decoder::new(file)?;
                unpacked.window_log_max(MAX_WINDOW_LOG)?;
                Box::new(BufReader::with_capacity(256 << 10, unpacked))
            }
            _ => Box::new(BufReader::with_capacity(256 << 10, file)),
        };
        Ok(Self {
            file,
            line: Vec::new(),
            number: 0,
        })
    }

    /// Returns the number of the next line, from 1, and the line without its line break; or the error
    /// with the number of the last line read.
    pub(crate) fn next_line(&mut self) -> Result<Option<NumberedLine<'_>>, (u64, io::Error)> {
        loop {
            self.line.clear();
            let mut bounded = self.file.by_ref().take(MAX_LINE as u64);
            let length = bounded
                .read_until(b'\n', &mut self.line)
                .map_err(|error| (self.number, error))?;
            if length == 0 {
                return Ok(None);
            }
            if length == MAX_LINE && self.line.last() != Some(&b'\n') {
                let reason = format!("a line longer than {MAX_LINE} bytes");
                return Err((self.number, io::Error::new(ErrorKind::InvalidData, reason)));
            }
            self.number += 1;
            let mark = if self.number == 1 && self.line.starts_with(BYTE_ORDER_MARK) {
                BYTE_ORDER_MARK.len()
            } else {
                0
            };
            let end = self.line.trim_ascii_end().len();
            if end > mark {
                return Ok(Some((self.number, &self.line[mark..end])));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(bytes: &[u8]) -> Result<Vec<(u64, String)>, String> {
        let mut lines = LineReader::new(bytes).map_err(|error| error.to_string())?;
        let mut all = Vec::new();
        while let Some((number, text)) =
            lines.next_line().map_err(|(line, error)| format!("{line}: {error}"))?
        {
            all.push((number, String::from_utf8_lossy(text).into_owned()));
        }
        Ok(all)
    }

    /// Returns a zstd frame of one raw block with a window of `2^window_log` bytes.
    fn zstd_frame(window_log: u8, content: &[u8]) -> Vec<u8> {
        let mut frame = ZSTD_MAGIC.to_le_bytes().to_vec();
        // No content size, no checksum, no dictionary.
        frame.extend([0, (window_log - 10) << 3]);
        let block = (content.len() as u32) << 3 | 1;
        frame.extend(&block.to_le_bytes()[..3]);
        frame.extend(content);
        frame
    }

    #[test]
    fn empty_lines_are_skipped_and_numbered() {
        let found = read_all(b"{}\r\n\n  \n[1]").unwrap();
        assert_eq!(found, [(1, "{}".to_owned()), (4, "[1]".to_owned())]);
        let marked = read_all(b"\xef\xbb\xbf{}\n\xef\xbb\xbf{}\n").unwrap();
        assert_eq!(marked, [(1, "{}".to_owned()), (2, "\u{feff}{}".to_owned())]);
        for nothing in [&b""[..], b"\n", b"\n\n\n\n\n"] {
            assert_eq!(read_all(nothing).unwrap(), []);
        }
    }

    #[test]
    fn longest_zstd_windows_are_unpacked() {
        for log in [20, 27, 31] {
            let found = read_all(&zstd_frame(log, b"{}\n"));
            assert_eq!(found.unwrap(), [(1, "{}".to_owned())], "{log}");
        }
    }

    #[test]
    fn skippable_frames_are_skipped() {
        let skipped = [
            &(SKIPPABLE_MAGIC + 3).to_le_bytes()[..],
            &[2, 0, 0, 0, 9, 9],
        ]
        .concat();
        let file = [
            skipped.clone(),
            zstd_frame(20, b"{}\n["),
            skipped,
            zstd_frame(20, b"]\n"),
        ];
        let found = read_all(&file.concat()).unwrap();
        assert_eq!(found, [(1, "{}".to_owned()), (2, "[]".to_owned())]);
    }

    #[test]
    fn truncated_file_is_an_error() {
        let packed = zstd::bulk::compress(&b"{\"a\":1}\n".repeat(1000), 3).unwrap();
        assert_eq!(read_all(&packed).unwrap().len(), 1000);
        for at in 4..packed.len() {
            assert!(read_all(&packed[..at]).is_err(), "{at} of {}", packed.len());
        }
    }

    #[test]
    fn endless_line_is_an_error() {
        let error = read_all(&vec![b'a'; MAX_LINE + 1]).unwrap_err();
        assert!(error.contains("longer than"), "{error}");
    }
}
