#![doc = include_str!("../README.md")]

mod classify;
mod comments;
mod dump;
mod id;
mod listing;
mod minimise;
mod names;
mod nesting;
mod options;
mod requests;
mod source;
mod tally;
mod things;
mod thread;

pub use dump::{
    CommentCounts, DumpCounts, DumpError, DumpOptions, DumpReader, DumpThreads, LineCounts,
    ThreadCounts,
};
pub use listing::SubredditListing;
pub use source::{REGISTRATION, RedditSource};
pub use tally::sum_parts;
