//! The checks of every statement of [`LogStore`](super::LogStore), for authors of stores.
