//! Checks that docs/new-source.md shows this crate: every line of Rust there is a line here.

const DOCS: &str = include_str!("../../../../docs/new-source.md");

const CODE: [&str; 4] = [
    include_str!("../../src/lib.rs"),
    include_str!("fixtures.rs"),
    include_str!("conformance.rs"),
    include_str!("oddities.rs"),
];

/// The blocks of Rust.
fn code_blocks() -> Vec<&'static str> {
    let blocks = DOCS.split("```rust\n").skip(1);
    blocks.map(|rest| rest.split("```").next().unwrap()).collect()
}

/// The lines, without indentation.
fn trimmed_lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).collect()
}

/// True if the lines of the block are consecutive lines of one of the texts.
fn is_contained(block: &str, texts: &[&str]) -> bool {
    let block = trimmed_lines(block.trim_end());
    texts.iter().any(|text| {
        let text = trimmed_lines(text);
        text.windows(block.len()).any(|window| window == block)
    })
}

#[test]
fn documentation_shows_this_crate() {
    let blocks_of_code = code_blocks();
    assert!(blocks_of_code.len() >= 8, "{} blocks", blocks_of_code.len());
    for block in blocks_of_code {
        assert!(is_contained(block, &CODE), "it stands nowhere here:\n{block}");
    }
}
