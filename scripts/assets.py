"""Format the style sheets and scripts of the pages with prettier, which npm fetches as locked.

python -m scripts.assets           formats them, as `./check fix` does where npm is there
python -m scripts.assets --check   says which are not
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKED = ROOT / "requirements" / "node"
KEPT = ROOT / "build" / "node"


def assets() -> list[Path]:
    """Every style sheet and script of ours."""
    tracked = subprocess.run(
        ("git", "ls-files", "src/*.css", "src/*.js"),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    others = ("/vendor/", ".min.js")
    return [ROOT / f for f in tracked.stdout.split() if not any(one in f for one in others)]


def main() -> int:
    """Format all of them, or compare; return the exit code."""
    npm = shutil.which("npm")
    if npm is None:
        print("npm is not here, so style sheets and scripts stay as they are")
        return 0
    for name in ("package.json", "package-lock.json"):
        KEPT.mkdir(parents=True, exist_ok=True)
        shutil.copy(LOCKED / name, KEPT / name)
    if not (KEPT / "node_modules" / "prettier").is_dir():
        subprocess.run((npm, "ci", "--silent"), cwd=KEPT, check=True)
    prettier = KEPT / "node_modules" / ".bin" / "prettier"
    how = "--check" if "--check" in sys.argv else "--write"
    config = KEPT / "package.json"
    command = [prettier, "--config", config, "--log-level", "warn", how, *assets()]
    return subprocess.run([str(word) for word in command], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
