//! The state and its patches.

use super::RUN;
use crate::curves::Curve;
use crate::curves::stream::Stream;

/// A patch, before and after its operations.
const PATCH: [&str; 2] = [r#"{"type":"STATE_DELTA","delta":["#, "]}"];
const ADD_FIRST: &str = r#"{"op":"add","path":"/l/0","value":1}"#;
const REMOVE_FIRST: &str = r#"{"op":"remove","path":"/l/0"}"#;

pub const CURVES: &[Curve] = &[
    ("patches that add to the start", |s, n| {
        list(s, n).patches(n, &[ADD_FIRST]);
    }),
    ("patches that remove from the start", |s, n| {
        list(s, n).patches(n, &[REMOVE_FIRST]);
    }),
    ("patches that remove from the middle and add there", |s, n| {
        list(s, n);
        for _ in 0..n / 2 {
            s.patch(&format!(r#"{{"op":"remove","path":"/l/{}"}}"#, n / 2));
            s.patch(&format!(r#"{{"op":"add","path":"/l/{}","value":1}}"#, n / 2));
        }
    }),
    ("one patch that adds to the start", |s, n| {
        list(s, n).list(PATCH, n, ADD_FIRST);
    }),
    ("two patches that remove from the start and fail", |s, n| {
        let after = [r#",{"op":"test","path":"/x","value":1}"#, PATCH[1]].concat();
        list(s, n).list([PATCH[0], &after], n, REMOVE_FIRST).list(
            [PATCH[0], &after],
            n,
            REMOVE_FIRST,
        );
    }),
    ("patches that test a long list", |s, n| {
        list(s, n).list(
            [r#"{"type":"STATE_DELTA","delta":[{"op":"test","path":"/l","value":["#, "]}]}"],
            n,
            "0",
        );
        s.patches(n, &[r#"{"op":"test","path":"/l","value":1}"#]);
    }),
    ("patches that copy a list to one place", |s, n| {
        list(s, 100).patches(n, &[r#"{"op":"copy","from":"/l","path":"/x"}"#]);
    }),
    ("one patch that copies a list to one place", |s, n| {
        list(s, 100).list(PATCH, n, r#"{"op":"copy","from":"/l","path":"/x"}"#);
    }),
    ("patches that move a list there and back", |s, n| {
        s.snapshot(["{\"a\":{},\"l\":[", "]}"], n, "0");
        s.patches(
            n / 2,
            &[
                r#"{"op":"move","from":"/l","path":"/a/l"}"#,
                r#"{"op":"move","from":"/a/l","path":"/l"}"#,
            ],
        );
    }),
    ("patches that move what is deep there and back", |s, n| {
        s.snapshot([&format!(r#"{{"a":{{}},"l":{},"w":["#, deep(100)), "]}"], n, "[0]");
        s.patches(
            n / 2,
            &[
                r#"{"op":"move","from":"/l","path":"/a/l"}"#,
                r#"{"op":"move","from":"/a/l","path":"/l"}"#,
            ],
        );
    }),
    ("patches that add what is deep beside what is wide", |s, n| {
        s.snapshot([r#"{"w":["#, "]}"], n, r#"{"a":1}"#);
        let add = format!(r#"{{"op":"add","path":"/w/0","value":{}}}"#, deep(60));
        s.patches(n / 10, &[&add, r#"{"op":"remove","path":"/w/0"}"#]);
    }),
    ("patches at the limit of depth", |s, n| {
        s.snapshot([&format!(r#"{{"d":{},"w":["#, deep(120)), "]}"], n, r#"{"a":1}"#);
        s.patches(
            n / 10,
            &[
                r#"{"op":"move","from":"/d","path":"/e"}"#,
                r#"{"op":"move","from":"/e","path":"/d"}"#,
                r#"{"op":"move","from":"/d","path":"/w/0/a"}"#,
            ],
        );
    }),
    ("members that are removed and added", |s, n| {
        members(s, n);
        s.each(n, [&op(r#"{"op":"remove","path":"/k$i"}"#)]);
        s.each(n, [&op(r#"{"op":"add","path":"/k$i","value":0}"#)]);
    }),
    ("the first member, removed and added", |s, n| {
        members(s, n).patches(
            n / 2,
            &[r#"{"op":"remove","path":"/k0"}"#, r#"{"op":"add","path":"/k0","value":0}"#],
        );
    }),
    ("the first member, removed by patches that fail", |s, n| {
        let patch = r#"{"op":"remove","path":"/k0"},{"op":"test","path":"/k1","value":5}"#;
        members(s, n).patches(n, &[patch]);
    }),
    ("a text that grows by replacements", |s, n| {
        s.snapshot([r#"{"t":""#, r#""}"#], 0, "");
        for length in 0..(100 * n).isqrt() {
            let text = "a".repeat(length);
            s.patch(&format!(r#"{{"op":"replace","path":"/t","value":"{text}"}}"#));
        }
    }),
    ("long paths", |s, n| {
        let (deep, tildes, slashes) = ("/a".repeat(n), "~0".repeat(n), "~1".repeat(n));
        s.snapshot(["{\"a\":", "}"], 1, "0");
        s.patch(&format!(r#"{{"op":"test","path":"{deep}","value":0}}"#));
        s.patch(&format!(r#"{{"op":"add","path":"/{slashes}","value":0}}"#));
        s.patch(&format!(r#"{{"op":"copy","from":"/{slashes}","path":"/{tildes}"}}"#));
    }),
    ("patches that add to a state that is a list", |s, n| {
        s.snapshot(["[", "]"], n, "0");
        s.patches(n, &[r#"{"op":"add","path":"/-","value":1}"#]);
    }),
    ("patches that add to a long list and remove", |s, n| {
        let patch = [ADD_FIRST, ADD_FIRST, REMOVE_FIRST, REMOVE_FIRST].join(",");
        list(s, 5000).patches(n, &[&patch]);
    }),
    ("patches of members of a long list", |s, n| {
        list(s, n).each(n, [&op(r#"{"op":"replace","path":"/l/$mixed","value":$i}"#)]);
    }),
    ("states that differ", |s, n| {
        s.event(RUN).each(n, [r#"{"type":"STATE_SNAPSHOT","snapshot":{"a":$i}}"#]);
    }),
    ("copies of a text to new members", |s, n| {
        s.snapshot([r#"{"a":""#, r#""}"#], 1, &"x".repeat(30 * n));
        (0..n.min(100))
            .for_each(|at| s.patch(&format!(r#"{{"op":"copy","from":"/a","path":"/b{at}"}}"#)));
    }),
    ("copies of a text to one member", |s, n| {
        s.snapshot([r#"{"a":""#, r#""}"#], 1, &"x".repeat(30 * n));
        s.patches(n.min(100), &[r#"{"op":"copy","from":"/a","path":"/b"}"#]);
    }),
    ("copies of a list into itself", |s, n| {
        s.snapshot([r#"{"a":["#, "]}"], n, r#""xxxxxxxxxx""#);
        s.patches(14, &[r#"{"op":"copy","from":"/a","path":"/a/0"}"#]);
    }),
];

impl Stream {
    fn snapshot(&mut self, [before, after]: [&str; 2], n: usize, item: &str) {
        let before = [r#"{"type":"STATE_SNAPSHOT","snapshot":"#, before].concat();
        self.event(RUN).list([&before, &[after, "}"].concat()], n, item);
    }

    fn patch(&mut self, operations: &str) {
        self.event(&op(operations));
    }

    /// Writes these patches in turn.
    fn patches(&mut self, n: usize, patches: &[&str]) {
        (0..n).for_each(|_| patches.iter().for_each(|patch| self.patch(patch)));
    }
}

fn op(operations: &str) -> String {
    [PATCH[0], operations, PATCH[1]].concat()
}

fn list(s: &mut Stream, n: usize) -> &mut Stream {
    s.snapshot([r#"{"l":["#, "]}"], n, "0");
    s
}

fn members(s: &mut Stream, n: usize) -> &mut Stream {
    s.snapshot(["{", "}"], n, r#""k$i":0"#);
    s
}

fn deep(depth: usize) -> String {
    [r#"{"d":"#.repeat(depth), "{}".to_owned(), "}".repeat(depth)].concat()
}
