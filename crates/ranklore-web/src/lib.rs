#![doc = include_str!("../README.md")]

mod answers;
mod api;
mod assets;
mod content;
mod database;
mod failure;
mod hosts;
mod links;
mod pages;
mod parameters;
mod paths;
mod peer;
mod routes;
mod server;
mod site;
mod views;

pub use axum::http::HeaderValue;
pub use server::{Error, ServeOptions, Server};
pub use site::{SiteError, SiteOptions, SiteReport, SiteSize, make_site};
