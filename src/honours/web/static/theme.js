// Runs before the page is drawn, so that it does not flash in the other colours first.
(() => {
  const root = document.documentElement;
  const dark = () => matchMedia("(prefers-color-scheme: dark)").matches;
  const chosen = localStorage.getItem("theme");
  if (chosen) root.dataset.theme = chosen;
  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    button?.addEventListener("click", () => {
      const now = root.dataset.theme || (dark() ? "dark" : "light");
      root.dataset.theme = now === "dark" ? "light" : "dark";
      localStorage.setItem("theme", root.dataset.theme);
      document.dispatchEvent(new Event("themechange"));
    });
  });
})();
