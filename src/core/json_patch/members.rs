//! The members of an object that is changed in place, and a comparison of numbers in different notations.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::node::Node;
use crate::bytes::string_map::StringMap;

/// The members of an object in order. A removed member leaves its slot empty until the object is tidied up.
#[derive(Clone, Debug, Default)]
pub(super) struct Members {
    pub slots: Vec<Option<(Box<str>, Box<Node>)>>,
    pub live: usize,
    /// The current or former slot of each name.
    places: StringMap<usize>,
}

impl Members {
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.slots.iter().flatten().map(|(name, value)| (&**name, &**value))
    }

    /// Returns the member and its slot.
    pub fn find(&self, name: &str) -> Option<(usize, &Node)> {
        let at = *self.places.get(name)?;
        self.slots[at].as_ref().map(|(_, value)| (at, &**value))
    }

    /// Sets a member. Returns the value that it replaces.
    pub fn set(&mut self, name: &str, value: Box<Node>) -> Option<Box<Node>> {
        let slot = self.places.get(name).and_then(|&at| self.slots[at].as_mut());
        if let Some((_, held)) = slot {
            return Some(core::mem::replace(held, value));
        }
        self.places.insert(name, self.slots.len());
        self.slots.push(Some((name.into(), value)));
        self.live += 1;
        None
    }

    pub fn remove(&mut self, name: &str) -> Option<(usize, Box<Node>)> {
        let at = *self.places.get(name)?;
        let (_, value) = self.slots[at].take()?;
        self.live -= 1;
        Some((at, value))
    }

    pub fn restore(&mut self, at: usize, name: &str, value: Box<Node>) {
        self.places.insert(name, at);
        self.slots[at] = Some((name.into(), value));
        self.live += 1;
    }

    pub fn tidy(&mut self) {
        /// A small object is not tidied up.
        const SMALL: usize = 8;
        if self.slots.len() > 2 * self.live + SMALL {
            let all = core::mem::take(self);
            all.slots.into_iter().flatten().for_each(|(name, value)| drop(self.set(&name, value)));
        }
    }
}

/// Whether two numbers in different notations are equal.
pub(super) fn same_number(one: &str, other: &str) -> bool {
    matches!((decimal(one), decimal(other)), (Some(one), Some(other)) if one == other)
}

/// Returns the sign, the digits without the zeros at both ends, and the power of ten of the last digit.
fn decimal(number: &str) -> Option<(bool, String, i64)> {
    let (mantissa, exponent) = match number.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.trim_start_matches('+').parse().ok()?),
        None => (number, 0_i64),
    };
    let digits = mantissa.trim_start_matches('-');
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if !whole.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let all = [whole, fraction].concat();
    let kept = all.trim_end_matches('0');
    let power = exponent.checked_sub(fraction.len() as i64)?.checked_add((all.len() - kept.len()) as i64)?;
    let kept = kept.trim_start_matches('0');
    match kept {
        "" => Some((false, String::new(), 0)),
        kept => Some((mantissa.starts_with('-'), kept.to_owned(), power)),
    }
}
