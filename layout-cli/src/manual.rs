//! `layout completions` and `layout man`: the files that a package of the command installs.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use clap_complete::Shell;

use crate::command;

pub(crate) fn completions() -> Command {
    Command::new("completions")
        .about("Print completions for a shell")
        .after_help(
            "Examples:\n  \
             layout completions bash > ~/.local/share/bash-completion/completions/layout\n  \
             layout completions zsh > ~/.zfunc/_layout\n  \
             layout completions fish > ~/.config/fish/completions/layout.fish",
        )
        .arg(Arg::new("SHELL").required(true).value_parser(value_parser!(Shell)))
}

pub(crate) fn run_completions(matches: &ArgMatches) -> io::Result<ExitCode> {
    let mut script = Vec::new();
    if let Some(&shell) = matches.get_one::<Shell>("SHELL") {
        clap_complete::generate(shell, &mut command::command(), "layout", &mut script);
    }
    write(&script)
}

pub(crate) fn man() -> Command {
    Command::new("man")
        .about("Print a manual page, in roff")
        .after_help(
            "Examples:\n  layout man | man -l -\n  layout man show > layout-show.1\n  \
             for page in $(layout man --list); do layout man $page > layout-$page.1; done",
        )
        .arg(Arg::new("COMMAND").help("The subcommand that the page is about"))
        .arg(
            Arg::new("list")
                .long("list")
                .action(ArgAction::SetTrue)
                .conflicts_with("COMMAND")
                .help("List the subcommands"),
        )
}

pub(crate) fn run_man(matches: &ArgMatches) -> io::Result<ExitCode> {
    // Includes the global arguments in each subcommand.
    let mut root_command = command::command();
    root_command.build();
    if matches.get_flag("list") {
        let names =
            root_command.get_subcommands().map(Command::get_name).filter(|name| *name != "help");
        return write(format!("{}\n", names.collect::<Vec<_>>().join("\n")).as_bytes());
    }
    let requested = command::text(matches, "COMMAND");
    let page = match requested.as_str() {
        "" => Some(root_command),
        name => root_command.find_subcommand(name).cloned(),
    };
    let Some(page) = page else {
        let name = requested.escape_debug();
        writeln!(io::stderr(), "error: there is no subcommand {name}; `layout --help` lists all")?;
        return Ok(ExitCode::from(2));
    };
    let mut roff = Vec::new();
    clap_mangen::Man::new(page).render(&mut roff)?;
    write(&roff)
}

fn write(bytes: &[u8]) -> io::Result<ExitCode> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
