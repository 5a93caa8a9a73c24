"""`honours completion`: the script that teaches a shell to complete honours commands."""

import click
from click.shell_completion import get_completion_class


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
    click.echo(completion_class(group, {}, "honours", "_HONOURS_COMPLETE").source())
