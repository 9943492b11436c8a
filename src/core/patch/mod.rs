//! The sink whose result is transferred to JavaScript: a flat list of numbers and one text.
//!
//! Each op is a few `u32`. The strings of a push are concatenated in one UTF-8 buffer, which JavaScript decodes at
//! once and slices by lengths in UTF-16 units (text that is not ASCII is transferred as UTF-16, see `widen`). Long
//! strings are in a second buffer and are decoded one by one: their lengths are in bytes, with [`LONG`] added.
//! Transferring an object or a string per event costs more than parsing (README, "Architecture").
//!
//! | op | words |
//! |---|---|
//! | `Open` | op, key, kind · parent |
//! | `Null`, `True`, `False` | op, key · node (`Null`: with the argument 1 the member is not there any more, with 2 the undeclared one whose length of the name follows) |
//! | `Word` | op, key, word · node |
//! | `Int` | op, key · node · low half · high half |
//! | `Str`, `Append`, `Json` | op, key · node · length |
//! | `Extra` | op · node · length of the name · length of the JSON |
//! | `SetIn`, `AppendIn`, `ExtendIn` | op, key, steps · node · length of each step … · length |
//! | `AddIn` | op, key, steps · node · length of each step … · 1 if the sum is a float · length |
//! | `InsertIn` | as `SetIn` |
//! | `RemoveIn` | op, key, steps · node · length of each step … |
//! | `MoveIn` | op, key, steps of both · node · steps of the first · length of each step … |
//! | `Arrange` | op, key · parent · count · node … |
//! | `Share` | op, key, key of the other object · node · the other object |
//! | `MoveLast` | op, key · parent · node · place |
//! | `Remove` | op, key · parent · node |
//!
//! The first word is op (8 bits), key (8 bits) and one argument (16 bits). [`DIGITS`] in the argument marks JSON that
//! can contain an integer that a JavaScript number cannot represent: JavaScript decides how to handle it. Long strings
//! are removed from JSON, and an `AppendIn` follows for each of them (`hoisted.rs`).
//!
//! After the ops of the last patch of a stream follow the findings of its report: `core/report/findings.rs` defines
//! their format.

mod buffer;
mod hoisted;
mod op;
mod sink;

pub use buffer::PatchBuffer;
#[cfg(feature = "wasm-reader")]
pub(crate) use op::widen;
pub use op::{CONTRACT, DIGITS, LONG, Op, WIDE};
