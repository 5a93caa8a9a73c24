// Python and the application, in a worker: one of all open tabs has it, the others wait for theirs.
import { loadPyodide } from "./pyodide/pyodide.mjs";
import "./files.js";

const own = new URL(".", import.meta.url);
const name = `honours ${own.pathname}`;
const channel = new BroadcastChannel(name);
const site = "/lib/python3.14/site-packages";
let python;
let tab;

navigator.locks
  .request(name, async () => {
    await start();
    await new Promise(() => {}); // until the tab is closed
  })
  .catch((error) => postMessage({ failed: error.message }));

async function start() {
  const [made, packed] = await Promise.all([
    loadPyodide({ indexURL: new URL("pyodide/", own).pathname }),
    unpacked("app.tar.gz"),
  ]);
  python = made;
  postMessage({ started: 50 });
  python.unpackArchive(packed, "tar", { extractDir: site });
  python.FS.mkdirTree("/data");
  python.FS.mount(python.FS.filesystems.IDBFS, {}, "/data");
  await sync(true);
  postMessage({ started: 60 });
  tab = python.runPython(`
import importlib
importlib.invalidate_caches()
from honours.web.browser.tab import Tab
Tab("/data", ${JSON.stringify(own.host)}, ${JSON.stringify(own.pathname)})`);
  postMessage({ started: 95 });
  await tab.start();
  await sync(false);
  let turn = Promise.resolve();
  channel.onmessage = ({ data }) => {
    const work = { request, copy, bring }[data.kind];
    if (work) turn = turn.then(() => work(data));
  };
  postMessage({ started: 100 });
  channel.postMessage({ kind: "ready" });
}

async function unpacked(file) {
  const answer = await fetch(new URL(file, own));
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

function sync(fromDisk) {
  return new Promise((done, failed) =>
    python.FS.syncfs(fromDisk, (error) => (error ? failed(error) : done())),
  );
}

const bytes = (buffer) => python.globals.get("bytes")(python.toPy(new Uint8Array(buffer)));

async function request(data) {
  postMessage({ began: data.id });
  let answer;
  try {
    answer = await answered(data);
    if (tab.wanted in EDITION.later && (await loaded(tab.wanted))) answer = await answered(data);
    if (!["GET", "HEAD"].includes(data.method) || answer.set) {
      // on the disk before it is answered
      await sync(false);
      channel.postMessage({ kind: "changed" });
    }
  } catch (error) {
    answer = {
      status: 500,
      headers: [["content-type", "text/plain; charset=utf-8"]],
      body: new TextEncoder().encode(String(error)),
    };
  }
  postMessage({ ended: data.id, memory: python._module.HEAPU8.length });
  channel.postMessage({ kind: "answer", id: data.id, ...answer });
}

async function answered({ method, address, headers, body }) {
  const got = await tab.answer(method, address, python.toPy(headers), bytes(body));
  const answer = {
    status: got.get(0),
    headers: got.get(1).toJs(),
    body: got.get(2).toJs(),
    set: address.includes("lang="),
  };
  got.destroy();
  return answer;
}

// A package that is large and only some need: fetched when it is first asked for, and kept then.
async function loaded(module) {
  const answer = await fetch(new URL(EDITION.later[module], own)).catch(() => null);
  if (!answer?.ok) return false;
  python.unpackArchive(await answer.arrayBuffer(), "zip", { extractDir: site });
  python.runPython("import importlib; importlib.invalidate_caches()");
  return true;
}

function copy({ id }) {
  const made = tab.packed();
  channel.postMessage({ kind: "copied", id, body: made.toJs() });
  made.destroy();
}

async function bring({ id, body }) {
  try {
    tab.bring(bytes(body));
    await sync(false);
    channel.postMessage({ kind: "brought", id });
  } catch (error) {
    channel.postMessage({
      kind: "brought",
      id,
      error: error.message
        .trim()
        .split("\n")
        .at(-1)
        .replace(/^[\w.]+: /, ""),
    });
  }
}
