/*! Brine, release notes left out | MIT licence, the precompress authors */
window.Brine = { template: function (text, values) { return text.replace(/\{(\w+)\}/g, function (all, name) { return name in values ? values[name] : all; }); } };
