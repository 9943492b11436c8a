//! The browser of the tests: an installed one, or Debian's package.

use std::{env, path::PathBuf};

use super::{apt, step};
use crate::{
    failure::{Failure, Outcome},
    process,
};

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

pub fn prepare() -> Outcome<()> {
    step("browser", || {
        if find().is_ok() {
            return Ok("present");
        }
        apt::install(&["chromium"])?;
        find().map(|_| "installed")
    })
}

pub fn find() -> Outcome<PathBuf> {
    let named = env::var_os("CHROMIUM").filter(|value| !value.is_empty()).map(PathBuf::from);
    match named {
        Some(path) if path.is_file() => Ok(path),
        Some(path) => {
            Err(Failure::new(format!("CHROMIUM names {}, which does not exist", path.display())))
        }
        None => NAMES.iter().find_map(|name| process::on_path(name)).ok_or_else(|| {
            Failure::new("no Chromium: install it, or set CHROMIUM to the path of its program")
        }),
    }
}
