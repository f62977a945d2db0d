//! Containers that unpack to more than a document may have.

use std::io::{Cursor, Write};

use super::gzip;
use crate::support::Scratch;

/// More than the 256 MiB of a document.
const SIZE: usize = 260 << 20;

/// Writes blank lines, which are a table until its end.
fn write_blank(mut to: impl Write) {
    let lines = vec![b'\n'; 1 << 20];
    for _ in 0..SIZE / lines.len() {
        to.write_all(&lines).unwrap();
    }
}

fn zip_of_blank() -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("cup.csv", zip::write::SimpleFileOptions::default()).unwrap();
    write_blank(&mut zip);
    zip.finish().unwrap().into_inner()
}

/// Replaces the size that the ZIP states for its entry by 9 bytes.
fn with_lying_size(mut zip: Vec<u8>) -> Vec<u8> {
    let size = u32::try_from(SIZE).unwrap().to_le_bytes();
    let size_offsets: Vec<usize> =
        (0..zip.len() - 4).filter(|&at| zip[at..at + 4] == size).collect();
    assert!(!size_offsets.is_empty());
    for at in size_offsets {
        zip[at..at + 4].copy_from_slice(&9_u32.to_le_bytes());
    }
    zip
}

#[test]
fn bombs_are_refused() {
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    write_blank(&mut gz);
    let gz = gz.finish().unwrap();
    let mut zst = zstd::Encoder::new(Vec::new(), 1).unwrap();
    write_blank(&mut zst);
    let zst = zst.finish().unwrap();
    let zip = zip_of_blank();
    for (name, bytes) in [
        ("cup.csv.gz", gz),
        ("cup.csv.zst", zst),
        ("cup.zip", zip.clone()),
        ("cup.zip", with_lying_size(zip.clone())),
    ] {
        assert!(bytes.len() < 4 << 20, "{name}: {} bytes", bytes.len());
        let scratch = Scratch::new();
        scratch.write("2024-03-01.csv", "place,player\n1,Ada Lark\n2,Bea Fox\n");
        scratch.write(name, bytes);
        let import = ["import", ".", "--source", "club"];
        let run = scratch.run(&import);
        assert_ne!(run.code, Some(0), "{name}: {}", run.out);
        let named = run.err.contains("256 MiB") || run.err.contains("cup.zip");
        assert!(named, "{name}: {}", run.err);
    }
    // An archive within an archive is not opened.
    let scratch = Scratch::new();
    scratch.write("outer.tar.gz", gzip(&super::tar("cup.zip", &zip)));
    let run = scratch.run(&["import", "outer.tar.gz", "--source", "club"]);
    assert_ne!(run.code, Some(0), "{}", run.out);
    assert!(!scratch.db().exists());
}
