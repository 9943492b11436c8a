//! Points in time in ISO 8601.

use alloc::string::String;

/// Parses a time like `2026-01-31T23:59:59.999+01:00` to milliseconds since 1970. Seconds and their fraction are
/// optional; `Z` or no offset means UTC. A day alone is its beginning. Returns `None` for anything else.
pub(super) fn milliseconds(text: &str) -> Option<i64> {
    let (day, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00Z"));
    let mut parts = day.splitn(3, '-');
    let year = number(parts.next()?, 4)?;
    let month = number(parts.next()?, 2).filter(|month| (1..=12).contains(month))?;
    let day = number(parts.next()?, 2).filter(|day| (1..=31).contains(day))?;
    let (time, offset) = match time.find(['Z', 'z', '+', '-']) {
        None => (time, 0),
        Some(at) => (time.get(..at)?, offset(time.get(at..)?)?),
    };
    let mut parts = time.splitn(3, ':');
    let hour = number(parts.next()?, 2).filter(|hour| *hour <= 24)?;
    let minute = number(parts.next()?, 2).filter(|minute| *minute < 60)?;
    let (second, fraction) = parts.next().map_or(Some((0, 0)), |seconds| {
        let (whole, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
        let thousandths: String = fraction.chars().chain("000".chars()).take(3).collect();
        Some((number(whole, 2).filter(|second| *second <= 60)?, number(&thousandths, 3)?))
    })?;
    let minutes = (days(year, month, day) * 24 + hour) * 60 + minute - offset;
    Some((minutes * 60 + second) * 1000 + fraction)
}

/// Returns the minutes that a clock is ahead of UTC.
fn offset(text: &str) -> Option<i64> {
    let sign = match text.get(..1)? {
        "Z" | "z" => return (text.len() == 1).then_some(0),
        "+" => 1,
        _ => -1,
    };
    let (hours, minutes) = text.get(1..)?.split_once(':')?;
    Some(sign * (number(hours, 2)? * 60 + number(minutes, 2)?))
}

fn number(digits: &str, length: usize) -> Option<i64> {
    let is_plain = digits.len() == length && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_plain.then(|| digits.parse().ok())?
}

/// Returns the days since 1970. Years begin in March here, so that a leap day is the last of its year.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let of_year = (153 * month + 2) / 5 + day - 1;
    const OF_1970: i64 = 719_468;
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year - OF_1970
}

#[cfg(test)]
mod tests {
    use super::milliseconds;

    #[test]
    fn points_in_time_are_those_of_the_standard() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("1970-01-01", Some(0)),
            ("2000-02-29T12:00:00.5Z", Some(951_825_600_500)),
            ("2026-01-31T23:59:59.999+01:00", Some(1_769_900_399_999)),
            ("2026-01-31T23:59:59.9999999-01:30", Some(1_769_909_399_999)),
            ("2026-01-31T23:59", Some(1_769_903_940_000)),
            ("1969-12-31T23:59:59Z", Some(-1_000)),
            ("2026-13-01T00:00:00Z", None),
            ("2026-1-1", None),
            ("tomorrow", None),
            ("2026-01-01T", None),
            ("2026-01-01T00:00:00Zulu", None),
            ("", None),
        ] {
            assert_eq!(milliseconds(text), expected, "{text}");
        }
    }
}
