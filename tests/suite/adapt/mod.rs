mod corpus;
mod facts;
