// The moves of the heap games, as in the program's rules: each gives the options of sorted heaps. Used to name winning moves.
const nimwaveRules = (() => {
  const lower = (heaps, i, taken) => heaps.map((heap, j) => (j === i ? heap - taken : heap));
  const smallest = (heaps) => { const there = heaps.filter((heap) => heap > 0); return there.length ? Math.min(...there) : 0; };
  const different = (heaps) => { const there = heaps.filter((heap) => heap > 0); return new Set(there).size === there.length; };
  // Moves in one heap: `allowed` says which numbers may be taken from heap i.
  const single = (allowed) => (heaps, game) => {
    const options = [];
    heaps.forEach((heap, i) => {
      for (let taken = 1; taken <= heap; taken++) if (allowed(heaps, i, taken, game)) options.push(lower(heaps, i, taken));
    });
    return options;
  };
  const nim = single(() => true);
  const minnie = single((heaps, i, taken) => taken <= smallest(heaps));
  const pairs = (heaps) => {
    const options = [];
    for (let i = 0; i < heaps.length; i++) for (let j = i + 1; j < heaps.length; j++)
      for (let taken = 1; taken <= Math.min(heaps[i], heaps[j]); taken++) options.push(lower(lower(heaps, i, taken), j, taken));
    return options;
  };
  return {
    nim,
    rook: nim,
    minnie,
    mine: (heaps) => minnie(heaps).filter(different),
    wythoff: (heaps) => nim(heaps).concat(pairs(heaps)),
    queen: (heaps) => nim(heaps).concat(heaps.length === 2 ? pairs(heaps) : []),
    wynnie: (heaps, game) => {
      const together = game.parameters.together || "two";
      const there = heaps.map((heap, i) => i).filter((i) => heaps[i] > 0);
      const options = [];
      for (let set = 1; set < 2 ** there.length; set++) {
        const chosen = there.filter((_, bit) => Math.floor(set / 2 ** bit) % 2 === 1);
        const n = chosen.length;
        if (!(n === 1 || together === "any" || (together === "two" && n === 2) || (together === "all" && n === there.length))) continue;
        for (let taken = 1; taken <= smallest(heaps); taken++) options.push(heaps.map((heap, i) => (chosen.includes(i) ? heap - taken : heap)));
      }
      return options;
    },
    nimb: (heaps) => nim(heaps).filter((option) => smallest(option) !== smallest(heaps)),
    nimtb: (heaps) => !different(heaps) ? [] : nim(heaps).filter((option) =>
      smallest(option) !== smallest(heaps) && Math.max(...option) !== Math.max(...heaps) && different(option)),
    susen: single((heaps, i, taken) => heaps.includes(taken)),
    jennifer: single((heaps, i, taken) => !heaps.includes(taken)),
    "greedy-nim": single((heaps, i) => heaps[i] === Math.max(...heaps)),
    "maximum-nim": single((heaps, i, taken, game) => taken <= game.most[heaps[i]]),
    euclid: (heaps, game) => {
      const least = game.parameters["to-zero"] ? 0 : 1;
      const options = [];
      heaps.forEach((heap, i) => heaps.forEach((other, j) => {
        if (i === j || other === 0) return;
        for (let left = heap - other; left >= least; left -= other) options.push(lower(heaps, i, heap - left));
      }));
      return options;
    },
  };
})();
