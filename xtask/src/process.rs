//! Runs other programs. Their output is kept for the case of a failure, and a line every 20 seconds
//! reports that they run.

use std::{
    env,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use crate::{
    checkout,
    failure::{Failure, Outcome},
    progress, setup,
};

const REPORT_EVERY: Duration = Duration::from_secs(20);

pub struct Run {
    pub success: bool,
    /// Standard output and standard error in the order in which they were written.
    pub output: String,
}

/// Runs a program to its end. The caller decides what its exit status means.
pub fn run(command: &mut Command) -> Outcome<Run> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let name = describe(command);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    // A file and not a pipe: a program that the ended one has left behind would keep a pipe open.
    let path = checkout::state()?.join(format!("output-{}-{number}.log", std::process::id()));
    let log = File::create(&path).map_err(Failure::file("create", &path))?;
    let errors = log.try_clone().map_err(Failure::file("write", &path))?;
    let mut child =
        command.stdin(Stdio::null()).stdout(log).stderr(errors).spawn().map_err(|error| {
            Failure::new(format!(
                "cannot start `{name}`: {error}; is it installed and on the PATH?"
            ))
        })?;
    let (started, mut reported) = (Instant::now(), Instant::now());
    let status = loop {
        if let Some(status) =
            child.try_wait().map_err(|error| Failure::new(format!("`{name}`: {error}")))?
        {
            break status;
        }
        thread::sleep(Duration::from_millis(20));
        if reported.elapsed() > REPORT_EVERY {
            reported = Instant::now();
            progress::line(&format!("    {name}, {}", progress::seconds(started.elapsed())));
        }
    };
    let output = String::from_utf8_lossy(&fs::read(&path).map_err(Failure::file("read", &path))?)
        .into_owned();
    let _ = fs::remove_file(&path);
    Ok(Run { success: status.success(), output })
}

/// Runs a program that is expected to succeed and returns its output; `advice` is the remedy if it
/// fails.
pub fn expect(command: &mut Command, advice: &str) -> Outcome<String> {
    let run = run(command)?;
    if run.success {
        return Ok(run.output);
    }
    Err(Failure::new(format!("`{}` failed: {advice}", describe(command))).with_output(run.output))
}

/// Runs a program in place of this one: signals and exit status need no forwarding.
pub fn replace_with(command: &mut Command) -> Outcome<ExitCode> {
    #[cfg(unix)]
    let error = std::os::unix::process::CommandExt::exec(command);
    #[cfg(not(unix))]
    let error = match command.status() {
        Ok(status) => {
            return Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        Err(error) => error,
    };
    Err(Failure::new(format!("cannot start {}: {error}", command.get_program().display())))
}

/// The cargo that started this program, so that a toolchain named with `+` is used for the whole
/// run.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(checkout::root()).args(arguments);
    if setup::in_ci() {
        // What makes a second compilation faster makes the first one slower, and there is only one.
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// Makes clippy compile the workspace in a command of cargo, as `cargo clippy -- -D warnings` does.
pub fn lint(command: &mut Command) {
    command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
    command.env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");
}

/// Runs a program of this workspace that the build needs. A target folder of its own: cargo locks
/// the folder that it builds in, and the Rust tests are built at the same time.
pub fn tool(package: &str) -> Command {
    cargo(&[
        "run",
        "--quiet",
        "--locked",
        "--profile=tool",
        "--package",
        package,
        "--target-dir=target/package",
    ])
}

pub fn npm() -> Command {
    Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" })
}

pub fn on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// Returns the command as one would type it, cut to 100 characters.
fn describe(command: &Command) -> String {
    let root = checkout::root().display().to_string() + "/";
    let program = Path::new(command.get_program());
    let mut text =
        program.file_name().unwrap_or(command.get_program()).to_string_lossy().into_owned();
    for argument in command.get_args() {
        text.extend([" ", &argument.to_string_lossy().replace(&root, "")]);
    }
    match text.char_indices().nth(100) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text,
    }
}
