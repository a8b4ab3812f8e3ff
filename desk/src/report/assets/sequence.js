// The zoomable plot of a sequence: exact terms as far as they are in the page, densities of columns beyond.
nimwave.sequence = (root, game) => {
  const el = nimwave.element, exact = nimwave.bytes(game.data), density = game.density ? nimwave.bytes(game.density) : null;
  const known = game.exact, value = game.width === "u8" ? (n) => exact[n] : (n) => exact[2 * n] | (exact[2 * n + 1] << 8);
  const top = game.largest, levels = top + 1, blues = [[128, 176, 226], [66, 133, 196], [26, 84, 148], [6, 28, 72]];
  const canvas = el("canvas", { tabindex: 0, role: "img", width: 1000, height: 460 }), readout = el("p", { class: "readout", "aria-live": "polite" });
  const first = el("input", { type: "number", min: 0, max: game.terms - 1, "aria-label": "first n" }), last = el("input", { type: "number", min: 1, max: game.terms, "aria-label": "last n" });
  const button = (text, label, act) => { const made = el("button", { type: "button", "aria-label": label }, text); made.addEventListener("click", act); return made; };
  const view = { from: 0, to: game.terms };
  const box = { left: 56, top: 8, width: 930, height: 410 };
  const set = (from, to) => {
    const length = Math.max(Math.min(10, game.terms), Math.min(game.terms, Math.round(to - from)));
    view.from = Math.max(0, Math.min(game.terms - length, Math.round(from))); view.to = view.from + length;
    draw();
  };
  const zoom = (factor, centre = (view.from + view.to) / 2) => set(centre - (centre - view.from) * factor, centre + (view.to - centre) * factor);
  const pan = (share) => { const by = (view.to - view.from) * share; set(view.from + by, view.to + by); };
  root.append(el("div", { class: "controls" },
    button("+", "zoom in", () => zoom(0.5)), button("-", "zoom out", () => zoom(2)), button("<", "left", () => pan(-0.5)), button(">", "right", () => pan(0.5)), button("all", "the whole sequence", () => set(0, game.terms)),
    el("label", {}, "n from", first), el("label", {}, "to", last)), canvas, readout);
  for (const input of [first, last]) input.addEventListener("change", () => set(Number(first.value) || 0, Number(last.value) || game.terms));
  const rows = Math.min(levels, box.height);
  const draw = () => {
    const { from, to } = view, length = to - from, columns = Math.min(box.width, length), context = canvas.getContext("2d");
    const counts = new Float64Array(columns * rows);
    let coarse = false, most = 1;
    for (let c = 0; c < columns; c++) {
      const a = from + Math.floor((length * c) / columns), b = from + Math.floor((length * (c + 1)) / columns);
      for (let n = a; n < Math.min(b, known); n++) counts[c * rows + Math.floor((value(n) * rows) / levels)] += 1;
      if (b > known && density) {
        coarse = true;
        const d0 = Math.floor((Math.max(a, known) * game.columns) / game.terms), d1 = Math.max(d0 + 1, Math.ceil((b * game.columns) / game.terms));
        for (let d = d0; d < Math.min(d1, game.columns); d++) for (let r = 0; r < game.rows; r++) {
          const weight = density[d * game.rows + r];
          if (weight) counts[c * rows + Math.floor(((r + 0.5) / game.rows) * rows)] += Math.expm1((weight / 255) * Math.log1p(game.most)) / Math.max(1, d1 - d0);
        }
      }
    }
    for (const count of counts) if (count > most) most = count;
    context.fillStyle = "#fff"; context.fillRect(0, 0, canvas.width, canvas.height);
    context.font = "13px system-ui, sans-serif"; context.fillStyle = "#222"; context.strokeStyle = "#ddd"; context.lineWidth = 1; context.textBaseline = "middle";
    const steps = (range, wanted) => { const raw = Math.max(1, range / wanted), power = 10 ** Math.floor(Math.log10(raw)); return [1, 2, 5, 10].map((s) => s * power).find((s) => s >= raw); };
    const y = (v) => box.top + box.height - ((v + 0.5) / levels) * box.height, x = (n) => box.left + ((n - from) / length) * box.width;
    const dy = steps(levels, 8), dx = steps(length, 8);
    context.textAlign = "right";
    for (let v = 0; v <= top; v += dy) { context.beginPath(); context.moveTo(box.left, y(v)); context.lineTo(box.left + box.width, y(v)); context.stroke(); context.fillText(v, box.left - 8, y(v)); }
    context.textAlign = "center";
    for (let n = Math.ceil(from / dx) * dx; n < to; n += dx) { context.beginPath(); context.moveTo(x(n), box.top); context.lineTo(x(n), box.top + box.height); context.stroke(); context.fillText(n, x(n), box.top + box.height + 16); }
    const cell = box.width / columns, wide = Math.max(1, Math.min(5, cell)), tall = Math.max(2, Math.min(5, box.height / rows));
    for (let c = 0; c < columns; c++) for (let r = 0; r < rows; r++) {
      const count = counts[c * rows + r];
      if (!count) continue;
      context.fillStyle = nimwave.css(most < 4 ? [0, 114, 178] : nimwave.blend(blues, Math.log(Math.max(1, count)) / Math.log(most)));
      context.fillRect(box.left + (c + 0.5) * cell - wide / 2, box.top + box.height - ((r + 0.5) / rows) * box.height - tall / 2, wide, tall);
    }
    first.value = from; last.value = to;
    readout.textContent = `n = ${from} to ${to - 1}, values 0 to ${top}` + (coarse ? `; exact terms are in this page for n < ${known}, beyond that the density of columns` : "");
    readout.dataset.from = from; readout.dataset.to = to;
    canvas.setAttribute("aria-label", `plot of ${game.name}, ${readout.textContent}; plus and minus zoom, arrow keys move`);
  };
  const nAt = (event) => { const area = canvas.getBoundingClientRect(); return view.from + (((event.clientX - area.left) * (canvas.width / area.width) - box.left) / box.width) * (view.to - view.from); };
  canvas.addEventListener("wheel", (event) => { event.preventDefault(); zoom(event.deltaY < 0 ? 0.7 : 1 / 0.7, nAt(event)); }, { passive: false });
  let drag = null;
  canvas.addEventListener("pointerdown", (event) => { drag = { n: nAt(event) }; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointerup", () => { drag = null; });
  canvas.addEventListener("pointermove", (event) => {
    if (drag) { const by = drag.n - nAt(event); set(view.from + by, view.to + by); return; }
    const n = Math.floor(nAt(event));
    if (n < view.from || n >= view.to) return;
    readout.textContent = n < known ? `G(${n}) = ${value(n)}` : `n = ${n}: exact terms are in this page for n < ${known}`;
    if (n < known) { readout.dataset.n = n; readout.dataset.value = value(n); }
  });
  canvas.addEventListener("keydown", (event) => {
    const act = { "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), 0: () => set(0, game.terms), ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2) }[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  draw();
};
