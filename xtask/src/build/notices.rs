//! The notices of the licenses of the code that the modules contain, beside the licenses of the
//! package.

use std::path::Path;

use super::variant::VARIANTS;
use crate::{failure::Outcome, node, process, progress::Step};

/// The name of the file in `dist`.
pub const FILE: &str = "THIRD-PARTY-NOTICES";

/// Writes the file.
pub fn write(dist: &Path) -> Outcome<()> {
    let step = Step::begin("notices of licenses");
    let features: Vec<_> = VARIANTS.iter().map(|variant| variant.features).collect();
    let mut script = node::node();
    script.arg("xtask/scripts/notices.mjs").arg(dist.join(FILE)).arg(features.join(","));
    process::expect(
        &mut script,
        "a crate without a license file needs its license in xtask/scripts/notices.mjs",
    )?;
    step.end("written");
    Ok(())
}
