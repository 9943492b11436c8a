//! The number of a field, with what its member's declaration does not say.

/// A field's number, and how it differs from what its member's declaration says. 0: the member has no field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number(pub u16);

/// The numbers of an event.
#[derive(Debug)]
pub(crate) struct EventNumbers {
    /// Its field in the message of all events; 0 if it has none.
    pub event: u32,
    /// Those of its members, in the order of the declaration.
    pub members: &'static [u16],
}

impl Number {
    const BITS: u16 = 5;
    const MASK: u16 = (1 << Self::BITS) - 1;
    /// A member that is always there has a field that may be missing.
    pub const PRESENCE: u16 = 1 << 10;
    /// A string that is an enumeration: the number is its place among the variants.
    pub const ENUM: u16 = 1 << 12;
    /// An object that is a `Value` and no `Struct`.
    pub const VALUE: u16 = 1 << 13;
    /// The field stands in the part that all events have.
    pub const COMMON: u16 = 1 << 14;
    /// An object without a message of its own: its members have their fields where it stands.
    pub const INSIDE: u16 = 1 << 15;

    /// The number of the list that stands in the place of a text.
    pub const fn or(number: u16) -> u16 {
        number << Self::BITS
    }

    pub fn field(self) -> u32 {
        u32::from(self.0 & Self::MASK)
    }

    /// The field of the list that stands in the place of the text.
    pub fn other(self) -> u32 {
        u32::from(self.0 >> Self::BITS & Self::MASK)
    }

    pub fn has_presence(self) -> bool {
        self.0 & Self::PRESENCE != 0
    }

    pub fn is_enum(self) -> bool {
        self.0 & Self::ENUM != 0
    }

    pub fn is_value(self) -> bool {
        self.0 & Self::VALUE != 0
    }

    pub fn is_common(self) -> bool {
        self.0 & Self::COMMON != 0
    }

    pub fn is_inside(self) -> bool {
        self.0 & Self::INSIDE != 0
    }
}

/// A number in a declaration: `numbered!(3 | or(8))`; nothing is 0.
macro_rules! numbered {
    () => { 0 };
    ($($number:tt)+) => {{
        #[allow(unused_imports, reason = "most numbers have none of these")]
        use $crate::core::declare::events::number::Number;
        #[allow(dead_code, reason = "most numbers have none of these")]
        const fn or(number: u16) -> u16 {
            Number::or(number)
        }
        $($number)+
    }};
}
pub(crate) use numbered;
