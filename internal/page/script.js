"use strict";
// Sorting and filtering of tables. The script itself adds all controls, so that a page has
// no dead ones where scripts do not run.

// How many rows of a table are drawn before the reader asks for all: laying out tens of
// thousands takes browsers seconds each time.
const most = 1000;

function element(name, properties) {
  return Object.assign(document.createElement(name), properties);
}

function count(n) { return n.toLocaleString("en"); }

// The rows of a table in their current order. A filter hides some, and only the first of the
// others are drawn.
class Rows {
  constructor(table) {
    this.body = table.tBodies[0];
    this.all = [...this.body.rows];
    this.hidden = new Set();
    this.drawn = most;
    this.more = element("button", { type: "button", className: "more", hidden: true });
    this.more.addEventListener("click", () => {
      this.drawn = Infinity;
      this.draw();
    });
    (table.closest(".scroll") ?? table).after(this.more);
    this.draw();
  }

  draw() {
    let n = 0;
    for (const row of this.all) {
      const hidden = this.hidden.has(row);
      if (row.hidden !== hidden) row.hidden = hidden;
      if (!hidden) n++;
      row.classList.toggle("beyond", !hidden && n > this.drawn);
    }
    this.more.hidden = n <= this.drawn;
    this.more.textContent = "Show all " + count(n) + " instead of the first " + count(this.drawn);
    return n;
  }

  // Sorts by the keys of a column, in the direction 1 or -1. Rows without a key come last in
  // both directions; equal rows keep their order.
  sort(key, compare, direction) {
    const keys = new Map(this.all.map(row => [row, key(row)]));
    this.all.sort((a, b) => {
      const x = keys.get(a), y = keys.get(b);
      if (x === null || y === null) return (x === null) - (y === null);
      return direction * compare(x, y);
    });
    this.draw();
    this.body.replaceChildren(...this.all);
  }

  // Shows only the rows that pass a test, and returns how many these are.
  filter(test) {
    this.hidden = new Set(this.all.filter(row => !test(row)));
    return this.draw();
  }
}

// The number in a cell: its data-value, or its text without commas, plus, percent and
// greater-than signs. null if that is not a number.
function numberIn(cell) {
  const text = (cell.dataset.value ?? cell.textContent).replace(/[\s,+%>]/g, "");
  return text === "" || isNaN(text) ? null : Number(text);
}

function sortTable(head, rows) {
  const isNumber = head.classList.contains("number");
  const first = isNumber ? "descending" : "ascending";
  const other = isNumber ? "ascending" : "descending";
  const order = head.getAttribute("aria-sort") === first ? other : first;
  for (const h of head.parentElement.cells) h.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", order);
  const column = head.cellIndex, direction = order === "ascending" ? 1 : -1;
  if (isNumber) {
    rows.sort(row => numberIn(row.cells[column]), (a, b) => a - b, direction);
  } else {
    rows.sort(row => row.cells[column].textContent.trim() || null, new Intl.Collator("en", { numeric: true }).compare, direction);
  }
}

function makeSortable(table, rows) {
  for (const head of table.tHead.rows[0].cells) {
    if (head.textContent.trim() === "" || "unsorted" in head.dataset) continue;
    const button = element("button", { type: "button", className: "sort" });
    button.append(...head.childNodes);
    button.addEventListener("click", () => sortTable(head, rows));
    head.append(button);
  }
  table.classList.add("sorts");
}

// The text of a row that the filter searches: that of its cells, except for numbers, one
// text a line, so that no word is found across two.
function textOf(row) {
  const cells = [...row.cells].filter(cell => !cell.classList.contains("number"));
  return cells.flatMap(cell => [...cell.childNodes].map(node => node.textContent)).join("\n").toLowerCase();
}

// Adds a search field before a table; a row matches if it contains all words. If the rows
// have several values of data-state, also adds a selection of these. The table's data-filter
// is the word for its rows.
function makeFilter(table, rows) {
  const texts = new Map(rows.all.map(row => [row, textOf(row)]));
  const things = table.dataset.filter;
  const columns = [...table.tHead.rows[0].cells].filter(cell => !cell.matches(".number, .bar")).map(cell => cell.textContent);
  const text = element("input", { type: "search", placeholder: "Filter by " + columns.join(" or "), ariaLabel: "Filter " + things + " by text" });
  const states = [...new Set(rows.all.map(row => row.dataset.state).filter(Boolean))].sort();
  const state = element("select", { ariaLabel: "Filter " + things + " by state" });
  state.append(element("option", { value: "", textContent: "all states" }));
  for (const s of states) state.append(element("option", { value: s, textContent: s }));
  const shown = element("output", {});
  const apply = () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = row => words.every(word => texts.get(row).includes(word));
    const n = rows.filter(row => (state.value === "" || row.dataset.state === state.value) && matches(row));
    shown.textContent = count(n) + " of " + count(rows.all.length) + " " + things;
  };
  let waiting;
  text.addEventListener("input", () => {
    clearTimeout(waiting);
    if (rows.all.length <= most) apply();
    else waiting = setTimeout(apply, 150); // until the reader stops typing
  });
  state.addEventListener("change", apply);
  const bar = element("div", { className: "filter", role: "search" });
  bar.append(text, ...(states.length > 1 ? [state] : []), shown);
  (table.closest(".scroll") ?? table).before(bar);
  apply();
}

document.documentElement.classList.remove("arriving");
for (const table of document.querySelectorAll("table.sortable")) {
  const rows = new Rows(table);
  if ("filter" in table.dataset) makeFilter(table, rows);
  makeSortable(table, rows);
}
