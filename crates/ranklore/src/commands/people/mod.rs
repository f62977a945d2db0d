//! Commands that decide about competitors and contests.
//! Imports the output of the program, and no other folder of commands.

pub(crate) mod competitor;
pub(crate) mod forget;
pub(crate) mod withdraw;
