//! Activities with one document each.

use super::RUN;
use crate::curves::Curve;
use crate::curves::stream::Stream;

const COPY: [&str; 2] =
    [r#"{"type":"ACTIVITY_DELTA","messageId":"s","activityType":"a","patch":["#, "]}"];

pub const CURVES: &[Curve] = &[
    ("patches of many activities", |s, n| {
        s.event(RUN).each(
            n,
            [r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"s$i","activityType":"a","content":{"l":[]}}"#],
        );
        s.each(n, [
            r#"{"type":"ACTIVITY_DELTA","messageId":"s$mixed","activityType":"a","patch":[{"op":"add","path":"/l/-","value":1}]}"#,
        ]);
    }),
    ("a wide activity, then empty snapshots of it", |s, n| {
        s.event(RUN);
        wide(s, n, r#""k$i":0"#, ["{", "}"]);
        s.times(
            n,
            r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"s","activityType":"a","content":{},"replace":false}"#,
        );
    }),
    ("activities whose list is copied by one patch", |s, n| {
        s.event(RUN);
        for at in 0..n / 100 {
            let own = format!(r#""messageId":"s{at}""#);
            let mut one = Stream::default();
            wide(&mut one, 100, "0", [r#"{"l":["#, "]}"]);
            one.list(COPY, 100, r#"{"op":"copy","from":"/l","path":"/x"}"#);
            s.0 += &one.0.replace(r#""messageId":"s""#, &own);
        }
    }),
    ("activities whose text is copied", |s, n| {
        s.event(RUN);
        for at in 0..n / 100 {
            let own = format!(r#""messageId":"s{at}""#);
            let mut one = Stream::default();
            wide(&mut one, 1, &"x".repeat(2000), [r#"{"l":""#, r#""}"#]);
            (0..30).for_each(|_| {
                one.list(COPY, 1, r#"{"op":"copy","from":"/l","path":"/x"}"#);
            });
            s.0 += &one.0.replace(r#""messageId":"s""#, &own);
        }
    }),
];

fn wide(s: &mut Stream, n: usize, item: &str, [open, close]: [&str; 2]) {
    let before =
        [r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"s","activityType":"a","content":"#, open]
            .concat();
    s.list([&before, &[close, "}"].concat()], n, item);
}
