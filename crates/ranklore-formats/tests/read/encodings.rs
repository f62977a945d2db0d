//! Texts in older encodings of Latin letters.

use ranklore_formats::{FileFormat, ReadOptions, read};

/// Reads a ranking with these names.
fn names(names: &[&[u8]]) -> Result<Vec<String>, String> {
    let mut text = b"date;place;name\n".to_vec();
    for (place, name) in (1..).zip(names) {
        text.extend_from_slice(format!("2024-03-01;{place};").as_bytes());
        text.extend_from_slice(name);
        text.push(b'\n');
    }
    let reading = read(FileFormat::Table, text, "club.csv", &ReadOptions::default());
    let reading = reading.map_err(|error| error.to_string())?;
    let contests = reading.contests.to_vec();
    let entrants = contests.into_iter().flat_map(|contest| contest.entrants);
    Ok(entrants.map(|entrant| entrant.competitor).collect())
}

#[test]
fn words_tell_the_encoding() {
    for (encoded, expected) in [
        // ISO-8859-2, windows-1254, Mac Roman, windows-1252.
        (
            &[&b"Micha\xb3 Nowak"[..], b"Zbigniew G\xb1ska"][..],
            ["Michał Nowak", "Zbigniew Gąska"],
        ),
        (&[b"Mustafa Y\xfdlmaz", b"Emre G\xfcne\xfe"], ["Mustafa Yılmaz", "Emre Güneş"]),
        (&[b"J\x9frgen Wolf", b"Andr\x8e G\x97mez"], ["Jürgen Wolf", "André Gómez"]),
        (&[b"J\xfcrgen Wolf", b"Andr\xe9 G\xf3mez"], ["Jürgen Wolf", "André Gómez"]),
    ] {
        assert_eq!(names(encoded).unwrap(), expected);
    }
}

#[test]
fn words_of_several_encodings_are_refused() {
    let error = names(&[b"Ali Do\xf0an", b"Ece Su"]).unwrap_err();
    assert!(error.starts_with("line 2: "), "{error}");
    for encoding in ["windows-1252", "windows-1254"] {
        assert!(error.contains(&format!("iconv -f {encoding} -t UTF-8")), "{error}");
    }
}
