//! The suite `types`: the types as a user meets them, and everything that is compared with an
//! accepted reference.

use std::path::Path;

use super::Session;
use crate::{
    checkout, contract,
    failure::{Failure, Outcome},
    fingerprint::files_below,
    node, page_sizes, process, size,
};

pub fn run(session: &mut Session) -> Outcome<()> {
    session.require_build()?;
    type_tests_alone(session);
    session.check("generated declarations", || {
        let differences = contract::differences()?;
        if differences.is_empty() {
            return Ok(());
        }
        let sentence = "the declarations generated from Rust are not those in pkg/api: if that is meant, run \
                        `cargo xtask bless` and commit the difference";
        Err(Failure::new(sentence).with_output(differences))
    });
    session.check("wasm imports", || {
        let sentence = "the wasm module does not import exactly what pkg/api/imports.txt allows: remove the cause, or \
                        edit the list and say why";
        complain(sentence, &contract::import_complaints()?)
    });
    session.check("sizes", || {
        let sentence =
            "the package has outgrown pkg/size.json: make it smaller, or run `cargo xtask bless` and say why";
        let sizes = size::measure()?;
        complain(sentence, &size::over_budget(&sizes)?)?;
        page_sizes::complaint(&sizes)?.map_or(Ok(()), |complaint| Err(Failure::new(complaint)))
    });
    Ok(())
}

/// The programs that have to compile as a user's would.
pub fn type_tests_alone(session: &mut Session) {
    let folder = checkout::root().join("tests/types");
    if folder.is_dir() {
        session.check("type tests", || type_tests(&folder));
    }
}

/// With the folder's own tsconfig.json if it has one.
fn type_tests(folder: &Path) -> Outcome<()> {
    let project = folder.join("tsconfig.json");
    let mut command = if project.exists() {
        let mut command = node::typescript(&project);
        // What has not changed since the last run is not checked again.
        command.arg("--incremental").arg("--tsBuildInfoFile");
        command.arg(checkout::state()?.join("type-tests.tsbuildinfo"));
        command
    } else {
        let mut command = node::tool("typescript/bin/tsc");
        command.args([
            "--strict", "--noEmit", "--pretty", "false", "--target", "es2022", "--module", "nodenext",
        ]);
        command.args(["--lib", "es2022,dom,dom.iterable,esnext.disposable"]);
        command
            .args(files_below(folder)?.iter().filter(|file| file.extension().is_some_and(|end| end == "ts")));
        command
    };
    process::expect(&mut command, process::LIMIT, "see the type errors above").map(drop)
}

fn complain(sentence: &str, complaints: &[String]) -> Outcome<()> {
    if complaints.is_empty() {
        return Ok(());
    }
    Err(Failure::new(sentence).with_output(complaints.join("\n")))
}
