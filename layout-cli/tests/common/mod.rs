//! Runs the command; shared by the tests.
#![allow(dead_code, reason = "each test uses a part of this")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

pub(crate) fn layout(args: &[&str]) -> Output {
    command(args).stdin(Stdio::null()).output().expect("the command runs")
}

pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_layout"));
    command.args(args);
    command
}

/// `layout eval -` with this input.
pub(crate) fn eval_lines(input: Vec<u8>) -> Output {
    lines(&["eval", "-"], input)
}

/// The command with this input.
pub(crate) fn lines(args: &[&str], input: Vec<u8>) -> Output {
    let mut child = command(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let mut stdin = child.stdin.take().expect("it is a pipe");
    // Writes and reads concurrently: the pipes cannot buffer all data.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("the command ends");
    writer.join().expect("no panic").expect("all of the input is read");
    output
}

pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}
