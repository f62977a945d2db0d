#![doc = include_str!("../README.md")]

mod answers;
mod api;
mod csv;
mod database;
mod failure;
mod hosts;
mod links;
mod pages;
mod parameters;
mod routes;
mod server;
mod views;

pub use csv::CsvTables;
pub use server::{Error, ServeOptions, Server};
