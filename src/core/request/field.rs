//! The types of members in requests: reading, writing and checking.

use alloc::string::String;
use alloc::vec::Vec;

use super::table::RequestShape;
use super::{Diagnostics, Fault};
use crate::json::float::FloatFormat;
use crate::json::{Value, float, integer as fitting, push_integer, put, write_list, write_string};

/// The type of a member.
pub(crate) trait RequestValue {
    /// Reads the value, or notes its fault.
    fn read(&mut self, value: Value, diagnostics: &mut Diagnostics);

    /// Returns the view that the rules of a member check.
    fn view(&self) -> FieldView<'_> {
        FieldView::Other
    }

    /// Writes the value as JSON. `compact` omits members that are not set.
    fn write(&self, out: &mut String, compact: bool);

    /// Notes problems for which a server would refuse the value.
    fn check(&self, _: &mut Diagnostics) {}
}

/// A type of member that can be created.
pub(crate) trait Typed: RequestValue {
    /// The shape of the type.
    const SHAPE: RequestShape;

    /// Returns the value before reading.
    fn blank() -> Self;
}

/// A view of a value for rules.
#[derive(Debug)]
pub(crate) enum FieldView<'a> {
    /// Absent or null.
    None,
    Text(&'a str),
    Integer(i64),
    Bool(bool),
    Json(&'a Value),
    /// A list of that length.
    List(usize),
    Other,
}

impl FieldView<'_> {
    /// Whether the compact form omits the value if its absence has the same meaning.
    pub(super) fn is_empty(&self) -> bool {
        matches!(
            self,
            FieldView::None | FieldView::Bool(false) | FieldView::List(0) | FieldView::Text("")
        )
    }
}

/// Stores the value that was read, or notes its fault.
fn settle<T>(slot: &mut T, read: Result<T, Fault>, value: Value, diagnostics: &mut Diagnostics) {
    match read {
        Ok(value) => *slot = value,
        Err(fault) => diagnostics.note(fault, &value),
    }
}

/// Reads only strings.
impl RequestValue for String {
    fn read(&mut self, value: Value, diagnostics: &mut Diagnostics) {
        match value {
            Value::String(text) => *self = text,
            other => diagnostics.note(Fault::StringType, &other),
        }
    }

    fn view(&self) -> FieldView<'_> {
        FieldView::Text(self)
    }

    fn write(&self, out: &mut String, _: bool) {
        write_string(self, out);
    }
}

/// True or false, also in other notations.
impl RequestValue for bool {
    fn read(&mut self, value: Value, diagnostics: &mut Diagnostics) {
        settle(self, boolean(&value), value, diagnostics);
    }

    fn view(&self) -> FieldView<'_> {
        FieldView::Bool(*self)
    }

    fn write(&self, out: &mut String, _: bool) {
        put(out, if *self { "true" } else { "false" });
    }
}

/// An integer of 64 bits, also in other notations.
impl RequestValue for i64 {
    fn read(&mut self, value: Value, diagnostics: &mut Diagnostics) {
        settle(self, integer(&value), value, diagnostics);
    }

    fn view(&self) -> FieldView<'_> {
        FieldView::Integer(*self)
    }

    fn write(&self, out: &mut String, _: bool) {
        push_integer(*self, out);
    }
}

/// The notation of the Python servers for floats: 0.00001 and 1.5e-7.
const FLOATS: FloatFormat = FloatFormat { plain_from: 1e-5, wide: false };

/// A finite number, also in other notations. A number that is not finite is treated as absent in
/// JSON.
impl RequestValue for f64 {
    fn read(&mut self, value: Value, diagnostics: &mut Diagnostics) {
        settle(self, number(&value), value, diagnostics);
    }

    fn view(&self) -> FieldView<'_> {
        if self.is_finite() { FieldView::Other } else { FieldView::None }
    }

    fn write(&self, out: &mut String, _: bool) {
        put(out, &FLOATS.of(*self));
    }

    fn check(&self, diagnostics: &mut Diagnostics) {
        if !self.is_finite() {
            diagnostics.note(Fault::FiniteNumber, &float::name(*self).into());
        }
    }
}

/// Any JSON.
impl RequestValue for Value {
    fn read(&mut self, value: Value, _: &mut Diagnostics) {
        *self = value;
    }

    fn view(&self) -> FieldView<'_> {
        FieldView::Json(self)
    }

    fn write(&self, out: &mut String, _: bool) {
        Value::write(self, out);
    }
}

/// A value that may be null, which is `None`.
impl<T: Typed> RequestValue for Option<T> {
    fn read(&mut self, value: Value, diagnostics: &mut Diagnostics) {
        match value {
            Value::Null => *self = None,
            value => self.get_or_insert_with(T::blank).read(value, diagnostics),
        }
    }

