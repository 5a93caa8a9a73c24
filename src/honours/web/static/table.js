// A table's page: it holds the whole evening of its table, keeps what is entered on the phone before
// it is sent, and sends it in order, each once: an entry has a key, and the server knows it again.
const read = (id) => JSON.parse(document.getElementById(id).textContent);
const { code, api, scores } = read("setup");
const words = Object.fromEntries(
  [...document.getElementById("words").content.querySelectorAll("[data-word]")].map((one) => [
    one.dataset.word,
    one.textContent,
  ]),
);
const main = document.getElementById("main");
const sending = document.getElementById("sending");
const STRAINS = [
  ["C", "♣"],
  ["D", "♦"],
  ["H", "♥"],
  ["S", "♠"],
  ["N", words.nt],
];
const RANKS = [..."AKQJT98765432"];
const SEATS = ["N", "E", "S", "W"];
const box = `table ${code}`;

// The page comes without what was entered; what was last known is kept for when there is no network.
const KNOWN = `known ${code}`;
const known = JSON.parse(localStorage.getItem(KNOWN) || "null");
let state = known && known.number >= read("state").number ? known : read("state");
let view = { name: "round" };
let round = state.round;
let refused = "";

// --- what is kept on the phone --------------------------------------------------------------------
const kept = () => JSON.parse(localStorage.getItem(box) || "[]");
const keep = (queue) => localStorage.setItem(box, JSON.stringify(queue));
const key = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) =>
    b.toString(16).padStart(2, "0"),
  ).join("");

function enter(entry) {
  keep([...kept(), { key: key(), ...entry }]);
  send();
}

