//! The ops by their numbers, and the flags in their words.

/// Marks the length of a string in the second buffer.
pub const LONG: u32 = 1 << 31;

/// Marks the length of a text that crosses as UTF-16.
pub const WIDE: u32 = 1 << 30;

/// Marks an op whose JSON has 16 digits in a row.
pub const DIGITS: u16 = 1 << 15;

macro_rules! ops {
    ($($Op:ident $name:literal,)*) => {
        /// The kind of an op. The build passes the names and numbers to the package's JavaScript.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        #[expect(missing_docs, reason = "the table above the module")]
        #[non_exhaustive]
        pub enum Op {
            $($Op,)*
        }

        impl Op {
            /// The names in JavaScript, by number.
            pub const NAMES: &'static [&'static str] = &[$($name),*];
        }
    };
}
ops! {
    Open "OPEN",
    Null "NULL",
    True "TRUE",
    False "FALSE",
    Word "WORD",
    Int "INT",
    Str "STR",
    Append "APPEND",
    Json "FREE_JSON",
    Extra "EXTRA",
    SetIn "SET_IN",
    AppendIn "APPEND_IN",
    ExtendIn "EXTEND_IN",
    AddIn "ADD_IN",
    Arrange "ARRANGE",
    Share "SHARE",
    MoveLast "MOVE_LAST",
    Remove "REMOVE",
    InsertIn "INSERT_IN",
    RemoveIn "REMOVE_IN",
    MoveIn "MOVE_IN",
}

/// The identity of a build: JavaScript and wasm with different values are incompatible.
pub const CONTRACT: u32 = {
    let mut hash = fnv(0x811c_9dc5, env!("CARGO_PKG_VERSION"));
    let mut at = 0;
    while at < Op::NAMES.len() {
        hash = fnv(hash, Op::NAMES[at]);
        at += 1;
    }
    hash
};

/// Computes FNV-1a.
const fn fnv(mut hash: u32, text: &str) -> u32 {
    let mut at = 0;
    while at < text.len() {
        hash = (hash ^ text.as_bytes()[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash
}
