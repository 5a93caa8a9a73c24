"""The same requests answered by the same application on CPython: prints what it says to each."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from honours.web.browser.tab import Tab
from tests.support import ROOT

FILE = ROOT / "src" / "honours" / "demo" / "examples" / "tuesday.csv"
LINE = "x" * 20


async def main(asked: Path) -> None:
    address, places = json.loads(asked.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as data:
        tab = Tab(data, urlsplit(address).netloc, "/club/")
        await tab.start()
        head = f'--{LINE}\r\nContent-Disposition: form-data; name="files"; filename="{FILE.name}"'
        body = f"{head}\r\n\r\n".encode() + FILE.read_bytes() + f"\r\n--{LINE}--\r\n".encode()
        kind = [("content-type", f"multipart/form-data; boundary={LINE}")]
        _, headers, _ = await tab.answer("POST", "/club/events", kind, body)
        found = re.search(r"events/([0-9a-f]{12})", dict(headers)["location"])
        assert found
        said = {}
        for place in places:
            where, english = "/club/" + place.format(id=found[1]), [("accept-language", "en-GB")]
            status, headers, content = await tab.answer("GET", where, english, b"")
            while status in (302, 303, 307):
                where = dict(headers)["location"]
                status, headers, content = await tab.answer("GET", where, english, b"")
            said[place] = (status, content.decode())
        await tab.close()
    print(json.dumps(said))


asyncio.run(main(Path(sys.argv[1])))
