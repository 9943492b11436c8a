//! Each bound of `Limits`, at the bound and one past it.
