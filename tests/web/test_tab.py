"""The application as a browser's tab has it, on CPython: nothing leads to what is not there, and
all that is kept goes away and comes back as one file. `./check browser` has it in a browser."""

import os
import subprocess
import sys

from tests.support import ROOT

SCRIPT = r"""
import asyncio, io, re, sys, zipfile
from pathlib import Path
from honours.errors import InputError
from honours.web.browser.tab import Tab

async def main(data, file):
    tab = Tab(data, "localhost:1", "/club/")
    await tab.start()
    head = f'--x\r\nContent-Disposition: form-data; name="files"; filename="{file.name}"\r\n\r\n'
    body = head.encode() + file.read_bytes() + b"\r\n--x--\r\n"
    kind = [("content-type", "multipart/form-data; boundary=x")]
    status, headers, _ = await tab.answer("POST", "/club/events", kind, body)
    assert status == 303, status
    event = dict(headers)["location"]
    seen, left = set(), ["/club/", event, f"{event}/awards?rulebook=sbu-clubs-2016"]
    while left and len(seen) < 60:
        address = left.pop(0)
        if address in seen:
            continue
        seen.add(address)
        status, headers, content = await tab.answer("GET", address, [], b"")
        assert status < 400, (status, address)
        assert "ancestors 'self'" in dict(headers)["content-security-policy"]
        for link in re.findall(rb'href="(/[^"#]*)', content):
            assert link.startswith(b"/club/"), (address, link)
            if b"/static/" not in link and b"/download/" not in link:
                left.append(link.decode().replace("&amp;", "&"))
    for absent in ("lab", "evenings/new", "accounts", "developers"):
        status, _, content = await tab.answer("GET", f"/club/{absent}", [], b"")
        assert (status, b"pip install" in content) == (501, True), absent
    other = [("origin", "https://elsewhere.example"), ("sec-fetch-site", "cross-site"), *kind]
    assert (await tab.answer("POST", "/club/events", other, body))[0] == 403
    await tab.answer("GET", "/club/?lang=fr", [], b"")
    assert b'lang="fr"' in (await tab.answer("GET", "/club/", [], b""))[2]
    copy = tab.packed()
    strange = io.BytesIO()
    with zipfile.ZipFile(strange, "w") as archive:
        archive.writestr("honours-copy.json", "{}")
        archive.writestr("../outside", "x")
    for wrong in (b"", copy[:-30], strange.getvalue()):
        try:
            tab.bring(wrong)
        except InputError:
            continue
        raise AssertionError(wrong[:20])
    await tab.close()
    again = Tab(data + "-again", "localhost:1", "/club/")
    await again.start()
    again.bring(copy)
    await again.close()
    once_more = Tab(data + "-again", "localhost:1", "/club/")
    await once_more.start()
    assert (await once_more.answer("GET", event, [], b""))[0] == 200
    await once_more.close()

asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
"""


def test_a_tab_offers_only_what_is_there_and_gives_and_takes_a_copy(tmp_path: object) -> None:
    file = ROOT / "src" / "honours" / "demo" / "examples" / "tuesday.csv"
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, f"{tmp_path}/data", str(file)],
        env={**os.environ, "HONOURS_TAB": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
