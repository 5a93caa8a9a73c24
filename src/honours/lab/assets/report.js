// Draws every chart in the colours of the page, and opens what a link leads to.
const soft = { gridColor: "#8883", domainColor: "#8888", tickColor: "#8888" };
const axis = { labelColor: "currentColor", titleColor: "currentColor", ...soft };
const legend = { labelColor: "currentColor", titleColor: "currentColor" };
const config = {
  background: null,
  axis,
  legend,
  view: { stroke: null },
  font: "system-ui, sans-serif",
  range: { category: ["#2f7fb0", "#c8642b", "#6f9a35", "#9a5fa8", "#b08a1e", "#3d9c8f", "#c0577e", "#6b6b6b"] },
};
for (const place of document.querySelectorAll(".chart")) {
  const spec = JSON.parse(place.querySelector("script").textContent);
  const room = Math.max(160, Math.min(spec.width, document.documentElement.clientWidth - 230));
  const parsed = vega.parse(
    vegaLite.compile({ ...spec, width: room, config }).spec,
    {},
    { ast: true },
  );
  new vega.View(parsed, {
    expr: vega.expressionInterpreter,
    renderer: "svg",
    hover: true,
    container: place.appendChild(document.createElement("div")),
  }).runAsync();
}
const open = () => {
  const led = document.getElementById(location.hash.slice(1));
  if (!(led instanceof HTMLDetailsElement)) return;
  for (const one of [led, ...led.querySelectorAll(".reason > details")]) one.open = true;
  led.scrollIntoView();
};
addEventListener("hashchange", open);
open();