    fn view(&self) -> FieldView<'_> {
        self.as_ref().map_or(FieldView::None, RequestValue::view)
    }

    fn write(&self, out: &mut String, compact: bool) {
        match self {
            Some(value) => value.write(out, compact),
            None => put(out, "null"),
        }
    }

    fn check(&self, diagnostics: &mut Diagnostics) {
        if let Some(value) = self {
            value.check(diagnostics);
        }
    }
}

/// Implements `Typed` for types of Rust.
macro_rules! typed {
    ($($Type:ty, $shape:ident;)*) => {$(
        impl Typed for $Type {
            const SHAPE: RequestShape = RequestShape::$shape;

            fn blank() -> Self {
                Self::default()
            }
        }
    )*};
}

typed! {
    String, Text;
    bool, Bool;
    i64, Number;
    f64, Number;
    Value, Json;
}

impl<T: Typed> Typed for Option<T> {
    const SHAPE: RequestShape = RequestShape::Nullable(&T::SHAPE);

    fn blank() -> Self {
        None
    }
}

/// A list of any items: one function each reads, writes and checks all of them.
trait RequestList {
    /// Adds an item.
    fn add(&mut self) -> Option<&mut dyn RequestValue>;

    fn item(&self, at: usize) -> Option<&dyn RequestValue>;
}

impl<T: Typed> RequestList for Vec<T> {
    fn add(&mut self) -> Option<&mut dyn RequestValue> {
        self.push(T::blank());
        self.last_mut().map(|item| item as &mut dyn RequestValue)
    }

    fn item(&self, at: usize) -> Option<&dyn RequestValue> {
        self.get(at).map(|item| item as &dyn RequestValue)
    }
}

impl dyn RequestList + '_ {
    fn items(&self) -> impl Iterator<Item = &dyn RequestValue> {
        (0..).map_while(|at| self.item(at))
    }

    fn read(&mut self, value: Value, diagnostics: &mut Diagnostics) {
        let Value::Array(items) = value else {
            return diagnostics.note(Fault::ListType, &value);
        };
        for (at, value) in items.into_iter().enumerate() {
            if let Some(item) = self.add() {
                diagnostics.inside(at, |diagnostics| item.read(value, diagnostics));
            }
        }
    }

    fn write(&self, out: &mut String, compact: bool) {
        write_list(self.items(), out, |item, out| item.write(out, compact));
    }

    fn check(&self, diagnostics: &mut Diagnostics) {
        for (at, item) in self.items().enumerate() {
            diagnostics.inside(at, |diagnostics| item.check(diagnostics));
        }
    }
}

impl<T: Typed> RequestValue for Vec<T> {
    fn read(&mut self, value: Value, diagnostics: &mut Diagnostics) {
        (self as &mut dyn RequestList).read(value, diagnostics);
    }

    fn view(&self) -> FieldView<'_> {
        FieldView::List(self.len())
    }

    fn write(&self, out: &mut String, compact: bool) {
        (self as &dyn RequestList).write(out, compact);
    }

    fn check(&self, diagnostics: &mut Diagnostics) {
        (self as &dyn RequestList).check(diagnostics);
    }
}

impl<T: Typed> Typed for Vec<T> {
    const SHAPE: RequestShape = RequestShape::List(&T::SHAPE);

    fn blank() -> Self {
        Vec::new()
    }
}

/// Implements `Field` for open lists of words, which accept any string, with their names in
/// TypeScript.
macro_rules! word_fields {
    ($($Words:ident)*) => {$(
        impl $crate::core::request::RequestValue for $Words {
            fn read(&mut self, value: $crate::json::Value, diagnostics: &mut $crate::core::request::Diagnostics) {
                let mut text = alloc::string::String::new();
                $crate::core::request::RequestValue::read(&mut text, value, diagnostics);
                *self = text.as_str().into();
            }

            fn view(&self) -> $crate::core::request::FieldView<'_> {
                $crate::core::request::FieldView::Text(self.as_str())
            }

            fn write(&self, out: &mut alloc::string::String, _: bool) {
                $crate::json::write_string(self.as_str(), out);
            }
        }

        impl $crate::core::request::Typed for $Words {
            const SHAPE: $crate::core::request::table::RequestShape =
                $crate::core::request::table::RequestShape::Named(stringify!($Words));

            fn blank() -> Self {
                "".into()
            }
        }
    )*};
}

// Numbers and booleans in other notations, as the servers' validator accepts them: `"12"`, `1.0`,
// `"yes"`.

