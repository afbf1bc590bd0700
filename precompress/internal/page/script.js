"use strict";
// Sorting and filtering of tables. All that can be used is made here, so that a page
// has no dead controls where scripts do not run.

// The number in a cell: its data-value, or its text without commas, plus and percent
// signs. What is no number has none.
function valueOf(cell) {
  const text = (cell.dataset.value ?? cell.textContent).replace(/[\s,+%]/g, "");
  return text === "" ? NaN : Number(text);
}

// Orders rows by a column. Rows without a number come last either way, and rows that
// are equal stay as they are.
function compareBy(column, isNumber, direction) {
  const names = new Intl.Collator("en", { numeric: true });
  if (!isNumber) {
    return (a, b) => direction * names.compare(a.cells[column].textContent, b.cells[column].textContent);
  }
  return (a, b) => {
    const x = valueOf(a.cells[column]), y = valueOf(b.cells[column]);
    if (isNaN(x) || isNaN(y)) return isNaN(x) - isNaN(y);
    return direction * (x - y);
  };
}

function sortTable(table, head) {
  const isNumber = head.classList.contains("number");
  const first = isNumber ? "descending" : "ascending";
  const other = isNumber ? "ascending" : "descending";
  const order = head.getAttribute("aria-sort") === first ? other : first;
  for (const h of head.parentElement.cells) h.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", order);
  const body = table.tBodies[0];
  const rows = [...body.rows].sort(compareBy(head.cellIndex, isNumber, order === "ascending" ? 1 : -1));
  body.replaceChildren(...rows);
}

function makeSortable(table) {
  for (const head of table.tHead.rows[0].cells) {
    if (head.textContent.trim() === "" || "unsorted" in head.dataset) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sortTable(table, head));
    head.append(button);
  }
  table.classList.add("sorts");
}

function element(name, properties) {
  return Object.assign(document.createElement(name), properties);
}

// Puts a field for text before a table, and a choice of the states that its rows
// have in data-state, if there are several. The table's data-filter names its rows.
function makeFilter(table) {
  const rows = [...table.tBodies[0].rows];
  const texts = rows.map(row => row.textContent.toLowerCase());
  const things = table.dataset.filter;
  const text = element("input", { type: "search", placeholder: "Filter by text", ariaLabel: "Filter " + things + " by text" });
  const states = [...new Set(rows.map(row => row.dataset.state).filter(Boolean))].sort();
  const state = element("select", { ariaLabel: "Filter " + things + " by state" });
  state.append(element("option", { value: "", textContent: "all states" }));
  for (const s of states) state.append(element("option", { value: s, textContent: s }));
  const shown = element("output", {});
  const apply = () => {
    const wanted = text.value.trim().toLowerCase();
    let n = 0;
    rows.forEach((row, i) => {
      row.hidden = state.value !== "" && row.dataset.state !== state.value || !texts[i].includes(wanted);
      if (!row.hidden) n++;
    });
    shown.textContent = n.toLocaleString("en") + " of " + rows.length.toLocaleString("en") + " " + things;
  };
  text.addEventListener("input", apply);
  state.addEventListener("change", apply);
  const bar = element("div", { className: "filter", role: "search" });
  bar.append(text, ...(states.length > 1 ? [state] : []), shown);
  (table.closest(".scroll") ?? table).before(bar);
  apply();
}

for (const table of document.querySelectorAll("table.sortable")) makeSortable(table);
for (const table of document.querySelectorAll("table[data-filter]")) makeFilter(table);
