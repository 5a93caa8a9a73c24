// Whether the server is still there: it says so every two seconds, and a page that has not heard from
// it says that instead, trusts no clock meanwhile, and goes on by itself when it is back.
globalThis.alive = (stream, { changed = () => null, back = () => null } = {}) => {
  const gone = document.getElementById("gone");
  let source;
  let heard = Date.now();
  let tried = 0;
  function hear() {
    heard = Date.now();
    if (gone.hidden) return;
    gone.hidden = true;
    back();
  }
  function open() {
    tried = Date.now();
    source?.close();
    source = new EventSource(stream);
    source.addEventListener("beat", hear);
    source.onmessage = (event) => (hear(), changed(event.data));
  }
  open();
  addEventListener("pagehide", () => source.close());
  // What slept hears nothing; whoever looks at it again waits a moment before it is believed.
  document.addEventListener("visibilitychange", () => (heard = Math.max(heard, Date.now() - 2500)));
  setInterval(() => {
    const now = Date.now();
    if (now - heard < 4000) return;
    gone.hidden = false;
    if (now - tried > 4000) open();
  }, 500);
};
