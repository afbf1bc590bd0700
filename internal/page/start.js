"use strict";
// Tables are not drawn until the script at the end of the page has chosen their rows: laying
// out long ones repeatedly while the page loads takes browsers seconds.
document.documentElement.classList.add("arriving");
