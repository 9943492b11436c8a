mod corpus;
mod custom;
mod facts;
mod losses;
mod steps;
