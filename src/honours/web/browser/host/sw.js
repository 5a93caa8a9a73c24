// Answers what the pages ask for: files of this edition from its cache, everything else from Python,
// which is in a worker of one of the open tabs.
importScripts("files.js");
const base = new URL("./", self.location).pathname;
const cacheName = `honours ${base} ${EDITION.version}`;
const own = new Set(
  [...Object.keys(EDITION.files), ...Object.values(EDITION.later)].map((name) => base + name),
);
const channel = new BroadcastChannel(`honours ${base}`);
const waiting = new Map();
let last = 0;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", ({ data }) => {
  if (data === "take over") self.skipWaiting();
});

async function install() {
  const total = Object.values(EDITION.files).reduce((sum, size) => sum + size, 0);
  let done = 0;
  const tell = (bytes) => {
    done += bytes;
    channel.postMessage({ kind: "fetched", done, total });
  };
  await Promise.all(Object.keys(EDITION.files).map((name) => fetched(base + name, tell)));
}

// Into the cache, with a policy that its host did not send: a worker has the one it is loaded with.
async function fetched(path, tell = () => {}) {
  const answer = await fetch(path, { cache: "no-cache" });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  const parts = [];
  for (const reader = answer.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    tell(value.length);
  }
  const headers = {
    "content-type": answer.headers.get("content-type") ?? "",
    "content-security-policy": path === `${base}engine.js` ? EDITION.engine_policy : EDITION.policy,
  };
  const kept = new Response(new Blob(parts), { headers });
  await (await caches.open(cacheName)).put(path, kept.clone());
  return kept;
}

async function activate() {
  for (const name of await caches.keys())
    if (name.startsWith(`honours ${base} `) && name !== cacheName) await caches.delete(name);
  await self.clients.claim();
}

channel.onmessage = ({ data }) => {
  if (data.kind === "ready")
    for (const { request } of waiting.values()) channel.postMessage(request);
  if (data.kind === "answer" && waiting.has(data.id)) {
    waiting.get(data.id).done(data);
    waiting.delete(data.id);
  }
};

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== self.location.origin || !url.pathname.startsWith(base)) return;
  if (own.has(url.pathname)) event.respondWith(kept(url.pathname));
  else if (event.request.destination === "document" && event.request.method === "GET")
    event.respondWith(shell(url));
  else event.respondWith(asked(event.request, url));
});

// A tab of its own gets the page around the pages; where to is behind the #, so that the address also
// opens in a browser that has never been here.
function shell(url) {
  const where = url.pathname.slice(base.length) + url.search;
  return where ? Response.redirect(`${base}#${where}`) : kept(`${base}index.html`);
}

async function kept(path) {
  return (await (await caches.open(cacheName)).match(path)) ?? fetched(path);
}

async function asked(request, url) {
  const body = await request.arrayBuffer();
  const id = `${Date.now()} ${(last += 1)}`;
  const sent = {
    kind: "request",
    id,
    method: request.method,
    address: url.pathname + url.search,
    headers: [...request.headers],
    body,
  };
  const {
    status,
    headers,
    body: content,
  } = await new Promise((done) => {
    waiting.set(id, { request: sent, done });
    channel.postMessage(sent);
  });
  return new Response([101, 204, 205, 304].includes(status) ? null : content, { status, headers });
}
