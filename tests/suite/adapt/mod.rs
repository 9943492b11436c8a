mod converter;
mod corpus;
mod custom;
mod facts;
mod losses;
mod request;
mod steps;
