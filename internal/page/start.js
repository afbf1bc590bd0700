"use strict";
// Until the script at the end of the page has chosen rows, tables are not drawn: to lay
// out long ones again and again while they arrive takes browsers seconds.
document.documentElement.classList.add("arriving");
