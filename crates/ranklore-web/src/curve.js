// Adds zoom and hover to the rating curves. The drawing of the server has the numbers; without
// this script it stays.
"use strict";
(() => {
  const SIGMAS = 2;
  const DASHES = [[], [7, 3], [2, 3], [9, 3, 2, 3]];
  const REACH = 30;
  const svg = document.querySelector("svg.curve");
  if (!svg || typeof uPlot === "undefined") return;
  const figure = svg.parentElement;

  const point = (mark) => ({
    at: Number(mark.dataset.at),
    mu: Number(mark.dataset.mu),
    sigma: Number(mark.dataset.sigma),
    text: mark.textContent,
  });
  // A competitor without a rating has no curve; the others keep their colours.
  const shown = DASHES.map((_, number) => ({
    number,
    points: [...svg.querySelectorAll(`.point.curve${number}`)].map(point),
  })).filter((curve) => curve.points.length > 0);
  const curves = shown.map((curve) => curve.points);
  const hasBand = (index) => shown[index].number === 0;
  // Two contests at one time need two places on the axis.
  for (const points of curves) {
    points.forEach((of, index) => {
      if (index > 0) of.at = Math.max(of.at, points[index - 1].at + 1);
    });
  }
  const xs = (points) => points.map((of) => of.at);
  const band = (side) => curves[0].map((of) => of.mu + side * SIGMAS * of.sigma);
  const tables = curves.map((points, index) => {
    const mus = points.map((of) => of.mu);
    return hasBand(index) ? [xs(points), mus, band(1), band(-1)] : [xs(points), mus];
  });
  const data = uPlot.join(tables);

  const box = document.createElement("div");
  box.className = "chart";
  box.setAttribute("aria-hidden", "true");
  const readout = document.createElement("p");
  readout.className = "readout";
  const reset = document.createElement("button");
  reset.type = "button";
  reset.textContent = "Reset zoom";
  reset.hidden = true;
  const hint = "Drag to zoom, point at a contest for its numbers.";
  readout.textContent = hint;

  const whole = [data[0][0], data[0][data[0].length - 1]];
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const size = () => ({ width: figure.clientWidth, height: Math.max(220, Math.round(figure.clientWidth * 0.4)) });

  // Shows the numbers of the contest beside the pointer.
  const show = (plot) => {
    const { left, top } = plot.cursor;
    let nearest = null;
    let least = REACH * REACH;
    for (const of of curves.flat()) {
      const [x, y] = [plot.valToPos(of.at, "x") - left, plot.valToPos(of.mu, "y") - top];
      if (x * x + y * y < least) [nearest, least] = [of, x * x + y * y];
    }
    readout.textContent = left < 0 || nearest === null ? hint : nearest.text.split("\n").join(" · ");
  };

  const options = () => {
    const line = (number) => ({
      stroke: colour(`--curve${number}`),
      width: 2,
      dash: DASHES[number],
      spanGaps: true,
      points: { show: true, size: 7, fill: colour(`--curve${number}`), stroke: colour("--back"), width: 0.75 },
    });
    const edge = { stroke: "transparent", spanGaps: true, points: { show: false } };
    const axis = { stroke: colour("--soft"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
    return {
      ...size(),
      tzDate: (at) => uPlot.tzDate(new Date(at * 1000), "Etc/UTC"),
      legend: { show: false },
      cursor: { y: false, points: { show: false } },
      series: [{}, ...shown.flatMap(({ number }) => (number === 0 ? [line(0), edge, edge] : [line(number)]))],
      bands: hasBand(0) ? [{ series: [2, 3], fill: `color-mix(in srgb, ${colour("--curve0")} 15%, transparent)` }] : [],
      axes: [axis, { ...axis, size: 60, values: (_, ticks) => ticks.map(String) }],
      hooks: {
        setCursor: [show],
        setScale: [
          (plot, scale) => {
            const { min, max } = plot.scales.x;
            if (scale === "x") reset.hidden = min <= whole[0] && max >= whole[1];
          },
        ],
      },
    };
  };

  // A finger that moves sideways zooms as a pressed mouse does; one that moves up or down scrolls.
  const followFingers = (over) => {
    let [start, last] = [null, null];
    const send = (type, target, finger) => {
      const { clientX, clientY } = finger;
      // Movements of nothing are ignored.
      target.dispatchEvent(new MouseEvent(type, { clientX, clientY, movementX: 1, bubbles: true }));
    };
    over.addEventListener("touchstart", (event) => {
      start = event.touches.length === 1 ? event.touches[0] : null;
      last = null;
    }, { passive: true });
    over.addEventListener("touchmove", (event) => {
      if (start === null) return;
      if (last === null) send("mousedown", over, start);
      last = event.touches[0];
      send("mousemove", over, last);
    }, { passive: true });
    const end = () => {
      if (last !== null) send("mouseup", document, last);
      start = last = null;
    };
    over.addEventListener("touchend", end);
    over.addEventListener("touchcancel", end);
  };

  let plot = null;
  const draw = () => {
    plot?.destroy();
    plot = new uPlot(options(), data, box);
    followFingers(plot.over);
  };
  svg.after(box, readout, reset);
  draw();
  // Both hide it: some browsers ignore the attribute on drawings.
  svg.setAttribute("hidden", "");
  svg.classList.add("replaced");
  reset.addEventListener("click", () => plot.setScale("x", { min: whole[0], max: whole[1] }));
  addEventListener("resize", () => plot.setSize(size()));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
})();
