// Results from paper: every sheet is in the page, so that no key waits for a network.
(() => {
  // --- what is typed, until the server has it -----------------------------------------------------
  // It is in the browser's own keeping until the server has answered: whoever leaves the page, loses
  // the network or closes the lid finds it sent when a page of this evening is opened again.
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
  const newKey = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) =>
      b.toString(16).padStart(2, "0"),
    ).join("");
  const place = ({ round, table, board }) => `${round}.${table}.${board}`;
  const same = (one, other) => place(one) === place(other);

  function outbox(api) {
    const [box, wrong] = [`grid ${api}`, `refused ${api}`];
    const waiting = () => read(box);
    const headers = { "content-type": "application/json" };
    let sending = null;

    async function sendAll(answered) {
      for (let tries = 0, [line] = waiting(); line; [line] = waiting()) {
        const answer = await fetch(`${api}/lines`, {
          method: "POST",
          headers,
          body: JSON.stringify(line),
        }).catch(() => null);
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
        write(
          box,
          answer.ok
            ? rest
            : rest.map((one) =>
                same(one, line) ? { ...one, seen: body.line?.version ?? one.seen - 1 } : one,
              ),
        );
        const others = read(wrong).filter((one) => !same(one, line));
        write(
          wrong,
          answer.ok
            ? others
            : [...others, { ...line, why: body.detail, offers: body.offers || [] }],
        );
        answered(line, answer, body);
      }
    }
    // All of it in one request, which a browser sends though its page is gone; each key is done once.
    addEventListener(
      "pagehide",
      () =>
        waiting().length &&
        fetch(`${api}/lines/several`, {
          method: "POST",
          headers,
          keepalive: true,
          body: JSON.stringify({ lines: waiting() }),
        }).catch(() => null),
    );
    return {
      waiting,
      waits: (line) => waiting().filter((one) => same(one, line)),
      refused: () => read(wrong),
      forget: (line) =>
        write(
          wrong,
          read(wrong).filter((one) => !same(one, line)),
        ),
      add: (line) => write(box, [...waiting(), line]),
      send: (answered = () => null) =>
        (sending ??= sendAll(answered).finally(() => (sending = null))),
    };
  }

  // --- the sheets ---------------------------------------------------------------------------------
  function grid(form) {
    const data = JSON.parse(form.querySelector("script").textContent);
    const out = outbox(form.dataset.api);
    const [body, chosen, part] = [
      form.querySelector("tbody"),
      form.querySelector("#f-at"),
      form.querySelector(".typed"),
    ];
    const lines = new Map(data.lines.map((line) => [place(line), line]));
    const asked = new URLSearchParams(location.search);
    const typed = []; // the last of it, the newest first
    let [by, at] = [asked.get("by") === "slip" ? "slip" : "board", 0];

    const sheets = () => data.sheets[by];
    const of = (sheet) => sheets()[sheet].lines.map((one) => data.lines[one]);
    const inputs = () => [...body.querySelectorAll("input")];
    const holding = (line) => document.getElementById(`l-${place(line).replaceAll(".", "-")}`);
    // What a line says: the last that was typed and is on its way, or was refused, else what holds.
    const says = (line) =>
      (out.waits(line).at(-1) ?? out.refused().find((one) => same(one, line)))?.text ??
      line.spelled ??
      "";

    function show(line, row) {
      const refused = !out.waits(line).length && out.refused().find((one) => same(one, line));
      row.querySelectorAll("[data-of]").forEach((cell) => {
        const name = cell.dataset.of;
        if (name === "why")
          return cell.replaceChildren(
            `${refused?.why ?? line.why ?? ""} `,
            ...(refused ? [] : (line.offers ?? [])).map((text) => offered(line, text)),
          );
        if (name !== "ns" && name !== "ew") return (cell.textContent = line[name] ?? "");
        const who = document.createElement("small");
        who.textContent = line[name]
          .map((one) => data.names[one])
          .filter(Boolean)
          .join(" + ");
        cell.replaceChildren(`${line[name].join("+")} `, who);
      });
      row.classList.toggle("doubtful", !!line.doubtful && !refused);
      row.classList.toggle("refused", !!refused);
      const input = row.querySelector("input");
      const touched = input.dataset.said !== undefined && input.value !== input.dataset.said;
      input.dataset.said = says(line);
      if (!touched) input.value = input.dataset.said;
    }

    function turnTo(sheet, line) {
      body.querySelectorAll("input").forEach(keep);
      at = Math.max(0, Math.min(sheet, sheets().length - 1));
      form.dataset.by = by;
      form.querySelector("h2").textContent = sheets()[at].title;
      form
        .querySelectorAll(".jumps a")
        .forEach((one) =>
          one.search === `?by=${by}`
            ? one.setAttribute("aria-current", "page")
            : one.removeAttribute("aria-current"),
        );
      if (chosen.dataset.by !== by)
        chosen.replaceChildren(...sheets().map((sheet, n) => new Option(sheet.title, n)));
      chosen.dataset.by = by;
      chosen.value = at;
      form.querySelector("#before").disabled = at === 0;
      form.querySelector("#after").disabled = at + 1 === sheets().length;
      body.replaceChildren(
        ...of(at).map((one) => {
          const row = document
            .getElementById("grid-line")
            .content.firstElementChild.cloneNode(true);
          row.id = `l-${place(one).replaceAll(".", "-")}`;
          row.dataset.place = place(one);
          row.querySelector("input").ariaLabel +=
            ` ${sheets()[at].title}, ${one.ns.join("+")} – ${one.ew.join("+")}`;
          show(one, row);
          return row;
        }),
      );
      const first = line
        ? holding(line).querySelector("input")
        : (inputs().find((one) => !one.value) ?? inputs()[0]);
      first.focus();
      first.select();
      history.replaceState(null, "", `?by=${by}&at=${at}`);
    }
    const sheetOf = (line) => sheets().findIndex((_, n) => of(n).some((one) => same(one, line)));

    // At the end of the last sheet one goes on where something is missing, wherever that is.
    function goOn(input, step) {
      keep(input);
      const next = inputs()[inputs().indexOf(input) + step];
      if (next) return (next.focus(), next.select());
      if (step < 0) return at && turnTo(at - 1, of(at - 1).at(-1));
      if (at + 1 < sheets().length) return turnTo(at + 1, of(at + 1)[0]);
      const gap = sheets()
        .flatMap((_, n) => of(n))
        .find((line) => !says(line));
      if (gap) return turnTo(sheetOf(gap), gap);
      document.getElementById("typed-last").focus();
    }

    // --- typing -----------------------------------------------------------------------------------
    function keep(input) {
      const text = input.value.trim();
      const line = lines.get(input.closest("tr").dataset.place);
      if (text !== input.dataset.said.trim()) enter(line, text);
    }
    function enter(line, text) {
      const entry = {
        key: newKey(),
        round: line.round,
        table: line.table,
        board: line.board,
        text,
        language: form.dataset.language,
      };
      typed.unshift({ ...entry, before: out.waits(line).at(-1)?.text ?? line.spelled ?? "" });
      typed.length = Math.min(typed.length, 6);
      // A line that is changed again before it was answered builds on what its first change will make.
      out.add({ ...entry, seen: line.version + out.waits(line).length });
      const row = holding(line);
      if (row) row.querySelector("input").value = row.querySelector("input").dataset.said = text;
      tell();
      send();
    }
    const titleOf = (line) =>
      `${data.sheets.board.find((sheet) => sheet.lines.some((one) => same(data.lines[one], line))).title}, ${line.ns.join("+")} – ${line.ew.join("+")}`;

    // A result that may be meant, to be taken by one press.
    function offered(line, text) {
      const offer = document.createElement("button");
      [offer.type, offer.className, offer.textContent] = ["button", "small", text];
      offer.addEventListener("click", () => enter(line, text));
      return offer;
    }

    // --- what came of it --------------------------------------------------------------------------
    function told(entry, came, offers, back) {
      const one = document.getElementById("typed-line").content.firstElementChild.cloneNode(true);
      const line = lines.get(place(entry));
      const [link, button] = [one.querySelector("a"), one.querySelector("button")];
      link.href = `?by=slip&place=${place(entry)}`;
      link.textContent = titleOf(line);
      link.addEventListener(
        "click",
        (event) => (event.preventDefault(), turnTo(sheetOf(line), line)),
      );
      one.querySelector("b").textContent = entry.text || button.dataset.removed;
      one.querySelector(".came").textContent = came;
      one.querySelector(".offers").append(
        ...offers.map((text) => offered(line, text)),
      );
      if (back) button.addEventListener("click", back);
      else button.remove();
      return one;
    }
    // What could not be kept is said until it is entered as it should be, or taken back.
    function tell() {
      part.hidden = false;
      const refused = out
        .refused()
        .filter((one) => lines.has(place(one)) && !out.waits(one).length);
      part
        .querySelector(".refused")
        .replaceChildren(
          ...refused.map((one) =>
            told(
              one,
              one.why,
              one.offers,
              () => (out.forget(one), refresh(lines.get(place(one))), tell()),
            ),
          ),
        );
      part.querySelector(".log").replaceChildren(
        ...typed
          .filter((one) => !refused.some((other) => other.key === one.key))
          .map((one) => {
            const newest = typed.find((other) => same(one, other)) === one;
            return told(
              one,
              one.came ?? "…",
              [],
              newest && (() => enter(lines.get(place(one)), one.before)),
            );
          }),
      );
      const sending = part.querySelector(".sending");
      const many = out.waiting().length;
      sending.textContent = many > 1 ? `${sending.dataset.waiting} ${many}` : "";
    }
    function refresh(line) {
      const row = holding(line);
      if (row) show(line, row);
    }
    function answered(sent, answer, held) {
      const line = lines.get(place(sent));
      if (!answer || !line) return tell();
      if (!answer.ok && ![409, 422].includes(answer.status)) {
        tell();
        return (part.querySelector(".sending").textContent = held.detail);
      }
      const now = held.line;
      const doubts = now?.questions ?? [];
      if (now)
        Object.assign(line, {
          spelled: now.spelled,
          score: now.score,
          version: now.version,
          why: doubts.join("; "),
          doubtful: doubts.length > 0,
          offers: [],
        });
      else if (answer.ok)
        Object.assign(line, {
          spelled: "",
          score: "",
          version: sent.seen + 1,
          why: "",
          doubtful: false,
          offers: [],
        });
      const entry = typed.find((one) => one.key === sent.key);
      if (entry)
        entry.came = answer.ok
          ? [now?.score ? `→ ${now.score > 0 ? "+" : ""}${now.score}` : "", "✓", ...doubts].join(
              " ",
            )
          : held.detail;
      refresh(line);
      tell();
      if (!out.waiting().length) look();
    }
    const send = () => out.send(answered);

    // Points, and what others have entered; a moment after the last of many changes.
    let looking = 0;
    function look() {
      clearTimeout(looking);
      looking = setTimeout(async () => {
        const answer = await fetch(`${form.dataset.api}/grid`).catch(() => null);
        if (!answer?.ok) return;
        for (const now of (await answer.json()).lines) {
          const line = lines.get(place(now));
          if (!line || now.version < line.version) continue;
          for (const name of Object.keys(line)) delete line[name];
          Object.assign(line, now);
          refresh(line);
        }
      }, 800);
    }

    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", (event) =>
      event.target === chosen
        ? turnTo(+chosen.value)
        : event.target.closest("tbody") && keep(event.target),
    );
    form.addEventListener("click", (event) => {
      const jump = event.target.closest(".jumps a");
      const step = { before: -1, after: 1 }[event.target.closest("button")?.id];
      if (step) turnTo(at + step);
      if (!jump) return;
      event.preventDefault();
      body.querySelectorAll("input").forEach(keep);
      body.replaceChildren();
      by = new URLSearchParams(jump.search).get("by");
      turnTo(0);
    });
    body.addEventListener("keydown", (event) => {
      const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      goOn(event.target, step);
    });
    addEventListener("online", send);
    document.body.addEventListener("evening-changed", look);
    const wanted = lines.get(asked.get("place"));
    turnTo(wanted ? sheetOf(wanted) : +asked.get("at") || 0, wanted);
    if (out.waiting().length || out.refused().length) tell();
    send();
  }

  addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("#grid").forEach(grid);
    document.querySelectorAll("[data-outbox]").forEach((one) => outbox(one.dataset.outbox).send());
  });
})();