let busy = false;
let wait = 1000;
async function send() {
  if (busy) return;
  busy = true;
  try {
    for (let queue = kept(); queue.length; queue = kept()) {
      const entry = queue[0];
      const answer = await fetch(`${api}/entries`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Table ${code}` },
        body: JSON.stringify(entry),
      });
      if (answer.status >= 500 || answer.status === 429 || answer.status === 408)
        throw new Error(answer.status);
      wait = 1000;
      const body = await answer.json();
      // Taken, or refused for good: either way it is not sent again.
      keep(kept().filter((one) => one.key !== entry.key));
      refused = answer.ok
        ? ""
        : answer.status === 404
          ? words.unknown_code
          : `${answer.status === 409 ? words.conflict : words.refused} ${body.detail || ""}`;
      if (body.line) hold(body.line);
    }
    if (!kept().length) await refresh();
  } catch {
    setTimeout(send, wait);
    wait = Math.min(15000, wait * 2);
  } finally {
    busy = false;
    draw();
  }
}

function hold(line) {
  state.lines = state.lines
    .filter((one) => one.round !== line.round || one.board !== line.board)
    .concat(line);
  state.versions[`${line.round}.${line.board}`] = line.version;
}

async function refresh() {
  const answer = await fetch(api, { headers: { authorization: `Table ${code}` } });
  if (answer.status === 404) refused = words.unknown_code;
  if (!answer.ok) return;
  const before = state.round;
  state = await answer.json();
  localStorage.setItem(KNOWN, JSON.stringify(state));
  // A screen with a half-made entry is left alone; the round itself moves on when its table does.
  if (view.name === "round" && round === before && state.round > before && atRest(before))
    round = before;
}
const atRest = (number) =>
  boardsOf(number).every((one) => lineOf(number, one.board)?.state === "confirmed");

// --- what the table knows -------------------------------------------------------------------------
const seatsOf = (number) => state.rounds[number - 1]?.seats || [];
const boardsOf = (number) =>
  seatsOf(number).flatMap((seats) => seats.boards.map((board) => ({ ...board, seats })));

// What holds for a board: what the server knows, and on top of it what was not sent yet.
function lineOf(number, board) {
  let line = state.lines.find((one) => one.round === number && one.board === board);
  for (const one of kept().filter((one) => one.round === number && one.board === board)) {
    if (one.kind === "result")
      line = {
        round: number,
        board,
        text: one.text,
        lead: one.lead,
        state: "entered",
        version: one.seen + 1,
        by: one.side,
        score: scoreOf(one.text, board),
        questions: [],
        unsent: true,
      };
    else if (line && one.kind !== "names")
      line = { ...line, state: one.kind === "confirm" ? "confirmed" : "disputed", unsent: true };
  }
  return line;
}
const versionOf = (number, board) =>
  lineOf(number, board)?.version ?? state.versions[`${number}.${board}`] ?? 0;
const vulnerable = (board) => boardsOf(round).find((one) => one.board === board)?.vulnerable || "";

function scoreOf(text, board) {
  const match = /^(\d)(NT|[CDHS])(x{0,2}) ([NESW]) (=|[+-]\d+)$/.exec(text);
  if (!match) return text === "pass" ? 0 : null;
  const [, level, strain, doubled, seat, over] = match;
  const side = "NS".includes(seat) ? "NS" : "EW";
  const at = STRAINS.findIndex(([letter]) => letter === strain[0]);
  const tricks = +level + 6 + (over === "=" ? 0 : +over);
  const score =
    scores[vulnerable(board).includes(side) ? 1 : 0][doubled.length][level - 1][at][tricks];
  return side === "NS" ? score : -score;
}

// --- drawing --------------------------------------------------------------------------------------
function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "press") made.addEventListener("click", value);
    else if (value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((one) => one !== null && one !== undefined && one !== ""));
  return made;
}
const button = (text, press, more = {}) => el("button", { type: "button", press, ...more }, text);
const sided = (side) => ({ NS: words.ns, EW: words.ew })[side] ?? side;
const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣", NT: words.nt };
const suited = (text) =>
  text
    .replace(/ ([NESW]) /, (_, seat) => ` ${words[seat]} `)
    .replace(
      /^(\d)(NT|[SHDC])(x*)/,
      (_, level, strain, doubled) => level + SIGNS[strain] + "×".repeat(doubled.length),
    );
const ranked = (cards) =>
  [...cards].map((rank) => words[`rank_${rank}`] ?? rank.replace("T", "10")).join("");
const card = (lead) => (lead ? SIGNS[lead[0]] + ranked(lead[1]) : "");
const signed = (score) =>
  score === null || score === undefined
    ? ""
    : score > 0
      ? `+${score}`
      : String(score).replace("-", "−");
const whom = (list) =>
  list
    .map((who) =>
      state.names[who] && state.names[who] !== who ? `${who} ${state.names[who]}` : who,
    )
    .join(" + ");
const go = (next) => ((view = next), draw(), scrollTo(0, 0));
const other = (side) => (side === "NS" ? "EW" : "NS");

function draw() {
  const waiting = kept().length;
  sending.textContent = waiting ? `${waiting} ${words.unsent}` : "";
  sending.className = waiting ? "badge warn" : "";
  const parts = { round: drawRound, enter: drawEnter, board: drawBoard }[view.name]();
  main.replaceChildren(
    ...(refused ? [el("div", { class: "notice bad", role: "alert" }, el("p", {}, refused))] : []),
    ...parts,
  );
}

// A Swiss is paired round by round: nobody knows yet which is the last.
function goesOn() {
  return state.swiss && !state.ended;
}

function drawRound() {
  const seats = seatsOf(round)[0];
  const boards = boardsOf(round);
  const parts = [
    el("h2", {}, `${words.round} ${round}${goesOn() ? "" : ` / ${state.rounds.length}`}`),
  ];
  if (state.ended) parts.push(el("div", { class: "notice" }, el("p", {}, words.ended)));
  if (seats)
    parts.push(
      el(
        "p",
        { class: "sides" },
        el("b", {}, `${words.ns} `),
        whom(seats.ns) || "–",
        el("br"),
        el("b", {}, `${words.ew} `),
        whom(seats.ew) || "–",
      ),
    );
  if (!boards.length) parts.push(el("p", {}, words.sit_out));
  parts.push(...askNames(seats));
  const list = el("ul", { class: "board-list" });
  for (const one of boards) list.append(el("li", {}, boardButton(one)));
  parts.push(list);
  if (boards.length && atRest(round)) parts.push(...drawMove());
  else if (!boards.length && round < state.rounds.length) parts.push(...drawMove());
  const others = el("div", { class: "foot" });
  if (round > 1)
    others.append(
      button(`← ${words.round} ${round - 1}`, () => ((round -= 1), go({ name: "round" })), {
        class: "quiet",
      }),
    );
  others.append(
    button(state.called ? words.called : words.call, callDirector, {
      class: state.called ? "danger" : "quiet",
    }),
  );
  parts.push(others);
  return parts;
}

function boardButton(one) {
  const line = lineOf(round, one.board);
  const said = line ? `${suited(line.text)} ${signed(line.score)}` : words.to_enter;
  const what = line ? (line.unsent ? words.unsent : words[line.state]) : "";
  const press = () =>
    go(line ? { name: "board", board: one.board } : { name: "enter", board: one.board, entry: {} });
  return button(el("span", {}, `${words.board} ${one.board}`), press, {
    class: line?.state === "confirmed" ? "quiet" : "",
    "data-board": one.board,
  }).appendChild(el("span", { class: "state" }, said, " ", el("small", {}, what))).parentNode;
}

function drawMove() {
  const last = goesOn() ? words.paired_later : words.finished;
  const done = round < state.rounds.length ? words.round_done : last;
  const parts =
    boardsOf(round).length || done === last
      ? [el("div", { class: "notice good" }, el("p", {}, done))]
      : [];
  const goes = state.rounds[round - 1].next;
  for (const who of [...new Set(seatsOf(round).flatMap((seats) => [...seats.ns, ...seats.ew]))]) {
    if (round >= state.rounds.length) break;
    const where = goes[who];
    const said =
      !where || !where[2]
        ? words.sits_out
        : where[0] === state.label
          ? `${words.stays}, ${sided(where[1])}`
          : `${words.goes} ${where[0]}, ${sided(where[1])}`;
    parts.push(el("p", { class: "goes" }, el("b", {}, `${words.pair} ${who} `), said));
  }
  if (round < state.rounds.length)
    parts.push(
      button(words.next_round, () => ((round += 1), go({ name: "round" })), { class: "wide" }),
    );
  return parts;
}

function callDirector() {
  enter({ kind: state.called ? "uncall" : "call" });
  state.called = !state.called;
  draw();
}

// Who sits down may say who they are, while nobody has.
function askNames(seats) {
  const unnamed = seats ? [...seats.ns, ...seats.ew].filter((who) => state.names[who] === who) : [];
  if (!unnamed.length || state.ended) return [];
  const form = el("form", {});
  for (const who of unnamed) {
    for (const n of [0, 1])
      form.append(
        el("input", {
          name: `${who}.${n}`,
          placeholder: `${words.pair} ${who}: ${words.name}`,
          "aria-label": `${words.pair} ${who}: ${words.name}`,
          maxlength: 100,
          autocomplete: "off",
        }),
      );
  }
  form.append(el("button", {}, words.save));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const names = {};
    for (const who of unnamed) {
      const players = [0, 1].map((n) => form.elements[`${who}.${n}`].value.trim()).filter(Boolean);
      if (players.length) names[who] = players;
    }
    const answer = await fetch(`${api}/names`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Table ${code}` },
      body: JSON.stringify({ names }),
    }).catch(() => null);
    if (answer && answer.ok) state = await answer.json();
    draw();
  });
  return [el("details", {}, el("summary", {}, words.names), form)];
}

