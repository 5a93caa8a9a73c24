"""`honours lab`: a change of the rules on a whole federation's history."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from honours.cli.lazy import LazyGroup, declared_places

if TYPE_CHECKING:
    from honours.lab.questions import QuestionKind

COMMANDS = declared_places("lab")


class LabGroup(LazyGroup):
    """Every question has the command that its declaration makes, here or beside `lab`."""

    def declared(self) -> dict[str, QuestionKind]:
        """The questions without a command beside this one."""
        from honours.cli import COMMANDS as BESIDE
        from honours.lab.questions import QUESTIONS

        return {kind: declared for kind, declared in QUESTIONS.items() if kind not in BESIDE}

    def lines(self) -> dict[str, str]:
        """Return what each command is for: the questions last, in the order declared."""
        questions = {name: question.heading for name, question in self.declared().items()}
        return super().lines() | questions

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self.places:
            return super().get_command(ctx, cmd_name)
        from honours.cli.lab_declared import question_command

        question = self.declared().get(cmd_name)
        return None if question is None else question_command(question)


@click.group("lab", cls=LabGroup, places=COMMANDS)
def command() -> None:
    """Ask what a change of the rules would do, before anyone votes.

    \b
    Examples:
      honours lab generate year --scale 0.02
      honours lab compare year acbl-sof-2011 acbl-sof-2020 --by size
      honours lab compare year acbl-sof-2020 "acbl-sof-2020 size_exponent=1/2" --html report.html
      honours lab audit aga-category
    """
