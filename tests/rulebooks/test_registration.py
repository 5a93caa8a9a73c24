"""A rulebook is its folder: nothing of the seven that no source prints stands anywhere else."""

from pathlib import Path

import honours
from honours.conformance.further_rulebooks import further_ids

PACKAGE = Path(honours.__file__).parent
EXAMPLES = ("cli", "demo")
"""Where a rulebook may be named in an example of a command."""


def test_no_other_room_knows_one_of_them_by_name() -> None:
    names = {form for name in further_ids() for form in (name, name.replace("-", "_"))}
    assert len(names) == 18
    knowing = [
        f"{path.relative_to(PACKAGE)}: {name}"
        for path in PACKAGE.rglob("*")
        if path.suffix in (".py", ".html", ".js", ".toml")
        and path.relative_to(PACKAGE).parts[0] not in ("rulebooks", *EXAMPLES)
        for name in names
        if name in path.read_text(encoding="utf-8")
    ]
    assert knowing == []
