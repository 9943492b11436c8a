//! Which files differ from the main branch: a suite that is not of every run is of one that changes
//! its files.

use std::{process::Command, sync::OnceLock};

use crate::checkout;

/// Whether a file below one of these paths of the checkout differs from the commit at which the
/// checkout left the main branch, or is not committed. On the main branch, and in a clone without
/// it, no committed file differs: the workflow runs all suites.
pub fn touch(paths: &[&str]) -> bool {
    static CHANGED: OnceLock<Vec<String>> = OnceLock::new();
    let changed = CHANGED.get_or_init(changed);
    changed.iter().any(|file| paths.iter().any(|path| is_below(file, path)))
}

fn changed() -> Vec<String> {
    let base = ["origin/main", "main"]
        .iter()
        .find_map(|branch| git(&["merge-base", "HEAD", branch]))
        .and_then(|lines| lines.into_iter().next());
    let tracked = git(&["diff", "--name-only", base.as_deref().unwrap_or("HEAD")]);
    let others = git(&["ls-files", "--others", "--exclude-standard"]);
    [tracked, others].into_iter().flatten().flatten().collect()
}

/// Returns the lines that git prints, or nothing if it fails.
fn git(arguments: &[&str]) -> Option<Vec<String>> {
    let output = Command::new("git").current_dir(checkout::root()).args(arguments).output().ok()?;
    let lines = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
    output.status.success().then_some(lines)
}

/// Whether a file is the path, or in the folder of the path. A `*` in a path is any text.
fn is_below(file: &str, path: &str) -> bool {
    match path.split_once('*') {
        Some((start, end)) => file.starts_with(start) && file.ends_with(end),
        None => {
            file.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_below;

    #[test]
    fn a_path_is_a_file_a_folder_or_a_pattern() {
        assert!(is_below("Cargo.toml", "Cargo.toml"));
        assert!(is_below("src/cli/main.rs", "src/cli"));
        assert!(is_below("examples/serve.rs", "examples/*.rs"));
        assert!(is_below(
            "tests/js/browser/playground_view.test.mjs",
            "tests/js/browser/playground*"
        ));
        assert!(!is_below("src/client.rs", "src/cli"));
        assert!(!is_below("fuzz/Cargo.toml", "Cargo.toml"));
        assert!(!is_below("examples/servers/node.mjs", "examples/*.rs"));
    }
}
