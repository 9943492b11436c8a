//! Ids and their storage. The caller supplies new ids and the time.

use alloc::string::String;
use core::fmt;
use core::ops::Deref;

use crate::json::decimal;

/// Creates the ids of a builder's objects.
///
/// A builder requests every id from this trait, so that tests are repeatable and an edge worker can
/// use its own numbering.
pub trait IdSource: Send {
    /// Returns a new id that starts with `prefix` (`"msg_"`, `"response_"`).
    fn next_id(&mut self, prefix: &str) -> String;
}

// Not a supertrait: a caller's source of ids needs no text.
impl fmt::Debug for dyn IdSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IdSource")
    }
}

/// Numbered ids (`msg_1`, `msg_2`, …): deterministic, unique within one run only.
#[derive(Clone, Debug, Default)]
pub struct Counter(u64);

impl IdSource for Counter {
    fn next_id(&mut self, prefix: &str) -> String {
        self.0 += 1;
        [prefix, &decimal(self.0 as i64)].concat()
    }
}

/// Random version 4 UUIDs, the ids of the real servers.
#[cfg(feature = "uuid")]
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomIds;

#[cfg(feature = "uuid")]
impl IdSource for RandomIds {
    fn next_id(&mut self, prefix: &str) -> String {
        alloc::format!("{prefix}{}", uuid::Uuid::new_v4())
    }
}

#[cfg(target_has_atomic = "ptr")]
type IdText = alloc::sync::Arc<str>;
#[cfg(not(target_has_atomic = "ptr"))]
type IdText = alloc::boxed::Box<str>;

/// An id that many objects refer to. Its text is stored once, and clones share it; on processors
/// without compare-and-swap clones copy it.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(IdText);

impl Id {
    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Id {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Id {
    fn from(text: &str) -> Self {
        Id(text.into())
    }
}

impl From<String> for Id {
    fn from(text: String) -> Self {
        Id(text.into())
    }
}

impl From<Id> for String {
    fn from(id: Id) -> Self {
        id.as_str().into()
    }
}

impl PartialEq<str> for Id {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Id {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialEq<String> for Id {
    fn eq(&self, other: &String) -> bool {
        self.as_str() == other
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Id {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Id {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Id::from)
    }
}

/// Seconds since 1970, requested at each response that a builder starts or ends.
pub type Clock = fn() -> i64;

/// Returns the time of the system in seconds since 1970. Bare WebAssembly does not have a clock.
#[cfg(all(feature = "std", not(all(target_family = "wasm", target_os = "unknown"))))]
pub fn system_clock() -> i64 {
    use std::time::{SystemTime, UNIX_EPOCH};
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

/// Formats a time in the years 0 to 9999. A time outside of this range becomes its first or last
/// second.
#[cfg(feature = "hub")]
pub(crate) fn iso8601(seconds: i64) -> String {
    const DAY: i64 = 86_400;
    let seconds = seconds.clamp(-62_167_219_200, 253_402_300_799);
    let (days, rest) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
    // Years that begin in March have the leap day at their end. 146,097 days are 400 years.
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let mut text = String::with_capacity("0000-00-00T00:00:00Z".len());
    let parts = [
        (year, 4, '-'),
        (month, 2, '-'),
        (day, 2, 'T'),
        (rest / 3600, 2, ':'),
        (rest / 60 % 60, 2, ':'),
        (rest % 60, 2, 'Z'),
    ];
    for (number, digits, after) in parts {
        for place in (0..digits).rev() {
            let digit = number / 10_i64.pow(place) % 10;
            text.push(char::from(b'0' + digit as u8));
        }
        text.push(after);
    }
    text
}

/// Returns the seconds since 1970 of a time as [`iso8601`] writes it, also with a fraction of a
/// second, which is left out, or an offset; without an offset, the time is UTC. `None` for any other
/// text.
#[cfg(feature = "hub")]
pub(crate) fn seconds_of(time: &str) -> Option<i64> {
    let (date, rest) = (time.get(..10)?, time.get(10..)?);
    let (clock, mut zone) = (rest.get(1..9)?, rest.get(9..)?);
    let number = |text: &str| {
        let is_number = text.bytes().all(|digit| digit.is_ascii_digit());
        is_number.then(|| text.parse::<i64>().ok()).flatten()
    };
    let parts = |text: &str, at: [(usize, usize); 3], between: u8| {
        let is_split =
            [at[0].1, at[1].1].iter().all(|at| text.as_bytes().get(*at) == Some(&between));
        let [one, two, three] = at.map(|(from, to)| text.get(from..to).and_then(number));
        is_split.then_some((one?, two?, three?))
    };
    let (year, month, day) = parts(date, [(0, 4), (5, 7), (8, 10)], b'-')?;
    let (hour, minute, second) = parts(clock, [(0, 2), (3, 5), (6, 8)], b':')?;
    let is_known = (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24 && minute < 60;
    if !is_known || second > 60 || !matches!(rest.as_bytes()[0], b'T' | b't' | b' ') {
        return None;
    }
    if let Some(fraction) = zone.strip_prefix('.') {
        zone = fraction.trim_start_matches(|digit: char| digit.is_ascii_digit());
    }
    let offset = match zone.as_bytes() {
        [] | [b'Z' | b'z'] => 0,
        [sign @ (b'+' | b'-'), _, _, b':', _, _] => {
            let seconds = number(zone.get(1..3)?)? * 3600 + number(zone.get(4..6)?)? * 60;
            if *sign == b'+' { seconds } else { -seconds }
        }
        _ => return None,
    };
    // Years that begin in March, as above.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100;
    let days = days + (153 * month + 2) / 5 + day - 1 - 719_468;
    Some(days * 86_400 + hour * 3600 + minute * 60 + second - offset)
}

#[cfg(all(test, feature = "hub"))]
mod tests {
    use super::{iso8601, seconds_of};

    #[test]
    fn times_are_read_as_they_are_written() {
        for seconds in [0, -1, 951_782_400, 4_107_542_399, 4_107_542_400, 1_795_373_523] {
            assert_eq!(seconds_of(&iso8601(seconds)), Some(seconds));
        }
        for day in 0..200_000 {
            assert_eq!(seconds_of(&iso8601(day * 86_399)), Some(day * 86_399));
        }
        let others = [
            "2026-11-22T18:52:03",
            "2026-11-22 18:52:03.123456",
            "2026-11-22T18:52:03.9Z",
            "2026-11-22T20:52:03+02:00",
            "2026-11-22T13:22:03.5-05:30",
        ];
        for text in others {
            assert_eq!(seconds_of(text), Some(1_795_373_523), "{text}");
        }
        for text in [
            "",
            "2026-11-22",
            "2026-13-22T18:52:03Z",
            "2026-11-22T18:52:03X",
            "now",
            "é026-11-22T18:52:03",
        ] {
            assert_eq!(seconds_of(text), None, "{text}");
        }
    }

    #[test]
    fn times_are_written_as_others_write_them() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (1_795_373_523, "2026-11-22T18:52:03Z"),
            (i64::MAX, "9999-12-31T23:59:59Z"),
            (i64::MIN, "0000-01-01T00:00:00Z"),
        ] {
            assert_eq!(iso8601(seconds), text);
        }
    }
}