// --- an entry: contract, declarer, lead, result ---------------------------------------------------
function boardHead(number) {
  const one = boardsOf(round).find((board) => board.board === number);
  const at =
    { "": words.nobody, NSEW: words.NSEW }[one.vulnerable] ??
    `${sided(one.vulnerable)} ${words.vulnerable}`;
  const parts = [
    el("h2", {}, `${words.board} ${number}`),
    el(
      "p",
      {},
      `${words.dealer} ${words[one.dealer]}, `,
      el("span", { class: one.vulnerable ? "vul" : "" }, at),
    ),
  ];
  if (one.seats !== seatsOf(round)[0])
    parts.push(el("div", { class: "notice" }, el("p", {}, words.turned)));
  return parts.concat(
    el(
      "p",
      { class: "sides" },
      `${words.ns} ${whom(one.seats.ns)} – ${words.ew} ${whom(one.seats.ew)}`,
    ),
  );
}

function drawEnter() {
  const { board, entry } = view;
  const pick = (more) => go({ name: "enter", board, entry: { ...entry, ...more } });
  const back = button(
    words.back,
    () => go(Object.keys(entry).length ? { name: "enter", board, entry: {} } : { name: "round" }),
    { class: "quiet" },
  );
  const said = el(
    "p",
    { class: "said" },
    entry.contract
      ? suited(entry.contract + (entry.doubled || "")) +
          (entry.declarer ? ` ${words[entry.declarer]}` : "") +
          (entry.lead ? ` ${card(entry.lead)}` : "")
      : "",
  );
  const parts = [...boardHead(board), said];
  if (!entry.contract) parts.push(...askContract(pick, board));
  else if (!entry.declarer) parts.push(...askDeclarer(pick, entry));
  else if (state.leads && entry.lead === undefined) parts.push(...askLead(pick));
  else parts.push(...askTricks(board, entry));
  return [...parts, el("div", { class: "foot" }, back)];
}

