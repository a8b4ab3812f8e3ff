// The slice browser of a heap table: two heaps run along the axes, the others stand where their sliders are.
nimwave.slices = (root, game) => {
  const { heaps: k, max, outcomes } = game, side = max + 1, data = nimwave.bytes(game.data), el = nimwave.element;
  // The numbering of sorted heaps up to a bound.
  const numbering = (max) => {
    // below[m - 1][v]: sorted sequences of length m over v..max.
    const below = [];
    for (let m = 1; m <= k; m++) {
      const column = new Array(max + 2).fill(0);
      for (let v = max; v >= 0; v--) column[v] = column[v + 1] + (m === 1 ? 1 : below[m - 2][v]);
      below.push(column);
    }
    const rank = (position) => {
      let rank = 0, previous = 0;
      [...position].sort((a, b) => a - b).forEach((heap, i) => { const column = below[k - 1 - i]; rank += column[previous] - column[heap]; previous = heap; });
      return rank;
    };
    const unrank = (index) => {
      const position = [];
      let previous = 0;
      for (let i = 0; i < k; i++) {
        const column = below[k - 1 - i];
        let v = previous;
        while (v < max && column[previous] - column[v + 1] <= index) v++;
        index -= column[previous] - column[v];
        position.push(v);
        previous = v;
      }
      return position;
    };
    return { rank, unrank, count: below[k - 1][0] };
  };
  const { rank } = numbering(max);
  // The winning moves of a rule that a person has written, as far as the page holds them: where each list begins.
  const listed = game.moves === undefined ? null : (() => {
    const bytes = nimwave.bytes(game.moves), space = numbering(game.moves_max), starts = new Uint32Array(space.count);
    let at = 0;
    const number = () => { let number = 0, unit = 1, byte; do { byte = bytes[at++]; number += (byte & 127) * unit; unit *= 128; } while (byte & 128); return number; };
    for (let i = 0; i < space.count; i++) { starts[i] = at; for (let n = number(); n > 0; n--) number(); }
    return (position) => {
      if (position.some((heap) => heap > game.moves_max)) return null;
      at = starts[space.rank(position)];
      return Array.from({ length: number() }, () => space.unrank(number()));
    };
  })();
  const entry = (position) => {
    const at = rank(position);
    return game.width === "bit" ? (data[at >> 3] >> (at & 7)) & 1 : game.width === "u8" ? data[at] : data[2 * at] | (data[2 * at + 1] << 8);
  };
  const isP = (position) => entry(position) === (outcomes ? 1 : 0);
  const present = (position) => position.filter((heap) => heap > 0).sort((a, b) => a - b);
  // An index also numbers heaps that are not a position.
  const positions = game.positions ? nimwave.bytes(game.positions) : null;
  const legal = (position) => { const at = rank(position); return !positions || ((positions[at >> 3] >> (at & 7)) & 1) === 1; };
  const show = (position) => "[" + present(position).join(", ") + "]";
  const winning = (position) => {
    const options = listed || nimwaveRules[game.game];
    const sorted = [...position].sort((a, b) => a - b), seen = new Map(), all = options ? options(sorted, game) : null;
    if (!all) return null;
    for (const option of all) if (isP(option)) seen.set(show(option), present(option));
    // In the order of the program: shorter prefixes first, numbers compared as numbers.
    return [...seen.values()].sort((a, b) => { for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] - b[i]; return a.length - b.length; });
  };
  const state = { x: k - 2, y: k - 1, at: new Array(k).fill(0).map((_, i) => Math.min(max, i < k - 2 ? (game.fixed || [])[i] ?? 0 : 5)) };
  const choice = (axis) => { const made = el("select", { "aria-label": `heap on the ${axis} axis`, "data-axis": axis }); for (let i = 0; i < k; i++) made.append(el("option", { value: i }, `heap ${i + 1}`)); return made; };
  const axes = { x: choice("x"), y: choice("y") };
  const choices = el("div", { class: "controls" }, el("label", {}, "x axis", axes.x), el("label", {}, "y axis", axes.y));
  const sliders = [], numbers = [], bar = el("div", { class: "controls" });
  for (let i = 0; i < k; i++) {
    const slider = el("input", { type: "range", min: 0, max, step: 1, "data-heap": i, "aria-label": `counters on heap ${i + 1}` });
    const number = el("output", {});
    slider.addEventListener("input", () => { state.at[i] = Number(slider.value); update(i !== state.x && i !== state.y); });
    bar.append(el("label", {}, el("span", {}, `heap ${i + 1}`), slider, number));
    sliders.push(slider); numbers.push(number);
  }
  const canvas = el("canvas", { tabindex: 0, role: "img" }), readout = el("p", { class: "readout", "aria-live": "polite" });
  const legend = el("p", { class: "legend" });
  const key = (colour, text) => legend.append(el("span", { style: `--swatch:${nimwave.css(colour)}` }, text));
  const explain = (largest) => {
    legend.replaceChildren();
    key(nimwave.P, outcomes ? "P-position" : "0, P-position");
    if (outcomes) { key(nimwave.N, "N-position"); return; }
    const stops = Array.from({ length: 12 }, (_, i) => nimwave.css(nimwave.blend(nimwave.ramp, (1 + (largest - 1) * i / 11) / largest)));
    legend.append(el("span", { class: "gradient" }, "1", el("i", { style: `background: linear-gradient(to right, ${stops.join(", ")})` }), String(largest)));
  };
  root.append(choices, bar, canvas, legend, readout);
  const scale = Math.max(1, Math.floor(600 / side)), margin = 36, size = side * scale;
  canvas.width = size + margin + 20; canvas.height = size + margin + 8;
  const picture = document.createElement("canvas");
  picture.width = side; picture.height = side;
  const drawSlice = () => {
    const context = picture.getContext("2d"), image = context.createImageData(side, side), position = [...state.at], values = new Uint16Array(side * side);
    const isPosition = new Uint8Array(side * side);
    let largest = 1;
    for (let y = 0; y < side; y++) for (let x = 0; x < side; x++) {
      position[state.x] = x; position[state.y] = y;
      if (!legal(position)) continue;
      isPosition[y * side + x] = 1;
      const value = values[y * side + x] = entry(position);
      if (value > largest) largest = value;
    }
    explain(largest);
    for (let y = 0; y < side; y++) for (let x = 0; x < side; x++) {
      if (!isPosition[y * side + x]) continue;
      const value = values[y * side + x], p = value === (outcomes ? 1 : 0);
      const colour = p ? nimwave.P : outcomes ? nimwave.N : nimwave.blend(nimwave.ramp, value / largest), at = ((side - 1 - y) * side + x) * 4;
      image.data[at] = colour[0]; image.data[at + 1] = colour[1]; image.data[at + 2] = colour[2]; image.data[at + 3] = 255;
    }
    context.putImageData(image, 0, 0);
  };
  const update = (redraw) => {
    if (redraw) drawSlice();
    const context = canvas.getContext("2d");
    context.fillStyle = "#fff"; context.fillRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingEnabled = false;
    context.drawImage(picture, margin, 8, size, size);
    context.fillStyle = "#222"; context.font = "13px system-ui, sans-serif"; context.textBaseline = "middle";
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find((s) => side / s <= 10) || 10000;
    for (let n = 0; n <= max; n += step) {
      context.textAlign = "center"; context.fillText(n, margin + (n + 0.5) * scale, size + 20);
      context.textAlign = "right"; context.fillText(n, margin - 6, 8 + size - (n + 0.5) * scale);
    }
    const [cx, cy] = [state.at[state.x], state.at[state.y]];
    for (const [colour, grow] of [["#fff", 3], ["#000", 1]]) {
      context.strokeStyle = colour; context.lineWidth = 2;
      context.strokeRect(margin + cx * scale - grow, 8 + size - (cy + 1) * scale - grow, scale + 2 * grow, scale + 2 * grow);
    }
    axes.x.value = state.x; axes.y.value = state.y;
    sliders.forEach((slider, i) => { slider.value = state.at[i]; numbers[i].value = state.at[i]; slider.parentElement.firstChild.textContent = `heap ${i + 1}` + (i === state.x ? " (x)" : i === state.y ? " (y)" : ""); });
    const position = state.at;
    if (!legal(position)) {
      readout.textContent = `${show(position)} is not a position`;
      readout.dataset.position = JSON.stringify(present(position)); readout.dataset.outcome = ""; readout.dataset.winning = "null";
      canvas.setAttribute("aria-label", `slice of ${game.game}; arrow keys move the cursor; ${readout.textContent}`);
      return;
    }
    const p = isP(position), moves = p ? [] : winning(position);
    let text = `${show(position)}: ${p ? "P-position, the previous player wins" : "N-position, the next player wins"}`;
    if (!outcomes) text += `; value ${entry(position)}`;
    if (!p) text += moves === null ? `; winning moves: nimwave query ${game.words} ${present(position).join(" ")}` : `; ${moves.length} winning move${moves.length === 1 ? "" : "s"}: ${moves.slice(0, 12).map(show).join(" ")}${moves.length > 12 ? " ..." : ""}`;
    readout.textContent = text;
    readout.dataset.position = JSON.stringify(present(position)); readout.dataset.outcome = p ? "P" : "N"; readout.dataset.winning = JSON.stringify(moves);
    if (!outcomes) readout.dataset.value = entry(position);
    canvas.setAttribute("aria-label", `slice of ${game.game}; arrow keys move the cursor; ${text}`);
  };
  for (const axis of ["x", "y"]) axes[axis].addEventListener("change", () => {
    const other = axis === "x" ? "y" : "x", chosen = Number(axes[axis].value);
    if (state[other] === chosen) state[other] = state[axis];
    state[axis] = chosen;
    update(true);
  });
  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect(), zoom = canvas.width / box.width;
    const x = Math.floor(((event.clientX - box.left) * zoom - margin) / scale), y = side - 1 - Math.floor(((event.clientY - box.top) * zoom - 8) / scale);
    if (x < 0 || y < 0 || x > max || y > max) return;
    state.at[state.x] = x; state.at[state.y] = y;
    update(false);
  });
  canvas.addEventListener("keydown", (event) => {
    const by = event.shiftKey ? 10 : 1, step = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, by], ArrowDown: [0, -by] }[event.key];
    if (!step) return;
    event.preventDefault();
    [state.x, state.y].forEach((heap, i) => { state.at[heap] = Math.max(0, Math.min(max, state.at[heap] + step[i])); });
    update(false);
  });
  update(true);
};
