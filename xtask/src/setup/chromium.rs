//! The browser of the tests: one that is there, or Debian's package.

use std::{env, path::PathBuf};

use super::{apt, step};
use crate::{
    failure::{Failure, Outcome},
    process,
};

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

pub fn prepare() -> Outcome<()> {
    step("browser", || {
        if find()?.is_some() {
            return Ok("present");
        }
        let missing = |why: &Failure| {
            Failure::new(format!(
                "no Chromium: {why}; install it, or set CHROMIUM to the path of its program"
            ))
        };
        apt::available().map_err(|why| missing(&why))?;
        apt::install(&["chromium"])?;
        match find()? {
            Some(_) => Ok("installed"),
            None => Err(missing(&Failure::new("Debian's package brought no program of that name"))),
        }
    })
}

pub fn find() -> Outcome<Option<PathBuf>> {
    let Some(named) = env::var_os("CHROMIUM").filter(|value| !value.is_empty()) else {
        return Ok(NAMES.iter().find_map(|name| process::on_path(name)));
    };
    let named = PathBuf::from(named);
    if named.is_file() {
        return Ok(Some(named));
    }
    Err(Failure::new(format!("CHROMIUM names {}, which is not there: correct or unset it", named.display())))
}
