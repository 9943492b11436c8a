//! The time of a status: seconds since 1970 in ISO 8601, for example `2026-01-31T09:05:00Z`.

use alloc::string::String;

use crate::core::Clock;
use crate::json::Value;

/// Returns the current time of the clock in ISO 8601.
pub(super) fn now(clock: Clock) -> Value {
    Value::from(iso8601(clock()))
}

/// Formats a time in the years 0 to 9999. A time outside of this range becomes its first or last second.
fn iso8601(seconds: i64) -> String {
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

#[cfg(test)]
mod tests {
    use super::iso8601;

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
