mod corpus;
mod facts;
mod losses;
