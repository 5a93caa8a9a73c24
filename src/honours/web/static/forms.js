// Sliders beside number boxes, files dropped onto a page, and a question before something goes.
(() => {
  function pair(slider) {
    const box = document.getElementById(slider.dataset.slides);
    slider.addEventListener("input", () => {
      box.value = slider.value;
      box.dispatchEvent(new Event("input", { bubbles: true }));
    });
    box.addEventListener("input", () => {
      if (box.value !== "" && !Number.isNaN(Number(box.value))) slider.value = box.value;
    });
  }

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

  // What is edited where it is shown is kept when one goes on; a button is for those without scripts.
  function keepAtOnce(form) {
    form.querySelector(".keep").hidden = true;
    form.addEventListener("change", () => form.requestSubmit());
  }

  addEventListener("DOMContentLoaded", () => {
    document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
    document.querySelectorAll("form[data-keep]").forEach(keepAtOnce);
    document.querySelectorAll("form[data-send] input[type=file]").forEach((input) =>
      input.addEventListener("change", () => input.files.length && input.form.requestSubmit()),
    );
    document.querySelectorAll("[data-slides]").forEach(pair);
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
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, .scroll")) return;
    document.querySelector(`a[data-key="${CSS.escape(event.key)}"]`)?.click();
    if (event.key === "/") {
      event.preventDefault();
      document.querySelector(".find input").focus();
    }
  });
  // A select that goes at once; asked at the document, for those that come later.
  document.addEventListener("change", (event) => {
    if (event.target.matches("select[data-go]")) event.target.form.requestSubmit();
  });
})();
