mod converter;
mod corpus;
mod custom;
pub mod facts;
mod interrupts;
mod losses;
mod request;
mod steps;
