//! Streams that the event template is for.

use proptest::prelude::*;

/// Runs of deltas of one shape, which the event template is for, with events in between that may
/// end a run: another order of members, another number, white space, escapes, broken characters,
/// other fields. In some streams no event has a right number.
pub fn deltas() -> impl Strategy<Value = Vec<u8>> {
    let text = prop_oneof![
        6 => "[a-z 你😀]{0,12}",
        1 => proptest::sample::select(&[r"\n", r"\ud83d", r"\ude00", r"\ud83d\ude00", r#"\""#, r"\u00e9"][..]).prop_map(str::to_owned),
    ];
    // Mostly the same target again, so that runs are longer than a batch of the core.
    let event = (text, 0..60u8, prop_oneof![12 => Just(0), 1 => Just(1), 2 => Just(2)]);
    let numbers = proptest::sample::select(
        &[
            "",
            "",
            r#""sequence_number":null,"#,
            r#""sequence_number":"12","#,
            r#""sequence_number":1.5,"#,
            r#""a":1,"#,
            r#""status":"in_progress","#,
        ][..],
    );
    (proptest::collection::vec(event, 0..80), numbers).prop_map(|(events, no_number)| {
        let mut out = b"data: {\"sequence_number\":0,\"object\":\"response\",\"status\":\"created\",\"id\":\"r\"}\n\n".to_vec();
        let mut cut = false;
        for (number, (text, form, target)) in events.into_iter().enumerate() {
            // A character that is split between two events continues in the next one.
            let form = if cut { 16 } else { form };
            cut = form == 15;
            let number = number + 1 + usize::from(form == 19);
            let text = match form {
                15 => "@#".to_owned(),
                16 | 17 => "@".to_owned(),
                _ => text,
            };
            let member = match target {
                0 => format!(r#""type":"text","index":0,"delta":true,"msg_id":"m1","text":"{text}""#),
                1 => format!(r#""type":"text","index":1,"delta":true,"msg_id":"m1","text":"{text}""#),
                _ => format!(r#""type":"data","index":2,"delta":true,"msg_id":"m1","data":{{"call_id":null,"arguments":"{text}"}}"#),
            };
            let (space, end) = match form {
                0 => (" ", "\n\n"),
                1 => ("", "\r\n\r\n"),
                2 => ("", "\n: ping\n\n"),
                _ => ("", "\n\n"),
            };
            let event = match form {
                3 => format!(r#"{{"object":"content",{member},"status":"in_progress","sequence_number":{number}}}"#),
                4 => format!(r#"{{"sequence_number":{number},"object":"content","status":"completed",{member}}}"#),
                5 => format!(r#"{{"sequence_number":{number},"object":"message","status":"in_progress","id":"m1","type":"function_call"}}"#),
                6 => format!(r#"{{"sequence_number":0{number},"object":"content","status":"in_progress",{member}}}"#),
                _ if !no_number.is_empty() => format!(r#"{{{no_number}"object":"content","status":"in_progress",{member}}}"#),
                _ => format!(r#"{{"sequence_number":{number},"object":"content","status":"in_progress",{space}{member}}}"#),
            };
            out.extend(match form {
                20 => &b"event: message\n"[..],
                21 => b"event: delta\n",
                22 => b"id: 7\n",
                23 => b"id: 8\n\n",
                _ => b"",
            });
            // No UTF-8, and more bytes once each is replaced.
            let broken = |byte| match (byte, form) {
                (b'@', 15) => 0xe4,
                (b'#', 15) => 0xbd,
                (b'@', 16) => 0xa0,
                (b'@', 17) => 0xff,
                _ => byte,
            };
            out.extend(format!("data: {event}{end}").bytes().map(broken));
            if form == 18 {
                out.extend(b"data: {\"sequence_number\":9,\"object\":\"content\",\"text\":\"\xff\"}\n\n");
            }
        }
        out
    })
}