function askContract(pick, board) {
  const keys = el("div", { class: "keys five", role: "group", "aria-label": words.contract });
  for (let level = 1; level <= 7; level += 1)
    for (const [letter, sign] of STRAINS) {
      const contract = `${level}${letter === "N" ? "NT" : letter}`;
      keys.append(
        button(`${level}${sign}`, () => pick({ contract }), {
          class: letter === "H" || letter === "D" ? "red" : "",
          "data-contract": contract,
        }),
      );
    }
  const rest = el(
    "div",
    { class: "keys two" },
    button(words.passed, () => finish(board, "pass", "")),
    button(words.not_played, () => finish(board, "np", "")),
  );
  return [keys, rest];
}

function askDeclarer(pick, entry) {
  const doubles = el("div", { class: "keys three", role: "group" });
  for (const [sign, name] of [
    ["", words.plain],
    ["x", words.double],
    ["xx", words.redouble],
  ])
    doubles.append(
      button(name, () => pick({ doubled: sign }), {
        "aria-pressed": String((entry.doubled || "") === sign),
      }),
    );
  const keys = el("div", { class: "keys four", role: "group", "aria-label": words.declarer });
  for (const seat of SEATS)
    keys.append(button(words[seat], () => pick({ declarer: seat }), { "data-seat": seat }));
  return [doubles, el("h2", {}, words.declarer), keys]; // whoever declares is the last that is asked here
}

function askLead(pick) {
  const keys = el("div", { class: "keys four", role: "group", "aria-label": words.lead });
  for (const rank of RANKS)
    for (const suit of ["S", "H", "D", "C"])
      keys.append(
        button(card(suit + rank), () => pick({ lead: suit + rank }), {
          class: "HD".includes(suit) ? "red" : "",
          "data-card": suit + rank,
        }),
      );
  return [
    el("h2", {}, words.lead),
    button(words.skip, () => pick({ lead: "" }), { class: "quiet" }),
    keys,
  ];
}

function askTricks(board, entry) {
  const level = +entry.contract[0];
  const keys = el("div", { class: "keys four", role: "group", "aria-label": words.tricks });
  const overs = [0];
  for (let n = 1; n <= 7 - level; n += 1) overs.push(n);
  for (let n = 1; n <= level + 6; n += 1) overs.push(-n);
  for (const over of overs) {
    const text = over === 0 ? "=" : over > 0 ? `+${over}` : `${over}`;
    const whole = `${entry.contract}${entry.doubled || ""} ${entry.declarer} ${text}`;
    keys.append(
      button(text.replace("-", "−"), () => finish(board, whole, entry.lead || ""), {
        "data-over": text,
      }),
    );
  }
  return [el("h2", {}, words.tricks), keys];
}

function finish(board, text, lead) {
  refused = "";
  const side = localStorage.getItem("side") || "NS";
  enter({ kind: "result", round, board, text, lead, side, seen: versionOf(round, board) });
  go({ name: "board", board });
}

