//! The number of a field, with the differences from its member's declaration.

/// A field's number, with flags for differences from its member's declaration. 0: the member does not have a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number(pub u16);

#[cfg_attr(not(feature = "binary"), allow(dead_code, reason = "only the binary form has fields"))]
impl Number {
    const BITS: u16 = 5;
    const MASK: u16 = (1 << Self::BITS) - 1;
    /// A required member whose field may be missing.
    pub const PRESENCE: u16 = 1 << 10;
    /// A string that is an enumeration: the number is its position among the variants.
    pub const ENUM: u16 = 1 << 12;
    /// An object that is a `Value` and not a `Struct`.
    pub const VALUE: u16 = 1 << 13;
    /// The field is in the part that all events have.
    pub const COMMON: u16 = 1 << 14;
    /// An object without a separate message: its members have their fields in the parent.
    pub const INSIDE: u16 = 1 << 15;

    /// Returns the number of the list that may replace a text.
    pub const fn or(number: u16) -> u16 {
        number << Self::BITS
    }

    pub fn field(self) -> u32 {
        u32::from(self.0 & Self::MASK)
    }

    /// Returns the field of the list that may replace the text.
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

/// A number in a declaration: `numbered!(3 | or(8))`.
macro_rules! numbered {
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
