const app = document.querySelector("#app");

function paragraph(text) {
  const element = document.createElement("p");
  element.textContent = text;
  return element;
}

function heading(text) {
  const element = document.createElement("h1");
  element.textContent = text;
  return element;
}

app.append(heading("A site with variants"));

app.append(paragraph("This page is a test."));
app.append(paragraph("Its script has variants: br, zstd and gzip."));
app.append(paragraph("The handler sends the smallest that a client accepts."));
app.append(paragraph("The tree has a manifest."));
app.append(paragraph("It lists the variants."));
app.append(paragraph("A variant is sent if its source is unchanged."));
app.append(paragraph("A name with a fingerprint is cached for a year."));
app.append(paragraph("Every other page is validated at each visit."));