// --- a board that was entered ---------------------------------------------------------------------
function drawBoard() {
  const { board } = view;
  const line = lineOf(round, board);
  if (!line) return (go({ name: "round" }), []);
  const parts = boardHead(board);
  parts.push(
    el(
      "p",
      { class: "said" },
      suited(
        line.text === "pass" ? words.passed : line.text === "np" ? words.not_played : line.text,
      ),
      line.lead ? ` ${card(line.lead)}` : "",
    ),
  );
  if (line.score !== null)
    parts.push(
      el(
        "p",
        { class: "score" },
        `${words.ns} ${signed(line.score)} · ${words.ew} ${signed(-line.score)}`,
      ),
    );
  parts.push(
    el(
      "p",
      {},
      el(
        "span",
        { class: line.state === "confirmed" ? "badge" : "badge warn" },
        line.unsent ? words.unsent : words[line.state],
      ),
    ),
  );
  for (const question of line.questions || [])
    parts.push(el("div", { class: "notice bad" }, el("p", {}, question)));
  const mayChange =
    !state.ended &&
    ["NS", "EW"].includes(line.by) &&
    !(line.state === "confirmed" && state.rounds[round - 1].over);
  if (line.state !== "confirmed" && ["NS", "EW"].includes(line.by)) {
    const side = other(line.by);
    const sure = (line.questions || []).length > 0;
    const say = (kind) => () => (
      enter({ kind, round, board, side, seen: line.version, sure: sure && kind === "confirm" }),
      draw()
    );
    parts.push(
      el("h2", {}, words.is_it_so.replace("{side}", words[side])),
      button(words.yes, say("confirm"), { class: "wide" }),
      button(words.no, say("dispute"), { class: "wide quiet" }),
    );
  }
  if (mayChange)
    parts.push(
      button(words.change, () => go({ name: "enter", board, entry: {} }), { class: "quiet" }),
    );
  if (line.state === "confirmed" && !line.unsent && state.show === "board")
    parts.push(results(board));
  return [
    ...parts,
    el(
      "div",
      { class: "foot" },
      button(`← ${words.round} ${round}`, () => go({ name: "round" }), { class: "quiet" }),
    ),
  ];
}

function results(board) {
  const place = el("div", {});
  fetch(`${api}/boards/${board}`, { headers: { authorization: `Table ${code}` } })
    .then((answer) => answer.json())
    .then((found) => {
      if (found.hidden || !found.lines) return;
      const rows = found.lines.map((line) =>
        el(
          "tr",
          {},
          el("td", {}, line.ns),
          el("td", {}, line.ew),
          el("td", {}, suited(line.text)),
          el("td", { class: "figure" }, signed(line.score)),
        ),
      );
      const head = el(
        "tr",
        {},
        ...[words.ns, words.ew, words.contract, words.score].map((one) => el("th", {}, one)),
      );
      place.append(
        el("h2", {}, words.results),
        el("table", { class: "so-far" }, el("thead", {}, head), el("tbody", {}, ...rows)),
      );
      if (found.deal) place.append(hands(found.deal));
    })
    .catch(() => null);
  return place;
}

function hands(deal) {
  const [first, dealt] = deal.split(":");
  const from = SEATS.indexOf(first);
  const rows = dealt.split(" ").map((hand, n) => {
    const suits = hand
      .split(".")
      .map((cards, at) => `${"♠♥♦♣"[at]}${ranked(cards) || "–"}`)
      .join(" ");
    return el("tr", {}, el("th", {}, words[SEATS[(from + n) % 4]]), el("td", {}, suits));
  });
  return el("table", { class: "hands" }, el("tbody", {}, ...rows));
}

// --- go -------------------------------------------------------------------------------------------
draw();
send();
addEventListener("online", send);
alive(`/table/${code}/stream`, { back: send });
// Phones ask on their own action; now and then they look by themselves, not all at the same moment.
setInterval(
  () => (kept().length ? send() : document.hidden || refresh().then(draw, () => null)),
  20000 + Math.random() * 10000,
);
if ("serviceWorker" in navigator)
  navigator.serviceWorker.register("/table/worker.js").catch(() => null);
