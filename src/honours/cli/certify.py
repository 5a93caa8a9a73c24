"""`honours certify`: made-up events with the right awards, for authors of other programs."""

from __future__ import annotations

from honours.cli.declared import argument, as_command, option
from honours.cli.messages import say, say_json
from honours.conformance.certificate import check_answers, told, write_suite
from honours.errors import InputError
from honours.model.message import plural


@as_command("certify")
def command(
    rulebook: str = argument(required=False),
    out: str = argument(required=False),
    answers: str | None = option("Compare a program's answers.", "ANSWERS", "--check"),
    as_json: bool = option("One JSON object.", None, "--json"),
) -> None:
    """Write made-up events with the right awards, for other programs.

    The folder OUT gets each event as a table of standings, as JSON and as USEBIO, and every right
    award with its clause. A program answers with a CSV file of the columns event, entrant and
    award, and line where an event has two lists. It may also put its points into copies of the
    USEBIO files: name their folder. The exit status is 1 if an answer is wrong.

    \b
    Examples:
      honours certify sbu-clubs-2016 try/suite
      honours certify --check try/suite/answers.csv
    """
    if (answers is None) == (not out):
        raise InputError("expected a rulebook and a folder to write, or --check ANSWERS")
    if answers is None:
        many = write_suite(rulebook, out)
        say(
            plural(
                "wrote {count} event to {out}", "wrote {count} events to {out}", count=many, out=out
            )
        )
        return
    checked = check_answers(answers)
    if as_json:
        say_json(checked.as_dict())
    else:
        say(checked.statement)
        for line in told(checked):
            say(line)
    if checked.wrong:
        raise SystemExit(1)
