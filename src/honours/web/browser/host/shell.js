// The page around the pages: it keeps the worker that holds Python while they change.
const own = new URL(".", import.meta.url);
const channel = new BroadcastChannel(`honours ${own.pathname}`);
const at = (id) => document.getElementById(id);
const day = 86400000;
const french = {
  "Fetching Honours: {done} of {total} MB. Next time it is here already.":
    "Chargement de Honours : {done} Mo sur {total}. La prochaine fois, ce sera déjà là.",
  "Starting …": "Démarrage …",
  "Another tab has Honours; waiting for it …":
    "Honours est ouvert dans un autre onglet ; on l’attend …",
  "Honours could not start: {why}": "Honours n’a pas pu démarrer : {why}",
  "This browser has no service workers here: open the page over https, and not in a private window.":
    "Ce navigateur n’a pas de service workers ici : ouvrez la page en https, et pas dans une fenêtre privée.",
  "Everything stays in this browser, which may throw it away.":
    "Tout reste dans ce navigateur, qui peut l’effacer.",
  "No copy was kept yet.": "Aucune copie n’a encore été gardée.",
  "The last copy is {days} days old.": "La dernière copie a {days} jours.",
  "Keep a copy": "Garder une copie",
  "Bring a copy": "Reprendre une copie",
  "A new version is there: use it": "Une nouvelle version est là : l’utiliser",
  "Put this copy in the place of all that is kept here?":
    "Mettre cette copie à la place de tout ce qui est gardé ici ?",
  "This took too long and was stopped. Nothing was changed.":
    "C’était trop long et a été arrêté. Rien n’a été changé.",
};
const isFrench = navigator.language.startsWith("fr");
const words = (text, values = {}) =>
  ((isFrench && french[text]) || text).replace(/\{(\w+)\}/g, (_, name) => values[name]);
const kept = (name) => localStorage.getItem(`honours ${own.pathname} ${name}`);
const keep = (name, value) => localStorage.setItem(`honours ${own.pathname} ${name}`, value);
let engine;
let shown;
const running = new Map();

function say(text, values, part) {
  at("said").textContent = words(text, values);
  if (part !== undefined) at("progress").value = part;
}

function startEngine() {
  engine = new Worker(new URL("engine.js", own), { type: "module" });
  engine.onerror = (error) => {
    say("Honours could not start: {why}", { why: error.message });
    for (const id of running.keys()) stop(id);
  };
  engine.onmessage = ({ data }) => {
    if (data.failed) say("Honours could not start: {why}", { why: data.failed });
    if (data.started) say("Starting …", {}, data.started);
    if (data.memory) window.memory = data.memory;
    if (data.began)
      running.set(
        data.began,
        setTimeout(() => stop(data.began), document.body.dataset.patience * 1000),
      );
    if (data.ended) {
      clearTimeout(running.get(data.ended));
      running.delete(data.ended);
    }
  };
}

// Nothing else can stop Python: its worker ends, and what it had not written is as it was before.
function stop(id) {
  engine.terminate();
  running.clear();
  const body = new TextEncoder().encode(
    words("This took too long and was stopped. Nothing was changed."),
  );
  channel.postMessage({
    kind: "answer",
    id,
    status: 503,
    headers: [["content-type", "text/plain; charset=utf-8"]],
    body,
  });
  startEngine();
}

async function controlled() {
  if (!("serviceWorker" in navigator))
    throw new Error(
      words(
        "This browser has no service workers here: open the page over https, and not in a private window.",
      ),
    );
  const registered = await navigator.serviceWorker.register(new URL("sw.js", own), {
    scope: own.pathname,
    updateViaCache: "none",
  });
  await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller) {
    await new Promise((done) =>
      navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }),
    );
  }
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
  const offer = () => {
    at("take").hidden = !registered.waiting;
  };
  registered.addEventListener("updatefound", () =>
    registered.installing?.addEventListener("statechange", offer),
  );
  at("take").onclick = () => registered.waiting?.postMessage("take over");
  offer();
}

