//! The files of the package that belong to no protocol name none: what they know of protocols is generated, or handed to them.

use std::path::Path;

use crate::{build::PROTOCOLS, code, failure::Outcome};

/// What may name them besides the folder of each: the entries, and what is generated.
const ENTRIES: &str = "entries/";
/// What reads runs, whose events are of one protocol.
const RUNS: &str = "runs/";
const GENERATED: &str = "// Made by `cargo xtask build`";

/// One sentence for each line that names a protocol and should not.
pub fn complaints(root: &Path) -> Outcome<Vec<String>> {
    let files = code::files(&root.join("pkg/src"), "", ".ts")?;
    let named = files.iter().filter(|file| !is_own(&file.path) && !file.text.starts_with(GENERATED));
    Ok(named.flat_map(|file| naming(&file.path, &file.text)).collect())
}

fn is_own(path: &str) -> bool {
    let folder = |protocol: &&str| path.starts_with(&format!("{}/", protocol.replace('-', "_")));
    path.starts_with(ENTRIES) || path.starts_with(RUNS) || PROTOCOLS.iter().any(folder)
}

fn naming(path: &str, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for protocol in PROTOCOLS.iter().filter(|protocol| names(line, protocol)) {
            complaints.push(format!("pkg/src/{path}:{} names {protocol}: {}", number + 1, line.trim()));
        }
    }
    complaints
}

/// Whether a line has `ag-kit`, `ag_kit`, `agKit`, `AgKit`, `AG-Kit` or `AG Kit`.
fn names(line: &str, protocol: &str) -> bool {
    let flat = |text: &str| text.replace(['-', '_', ' '], "").to_lowercase();
    flat(line).contains(&flat(protocol))
}

#[cfg(test)]
mod tests {
    use super::naming;

    #[test]
    fn a_protocol_is_found_however_it_is_spelled() {
        for line in
            ["\"ag-kit\"", "./ag_kit/fold.js", "agKitAdapter", "AgKitTurn", "// AG-Kit has none", "AG_KIT"]
        {
            assert_eq!(
                naming("fold.ts", &format!("\n{line}")),
                [format!("pkg/src/fold.ts:2 names ag-kit: {line}")]
            );
        }
        assert_eq!(naming("fold.ts", "a kitten, the agent's kit"), [] as [String; 0]);
    }
}
