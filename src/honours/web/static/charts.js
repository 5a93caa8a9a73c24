// Draws the Vega-Lite specifications a page carries as data; expressions are interpreted, so that
// no text is ever turned into code.

// A colour of the scheme that is shown, which only an element in it knows.
function colour(name) {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = `var(${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function themed(spec) {
  const [ink, line] = [colour("--ink-soft"), colour("--line")];
  const size = { labelFontSize: 12, titleFontSize: 12 };
  const axis = {
    ...size,
    labelColor: ink,
    titleColor: ink,
    gridColor: line,
    domainColor: line,
    tickColor: line,
  };
  const range = {
    category: ["--accent", "--second", "--third", "--fourth", "--fifth", "--sixth"].map(colour),
  };
  const config = {
    background: "transparent",
    axis,
    range,
    axisX: { labelAngle: -35, labelOverlap: true },
    axisQuantitative: { labelAngle: 0 },
    axisTemporal: { labelAngle: 0 },
    legend: { ...size, labelColor: ink, titleColor: ink, orient: "top", labelLimit: 0 },
    line: { color: colour("--accent") },
    point: { color: colour("--accent") },
    bar: { color: colour("--accent") },
    text: { fontSize: 12, color: ink },
    rule: { color: ink },
    view: { stroke: null },
    font: getComputedStyle(document.body).fontFamily,
  };
  return { ...spec, config: { ...config, ...(spec.config || {}) } };
}

async function draw(holder) {
  const spec = JSON.parse(holder.querySelector("script").textContent);
  const target = holder.querySelector(".drawing");
  const width = Math.max(240, holder.clientWidth);
  // All of it, names and figures too, in the width there is: shrunk, it could not be read.
  const fitted = {
    width,
    height: Math.min(spec.height || 220, 480),
    autosize: { type: "fit-x", contains: "padding" },
  };
  const compiled = vegaLite.compile({ ...themed(spec), ...fitted }).spec;
  holder.view?.finalize();
  holder.view = new vega.View(vega.parse(compiled, null, { ast: true }), {
    expr: vega.expressionInterpreter,
    renderer: "canvas",
    container: target,
    hover: true,
  });
  await holder.view.runAsync();
}

// The library is six times what a page weighs: it comes with the first chart.
const LIBRARY = ["vega.min", "vega-lite.min", "vega-interpreter.min", "chart-language"];
let library;
async function load() {
  for (const name of LIBRARY) {
    await new Promise((then, fail) => {
      document.head.append(
        Object.assign(document.createElement("script"), {
          src: `/static/${name}.js`,
          onload: then,
          onerror: fail,
        }),
      );
    });
  }
}
async function drawAll() {
  const charts = [...document.querySelectorAll(".chart")].filter((chart) =>
    chart.checkVisibility(),
  );
  if (!charts.length) return;
  await (library ??= load());
  charts.forEach(draw);
}
document.addEventListener("htmx:afterSettle", drawAll);
document.addEventListener("themechange", drawAll);
document.addEventListener("toggle", drawAll, true); // what was folded has a width now
let waiting;
addEventListener("resize", () => {
  clearTimeout(waiting);
  waiting = setTimeout(drawAll, 150);
});
drawAll();
