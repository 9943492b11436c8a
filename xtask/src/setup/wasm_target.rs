//! Rust's standard library for wasm32-unknown-unknown: the first of four routes that works here.
//!
//! 1. The toolchain has it.
//! 2. `rustup target add`, which needs the Rust distribution server.
//! 3. Debian's second Rust compiler and the sources of its standard library, which cargo compiles along.
//! 4. One sentence that says what to install.
//!
//! Releases are built by route 1 or 2.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use super::{apt, step};
use crate::{
    checkout,
    failure::{Failure, Outcome},
    process,
};

pub const TARGET: &str = "wasm32-unknown-unknown";

const SHORT: Duration = Duration::from_secs(20);
/// A machine without the distribution server may drop packets instead of refusing.
const DOWNLOAD: Duration = Duration::from_secs(180);
const COMPILER: &str = "/usr/bin/rustc";
const PACKAGES: [&str; 2] = ["rustc-web", "rust-web-src"];

/// How the wasm module is to be compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Route {
    /// The toolchain's own standard library.
    Toolchain,
    /// The standard library compiled along, by Debian's compiler.
    BuildStd,
}

impl Route {
    /// Where the last set-up on this machine has found the target.
    pub fn current() -> Outcome<Self> {
        let remembered = fs::read_to_string(memory()?).unwrap_or_default();
        Ok(if remembered == BUILD_STD && Path::new(COMPILER).exists() {
            Self::BuildStd
        } else {
            Self::Toolchain
        })
    }

    /// Sets up a cargo command that compiles for the target.
    pub fn apply(self, command: &mut Command) -> Outcome<()> {
        // It would replace the flags that `.cargo/config.toml` has for the target.
        command.env_remove("RUSTFLAGS");
        if self == Self::Toolchain {
            return Ok(());
        }
        command
            .env("RUSTC", COMPILER)
            // Building the standard library is unstable in cargo; the name of the variable is the price.
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker()?)
            .arg("-Zbuild-std=std,panic_abort")
            // A standard library built here carries more code for panic messages than the one that
            // rustup has, and nobody sees the messages: a panic is a trap on this target anyway.
            .arg("--config")
            .arg(format!("target.{TARGET}.rustflags=['-Zunstable-options', '-Cpanic=immediate-abort']"));
        Ok(())
    }
}

const BUILD_STD: &str = "build-std";

pub fn prepare() -> Outcome<()> {
    step("wasm target", || {
        let wish = env::var("AGENTWIRE_WASM_ROUTE").unwrap_or_default();
        match wish.as_str() {
            "" => first_that_works(),
            "installed" if in_toolchain() => remember(Route::Toolchain, "present"),
            "installed" => {
                Err(Failure::new(format!("the toolchain has no {TARGET}: `rustup target add {TARGET}`")))
            }
            "rustup" => rustup(),
            "apt" => debian(),
            _ => Err(Failure::new(format!(
                "AGENTWIRE_WASM_ROUTE is `{wish}`: use installed, rustup or apt, or unset it"
            ))),
        }
    })
}

fn first_that_works() -> Outcome<&'static str> {
    if in_toolchain() {
        return remember(Route::Toolchain, "present");
    }
    if Route::current()? == Route::BuildStd {
        return Ok("built from Debian's sources, which are present");
    }
    rustup().or_else(|no_rustup| {
        debian().map_err(|no_debian| {
            Failure::new(format!(
                "no standard library for {TARGET} ({no_rustup}; {no_debian}): run `rustup target add {TARGET}` where \
                 the Rust distribution server can be reached, or install Debian's {}",
                PACKAGES.join(" and ")
            ))
        })
    })
}

fn in_toolchain() -> bool {
    let mut query = Command::new("rustc");
    query.args(["--print", "target-libdir", "--target", TARGET]);
    process::run(&mut query, SHORT).is_ok_and(|run| {
        let folder = PathBuf::from(run.output.trim());
        run.success && fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some())
    })
}

fn rustup() -> Outcome<&'static str> {
    let mut command = Command::new("rustup");
    command.args(["target", "add", TARGET]);
    process::expect(&mut command, DOWNLOAD, "the Rust distribution server did not answer as expected")?;
    if in_toolchain() {
        return remember(Route::Toolchain, "added by rustup");
    }
    Err(Failure::new("rustup added the target to another toolchain than the one in use"))
}

fn debian() -> Outcome<&'static str> {
    if PACKAGES.iter().all(|package| apt::installed(package)) {
        return remember(Route::BuildStd, "built from Debian's sources, which are present");
    }
    apt::available()?;
    apt::install(&PACKAGES)?;
    remember(Route::BuildStd, "to be built from Debian's sources, which were installed")
}

fn remember(route: Route, word: &'static str) -> Outcome<&'static str> {
    let path = memory()?;
    let text = if route == Route::BuildStd { BUILD_STD } else { "toolchain" };
    fs::write(&path, text).map_err(|error| Failure::file("write", &path, &error))?;
    Ok(word)
}

fn memory() -> Outcome<PathBuf> {
    Ok(checkout::state()?.join("wasm-route"))
}

/// Debian's compiler brings no linker for wasm; the toolchain that runs cargo does.
fn linker() -> Outcome<PathBuf> {
    let advice = "a Rust toolchain is needed besides Debian's";
    let sysroot = process::expect(Command::new("rustc").args(["--print", "sysroot"]), SHORT, advice)?;
    let version = process::expect(Command::new("rustc").arg("-vV"), SHORT, advice)?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    let linker = Path::new(sysroot.trim()).join("lib/rustlib").join(host).join("bin/rust-lld");
    if linker.exists() {
        return Ok(linker);
    }
    Err(Failure::new(format!(
        "the Rust toolchain has no {}: install the stable toolchain with rustup",
        linker.display()
    )))
}
