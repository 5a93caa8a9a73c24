"""`honours completion`: the script that teaches a shell to complete honours commands."""

from __future__ import annotations

import os

import click
from click.shell_completion import CompletionItem, ShellComplete, add_completion_class
from click.shell_completion import get_completion_class as class_of

from honours.cli.declared import argument, as_command
from honours.cli.messages import say

_VARIABLE = "_HONOURS_COMPLETE"


@add_completion_class
class PowerShellComplete(ShellComplete):
    """Completion in PowerShell, which hands over the words so far and reads a line for each."""

    name = "powershell"
    source_template = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($word, $line, $cursor)
    $env:%(complete_var)s = "powershell_complete"
    $env:COMP_WORDS = $line.ToString()
    $env:COMP_WORD = $word
    %(prog_name)s | ForEach-Object {
        $value, $help = $_ -split "`t", 2
        [System.Management.Automation.CompletionResult]::new(
            $value, $value, "ParameterValue", $(if ($help) { $help } else { $value }))
    }
    Remove-Item Env:%(complete_var)s, Env:COMP_WORDS, Env:COMP_WORD
}
"""

    def get_completion_args(self) -> tuple[list[str], str]:
        words, incomplete = os.environ["COMP_WORDS"].split(), os.environ["COMP_WORD"]
        return (words[1:-1] if incomplete else words[1:]), incomplete

    def format_completion(self, item: CompletionItem) -> str:
        value = f"'{item.value}'" if " " in str(item.value) else str(item.value)
        return f"{value}\t{item.help or ''}"


@as_command("completion")
@click.pass_context
def command(
    ctx: click.Context,
    shell: str = argument(type=click.Choice(["bash", "zsh", "fish", "powershell"])),
) -> None:
    """Print the completion script for a shell: of commands, options, rulebooks, members, corpora.

    \b
    Examples:
      honours completion bash >> ~/.bashrc
      honours completion fish > ~/.config/fish/completions/honours.fish
    """
    completion_class = class_of(shell)
    assert completion_class is not None
    group = ctx.find_root().command
    say(completion_class(group, {}, "honours", _VARIABLE).source())
