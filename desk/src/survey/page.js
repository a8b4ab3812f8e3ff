"use strict";
// Columns sort by a click on their heads, and rows are chosen by status and words.
(() => {
  const table = document.getElementById("survey"), body = table.tBodies[0], rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  const text = (row, column) => row.cells[column].textContent;
  heads.forEach((head, column) => head.firstChild.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const numeric = rows.every((row) => text(row, column) === "" || !Number.isNaN(Number(text(row, column))));
    const compare = (one, other) => {
      const a = text(one, column), b = text(other, column);
      // What is not known stays last in both directions.
      if (a === "" || b === "") return (a === "") - (b === "");
      const order = numeric ? Number(a) - Number(b) : a.localeCompare(b, undefined, { numeric: true });
      return down ? -order : order;
    };
    body.append(...[...rows].sort(compare));
  }));
  const status = document.getElementById("status"), words = document.getElementById("words"), count = document.getElementById("count");
  const at = heads.findIndex((head) => head.textContent === "status");
  const choose = () => {
    const wanted = words.value.toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const fits = (status.value === "" || text(row, at) === status.value) && row.textContent.toLowerCase().includes(wanted);
      row.hidden = !fits;
      shown += fits;
    }
    count.textContent = `${shown} of ${rows.length}`;
  };
  status.addEventListener("change", choose);
  words.addEventListener("input", choose);
  choose();
  document.querySelector(".controls").hidden = false;
})();
