mod converter;
mod corpus;
mod custom;
mod facts;
mod interrupts;
mod losses;
mod request;
mod steps;
