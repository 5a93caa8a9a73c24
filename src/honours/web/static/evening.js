// The pages of an evening: woken by the server, a clock, and a grid that is kept as it is typed.
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

  // --- the grid -----------------------------------------------------------------------------------
  const key = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");

  function grid(form) {
    const api = form.dataset.grid;
    const state = form.querySelector(".grid-state");
    const inputs = [...form.querySelectorAll("tbody input")];
    let queue = Promise.resolve();
    const unsent = new Map(); // what is typed and not answered yet, by its key
    inputs.forEach((input, at) => {
      input.dataset.kept = input.value;
      input.addEventListener("change", () => save(input));
      input.addEventListener("keydown", (event) => {
        const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        const next = inputs[at + step];
        if (next) return next.focus(), next.select();
        if (step < 0) return;
        input.blur();
        const on = document.querySelector("a[rel=next]");
        queue.then(() => on && !form.querySelector(".refused") && (location.href = on.href));
      });
    });
    inputs.find((input) => !input.value)?.focus();

    function save(input) {
      if (input.value.trim() === input.dataset.kept.trim()) return;
      input.dataset.kept = input.value;
      const row = input.closest("tr");
      const told = { key: key(), round: +row.dataset.round, table: +row.dataset.tableNumber, board: +row.dataset.board, text: input.value };
      unsent.set(told.key, [row, told]);
      queue = queue.then(() => send(row, input, told)).then(() => points(told.board));
    }

    const post = (row, told, how = {}) =>
      fetch(`${api}/lines`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ ...told, seen: +row.dataset.version }), ...how });

    // Whoever leaves the page before everything is answered loses nothing: it is sent all the same, and the key makes it once.
    addEventListener("pagehide", () => unsent.forEach(([row, told]) => post(row, told, { keepalive: true }).catch(() => null)));

    async function send(row, input, told, tries = 0) {
      row.classList.remove("refused");
      let answer;
      try {
        answer = await post(row, told);
      } catch {
        state.textContent = "…";
        await new Promise((then) => setTimeout(then, Math.min(8000, 500 * 2 ** tries)));
        return send(row, input, told, tries + 1);
      }
      state.textContent = "";
      unsent.delete(told.key);
      const body = await answer.json();
      if (!answer.ok) {
        row.classList.add("refused");
        row.querySelector(".why").textContent = body.detail;
        input.dataset.kept = "\u0000";
        if (body.line) row.dataset.version = body.line.version;
        return;
      }
      const line = body.line;
      row.dataset.version = line ? line.version : +row.dataset.version + 1;
      input.value = input.dataset.kept = line ? line.text : "";
      row.querySelector(".score").textContent = line && line.score !== null ? line.score : "";
      row.querySelector(".why").textContent = line ? line.questions.join("; ") : "";
      row.classList.toggle("doubtful", !!line && line.questions.length > 0);
    }

    async function points(board) {
      const answer = await fetch(`${api}/boards/${board}`).catch(() => null);
      if (!answer || !answer.ok) return;
      for (const line of (await answer.json()).lines) {
        const row = document.getElementById(`l-${line.round}-${line.table}-${line.board}`);
        if (!row) continue;
        row.querySelector(".ns-points").textContent = line.ns_points;
        row.querySelector(".ew-points").textContent = line.ew_points;
      }
    }
  }

  addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("[data-stream]").forEach(listen);
    document.querySelectorAll("form[data-grid]").forEach(grid);
    tick();
    setInterval(tick, 1000);
  });
})();
