// Sliders beside number boxes, files dropped onto a page, forms that come back with what is wrong, and a question
// before something goes.
(() => {
  // A number as a box has it: 0.5, or a fraction 1/2.
  function number(text) {
    const [above, below = "1"] = text.split("/").map((part) => part.trim());
    return above === "" || below === "" ? NaN : Number(above) / Number(below);
  }

  function type(box, text) {
    box.value = text;
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // The box decides; a slider follows it, and an empty box stands for what its placeholder says.
  // Asked at the document, for those that come later.
  document.addEventListener("input", ({ target }) => {
    if (target.dataset.slides) {
      const box = document.getElementById(target.dataset.slides);
      const amends = box.closest(".amends");
      return type(
        box,
        amends && Number(target.value) === number(box.placeholder) ? "" : target.value,
      );
    }
    const slider = target.id && document.querySelector(`[data-slides="${CSS.escape(target.id)}"]`);
    const value = slider
      ? number(target.value || (target.closest(".amends") && target.placeholder) || "")
      : NaN;
    if (!Number.isNaN(value)) slider.value = value;
  });
  document.addEventListener("click", ({ target }) => {
    const reset = target.closest("[data-reset]");
    if (!reset) return;
    const box = document.getElementById(reset.dataset.reset);
    type(box, "");
    box.focus();
  });

  function takeDrops(form) {
    const input = form.querySelector("input[type=file]");
    const send = () => input.files.length && form.requestSubmit();
    input.addEventListener("change", send);
    for (const name of ["dragover", "dragleave", "drop"])
      form.addEventListener(name, (event) => {
        event.preventDefault();
        form.classList.toggle("over", name === "dragover");
        if (name !== "drop") return;
        input.files = event.dataTransfer.files;
        send();
      });
  }

  // What is edited where it is shown is kept when one goes on; the button is for those without scripts.
  function keepAtOnce(form) {
    form.addEventListener("change", () => form.requestSubmit());
    // A title of several lines on a phone is still one line of text: Enter keeps it.
    form.addEventListener(
      "keydown",
      (event) =>
        event.key === "Enter" &&
        event.target.matches("textarea") &&
        (event.preventDefault(), event.target.blur()),
    );
  }

  // What is wrong is said at the field it is about, and nowhere else: in the form that was sent, else the only one.
  function fieldOf(name, form) {
    const wanted = `[name="${CSS.escape(name)}"]:not([type=hidden])`;
    const fields = document.querySelectorAll(`main form ${wanted}`);
    return form?.querySelector(wanted) ?? (fields.length === 1 ? fields[0] : null);
  }

  // The form of the page that goes to an address; of several the one that says the same in its hidden fields.
  function formTo(action, typed) {
    const path = (address) => new URL(address ?? "", location).pathname;
    const forms = [...document.querySelectorAll("main form")].filter(
      (form) => path(form.getAttribute("action")) === path(action),
    );
    const says = (field) =>
      typed.some(([name, text]) => name === field.name && text === field.value);
    return (
      forms.find((form) => [...form.querySelectorAll("[type=hidden]")].every(says)) ?? forms[0]
    );
  }

  const KEPT_BACK = ["hidden", "password", "file", "submit", "button"];
  function fillIn(form, typed) {
    const texts = {};
    for (const [name, text] of typed) (texts[name] ??= []).push(text);
    for (const field of form.elements) {
      if (!field.name || KEPT_BACK.includes(field.type)) continue;
      const own = texts[field.name] ?? [];
      if (field.type === "checkbox" || field.type === "radio")
        field.checked = own.includes(field.value);
      else if (own.length) field.value = own.shift();
    }
  }

  // A form that could not be taken comes back as it was filled in, with what is wrong beside it.
  function comeBack(again) {
    const { action, typed } = JSON.parse(again.querySelector("script").textContent);
    const form = formTo(action, typed);
    if (!form) return;
    fillIn(form, typed);
    for (let fold = form.closest("details"); fold; fold = fold.parentElement.closest("details"))
      fold.open = true;
    form.before(again);
    if (again.querySelector("li[data-at]")) pointOut(again.querySelector(".notice"), form);
    (form.querySelector("[aria-invalid]") ?? again).scrollIntoView({ block: "center" });
    form.querySelector("[aria-invalid]")?.focus();
  }

  function unmark(form) {
    form.querySelectorAll("[aria-invalid]").forEach((field) => {
      field.removeAttribute("aria-invalid");
      const others = field
        .getAttribute("aria-describedby")
        .split(" ")
        .filter((id) => !id.startsWith("fault-"));
      field.setAttribute("aria-describedby", others.join(" "));
    });
    form.querySelectorAll(".fault").forEach((one) => one.remove());
  }

  function markAt(field, text) {
    for (let fold = field.closest("details"); fold; fold = fold.parentElement.closest("details"))
      fold.open = true;
    text.id = `fault-${field.name}`;
    text.hidden = false;
    field.setAttribute("aria-invalid", "true");
    field.setAttribute(
      "aria-describedby",
      `${text.id} ${field.getAttribute("aria-describedby") ?? ""}`.trim(),
    );
    field.after(text);
  }

  function pointOut(notice, form) {
    const faults = [...notice.querySelectorAll("li")];
    for (const one of faults) {
      const field = one.dataset.at && fieldOf(one.dataset.at, form);
      if (!field) continue;
      markAt(field, one.querySelector(".fault"));
      one.remove();
    }
    if (notice.querySelector("li")) return;
    notice.querySelectorAll(".told, ul").forEach((one) => one.remove());
    notice.querySelector(".pointing").hidden = false;
  }

  function pointOutAll() {
    const sent = formTo(location.href, []);
    document
      .querySelectorAll(".notice.bad:has(li[data-at])")
      .forEach((notice) => pointOut(notice, sent));
  }

  document.addEventListener("htmx:afterSwap", (event) => {
    const form = event.detail.requestConfig?.elt.closest("form");
    if (form) unmark(form);
    pointOutAll();
  });

  addEventListener("DOMContentLoaded", () => {
    const again = document.getElementById("again");
    if (again) comeBack(again);
    pointOutAll();
    document
      .querySelector(".tabs [aria-current]")
      ?.scrollIntoView({ block: "nearest", inline: "center" });
    document.querySelectorAll("form[data-keep]").forEach(keepAtOnce);
    document
      .querySelectorAll("form[data-send] input[type=file]")
      .forEach((input) =>
        input.addEventListener("change", () => input.files.length && input.form.requestSubmit()),
      );
    document.querySelectorAll("form[data-drop]").forEach(takeDrops);
    document.querySelectorAll("[data-ask]").forEach((button) =>
      button.addEventListener("click", (event) => {
        if (!confirm(button.dataset.ask)) event.preventDefault();
      }),
    );
  });
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    field.select();
    if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
    button.append(" ✓");
  });
  // On a phone the reasons come below a long table: show that they are there.
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id === "why") event.target.scrollIntoView({ block: "nearest" });
  });
  // The arrows lead to the board or pair before and after, unless one is typing.
  document.addEventListener("keydown", (event) => {
    if (
      event.altKey ||
      event.ctrlKey ||
      event.metaKey ||
      event.target.closest("input, select, textarea, .scroll")
    )
      return;
    document.querySelector(`a[data-key="${CSS.escape(event.key)}"]`)?.click();
    if (event.key === "/") {
      event.preventDefault();
      document.querySelector(".find input").focus();
    }
  });
  // A link to what is folded unfolds it.
  const unfold = () => document.querySelector("details:target")?.setAttribute("open", "");
  window.addEventListener("hashchange", unfold);
  unfold();

  // A select that goes at once; asked at the document, for those that come later.
  document.addEventListener("change", (event) => {
    if (event.target.matches("select[data-go]")) event.target.form.requestSubmit();
  });
})();
