//! The files of the package that belong to no protocol name none: what they know of protocols is generated, or handed to them.
//! And no file imports one that imports it, be it types only.

use std::path::Path;

use super::circles::{self, Arrows};
use crate::{
    build::PROTOCOLS,
    code::{self, File},
    failure::Outcome,
};

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

/// One sentence for each import that is part of a circle.
pub fn circles(root: &Path) -> Outcome<Vec<String>> {
    let files = code::files(&root.join("pkg/src"), "", ".ts")?;
    Ok(circles::complaints(&arrows(&files)))
}

/// From each file to those that it imports.
fn arrows(files: &[File]) -> Arrows {
    let mut arrows = Arrows::new();
    for file in files {
        for (number, line) in file.text.lines().enumerate() {
            for target in imports(line).filter_map(|path| resolved(&file.path, path)) {
                if files.iter().any(|other| other.path == target) {
                    let place = format!("pkg/src/{}:{}", file.path, number + 1);
                    arrows.entry((file.path.clone(), target)).or_insert(place);
                }
            }
        }
    }
    arrows
}

/// The relative paths that a line imports, or passes on: `from "./a.js"`, `import "./a.js"`, `import("./a.js")`.
fn imports(line: &str) -> impl Iterator<Item = &str> {
    let pieces = line.split("from \"").skip(1).chain(line.split("import \"").skip(1));
    let pieces = pieces.chain(line.split("import(\"").skip(1));
    pieces.filter_map(|piece| piece.split('"').next()).filter(|path| path.starts_with('.'))
}

/// The source that an import means in the file at a path.
fn resolved(from: &str, import: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in import.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    parts.join("/").strip_suffix(".js").map(|path| format!("{path}.ts"))
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

/// Whether a line has `ag-kit`, `ag_kit`, `agKit`, `AgKit`, `AG-Kit` or `AG Kit`. A name that is one word of English counts only
/// where it is no prose: as a whole string, as a folder, or at the start of a longer name (`responsesAdapter`, `ResponsesItem`).
fn names(line: &str, protocol: &str) -> bool {
    if !protocol.contains('-') {
        let whole = [format!("\"{protocol}\""), format!("/{protocol}/"), format!("`{protocol}`")];
        let typed = protocol[..1].to_uppercase() + &protocol[1..];
        let mut names = line.split(|character: char| !character.is_alphanumeric());
        let starts = |name: &str, start: &str| {
            name.strip_prefix(start).is_some_and(|rest| rest.starts_with(|next: char| next.is_uppercase()))
        };
        return whole.iter().any(|whole| line.contains(whole))
            || names.any(|name| starts(name, protocol) || starts(name, &typed));
    }
    let flat = |text: &str| text.replace(['-', '_', ' '], "").to_lowercase();
    flat(line).contains(&flat(protocol))
}

#[cfg(test)]
mod tests {
    use super::{File, arrows, circles, naming};

    #[test]
    fn a_circle_is_found_also_of_types() {
        let file = |path: &str, text: &str| File { path: path.into(), text: text.into() };
        let mut files = vec![
            file("a.ts", "import type {\n  B,\n} from \"./folder/b.js\";"),
            file("folder/b.ts", "export * from \"./c.js\";"),
            file("folder/c.ts", "const a = () => import(\"../a.js\");"),
            file("d.ts", "import \"./a.js\";\nimport x from \"a.js\";"),
        ];
        assert_eq!(
            circles::complaints(&arrows(&files)),
            [
                "pkg/src/a.ts:3: `a.ts` names `folder/b.ts`, which leads back to it",
                "pkg/src/folder/b.ts:1: `folder/b.ts` names `folder/c.ts`, which leads back to it",
                "pkg/src/folder/c.ts:1: `folder/c.ts` names `a.ts`, which leads back to it",
            ]
        );
        files.pop();
        files.remove(2);
        assert_eq!(circles::complaints(&arrows(&files)), [""; 0]);
    }

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
        for line in ["\"responses\"", "\"./responses/fold.js\"", "responsesAdapter", "ResponsesItem"] {
            assert_eq!(naming("fold.ts", line), [format!("pkg/src/fold.ts:1 names responses: {line}")]);
        }
        assert_eq!(naming("fold.ts", "HTTP responses, responseSchema, Responses end"), [] as [String; 0]);
    }
}
