"""`honours completion`: the script that teaches a shell to complete honours commands."""

import click
from click.shell_completion import get_completion_class

from honours.cli.messages import say


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script for a shell.

    \b
    Examples:
      honours completion bash >> ~/.bashrc
      honours completion fish > ~/.config/fish/completions/honours.fish
    """
    completion_class = get_completion_class(shell)
    assert completion_class is not None
    group = ctx.find_root().command
    say(completion_class(group, {}, "honours", "_HONOURS_COMPLETE").source())
