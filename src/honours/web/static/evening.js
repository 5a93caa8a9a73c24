// The pages of an evening: woken by the server, and a clock.
(() => {
  // --- live ---------------------------------------------------------------------------------------
  function listen(live) {
    let waiting = 0;
    let number;
    // Many results at once are one look: the page asks again a moment after the last of them.
    function look() {
      clearTimeout(waiting);
      waiting = setTimeout(() => htmx.trigger(document.body, "evening-changed"), 250);
    }
    function changed(now) {
      if (number !== undefined && number !== now) look();
      number = now;
    }
    alive(live.dataset.stream, { changed, back: look });
  }

  function tick() {
    document.querySelectorAll("time[datetime]").forEach((one) => {
      one.textContent = new Date(one.dateTime).toLocaleTimeString([], {
        hour: "2-digit",
        minute: "2-digit",
      });
    });
    document.querySelectorAll("[data-ends]").forEach((one) => {
      const left = Math.round((new Date(one.dataset.ends) - Date.now()) / 1000);
      if (!document.getElementById("gone").hidden)
        return (one.querySelector(".clock").textContent = "–:––");
      const sign = left < 0 ? "−" : "";
      const minutes = Math.floor(Math.abs(left) / 60);
      const seconds = String(Math.abs(left) % 60).padStart(2, "0");
      one.querySelector(".clock").textContent = `${sign}${minutes}:${seconds}`;
      one.classList.toggle("over", left < 0);
    });
  }

  // --- the big screen -----------------------------------------------------------------------------
  // As large as lets everything be seen at once; where that were too small to read from afar, it is
  // shown in turns, from the top to the end and again.
  const SIZES = [2.2, 2, 1.8, 1.6, 1.4, 1.25, 1.1].map((size) => `${size}rem`);
  const page = document.documentElement;
  const rest = () => page.scrollHeight - innerHeight;
  const beside = () =>
    new Set([...document.querySelectorAll(".lines > div")].map((one) => one.offsetTop)).size < 2;
  function fit() {
    const so = (size) => (
      document.body.style.setProperty("--fit", size),
      page.scrollWidth <= innerWidth
    );
    SIZES.some((size) => so(size) && rest() <= 0) ||
      SIZES.slice(3).some((size) => so(size) && beside());
  }
  function inTurns() {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    let pause = 0;
    setInterval(
      () => {
        if (rest() <= 0 || pause-- > 0) return;
        if (scrollY >= rest() - 1) scrollTo(0, 0);
        else scrollBy(0, still ? innerHeight * 0.8 : 1);
        if (!still && (scrollY <= 0 || scrollY >= rest() - 1)) pause = 150;
      },
      still ? 8000 : 30,
    );
  }

  addEventListener("DOMContentLoaded", () => {
    if (document.body.classList.contains("screen")) {
      fit();
      inTurns();
      addEventListener("resize", fit);
      document.body.addEventListener("htmx:afterSettle", fit);
    }
    document.querySelectorAll("[data-stream]").forEach(listen);
    tick();
    setInterval(tick, 1000);
  });
})();