/// Reads a boolean, 0 or 1, or one of the words for them in any case.
pub(super) fn boolean(value: &Value) -> Result<bool, Fault> {
    Err(match value {
        Value::Bool(value) => return Ok(*value),
        Value::Number(digits) => match integral(digits) {
            Ok(0) => return Ok(false),
            Ok(1) => return Ok(true),
            Ok(_) => Fault::BoolParsing,
            Err(_) => Fault::BoolType,
        },
        Value::String(text) => match text.to_ascii_lowercase().as_str() {
            "1" | "on" | "t" | "true" | "y" | "yes" => return Ok(true),
            "0" | "off" | "f" | "false" | "n" | "no" => return Ok(false),
            _ => Fault::BoolParsing,
        },
        _ => Fault::BoolType,
    })
}

/// Reads an integer of 64 bits from a number without a fraction, digits in a string, or a boolean.
///
/// The runtime accepts integers of any size; here, an integer that does not fit is refused as
/// `int_parsing_size`, never rounded.
pub(super) fn integer(value: &Value) -> Result<i64, Fault> {
    match value {
        Value::Bool(value) => Ok((*value).into()),
        Value::Number(digits) => integral(digits),
        Value::String(text) => integer_text(text),
        _ => Err(Fault::IntType),
    }
}

/// Reads a finite number, digits in a string, or a boolean.
///
/// The runtime also accepts `"nan"`, `"inf"` and numbers too large for floating point, and then
/// writes null; they are refused here as `finite_number`.
pub(super) fn number(value: &Value) -> Result<f64, Fault> {
    match value {
        Value::Bool(value) => Ok(f64::from(u8::from(*value))),
        // An integer does not have a negative zero.
        Value::Number(digits) if digits == "-0" => Ok(0.0),
        Value::Number(digits) => finite(digits),
        Value::String(text) => without_underscores(text.trim(), false)
            .ok_or(Fault::FloatParsing)
            .and_then(|digits| finite(&digits)),
        _ => Err(Fault::FloatType),
    }
}

fn finite(digits: &str) -> Result<f64, Fault> {
    let word = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    if ["inf", "infinity", "nan"].iter().any(|infinite| word.eq_ignore_ascii_case(infinite)) {
        return Err(Fault::FiniteNumber);
    }
    match float::parse(digits) {
        Some(number) if number.is_finite() => Ok(number),
        Some(_) => Err(Fault::FiniteNumber),
        None => Err(Fault::FloatParsing),
    }
}

/// Returns the integer value of a JSON number.
fn integral(digits: &str) -> Result<i64, Fault> {
    if !digits.contains(['.', 'e', 'E']) {
        return fitting(digits).ok_or(Fault::IntParsingSize);
    }
    let number = float::parse(digits).unwrap_or(f64::NAN);
    // 2^63 is the first float beyond 64 bits; its negative is the last one within the range.
    const TOO_LARGE: f64 = 9_223_372_036_854_775_808.0;
    if !number.is_finite() {
        Err(Fault::FiniteNumber)
    } else if !(-TOO_LARGE..TOO_LARGE).contains(&number) {
        // Floats of that size do not have a fraction.
        Err(Fault::IntParsingSize)
    } else if (number as i64) as f64 != number {
        Err(Fault::IntFromFloat)
    } else {
        Ok(number as i64)
    }
}

/// Reads an integer. White space around it, a sign, digits with single underscores between them,
/// and `.000` are allowed.
fn integer_text(text: &str) -> Result<i64, Fault> {
    let text = text.trim();
    let whole = match text.split_once('.') {
        Some((whole, zeros)) if !zeros.is_empty() && zeros.bytes().all(|b| b == b'0') => whole,
        Some(_) => return Err(Fault::IntParsing),
        None => text,
    };
    let digits = without_underscores(whole, true).ok_or(Fault::IntParsing)?;
    let bare = digits.strip_prefix(['+', '-']).unwrap_or(&digits);
    if bare.is_empty() || !bare.bytes().all(|b| b.is_ascii_digit()) {
        return Err(Fault::IntParsing);
    }
    fitting(&digits).ok_or(Fault::IntParsingSize)
}

/// Removes underscores; `None` if one is not allowed: in `strict` it must be between two digits,
/// otherwise it must not be at an end or repeated.
fn without_underscores(text: &str, strict: bool) -> Option<String> {
    let bytes = text.as_bytes();
    let allowed = |at: usize| {
        let neighbour = |at: Option<usize>| {
            let byte = at.and_then(|at| bytes.get(at)).copied();
            byte.is_some_and(|b| b.is_ascii_digit() || (!strict && b != b'_'))
        };
        neighbour(at.checked_sub(1)) && neighbour(Some(at + 1))
    };
    let underscores = bytes.iter().enumerate().filter(|&(_, &b)| b == b'_');
    for (at, _) in underscores {
        if !allowed(at) {
            return None;
        }
    }
    Some(text.replace('_', ""))
}

pub(crate) use word_fields;
