//! Runs other programs: output kept for the case of a failure, a sign of life while they work, a
//! time limit on all.

use std::{
    env,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, Command, ExitCode, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use crate::{
    checkout,
    failure::{Failure, Outcome},
    progress,
};

/// No command of ours is meant to take longer; a test that hangs must not hang the run.
pub const LIMIT: Duration = Duration::from_secs(30 * 60);

const SIGN_OF_LIFE: Duration = Duration::from_secs(20);

/// What a program that is asked to end has for it.
const PATIENCE: Duration = Duration::from_secs(10);

pub struct Run {
    pub success: bool,
    /// Standard output and standard error, line by line in the order of arrival.
    pub output: String,
}

/// Runs to the end or to the limit. That the program said no is for the caller to judge.
pub fn run(command: &mut Command, limit: Duration) -> Outcome<Run> {
    let name = describe(command);
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(
            |error| Failure::new(format!("cannot start `{name}`: {error}; is it installed and on the PATH?")),
        )?;
    let lines = lines_of(&mut child);
    let mut output = String::new();
    let started = Instant::now();
    let mut last_sign = started;
    loop {
        match lines.recv_timeout(Duration::from_millis(500)) {
            Ok(line) => output.push_str(&line),
            Err(RecvTimeoutError::Disconnected) => break,
            // A program left behind by the ended one holds the pipes open; what it says is not waited for.
            Err(RecvTimeoutError::Timeout) if matches!(child.try_wait(), Ok(Some(_))) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if started.elapsed() > limit {
            end(&mut child);
            let sentence = format!("`{name}` was ended after {}", progress::seconds(limit));
            return Err(Failure::new(sentence).with_output(output));
        }
        if last_sign.elapsed() > SIGN_OF_LIFE {
            last_sign = Instant::now();
            let latest = output.lines().rev().find(|line| !line.trim().is_empty() && !line.starts_with('{'));
            let latest: String = latest.unwrap_or_default().trim().chars().take(100).collect();
            progress::note(&format!("{name}, {}: {latest}", progress::seconds(started.elapsed())));
        }
    }
    let status = child.wait().map_err(|error| Failure::new(format!("lost sight of `{name}`: {error}")))?;
    Ok(Run { success: status.success(), output })
}

/// Ends a program. It is asked first: a test runner that is killed leaves the files it runs behind, and they go on.
fn end(child: &mut Child) {
    let asked = cfg!(unix)
        && Command::new("kill").arg(child.id().to_string()).status().is_ok_and(|status| status.success());
    let started = Instant::now();
    while asked && started.elapsed() < PATIENCE {
        if matches!(child.try_wait(), Ok(Some(_))) {
            return;
        }
        thread::sleep(Duration::from_millis(50));
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Runs a program that has no reason to fail; `advice` says what to do if it does all the same.
pub fn expect(command: &mut Command, limit: Duration, advice: &str) -> Outcome<String> {
    let run = run(command, limit)?;
    if run.success {
        return Ok(run.output);
    }
    Err(Failure::new(format!("`{}` failed: {advice}", describe(command))).with_output(run.output))
}

/// The cargo that started us, so that a toolchain named with `+` holds for the whole run.
pub fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

pub fn npm() -> Command {
    Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" })
}

pub fn on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// The command as one would type it, cut where it gets long.
fn describe(command: &Command) -> String {
    const LONGEST: usize = 100;
    let root = checkout::root().display().to_string() + "/";
    let program = Path::new(command.get_program());
    let mut text = program.file_name().unwrap_or(command.get_program()).to_string_lossy().into_owned();
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&argument.to_string_lossy().replace(&root, ""));
    }
    if text.chars().count() > LONGEST {
        text = text.chars().take(LONGEST).chain(" …".chars()).collect();
    }
    text
}

fn lines_of(child: &mut Child) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    let pipes: [Option<Box<dyn Read + Send>>; 2] = [
        child.stdout.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
        child.stderr.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
    ];
    for pipe in pipes.into_iter().flatten() {
        let sender = sender.clone();
        thread::spawn(move || {
            let mut reader = BufReader::new(pipe);
            let mut line = Vec::new();
            while reader.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    return;
                }
                line.clear();
            }
        });
    }
    receiver
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn both_pipes_and_the_verdict_are_kept() {
        let run = run(&mut shell("echo one; echo two >&2; exit 3"), LIMIT).unwrap();
        let mut lines: Vec<&str> = run.output.lines().collect();
        lines.sort_unstable();
        assert!(!run.success);
        assert_eq!(lines, ["one", "two"]);
    }

    #[test]
    fn what_hangs_is_ended() {
        let failure = run(&mut shell("exec sleep 60"), Duration::from_millis(100)).err().unwrap();
        assert_eq!(failure.sentence(), "`sh -c exec sleep 60` was ended after 0.1 s");
    }

    #[test]
    fn a_program_left_behind_is_not_waited_for() {
        let run = run(&mut shell("sleep 5 & echo started"), Duration::from_secs(4)).unwrap();
        assert_eq!(run.output, "started\n");
    }
}

/// Lets a program take our place, so that signals and its exit status need no forwarding.
#[cfg(unix)]
pub fn become_it(command: &mut Command) -> Outcome<ExitCode> {
    use std::os::unix::process::CommandExt;
    let error = command.exec();
    Err(Failure::new(format!("cannot start {}: {error}", command.get_program().display())))
}

/// Runs a program to its end, its exit status ours.
#[cfg(not(unix))]
pub fn become_it(command: &mut Command) -> Outcome<ExitCode> {
    let status =
        command.status().map_err(|error| Failure::new(format!("cannot start the program: {error}")))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
