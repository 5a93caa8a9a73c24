// Every table sorts by its heads, and has one quiet menu: filter, sort, columns, download, print.
// Without scripts it is still a table.
(() => {
  const collator = new Intl.Collator(undefined, { numeric: true });
  // What is sorted and downloaded is the value: a figure with its point, a day as 2026-03-31.
  const text = (cell) =>
    cell.dataset.value ??
    cell.querySelector("time")?.dateTime ??
    cell.textContent.trim().replace(/\s+/g, " ");
  const heads = (table) => [...table.tHead.rows[0].cells];
  const lines = (table) => [...table.tBodies[0].rows].filter((row) => row.className !== "why-row");
  const number = (value) => {
    const digits = value
      .replace("−", "-")
      .replace(/,/g, "")
      .match(/^[-+]?\d+(\.\d+)?/);
    return digits ? Number(digits[0]) : NaN;
  };
  const order = (a, b) => {
    if (!a || !b) return a ? -1 : b ? 1 : 0; // nothing goes last
    const [x, y] = [number(a), number(b)];
    return Number.isNaN(x) || Number.isNaN(y) ? collator.compare(a, b) : x - y;
  };

  function sortBy(table, head, column) {
    const rising = head.getAttribute("aria-sort") !== "ascending";
    for (const other of heads(table)) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", rising ? "ascending" : "descending");
    const rows = lines(table).sort((a, b) => {
      const [x, y] = [text(a.cells[column]), text(b.cells[column])];
      return rising || !x || !y ? order(x, y) : order(y, x);
    });
    table.tBodies[0].append(...rows);
    table.dispatchEvent(new Event("sorted"));
  }

  function sortable(table, select) {
    heads(table).forEach((head, column) => {
      if (!text(head)) return;
      select.add(new Option(text(head), column));
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sortBy(table, head, column));
      head.append(button);
    });
    select.addEventListener("change", () => {
      if (select.value) sortBy(table, heads(table)[select.value], Number(select.value));
    });
  }

  // Columns one does not want to see are left out of what is downloaded, too.
  function choosable(table, holder) {
    heads(table).forEach((head, column) => {
      if (!text(head)) return;
      const label = document.createElement("label");
      const box = document.createElement("input");
      box.type = "checkbox";
      box.checked = true;
      label.append(box, ` ${text(head)}`);
      box.addEventListener("change", () => {
        for (const row of table.rows)
          if (row.cells[column]) row.cells[column].hidden = !box.checked;
      });
      holder.append(label);
    });
  }

  // A long table shows its beginning until one asks for the rest or looks for something.
  const FEW = 30;
  function fold(table, wanted, button) {
    const rows = lines(table);
    const few = Number(table.closest("[data-few]")?.dataset.few) || FEW;
    const folded = !wanted && !button.dataset.open && rows.length > few + (few === FEW ? 5 : 2);
    rows.forEach((row, index) => row.classList.toggle("folded", folded && index >= few));
    button.hidden = !folded;
  }

  function filter(table, wanted, count) {
    const words = wanted.toLowerCase().split(/\s+/);
    let shown = 0;
    for (const row of lines(table)) {
      const own = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => own.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    count.textContent = wanted ? `${shown} / ${lines(table).length}` : "";
  }

  const seen = (row) => [...row.cells].filter((cell) => !cell.hidden);

  // A spreadsheet must not take a name for a formula.
  // A spreadsheet takes full-width signs for the others; figures and "=" (just made) are data.
  const isData = /^(=|[-+]?\d+([.,/]\d+)*%?)$/;
  const risky = /^'*[=+\-@\t\r＝＋－＠]/;
  const safe = (value) => (risky.test(value) && !isData.test(value) ? `'${value}` : value);
  const quoted = (value) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

  function written(table, as) {
    const header = seen(table.tHead.rows[0]).map((head) => head.dataset.key || text(head));
    const rows = lines(table)
      .filter((row) => !row.hidden)
      .map((row) => seen(row).map(text));
    if (as === "csv")
      return (
        [header, ...rows].map((row) => row.map((v) => quoted(safe(v))).join(",")).join("\r\n") +
        "\r\n"
      );
    const named = rows.map((row) =>
      Object.fromEntries(row.map((v, i) => [header[i] || `column ${i + 1}`, v])),
    );
    return JSON.stringify(named, null, 2) + "\n";
  }

  function download(name, content, type) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // A table as wide as its place need not scroll in a box of its own: its head stays on the page's top.
  const fit = (frame) => {
    const box = frame.querySelector(".scroll");
    box.classList.remove("fits");
    box.classList.toggle("fits", box.scrollWidth <= box.clientWidth + 1);
  };

  function equip(frame) {
    if (frame.dataset.equipped) return;
    frame.dataset.equipped = "yes";
    const table = frame.querySelector("table");
    fit(frame);
    if (lines(table).length === 0) return;
    const menu = document.getElementById("table-menu").content.cloneNode(true);
    const [input, count] = [menu.querySelector("input[type=search]"), menu.querySelector(".count")];
    const rest = menu.querySelector(".rest");
    choosable(table, menu.querySelector(".columns"));
    sortable(table, menu.querySelector("select"));
    rest.append(` (${lines(table).length})`);
    input.addEventListener("input", () => {
      filter(table, input.value, count);
      fold(table, input.value, rest);
    });
    rest.addEventListener("click", () => {
      rest.dataset.open = "yes";
      fold(table, "", rest);
    });
    table.addEventListener("sorted", () => fold(table, input.value, rest));
    fold(table, "", rest);
    for (const button of menu.querySelectorAll("[data-as]")) {
      const as = button.dataset.as;
      const type = as === "csv" ? "text/csv" : "application/json";
      button.addEventListener("click", () =>
        download(`${frame.dataset.table}.${as}`, written(table, as), type),
      );
    }
    menu.querySelector("[data-print]").addEventListener("click", () => print());
    frame.append(menu);
  }

  // Reasons open under the row they are of.
  function under(link) {
    const row = link.closest("tr");
    const why = document.getElementById("why");
    if (!row || !why || !link.closest(".paid")) return;
    const old = why.closest(".why-row");
    const place = Object.assign(document.createElement("tr"), { className: "why-row" });
    const cell = Object.assign(document.createElement("td"), { colSpan: row.cells.length });
    cell.append(why);
    place.append(cell);
    row.after(place);
    old?.remove();
  }
  document.addEventListener("htmx:beforeRequest", (event) => under(event.target));
  addEventListener("DOMContentLoaded", () => {
    const here = [...document.querySelectorAll(".paid td a")].find(
      (link) => link.search === location.search,
    );
    if (here && location.search.includes("entrant=")) under(here);
  });

  const each = (work) => document.querySelectorAll("[data-table]").forEach(work);
  addEventListener("DOMContentLoaded", () => each(equip));
  document.addEventListener("htmx:afterSettle", () => each(equip));
  addEventListener("resize", () => each(fit));
  document.addEventListener("toggle", () => each(fit), true);
  // A menu closes when one goes on elsewhere, and by Escape.
  const close = (except) =>
    document.querySelectorAll(".table-menu[open], .up[open]").forEach((menu) => {
      if (menu !== except) menu.open = false;
    });
  addEventListener("click", (event) => close(event.target.closest(".table-menu, .up")));
  addEventListener("keydown", (event) => event.key === "Escape" && close());
})();
