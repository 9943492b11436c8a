mod converter;
mod corpus;
mod custom;
pub mod facts;
mod interrupts;
mod losses;
mod notes;
mod request;
mod steps;
