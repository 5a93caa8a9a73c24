"""Draws the terminal for the documentation, from what the command really prints:
python -m scripts.pictures. Those of pages are made by the browser tests.
"""

import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
COMMAND = "honours calc acbl-sof-2011 kind=pairs tables=20 average_masterpoints=1500 --explain"
# rich's own frame asks a font server for its font; a picture of ours asks nobody for anything.
FRAME = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: monospace; font-size: {char_height}px;
  line-height: {line_height}px; font-variant-east-asian: full-width; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>{lines}</defs>
{chrome}<g transform="translate({terminal_x}, {terminal_y})"
clip-path="url(#{unique_id}-clip-terminal)">{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g></g></svg>
"""
LINES = 47


def picture() -> str:
    """The command and the head of its output, as an SVG."""
    words = COMMAND.split()[1:]
    run = [sys.executable, "-m", "honours", *words]
    output = subprocess.run(run, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    head = output.splitlines()[:LINES]
    console = Console(record=True, width=104, file=open("/dev/null", "w"))  # noqa: SIM115
    console.print(Text(f"$ ./{COMMAND}", style="bold"), "", *map(Text, head), Text("…"), sep="\n")
    return console.export_svg(title="honours", theme=MONOKAI, code_format=FRAME, unique_id="demo")


if __name__ == "__main__":
    target = ROOT / "docs" / "images" / "explained-award.svg"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(picture(), encoding="utf-8")
