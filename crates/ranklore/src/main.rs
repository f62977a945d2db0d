//! The command line of Ranklore.
fn main() {}
