"""`honours lab`: a change of the rules on a whole federation's history."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from honours.cli.lazy import CommandPlace, LazyGroup

if TYPE_CHECKING:
    from honours.lab.questions import QuestionKind

COMMANDS = {
    "generate": CommandPlace(
        "honours.cli.lab_corpus:generate", "Make a synthetic federation-year."
    ),
    "import": CommandPlace(
        "honours.cli.lab_corpus:import_", "Make a corpus from files of results."
    ),
    "check": CommandPlace("honours.cli.lab_corpus:check", "Look for what is wrong in a corpus."),
    "tables": CommandPlace("honours.cli.lab_corpus:tables", "Show the columns of a corpus."),
    "score": CommandPlace("honours.cli.lab_runs:score", "Score every result of a corpus."),
    "award": CommandPlace("honours.cli.lab_runs:award", "Award every event of a corpus."),
    "compare": CommandPlace("honours.cli.lab_questions:compare", "Compare two rulebooks."),
    "growth": CommandPlace(
        "honours.cli.lab_questions:growth", "Several years of growing holdings."
    ),
    "audit": CommandPlace("honours.cli.lab_rules:audit", "Search a rulebook for broken promises."),
    "simulate": CommandPlace(
        "honours.cli.lab_rules:simulate", "What a player may expect of events."
    ),
    "explain": CommandPlace(
        "honours.cli.lab_rules:explain", "Why an entrant of an event gets its award."
    ),
}


class LabGroup(LazyGroup):
    """A lazy group whose places name the command in a module: ``module:name``. A question that has
    no command, here or beside `lab`, has the one that its declaration makes."""

    def declared(self) -> dict[str, QuestionKind]:
        """The questions without a command of their own."""
        from honours.cli import COMMANDS as BESIDE
        from honours.lab.questions import QUESTIONS

        return {k: v for k, v in QUESTIONS.items() if k not in {*self.places, *BESIDE}}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Everything else, and then the questions in the order they are declared in."""
        from honours.lab.questions import QUESTIONS

        own = [name for name in self.places if name not in QUESTIONS]
        return [*own, *(k for k in QUESTIONS if k in self.places or k in self.declared())]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        lines = {name: place.help for name, place in self.places.items()}
        lines |= {name: f"{question.title}." for name, question in self.declared().items()}
        with formatter.section("Commands"):
            formatter.write_dl([(name, lines[name]) for name in self.list_commands(ctx)])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        from importlib import import_module

        if cmd_name not in self.places:
            from honours.cli.lab_declared import question_command

            question = self.declared().get(cmd_name)
            return None if question is None else question_command(question)
        module, _, name = self.places[cmd_name].module.partition(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        return command


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
