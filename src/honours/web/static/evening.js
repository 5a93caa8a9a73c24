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

  // What is typed is in the browser's own keeping until the server has answered: whoever leaves the
  // page, loses the network or closes the lid finds it sent when a page of this evening is opened again.
  const memory = {};
  function read(name) {
    try {
      return JSON.parse(localStorage.getItem(name) || "[]");
    } catch {
      return memory[name] || [];
    }
  }
  function write(name, lines) {
    memory[name] = lines;
    try {
      localStorage.setItem(name, JSON.stringify(lines));
    } catch {
      // A browser that keeps nothing: then it is kept as long as the page is open.
    }
  }
  const same = (one, other) => one.round === other.round && one.table === other.table && one.board === other.board;

  function outbox(api) {
    const [box, wrong] = [`grid ${api}`, `refused ${api}`];
    const waiting = () => read(box);
    const headers = { "content-type": "application/json" };
    let sending = null;

    async function sendAll(answered) {
      for (let tries = 0, [line] = waiting(); line; [line] = waiting()) {
        const answer = await fetch(`${api}/lines`, { method: "POST", headers, body: JSON.stringify(line) }).catch(() => null);
        if (!answer || answer.status >= 500 || answer.status === 429) {
          answered(line, null);
          await new Promise((then) => setTimeout(then, Math.min(8000, 500 * 2 ** tries++)));
          continue;
        }
        const body = await answer.json();
        if (!answer.ok && ![409, 422].includes(answer.status)) return answered(line, answer, body); // signed out, say: it stays
        tries = 0;
        // Of a line that was refused, what was typed on top of it is meant for what holds instead.
        const rest = waiting().filter((one) => one.key !== line.key);
        write(box, answer.ok ? rest : rest.map((one) => (same(one, line) ? { ...one, seen: body.line?.version ?? one.seen - 1 } : one)));
        const others = read(wrong).filter((one) => !same(one, line));
        write(wrong, answer.ok ? others : [...others, { ...line, why: body.detail }]);
        await answered(line, answer, body);
      }
    }
    // All of it in one request, which a browser sends though its page is gone; each key is done once.
    addEventListener("pagehide", () => waiting().length && fetch(`${api}/lines/several`, { method: "POST", headers, keepalive: true, body: JSON.stringify({ lines: waiting() }) }).catch(() => null));
    return {
      waiting,
      refused: () => read(wrong),
      add: (line) => write(box, [...waiting(), line]),
      send: (answered = () => null) => (sending ??= sendAll(answered).finally(() => (sending = null))),
    };
  }

  function grid(form) {
    const api = form.dataset.grid;
    const out = outbox(api);
    const state = form.querySelector(".grid-state");
    const inputs = [...form.querySelectorAll("tbody input")];
    const rowOf = (line) => document.getElementById(`l-${line.round}-${line.table}-${line.board}`);
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
        send().then(() => on && !form.querySelector(".refused") && (location.href = on.href));
      });
    });
    for (const line of out.waiting()) {
      const input = rowOf(line)?.querySelector("input");
      if (input) input.value = input.dataset.kept = line.text;
    }
    told();
    send();
    addEventListener("online", send);
    inputs.find((input) => !input.value)?.focus();

    function send() {
      return out.send(answered);
    }
    function save(input) {
      if (input.value.trim() === input.dataset.kept.trim()) return;
      input.dataset.kept = input.value;
      const row = input.closest("tr");
      const place = { round: +row.dataset.round, table: +row.dataset.tableNumber, board: +row.dataset.board };
      // A line that is changed again before it was answered builds on what its first change will make.
      const before = out.waiting().filter((one) => same(one, place)).length;
      out.add({ key: key(), ...place, text: input.value, language: form.dataset.language, seen: +row.dataset.version + before });
      send();
    }

    // What could not be kept is said wherever one has gone on to, until it is entered as it should be.
    function told() {
      const elsewhere = out.refused().filter((line) => !rowOf(line));
      state.replaceChildren(
        ...elsewhere.map((line) => {
          const link = document.createElement("a");
          link.href = `?by=slip&place=${line.round}.${line.table}.${line.board}#l-${line.round}-${line.table}-${line.board}`;
          link.textContent = `${form.dataset.board} ${line.board}: ${line.text}`;
          const one = document.createElement("span");
          one.className = "notice bad";
          one.append(link, ` ${line.why}`);
          return one;
        }),
      );
      for (const line of out.refused()) {
        const row = rowOf(line);
        if (row && !out.waiting().some((one) => same(one, line))) row.classList.add("refused"), (row.querySelector(".why").textContent = line.why), (row.querySelector("input").value = line.text);
      }
    }

    async function answered(sent, answer, body) {
      if (!answer) return (state.textContent = "…");
      told();
      if (!answer.ok && ![409, 422].includes(answer.status)) return (state.textContent = body.detail);
      const row = rowOf(sent);
      if (!row) return;
      const input = row.querySelector("input");
      if (body.line) row.dataset.version = body.line.version;
      else if (answer.ok) row.dataset.version = sent.seen + 1;
      row.classList.toggle("refused", !answer.ok);
      if (!answer.ok) return (input.dataset.kept = "\u0000");
      const line = body.line;
      if (!out.waiting().some((one) => same(one, sent))) {
        if (input.value === input.dataset.kept) input.value = line ? line.spelled : "";
        input.dataset.kept = line ? line.spelled : "";
      }
      row.querySelector(".score").textContent = line && line.score !== null ? line.score : "";
      row.querySelector(".why").textContent = line ? line.questions.join("; ") : "";
      row.classList.toggle("doubtful", !!line && line.questions.length > 0);
      await points(sent.board);
    }

    async function points(board) {
      const answer = await fetch(`${api}/boards/${board}`).catch(() => null);
      if (!answer || !answer.ok) return;
      for (const line of (await answer.json()).lines) {
        const row = document.getElementById(`l-${line.round}-${line.table}-${line.board}`);
        if (!row) continue;
        row.querySelector(".ns-points").textContent = line.ns_points;
        row.querySelector(".ew-points").textContent = line.ew_points;
        const match = row.querySelector(".match");
        if (match) match.textContent = line.match;
      }
    }
  }

  addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("[data-stream]").forEach(listen);
    document.querySelectorAll("form[data-grid]").forEach(grid);
    document.querySelectorAll("[data-outbox]").forEach((one) => outbox(one.dataset.outbox).send());
    tick();
    setInterval(tick, 1000);
  });
})();
