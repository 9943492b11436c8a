//! Streams of any size, written event by event.

use std::fmt::Write;

const TAKES: &str = "a string takes everything";

/// A stream of server-sent events, or the body of an answer without them.
///
/// In repeated text, `$i` is the number of the repetition from 0, `$n` the number of repetitions,
/// `$back` the number counted from the end, `$high` the number counted down from the largest
/// integer of JavaScript, `$odd` 0 and 1 in turn, `$few` the numbers below 50 in turn, and `$mixed`
/// and `$other` numbers below `$n` in two orders that look random. Any other `$` is itself.
#[derive(Default)]
pub struct Stream(pub String);

impl Stream {
    /// Writes one event.
    pub fn event(&mut self, json: &str) -> &mut Self {
        self.times(1, json)
    }

    /// Writes the same event several times.
    pub fn times(&mut self, times: usize, json: &str) -> &mut Self {
        (0..times).for_each(|_| self.data(json));
        self
    }

    /// Writes these events for each number.
    pub fn each<const N: usize>(&mut self, times: usize, events: [&str; N]) -> &mut Self {
        for at in 0..times {
            events.iter().for_each(|json| self.data(&numbered(json, at, times)));
        }
        self
    }

    /// Writes one event with a list of this number of items, separated by commas.
    pub fn list(&mut self, [before, after]: [&str; 2], times: usize, item: &str) -> &mut Self {
        let items: Vec<String> = (0..times).map(|at| numbered(item, at, times)).collect();
        self.event(&[before, &items.join(","), after].concat())
    }

    /// Writes lines without a field for each number.
    pub fn lines(&mut self, times: usize, line: &str) {
        (0..times).for_each(|at| writeln!(self.0, "{}", numbered(line, at, times)).expect(TAKES));
    }

    /// Writes one value with a list of this number of items, a line each, as it comes without a
    /// stream.
    pub fn body(&mut self, [before, after]: [&str; 2], times: usize, item: &str) {
        let items: Vec<String> = (0..times).map(|at| numbered(item, at, times)).collect();
        writeln!(self.0, "{before}\n{}\n{after}", items.join(",\n")).expect(TAKES);
    }

    fn data(&mut self, json: &str) {
        write!(self.0, "data: {json}\n\n").expect(TAKES);
    }
}

/// A text with the numbers of a repetition.
fn numbered(text: &str, at: usize, times: usize) -> String {
    const PRIMES: [usize; 2] = [7919, 31];
    let mut parts = text.split('$');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let numbers = [
            ("i", at),
            ("n", times),
            ("back", times - 1 - at),
            ("high", (1 << 53) - 1 - at),
            ("odd", at % 2),
            ("few", at % 50),
            ("mixed", at * PRIMES[0] % times),
            ("other", at * PRIMES[1] % times),
        ];
        let length = part.find(|letter: char| !letter.is_ascii_lowercase()).unwrap_or(part.len());
        let (name, rest) = part.split_at(length);
        if name.is_empty() {
            out.push('$');
            out.push_str(rest);
            continue;
        }
        let number =
            numbers.iter().find(|(known, _)| *known == name).expect("a number of that name").1;
        write!(out, "{number}{rest}").expect(TAKES);
    }
    out
}
