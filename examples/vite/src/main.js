import "./style.css";

// One row per resource of this page: its name, the bytes that came over the
// wire, and the bytes that they were decoded to.
function rows() {
  return performance.getEntriesByType("resource").map((entry) => {
    const row = document.createElement("tr");
    for (const text of [new URL(entry.name).pathname, entry.encodedBodySize, entry.decodedBodySize]) {
      const cell = document.createElement("td");
      cell.textContent = text;
      row.append(cell);
    }
    return row;
  });
}

addEventListener("load", () => document.getElementById("answers").replaceChildren(...rows()));
