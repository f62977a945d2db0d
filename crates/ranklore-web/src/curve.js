// Adds zoom and hover to the rating curves: fits the drawing of the server to the screen and to the
// dates between which the user drags. Without this script the drawing stays as it is.
"use strict";
(() => {
  const REACH = 30;
  const DAY = 86400;
  const HINT = "Drag to zoom, point at a contest for its numbers.";
  const svg = document.querySelector("svg.chart");
  if (!svg) return;
  const [axes, marks, area] = ["g.axes", "svg.marks", "rect.area"].map((name) => svg.querySelector(name));
  const figure = svg.parentElement;

  const numbers = (text) => text.match(/-?[\d.]+/g)?.map(Number) ?? [];
  const drawn = ["x", "y", "width", "height"].map((name) => Number(area.getAttribute(name)));
  const [left, top] = drawn;
  const [, , drawnWidth, drawnHeight] = numbers(svg.getAttribute("viewBox"));
  const right = drawnWidth - left - drawn[2];
  const bottom = drawnHeight - top - drawn[3];
  const overlap = left - Number(marks.getAttribute("x"));
  const [from, to] = numbers(area.dataset.x);
  const [low, high] = numbers(area.dataset.y);

  // The values of coordinates of the drawing, in pairs.
  const values = (text) => {
    const pairs = [];
    const list = numbers(text);
    for (let index = 0; index + 1 < list.length; index += 2) {
      pairs.push({
        at: from + ((list[index] - left) / drawn[2]) * (to - from),
        rating: high - ((list[index + 1] - top) / drawn[3]) * (high - low),
      });
    }
    return pairs;
  };
  const lines = [...marks.querySelectorAll("polyline, polygon")].map((shape) => ({
    shape,
    points: values(shape.getAttribute("points")),
  }));
  const contests = [...marks.querySelectorAll(".point")].map((shape) => ({
    shape,
    value: values(shape.getAttribute("transform"))[0],
    text: shape.textContent.split("\n").join(" · "),
  }));

  let view = { from, to, low, high };
  let [width, height] = [0, 0];
  const x = (at) => left + ((at - view.from) / (view.to - view.from)) * width;
  const y = (rating) => top + ((view.high - rating) / (view.high - view.low)) * height;
  const place = ({ at, rating }) => `${x(at).toFixed(2)},${y(rating).toFixed(2)}`;

  const set = (shape, attributes) => {
    for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, value);
    return shape;
  };
  const add = (parent, name, attributes) =>
    parent.appendChild(set(document.createElementNS("http://www.w3.org/2000/svg", name), attributes));

  // Round numbers, about five, with the decimals of their step.
  const ratingTicks = () => {
    const rough = (view.high - view.low) / 5;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough) ?? 10 * power;
    const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const ticks = [];
    for (let index = Math.ceil(view.low / step); index * step <= view.high; index += 1) {
      ticks.push([index * step, (index * step + 0).toFixed(decimals).replace("-", "−")]);
    }
    return ticks;
  };
  // The first days of years, else of months, else all days: about six, fewer on a narrow screen.
  const dateTicks = () => {
    const most = Math.max(2, Math.min(6, width / 70));
    const days = (view.to - view.from) / DAY;
    const start = new Date(view.from * 1000);
    let [year, month, day] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()];
    let [months, step, format] = [0, Math.max(1, Math.ceil(days / most)), { month: "short", day: "numeric" }];
    if (days >= 50) {
      day = 1;
      step = 0;
      months = [1, 2, 3, 6].find((months) => days / 30 / months <= most + 1) ?? 12 * Math.ceil(days / 365 / 2 / most);
      format = months < 12 ? { month: "short", year: "numeric" } : { year: "numeric" };
      month = months < 12 ? month - (month % months) : 0;
    }
    const text = new Intl.DateTimeFormat("en", { ...format, timeZone: "UTC" });
    const ticks = [];
    for (; ; month += months, day += step) {
      const at = Date.UTC(year, month, day) / 1000;
      if (!(at <= view.to)) return ticks;
      if (at >= view.from) ticks.push([at, text.format(at * 1000)]);
    }
  };

  const drawAxes = () => {
    axes.replaceChildren();
    for (const [rating, text] of ratingTicks()) {
      add(axes, "line", { class: "grid", x1: left, x2: left + width, y1: y(rating), y2: y(rating) });
      add(axes, "text", { class: "axis", x: left - 8, y: y(rating) + 4, "text-anchor": "end" }).textContent = text;
    }
    for (const [at, text] of dateTicks()) {
      add(axes, "line", { class: "grid", x1: x(at), x2: x(at), y1: top, y2: top + height });
      add(axes, "text", { class: "axis", x: x(at), y: top + height + 20, "text-anchor": "middle" }).textContent = text;
    }
  };
  const draw = () => {
    const full = Math.max(280, figure.clientWidth);
    const fullHeight = Math.max(220, Math.round(full * 0.4));
    [width, height] = [full - left - right, fullHeight - top - bottom];
    set(svg, { viewBox: `0 0 ${full} ${fullHeight}` });
    set(area, { width, height });
    const size = { width: width + 2 * overlap, height: height + 2 * overlap };
    set(marks, { ...size, viewBox: `${left - overlap} ${top - overlap} ${size.width} ${size.height}` });
    drawAxes();
    for (const { shape, points } of lines) set(shape, { points: points.map(place).join(" ") });
    for (const { shape, value } of contests) set(shape, { transform: `translate(${place(value)})` });
    reset.hidden = view.from <= from && view.to >= to;
  };

  // Shows the contests between two dates, at the height of what the lines and bands have there.
  const zoom = (start, end) => {
    const inside = lines.flatMap(({ points }) => points).filter(({ at }) => at >= start && at <= end);
    if (end - start < DAY || inside.length === 0) return;
    const ratings = inside.map(({ rating }) => rating);
    const [lowest, highest] = [Math.min(...ratings), Math.max(...ratings)];
    const space = 0.04 * (highest - lowest) || 0.5;
    view = { from: start, to: end, low: lowest - space, high: highest + space };
    draw();
  };
  const showAll = () => {
    view = { from, to, low, high };
    draw();
  };

  const readout = document.createElement("p");
  readout.className = "readout";
  readout.setAttribute("aria-hidden", "true");
  readout.textContent = HINT;
  const reset = document.createElement("button");
  reset.type = "button";
  reset.textContent = "Reset zoom";
  svg.after(readout, reset);
  svg.classList.add("fitted");
  const cursor = add(marks, "line", { class: "grid", visibility: "hidden" });
  const selection = add(marks, "rect", { class: "selection", y: top, width: 0 });

  // Shows the numbers of the contest beside the pointer.
  const show = (pointer) => {
    let [nearest, least] = [null, REACH];
    for (const contest of contests) {
      const distance = Math.hypot(x(contest.value.at) - pointer.x, y(contest.value.rating) - pointer.y);
      if (distance < least) [nearest, least] = [contest, distance];
    }
    readout.textContent = nearest?.text ?? HINT;
    const at = nearest && x(nearest.value.at);
    set(cursor, { visibility: nearest ? "visible" : "hidden", x1: at ?? 0, x2: at ?? 0, y1: top, y2: top + height });
  };
  const position = (event) => {
    const box = svg.getBoundingClientRect();
    const scale = (left + width + right) / box.width;
    const inside = Math.min(left + width, Math.max(left, (event.clientX - box.left) * scale));
    return { x: inside, y: (event.clientY - box.top) * scale };
  };
  // A finger that moves sideways zooms as a pressed mouse does; one that moves up or down scrolls.
  let start = null;
  const select = (end) => set(selection, { x: Math.min(start, end), width: Math.abs(end - start), height });
  const end = () => {
    start = null;
    set(selection, { width: 0 });
  };
  svg.addEventListener("pointerdown", (event) => {
    show(position(event));
    if (!event.isPrimary || event.button !== 0) return;
    start = position(event).x;
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    show(position(event));
    if (start !== null) select(position(event).x);
  });
  svg.addEventListener("pointerup", (event) => {
    if (start === null) return;
    const date = (place) => view.from + ((place - left) / width) * (view.to - view.from);
    const [first, last] = [start, position(event).x].sort((a, b) => a - b);
    end();
    if (last - first > REACH / 5) zoom(date(first), date(last));
  });
  svg.addEventListener("pointercancel", end);
  svg.addEventListener("pointerleave", (event) => {
    // A finger that is lifted leaves the numbers to be read.
    if (event.pointerType === "mouse") show({ x: -REACH, y: -REACH });
  });
  reset.addEventListener("click", showAll);
  addEventListener("resize", draw);
  draw();
})();
