// The grid of names: completion as one types, and a spreadsheet's cells pasted into it.
(() => {
  const form = document.getElementById("names");
  if (!form) return;
  const fields = () => [...form.querySelectorAll("td > input:not([type=hidden])")];
  const numberOf = (input) => input.parentElement.querySelector("input[type=hidden]");

  function put(input, name, number = "") {
    input.value = name;
    const hidden = numberOf(input);
    if (!hidden) return;
    hidden.value = number;
    input.parentElement.querySelector(".number").textContent = number;
  }

  // --- completion: the first who fits is taken by Enter, others by the arrows or a click ---
  const list = document.createElement("ul");
  list.id = "offered";
  list.setAttribute("role", "listbox");
  list.hidden = true;
  document.body.append(list);
  for (const input of fields())
    for (const [name, value] of [
      ["role", "combobox"],
      ["aria-autocomplete", "list"],
      ["aria-controls", list.id],
      ["aria-expanded", "false"],
    ])
      input.setAttribute(name, value);
  let current = null;
  let at = 0;

  const mark = () =>
    [...list.children].forEach((one, n) => one.setAttribute("aria-selected", n === at));
  function close() {
    list.hidden = true;
    current?.setAttribute("aria-expanded", "false");
  }
  function take(item) {
    put(current, item.dataset.name, item.dataset.number);
    close();
    next(current);
  }
  function next(input) {
    const all = fields();
    all[all.indexOf(input) + 1]?.focus();
  }
  function offer(input, people) {
    current = input;
    at = 0;
    list.replaceChildren(
      ...people.map((person) => {
        const item = document.createElement("li");
        item.setAttribute("role", "option");
        item.dataset.name = person.name;
        item.dataset.number = person.number;
        item.textContent = person.number ? `${person.name} · ${person.number}` : person.name;
        item.addEventListener("mousedown", (event) => (event.preventDefault(), take(item)));
        return item;
      }),
    );
    const box = input.getBoundingClientRect();
    list.style.setProperty("left", `${box.left + scrollX}px`);
    list.style.setProperty("top", `${box.bottom + scrollY + 2}px`);
    list.hidden = people.length === 0;
    input.setAttribute("aria-expanded", String(!list.hidden));
    mark();
  }

  let waiting;
  async function ask(input) {
    const answer = await fetch(`${form.dataset.people}?q=${encodeURIComponent(input.value)}`);
    if (answer.ok && document.activeElement === input) offer(input, await answer.json());
    input.dataset.asked = input.value;
  }
  form.addEventListener("input", (event) => {
    const input = event.target;
    if (!input.matches("td > input, td label > input[name^=player]")) return;
    if (numberOf(input)) put(input, input.value); // another name is not that member any more
    clearTimeout(waiting);
    if (input.value.trim()) waiting = setTimeout(() => ask(input), 80);
    else close();
  });
  form.addEventListener("keydown", async (event) => {
    const input = event.target;
    if (!input.matches("td > input")) return;
    const open = !list.hidden && current === input;
    if (event.key === "Enter") {
      event.preventDefault();
      if (input.value.trim() && input.dataset.asked !== input.value) {
        clearTimeout(waiting);
        await ask(input); // whoever types fast
      }
      const item = current === input && !list.hidden && list.children[at];
      if (item) take(item);
      else next(input);
    } else if (open && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      at = (at + (event.key === "ArrowDown" ? 1 : list.children.length - 1)) % list.children.length;
      mark();
    } else if (event.key === "Escape") close();
  });
  form.addEventListener("focusout", () =>
    setTimeout(() => document.activeElement !== current && close(), 100),
  );

  // --- pasting: cells beside each other are players, lines below each other pairs ---
  const people = (cell) =>
    cell
      .split(/\s+&\s+|\s*[/+]\s*|\s+and\s+|\s+et\s+/i)
      .map((one) => one.trim())
      .filter(Boolean);
  function paste(input, text) {
    const lines = text
      .replace(/\r/g, "")
      .split("\n")
      .map((line) => line.split("\t").map((c) => c.trim()));
    const cells = lines.filter((line) => line.some(Boolean));
    if (cells.length < 2 && cells.every((line) => line.length < 2)) return false;
    const rows = [...form.querySelectorAll("tr[data-entrant]")];
    const byNumber = new Map(rows.map((row) => [row.dataset.entrant.toLowerCase(), row]));
    const numbered = cells.every((line) => byNumber.has(line[0].toLowerCase()));
    const first = rows.indexOf(input.closest("tr"));
    let count = 0;
    cells.forEach((line, n) => {
      const row = numbered ? byNumber.get(line[0].toLowerCase()) : rows[first + n];
      const names = (numbered ? line.slice(1) : line)
        .flatMap(people)
        .filter((one) => /\p{L}/u.test(one));
      const places = row ? [...row.querySelectorAll("td > input:not([type=hidden])")] : [];
      names
        .slice(0, places.length)
        .forEach((name, place) => (put(places[place], name), (count += 1)));
    });
    const told = document.getElementById("pasted");
    told.textContent = `${count} ${told.dataset.text}`;
    return true;
  }
  form.addEventListener("paste", (event) => {
    if (!event.target.matches("td > input")) return;
    if (paste(event.target, event.clipboardData.getData("text"))) event.preventDefault();
  });
})();
