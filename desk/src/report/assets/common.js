"use strict";
// What the interactive parts share.
const nimwave = {
  bytes(text) { const raw = atob(text); const out = new Uint8Array(raw.length); for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i); return out; },
  element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
    made.append(...children);
    return made;
  },
  // cividis, the colours of the pictures.
  ramp: [[0, 34, 78], [18, 53, 112], [59, 73, 108], [87, 93, 109], [112, 113, 115], [138, 134, 120], [165, 156, 116], [195, 179, 105], [225, 204, 85], [254, 232, 56]],
  blend(stops, share) {
    const at = Math.max(0, Math.min(1, share)) * (stops.length - 1), low = Math.min(Math.floor(at), stops.length - 2), part = at - low;
    return stops[low].map((from, i) => Math.round(from * (1 - part) + stops[low + 1][i] * part));
  },
  P: [213, 94, 0],
  N: [214, 230, 244],
  css(colour) { return `rgb(${colour.join(",")})`; },
};
