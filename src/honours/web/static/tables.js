// Every table sorts, filters and downloads. Without scripts it is still a table.
(() => {
  const collator = new Intl.Collator(undefined, { numeric: true });
  const text = (cell) => cell.textContent.trim().replace(/\s+/g, " ");
  const number = (value) => {
    const found = value.replace("−", "-").replace(/,/g, "").match(/^[-+]?\d+(\.\d+)?/);
    return found ? Number(found[0]) : NaN;
  };
  const order = (a, b) => {
    if (!a || !b) return a ? -1 : b ? 1 : 0; // nothing goes last
    const [x, y] = [number(a), number(b)];
    return Number.isNaN(x) || Number.isNaN(y) ? collator.compare(a, b) : x - y;
  };

  function sortBy(table, head, column) {
    const rising = head.getAttribute("aria-sort") !== "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", rising ? "ascending" : "descending");
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => {
      const [x, y] = [text(a.cells[column]), text(b.cells[column])];
      return rising || !x || !y ? order(x, y) : order(y, x);
    });
    table.tBodies[0].append(...rows);
    table.dispatchEvent(new Event("sorted"));
  }

  function sortable(table) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if (!text(head)) return;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sortBy(table, head, column));
      head.append(button);
    });
  }

  // A long table shows its beginning until one asks for the rest or looks for something.
  const FEW = 30;
  function fold(table, wanted, button) {
    const rows = [...table.tBodies[0].rows];
    const folded = !wanted && !button.dataset.open && rows.length > FEW + 5;
    rows.forEach((row, index) => row.classList.toggle("folded", folded && index >= FEW));
    button.hidden = !folded;
  }

  function filter(table, wanted, count) {
    const words = wanted.toLowerCase().split(/\s+/);
    let shown = 0;
    for (const row of table.tBodies[0].rows) {
      const own = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => own.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    count.textContent = wanted ? `${shown} / ${table.tBodies[0].rows.length}` : "";
  }

  function shownRows(table) {
    const rows = [...table.tBodies[0].rows].filter((row) => !row.hidden);
    return rows.map((row) => [...row.cells].map(text));
  }

  // A spreadsheet must not take a name for a formula.
  // A spreadsheet takes full-width signs for the others; figures and "=" (just made) are data.
  const isData = /^(=|[-+]?\d+([.,/]\d+)*%?)$/;
  const risky = /^'*[=+\-@\t\r＝＋－＠]/;
  const safe = (value) => (risky.test(value) && !isData.test(value) ? `'${value}` : value);
  const quoted = (value) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

  function written(table, as) {
    const header = [...table.tHead.rows[0].cells].map(text);
    const rows = shownRows(table);
    if (as === "csv")
      return [header, ...rows].map((row) => row.map((v) => quoted(safe(v))).join(",")).join("\r\n") + "\r\n";
    const named = rows.map((row) => Object.fromEntries(row.map((v, i) => [header[i] || `column ${i + 1}`, v])));
    return JSON.stringify(named, null, 2) + "\n";
  }

  function download(name, content, type) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  function equip(frame) {
    if (frame.dataset.equipped) return;
    frame.dataset.equipped = "yes";
    const table = frame.querySelector("table");
    sortable(table);
    const tools = document.getElementById("table-tools").content.cloneNode(true);
    const [input, count] = [tools.querySelector("input"), tools.querySelector(".count")];
    const rest = tools.querySelector(".rest");
    rest.append(` (${table.tBodies[0].rows.length})`);
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
    for (const button of tools.querySelectorAll("[data-as]")) {
      const as = button.dataset.as;
      const type = as === "csv" ? "text/csv" : "application/json";
      button.addEventListener("click", () => download(`${frame.dataset.table}.${as}`, written(table, as), type));
    }
    frame.append(rest);
    if (frame.dataset.quiet === undefined) return frame.prepend(tools);
    const quiet = document.getElementById("table-quiet").content.cloneNode(true);
    quiet.firstElementChild.append(tools);
    frame.append(quiet);
  }

  const equipAll = () => document.querySelectorAll("[data-table]").forEach(equip);
  addEventListener("DOMContentLoaded", equipAll);
  document.addEventListener("htmx:afterSettle", equipAll);
})();
