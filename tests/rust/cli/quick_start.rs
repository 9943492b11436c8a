//! The commands of `docs/quick-start.md` print the output that the page shows.

use crate::{agentwire, text};

const PAGE: &str = include_str!("../../../docs/quick-start.md");

/// The block of the page that begins with this line.
fn block(fence: &str) -> &'static str {
    let (_, rest) = PAGE.split_once(&format!("\n```{fence}\n")).expect("the block");
    rest.split_once("```\n").expect("its end").0
}

#[test]
fn quick_start_commands_print_the_documented_output() {
    let commands: Vec<&str> = block("sh cli").lines().collect();
    let [emit, check, convert] = commands[..] else { panic!("{commands:?}") };
    let written =
        agentwire(&arguments(emit.strip_suffix(" > run.sse").expect("a file")), None).stdout;
    let read = |command: &'static str| {
        let command = command.strip_suffix(" run.sse").expect("the file");
        agentwire(&arguments(command), Some(&written))
    };
    let checked = read(check);
    assert_eq!((checked.status.code(), text(&checked.stdout)), (Some(0), ""));
    let converted = read(convert);
    assert_eq!(text(&converted.stdout).trim_end(), block("text cli").trim_end());
    let loss = text(&converted.stderr).trim_end();
    assert!(PAGE.contains(&format!("`{loss}`")), "{loss}");
}

/// The arguments of a command line in which only double quotes have a meaning.
fn arguments(command: &'static str) -> Vec<&'static str> {
    let command = command.strip_prefix("agentwire ").expect("the program");
    let parts = command.split('"').enumerate();
    parts
        .flat_map(
            |(at, part)| if at % 2 == 1 { vec![part] } else { part.split_whitespace().collect() },
        )
        .collect()
}
