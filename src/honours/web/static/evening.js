// The pages of an evening: woken by the server, and a clock.
(() => {
  // --- live ---------------------------------------------------------------------------------------
  function listen(live) {
    let waiting = 0;
    const source = new EventSource(live.dataset.stream);
    source.onmessage = (event) => {
      if (live.dataset.number === event.data) return;
      const first = live.dataset.number === undefined;
      live.dataset.number = event.data;
      // Many results at once are one look: the page asks again a moment after the last of them.
      clearTimeout(waiting);
      if (!first || source.reconnected) waiting = setTimeout(() => htmx.trigger(document.body, "evening-changed"), 250);
    };
    source.onerror = () => (source.reconnected = true);
    addEventListener("pagehide", () => source.close());
  }

  function tick() {
    document.querySelectorAll("time[datetime]").forEach((one) => {
      one.textContent = new Date(one.dateTime).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    });
    document.querySelectorAll("[data-ends]").forEach((one) => {
      const left = Math.round((new Date(one.dataset.ends) - Date.now()) / 1000);
      const sign = left < 0 ? "−" : "";
      const minutes = Math.floor(Math.abs(left) / 60);
      const seconds = String(Math.abs(left) % 60).padStart(2, "0");
      one.querySelector(".clock").textContent = `${sign}${minutes}:${seconds}`;
      one.classList.toggle("over", left < 0);
    });
  }

  addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("[data-stream]").forEach(listen);
    tick();
    setInterval(tick, 1000);
  });
})();