function frame() {
  shown = document.createElement("iframe");
  shown.title = "Honours";
  shown.src = own.pathname + location.hash.replace(/^#\/?/, "");
  shown.addEventListener("load", () => {
    const inner = shown.contentWindow;
    if (inner.location.protocol === "about:") return;
    document.title = inner.document.title || "Honours";
    history.replaceState(
      null,
      "",
      `${own.pathname}#${inner.location.pathname.slice(own.pathname.length)}${inner.location.search}`,
    );
    inner.document.addEventListener("click", outwards);
    inner.addEventListener("keydown", printing);
    at("state").hidden = true;
    at("bar").hidden = false;
  });
  at("bar").before(shown);
}

// A link to another site opens beside: no page of ours shows one.
function outwards(event) {
  const link = event.target.closest?.("a[href]");
  if (!link || link.origin === location.origin || !link.protocol.startsWith("http")) return;
  event.preventDefault();
  window.open(link.href, "_blank", "noopener");
}

function printing(event) {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "p") {
    event.preventDefault();
    shown.contentWindow.print();
  }
}

function remind() {
  const copied = Number(kept("copied"));
  const days = Math.floor((Date.now() - copied) / day);
  const due = kept("changed") === "yes" && (!copied || days >= 7);
  const since = copied
    ? words("The last copy is {days} days old.", { days })
    : words("No copy was kept yet.");
  at("reminder").textContent =
    words("Everything stays in this browser, which may throw it away.") + (due ? ` ${since}` : "");
  at("reminder").className = due ? "due" : "";
}

channel.onmessage = ({ data }) => {
  if (data.kind === "fetched")
    say(
      "Fetching Honours: {done} of {total} MB. Next time it is here already.",
      { done: (data.done / 1e6).toFixed(1), total: (data.total / 1e6).toFixed(1) },
      (40 * data.done) / data.total,
    );
  if (data.kind === "changed") {
    keep("changed", "yes");
    remind();
  }
  if (data.kind === "copied") {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([data.body], { type: "application/zip" }));
    link.download = `honours-${new Date().toISOString().slice(0, 10)}.zip`;
    if (data.id === asked) link.click();
    keep("copied", Date.now());
    keep("changed", "no");
    remind();
  }
  if (data.kind === "brought" && !data.error) location.reload();
  if (data.kind === "brought" && data.error && data.id === asked) alert(data.error);
};

let asked = "";
at("keep").textContent = words("Keep a copy");
at("bring-said").textContent = words("Bring a copy");
at("take").textContent = words("A new version is there: use it");
at("keep").onclick = () => channel.postMessage({ kind: "copy", id: (asked = crypto.randomUUID()) });
at("bring").onchange = async ({ target }) => {
  const [file] = target.files;
  target.value = "";
  if (!file || !confirm(words("Put this copy in the place of all that is kept here?"))) return;
  channel.postMessage({
    kind: "bring",
    id: (asked = crypto.randomUUID()),
    body: await file.arrayBuffer(),
  });
};
window.addEventListener("keydown", printing);
window.addEventListener("beforeprint", () => {
  if (shown) shown.style.height = `${shown.contentDocument.documentElement.scrollHeight}px`;
});
window.addEventListener("afterprint", () => {
  if (shown) shown.style.height = "";
});
window.addEventListener("hashchange", () => {
  if (shown)
    shown.contentWindow.location.replace(own.pathname + location.hash.replace(/^#\/?/, ""));
});

try {
  document.documentElement.lang = isFrench ? "fr" : "en";
  say("Starting …", {}, 0);
  navigator.storage?.persist?.();
  remind();
  await controlled();
  startEngine();
  frame();
} catch (error) {
  say("Honours could not start: {why}", { why: error.message });
}
