/*! brine 1.4.0 | helpers for small atlases | MIT licence, the precompress authors */
(function (root, factory) {
var api = factory();
if (typeof module === "object" && module.exports) module.exports = api;
root.Brine = api;
})(typeof self !== "undefined" ? self : this, function () {
"use strict";
var SVG_NS = "http://www.w3.org/2000/svg";
var BOOLEAN_ATTRIBUTES = { checked: true, disabled: true, hidden: true, open: true, readonly: true, required: true, selected: true };
function setAttribute(node, name, value) {
if (value === null || value === undefined) return;
if (name === "class") {
node.setAttribute("class", Array.isArray(value) ? value.filter(Boolean).join(" ") : value);
} else if (name === "style" && typeof value === "object") {
Object.keys(value).forEach(function (key) {
if (key.slice(0, 2) === "--") node.style.setProperty(key, value[key]);
else node.style[key] = value[key];
});
} else if (name === "data") {
Object.keys(value).forEach(function (key) { node.dataset[key] = value[key]; });
} else if (name.slice(0, 2) === "on" && typeof value === "function") {
node.addEventListener(name.slice(2).toLowerCase(), value);
} else if (BOOLEAN_ATTRIBUTES[name]) {
if (value) node.setAttribute(name, "");
else node.removeAttribute(name);
} else {
node.setAttribute(name, String(value));
}
}
function append(node, child) {
if (child === null || child === undefined || child === false || child === true) return node;
if (Array.isArray(child)) {
child.forEach(function (item) { append(node, item); });
return node;
}
node.appendChild(typeof child === "object" ? child : document.createTextNode(String(child)));
return node;
}
function build(create) {
return function (name, attributes) {
var node = create(name);
var index = 1;
if (attributes && typeof attributes === "object" && !Array.isArray(attributes) && !attributes.nodeType) {
Object.keys(attributes).forEach(function (key) { setAttribute(node, key, attributes[key]); });
index = 2;
}
for (; index < arguments.length; index++) append(node, arguments[index]);
return node;
};
}
var h = build(function (name) { return document.createElement(name); });
var s = build(function (name) { return document.createElementNS(SVG_NS, name); });
function clear(node) {
while (node.firstChild) node.removeChild(node.firstChild);
return node;
}
function replace(node) {
clear(node);
for (var i = 1; i < arguments.length; i++) append(node, arguments[i]);
return node;
}
function delegate(node, type, selector, handler) {
function listener(event) {
var target = event.target;
while (target && target !== node) {
if (target.matches && target.matches(selector)) {
handler.call(target, event, target);
return;
}
target = target.parentNode;
}
}
node.addEventListener(type, listener);
return function () { node.removeEventListener(type, listener); };
}
function Emitter() { this.listeners = Object.create(null); }
Emitter.prototype.on = function (type, handler) {
var list = this.listeners[type] || (this.listeners[type] = []);
list.push(handler);
return function () {
var at = list.indexOf(handler);
if (at >= 0) list.splice(at, 1);
};
};
Emitter.prototype.once = function (type, handler) {
var off = this.on(type, function (value) { off(); handler(value); });
return off;
};
Emitter.prototype.emit = function (type, value) {
(this.listeners[type] || []).slice().forEach(function (handler) { handler(value); });
};
function debounce(milliseconds, fn) {
var timer = 0;
function run() {
var self = this, args = arguments;
clearTimeout(timer);
timer = setTimeout(function () { timer = 0; fn.apply(self, args); }, milliseconds);
}
run.cancel = function () { clearTimeout(timer); timer = 0; };
return run;
}
function throttleFrame(fn) {
var pending = false, last;
return function () {
last = arguments;
if (pending) return;
pending = true;
requestAnimationFrame(function () { pending = false; fn.apply(null, last); });
};
}
function wait(milliseconds, value) {
return new Promise(function (resolve) { setTimeout(resolve, milliseconds, value); });
}
function withTimeout(milliseconds, promise, label) {
return new Promise(function (resolve, reject) {
var timer = setTimeout(function () { reject(new Error((label || "operation") + " timed out")); }, milliseconds);
promise.then(
function (value) { clearTimeout(timer); resolve(value); },
function (error) { clearTimeout(timer); reject(error); }
);
});
}
function Heap(compare) {
this.compare = compare || function (a, b) { return a < b ? -1 : a > b ? 1 : 0; };
this.items = [];
}
Heap.prototype.size = function () { return this.items.length; };
Heap.prototype.push = function (value) {
var items = this.items, at = items.length;
items.push(value);
while (at > 0) {
var parent = (at - 1) >> 1;
if (this.compare(items[parent], value) <= 0) break;
items[at] = items[parent];
at = parent;
}
items[at] = value;
};
Heap.prototype.pop = function () {
var items = this.items;
if (items.length === 0) return undefined;
var top = items[0], last = items.pop(), length = items.length;
if (length === 0) return top;
var at = 0;
for (;;) {
var child = 2 * at + 1;
if (child >= length) break;
if (child + 1 < length && this.compare(items[child + 1], items[child]) < 0) child++;
if (this.compare(items[child], last) >= 0) break;
items[at] = items[child];
at = child;
}
items[at] = last;
return top;
};
function Cache(limit) { this.limit = limit; this.map = new Map(); this.hits = 0; this.misses = 0; }
Cache.prototype.get = function (key) {
if (!this.map.has(key)) { this.misses++; return undefined; }
var value = this.map.get(key);
this.map.delete(key);
this.map.set(key, value);
this.hits++;
return value;
};
Cache.prototype.set = function (key, value) {
this.map.delete(key);
this.map.set(key, value);
if (this.map.size > this.limit) this.map.delete(this.map.keys().next().value);
return value;
};
Cache.prototype.memo = function (key, make) {
var value = this.get(key);
return value === undefined ? this.set(key, make()) : value;
};
function groupBy(list, keyOf) {
var groups = new Map();
list.forEach(function (item, index) {
var key = keyOf(item, index);
if (groups.has(key)) groups.get(key).push(item);
else groups.set(key, [item]);
});
return groups;
}
function sortBy(list, keyOf, descending) {
var sign = descending ? -1 : 1;
return list.map(function (item, index) { return { item: item, key: keyOf(item), index: index }; })
.sort(function (a, b) {
if (a.key < b.key) return -sign;
if (a.key > b.key) return sign;
return a.index - b.index;
})
.map(function (entry) { return entry.item; });
}
function range(start, end, step) {
var out = [];
if (end === undefined) { end = start; start = 0; }
step = step || 1;
for (var value = start; step > 0 ? value < end : value > end; value += step) out.push(value);
return out;
}
var LIGATURES = { "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "þ": "th", "ð": "d" };
function fold(text) {
return String(text).toLowerCase()
.replace(/[ßæœøłđþð]/g, function (letter) { return LIGATURES[letter]; })
.normalize("NFD").replace(/[\u0300-\u036f]/g, "");
}
function tokenise(text) {
var tokens = [], pattern = /[\p{L}\p{N}]+/gu, match;
while ((match = pattern.exec(text))) {
tokens.push({ text: match[0], key: fold(match[0]), start: match.index, end: match.index + match[0].length });
}
return tokens;
}
function editDistance(a, b, limit) {
if (a === b) return 0;
if (Math.abs(a.length - b.length) > limit) return limit + 1;
var previous = range(b.length + 1), current = [], beforePrevious = [];
for (var i = 1; i <= a.length; i++) {
current = [i];
var best = i;
for (var j = 1; j <= b.length; j++) {
var cost = a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1;
var value = Math.min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + cost);
if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
value = Math.min(value, beforePrevious[j - 2] + 1);
}
current[j] = value;
if (value < best) best = value;
}
if (best > limit) return limit + 1;
beforePrevious = previous;
previous = current;
}
return previous[b.length];
}
function template(text, values) {
return text.replace(/\{(\w+)\}/g, function (whole, key) {
return Object.prototype.hasOwnProperty.call(values, key) ? values[key] : whole;
});
}
function truncate(text, length) {
var letters = Array.from(text);
return letters.length <= length ? text : letters.slice(0, length - 1).join("") + "…";
}
var formats = new Cache(32);
function formatNumber(value, locale, options) {
var key = locale + JSON.stringify(options || {});
return formats.memo(key, function () { return new Intl.NumberFormat(locale, options); }).format(value);
}
function formatBytes(bytes) {
var units = ["B", "KiB", "MiB", "GiB"], unit = 0;
while (bytes >= 1024 && unit < units.length - 1) { bytes /= 1024; unit++; }
return (unit === 0 ? bytes : bytes.toFixed(bytes < 10 ? 2 : 1)) + " " + units[unit];
}
function clamp(value, low, high) { return value < low ? low : value > high ? high : value; }
function lerp(a, b, t) { return a + (b - a) * t; }
function extent(values) {
var low = Infinity, high = -Infinity;
values.forEach(function (value) {
if (value < low) low = value;
if (value > high) high = value;
});
return low > high ? [0, 0] : [low, high];
}
function sum(values) {
var total = 0, rest = 0;
values.forEach(function (value) {
var next = total + value;
rest += Math.abs(total) >= Math.abs(value) ? (total - next) + value : (value - next) + total;
total = next;
});
return total + rest;
}
function mean(values) { return values.length ? sum(values) / values.length : 0; }
function quantile(values, q) {
if (!values.length) return 0;
var sorted = values.slice().sort(function (a, b) { return a - b; });
var position = clamp(q, 0, 1) * (sorted.length - 1), floor = Math.floor(position);
return lerp(sorted[floor], sorted[Math.min(floor + 1, sorted.length - 1)], position - floor);
}
function deviation(values) {
var centre = mean(values);
return Math.sqrt(mean(values.map(function (value) { return (value - centre) * (value - centre); })));
}
function correlation(xs, ys) {
var mx = mean(xs), my = mean(ys), top = 0, left = 0, right = 0;
xs.forEach(function (x, i) {
top += (x - mx) * (ys[i] - my);
left += (x - mx) * (x - mx);
right += (ys[i] - my) * (ys[i] - my);
});
return left && right ? top / Math.sqrt(left * right) : 0;
}
function histogram(values, bins) {
var bounds = extent(values), width = (bounds[1] - bounds[0]) / bins || 1;
var out = range(bins).map(function (i) { return { from: bounds[0] + i * width, to: bounds[0] + (i + 1) * width, count: 0 }; });
values.forEach(function (value) { out[Math.min(bins - 1, Math.floor((value - bounds[0]) / width))].count++; });
return out;
}
function random(seed) {
var state = seed >>> 0 || 1;
return function () {
state ^= state << 13; state >>>= 0;
state ^= state >>> 17;
state ^= state << 5; state >>>= 0;
return state / 4294967296;
};
}
function adler32(bytes) {
var a = 1, b = 0;
for (var i = 0; i < bytes.length; i++) { a = (a + bytes[i]) % 65521; b = (b + a) % 65521; }
return ((b << 16) | a) >>> 0;
}
function niceStep(span, count) {
var raw = span / Math.max(1, count), power = Math.pow(10, Math.floor(Math.log10(raw))), ratio = raw / power;
return power * (ratio >= 7.07 ? 10 : ratio >= 3.16 ? 5 : ratio >= 1.41 ? 2 : 1);
}
function ticks(low, high, count) {
if (low === high) return [low];
var step = niceStep(high - low, count), first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9), out = [];
for (var i = first; i <= last; i++) out.push(Number((i * step).toPrecision(12)));
return out;
}
function linear(domain, output) {
var span = domain[1] - domain[0] || 1;
function scale(value) { return lerp(output[0], output[1], (value - domain[0]) / span); }
scale.invert = function (position) { return domain[0] + ((position - output[0]) / (output[1] - output[0] || 1)) * span; };
scale.ticks = function (count) { return ticks(domain[0], domain[1], count || 5); };
scale.domain = domain;
return scale;
}
function logarithmic(domain, output) {
var inner = linear([Math.log10(domain[0]), Math.log10(domain[1])], output);
function scale(value) { return inner(Math.log10(Math.max(value, 1e-12))); }
scale.invert = function (position) { return Math.pow(10, inner.invert(position)); };
scale.ticks = function () {
var out = [];
for (var power = Math.floor(inner.domain[0]); power <= Math.ceil(inner.domain[1]); power++) {
var value = Math.pow(10, power);
if (value >= domain[0] && value <= domain[1]) out.push(value);
}
return out;
};
scale.domain = domain;
return scale;
}
function band(names, output, padding) {
var gap = padding === undefined ? 0.2 : padding, step = (output[1] - output[0]) / Math.max(1, names.length), width = step * (1 - gap);
var at = new Map(names.map(function (name, i) { return [name, output[0] + i * step + (step - width) / 2]; }));
function scale(name) { return at.get(name); }
scale.width = width;
scale.step = step;
return scale;
}
function haversine(a, b) {
var rad = Math.PI / 180, dLat = (b.lat - a.lat) * rad, dLon = (b.lon - a.lon) * rad;
var v = Math.pow(Math.sin(dLat / 2), 2) + Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.pow(Math.sin(dLon / 2), 2);
return 12742 * Math.asin(Math.min(1, Math.sqrt(v)));
}
function linePath(points) {
return points.map(function (p, i) { return (i ? "L" : "M") + p[0].toFixed(2) + " " + p[1].toFixed(2); }).join("");
}
function smoothPath(points) {
if (points.length < 3) return linePath(points);
var out = "M" + points[0][0].toFixed(2) + " " + points[0][1].toFixed(2);
for (var i = 0; i < points.length - 1; i++) {
var p0 = points[Math.max(0, i - 1)], p1 = points[i], p2 = points[i + 1], p3 = points[Math.min(points.length - 1, i + 2)];
out += "C" + [
p1[0] + (p2[0] - p0[0]) / 6, p1[1] + (p2[1] - p0[1]) / 6,
p2[0] - (p3[0] - p1[0]) / 6, p2[1] - (p3[1] - p1[1]) / 6,
p2[0], p2[1]
].map(function (n) { return n.toFixed(2); }).join(" ");
}
return out;
}
function hull(points) {
var sorted = points.slice().sort(function (a, b) { return a[0] - b[0] || a[1] - b[1]; });
function cross(o, a, b) { return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]); }
function half(list) {
var out = [];
list.forEach(function (p) {
while (out.length > 1 && cross(out[out.length - 2], out[out.length - 1], p) <= 0) out.pop();
out.push(p);
});
out.pop();
return out;
}
return sorted.length < 3 ? sorted : half(sorted).concat(half(sorted.slice().reverse()));
}
var RAMPS = {
"tide":["#e9f4f2","#e8f4f2","#e8f3f1","#e7f3f1","#e6f2f1","#e5f2f0","#e4f2f0","#e3f1f0","#e2f1ef","#e1f0ef","#e0f0ee","#dfefee","#deeeed","#ddeeed","#dbedec","#daedec","#d9eceb","#d8ebeb","#d6ebea","#d5eaea","#d3e9e9","#d2e9e9","#d1e8e8","#cfe7e7","#cee6e7","#cce6e6","#cbe5e6","#c9e4e5","#c8e3e4","#c6e3e4","#c4e2e3","#c3e1e2","#c1e0e2","#c0dfe1","#bedfe0","#bcdee0","#bbdddf","#b9dcde","#b7dbde","#b5dadd","#b4dadc","#b2d9dc","#b0d8db","#afd7da","#add6d9","#abd5d9","#a9d4d8","#a8d4d7","#a6d3d7","#a4d2d6","#a2d1d5","#a1d0d4","#9fcfd4","#9dced3","#9bcdd2","#9acdd2","#98ccd1","#96cbd0","#94cacf","#93c9cf","#91c8ce","#8fc7cd","#8ec7cd","#8cc6cc","#8ac5cb","#89c4cb","#87c3ca","#85c3c9","#84c2c9","#82c1c8","#81c0c7","#7fbfc7","#7ebfc6","#7cbec5","#7bbdc5","#79bcc4","#78bcc4","#76bbc3","#75bac3","#73bac2","#72b9c1","#71b8c1","#70b8c0","#6eb7c0","#6db6bf","#6cb6bf","#6bb5be","#6ab5be","#68b4bd","#67b4bd","#66b3bd","#65b3bc","#64b2bc","#64b2bb","#63b1bb","#62b1bb","#61b1ba","#60b0ba","#60b0ba","#5fafb9","#5fafb9","#5eaeb8","#5eadb8","#5dadb7","#5dacb6","#5cabb6","#5baab5","#5baab4","#5aa9b3","#59a8b3","#58a7b2","#58a6b1","#57a5b0","#56a4af","#55a3ae","#54a3ae","#54a2ad","#53a0ac","#529fab","#519eaa","#509da9","#4f9ca8","#4e9ba7","#4d9aa6","#4c99a5","#4b98a4","#4a97a3","#4995a1","#4894a0","#47939f","#46929e","#45919d","#448f9c","#438e9b","#428d9a","#418c98","#408a97","#3f8996","#3e8895","#3d8694","#3b8593","#3a8491","#398390","#38818f","#37808e","#367f8d","#357d8b","#347c8a","#337b89","#317988","#307886","#2f7785","#2e7684","#2d7483","#2c7382","#2b7281","#2a707f","#296f7e","#286e7d","#266d7c","#256b7b","#246a7a","#236978","#226877","#216676","#206575","#1f6474","#1e6373","#1d6272","#1c6171","#1b5f70","#1a5e6f","#195d6e","#185c6d","#185b6c","#175a6b","#16596a","#155869","#145768","#135667","#125566","#125465","#115365","#105264","#0f5263","#0f5162","#0e5061","#0d4f61","#0d4e60","#0c4e5f","#0c4d5f","#0b4c5e","#0a4c5e","#0a4b5d","#094b5c","#094a5c"],
"ember":["#ffecb0","#ffebaf","#ffebaf","#ffeaae","#ffe9ad","#fee9ad","#fee8ac","#fee7ab","#fee6aa","#fee5a9","#fee4a8","#fee3a7","#fee2a6","#fde1a5","#fde0a4","#fddfa3","#fddea2","#fddda1","#fddca0","#fddb9f","#fcda9e","#fcd99d","#fcd79b","#fcd69a","#fcd599","#fbd498","#fbd296","#fbd195","#fbd094","#fbce92","#facd91","#facc90","#faca8e","#fac98d","#fac88c","#f9c68a","#f9c589","#f9c387","#f9c286","#f9c084","#f8bf83","#f8bd81","#f8bc80","#f8bb7f","#f8b97d","#f7b87c","#f7b67a","#f7b579","#f7b377","#f6b276","#f6b074","#f6af73","#f6ad71","#f6ac70","#f5aa6e","#f5a96d","#f5a76b","#f5a66a","#f4a468","#f4a367","#f4a165","#f4a064","#f49f63","#f39d61","#f39c60","#f39a5e","#f3995d","#f3985c","#f2965a","#f29559","#f29458","#f29256","#f29155","#f19054","#f18e52","#f18d51","#f18c50","#f18b4f","#f18a4e","#f0884c","#f0874b","#f0864a","#f08549","#f08448","#f08347","#ef8246","#ef8145","#ef8044","#ef7f43","#ef7e42","#ef7d41","#ef7d41","#ef7c40","#ee7b3f","#ee7a3e","#ee7a3e","#ee793d","#ee783c","#ee783c","#ed773c","#ec773c","#eb763b","#ea753b","#e9753b","#e8743b","#e7733b","#e6723b","#e5723a","#e4713a","#e3703a","#e26f3a","#e06e3a","#df6d39","#de6c39","#dd6b39","#db6a39","#da6938","#d86838","#d76738","#d66638","#d46537","#d36437","#d16337","#cf6236","#ce6036","#cc5f36","#cb5e36","#c95d35","#c75c35","#c65a35","#c45934","#c25834","#c05734","#bf5533","#bd5433","#bb5333","#b95232","#b85032","#b64f32","#b44e31","#b24c31","#b14b31","#af4a30","#ad4830","#ab4730","#a9462f","#a7442f","#a6432f","#a4422e","#a2402e","#a03f2e","#9e3e2d","#9d3c2d","#9b3b2d","#993a2c","#97382c","#95372c","#94362b","#92352b","#90332b","#8e322a","#8d312a","#8b2f2a","#892e2a","#882d29","#862c29","#842b29","#832928","#812828","#7f2728","#7e2627","#7c2527","#7b2427","#792227","#782126","#762026","#751f26","#731e26","#721d25","#711c25","#6f1b25","#6e1a25","#6d1924","#6c1924","#6b1824","#691724","#681624","#671523","#661423","#651423","#641323","#631223","#621222","#621122","#611122","#601022"],
"moor":["#3c6e54","#3d6f54","#3e7055","#407055","#417156","#437257","#457357","#467458","#487659","#4a7759","#4c785a","#4e795b","#507b5c","#527c5d","#557d5d","#577f5e","#59805f","#5c8260","#5e8361","#618562","#638763","#668864","#698a65","#6b8b66","#6e8d67","#718f68","#749169","#76926a","#79946b","#7c966c","#7f986d","#82996e","#859b6f","#879d71","#8a9f72","#8da073","#90a274","#93a475","#96a676","#98a777","#9ba978","#9eab79","#a1ad7a","#a3ae7b","#a6b07c","#a9b17d","#abb37e","#aeb57f","#b0b680","#b3b881","#b5b982","#b7bb83","#babc83","#bcbd84","#bebf85","#c0c086","#c2c187","#c4c287","#c6c488","#c7c589","#c9c689","#cbc78a","#ccc88b","#cec88b","#cfc98c","#d0ca8c","#cfc98b","#cfc88b","#cec78a","#cdc689","#ccc488","#cbc387","#cac286","#c9c085","#c8bf84","#c7bd83","#c5bc82","#c4ba81","#c3b880","#c2b67f","#c0b47d","#bfb37c","#bdb17b","#bcaf79","#bbad78","#b9ab77","#b8a875","#b6a674","#b4a472","#b3a271","#b1a06f","#b09e6e","#ae9b6c","#ac996b","#ab9769","#a99568","#a79266","#a69065","#a48e63","#a38c62","#a18960","#9f875f","#9e855d","#9c835c","#9a805a","#997e59","#977c57","#967a56","#947854","#927653","#917351","#8f7150","#8e6f4f","#8d6d4d","#8b6b4c","#8a6a4b","#886849","#876648","#866447","#856246","#836145","#825f44","#815e43","#805c42","#7f5b41","#7e5a40","#7d583f","#7c573e","#7b563d","#7b553d","#7a543c","#7b553d","#7c573f","#7d5841","#7e5a42","#805b44","#815d46","#825f48","#84614b","#85634d","#87654f","#886752","#8a6954","#8c6b57","#8e6e59","#90705c","#91735f","#937562","#957865","#977a68","#997d6b","#9c806e","#9e8371","#a08574","#a28878","#a48b7b","#a68e7e","#a99181","#ab9485","#ad9788","#af9a8c","#b29d8f","#b4a092","#b6a296","#b8a599","#bba89c","#bdaba0","#bfaea3","#c1b1a7","#c4b4aa","#c6b7ad","#c8bab0","#cabdb4","#ccbfb7","#cec2ba","#d1c5bd","#d3c8c0","#d5cac3","#d7cdc6","#d9cfc9","#dad2cc","#dcd4cf","#ded7d1","#e0d9d4","#e2dbd6","#e3ddd9","#e5dfdb","#e6e1dd","#e8e3e0","#e9e5e2","#eae7e4","#ece8e6","#edeae7","#eeebe9","#efedeb","#f0eeec"],
"thaw":["#344ea0","#354fa1","#3651a2","#3852a2","#3954a3","#3a55a4","#3c57a5","#3e59a7","#405ba8","#415da9","#4360aa","#4562ac","#4864ad","#4a67af","#4c69b0","#4e6cb2","#506fb3","#5371b5","#5574b6","#5877b8","#5a7aba","#5d7cbb","#5f7fbd","#6282bf","#6485c0","#6788c2","#698bc4","#6c8ec5","#6e90c7","#7193c9","#7396ca","#7599cc","#789bce","#7a9ecf","#7ca1d1","#7fa3d2","#81a6d4","#83a8d5","#85abd7","#87add8","#89afd9","#8bb1db","#8db3dc","#8eb5dd","#90b7de","#91b9df","#93bae0","#94bce1","#95bde1","#96bee2","#97bfe2","#98bfe2","#9ac0e2","#9bc1e2","#9dc1e2","#9ec2e2","#a0c3e2","#a2c4e2","#a3c5e2","#a5c6e2","#a7c7e2","#a9c8e2","#abc9e2","#adcae2","#b0cce2","#b2cde2","#b4cee2","#b6cfe2","#b9d0e2","#bbd2e2","#bdd3e2","#c0d4e2","#c2d6e2","#c5d7e2","#c7d8e2","#cad9e2","#ccdbe2","#cedce2","#d1dde2","#d3dee2","#d5e0e2","#d8e1e2","#dae2e2","#dce3e2","#dee4e2","#e0e6e2","#e2e7e2","#e4e8e2","#e6e9e2","#e8eae2","#eaebe2","#ebebe2","#edece2","#efede2","#f0eee2","#f1efe2","#f2efe2","#f4f0e2","#f4efe1","#f4eee0","#f4edde","#f3ecdc","#f3eada","#f3e9d7","#f3e7d5","#f2e5d3","#f2e3d0","#f2e1cd","#f2dfca","#f1ddc7","#f1dbc4","#f1d9c1","#f0d6be","#f0d4ba","#f0d2b7","#efcfb4","#efcdb0","#efcaad","#eec8a9","#eec5a5","#eec3a2","#edc09e","#edbe9b","#edbb97","#ecb993","#ecb690","#ecb38c","#ebb189","#ebae85","#eaac82","#eaaa7e","#eaa77b","#e9a577","#e9a374","#e9a071","#e99e6e","#e89c6b","#e89a68","#e89865","#e79663","#e79560","#e7935e","#e7915c","#e7905a","#e68f58","#e68d56","#e68c54","#e58b54","#e58a53","#e48952","#e38752","#e28651","#e08450","#df824f","#de804e","#dc7f4d","#db7c4c","#da7a4b","#d8784a","#d67649","#d57448","#d37147","#d26f46","#d06d45","#ce6a43","#cc6842","#ca6541","#c96240","#c7603e","#c55d3d","#c35b3c","#c1583b","#bf5539","#be5338","#bc5037","#ba4e35","#b84b34","#b64933","#b54632","#b34431","#b1412f","#b03f2e","#ae3d2d","#ac3a2c","#ab382b","#a9362a","#a83429","#a63228","#a53027","#a42e26","#a32d25","#a22b25","#a12a24","#a02823","#9f2723","#9e2622"],
"slate":["#e4e6e8","#e3e5e8","#e3e5e7","#e2e4e7","#e2e4e6","#e1e3e5","#e0e3e5","#dfe2e4","#dfe1e4","#dee0e3","#dde0e2","#dcdfe2","#dbdee1","#dadde0","#d9dcdf","#d8dcdf","#d7dbde","#d6dadd","#d5d9dc","#d4d8db","#d3d7da","#d2d6da","#d1d5d9","#d0d4d8","#cfd3d7","#cdd2d6","#ccd1d5","#cbd0d4","#cacfd3","#c8ced2","#c7ccd1","#c6cbd0","#c5cacf","#c3c9ce","#c2c8cd","#c1c7cc","#bfc5cb","#bec4ca","#bdc3c9","#bbc2c8","#bac1c7","#b9bfc6","#b7bec4","#b6bdc3","#b5bcc2","#b3bbc1","#b2b9c0","#b0b8bf","#afb7be","#aeb6bd","#acb4bc","#abb3bb","#aab2b9","#a8b1b8","#a7b0b7","#a5aeb6","#a4adb5","#a3acb4","#a1abb3","#a0a9b2","#9fa8b1","#9da7b0","#9ca6af","#9ba5ae","#99a4ad","#98a2ab","#97a1aa","#95a0a9","#949fa8","#939ea7","#929da6","#909ca5","#8f9ba5","#8e9aa4","#8d99a3","#8c98a2","#8b97a1","#8a96a0","#88959f","#87949e","#86939d","#85929d","#84919c","#83909b","#828f9a","#818e99","#808e99","#808d98","#7f8c97","#7e8b97","#7d8b96","#7c8a95","#7c8995","#7b8994","#7a8894","#798793","#798793","#788692","#788692","#778591","#778591","#768490","#768490","#75838f","#74828e","#74828e","#73818d","#72808c","#727f8b","#717f8b","#707e8a","#6f7d89","#6f7c88","#6e7b87","#6d7a86","#6c7a86","#6b7985","#6a7884","#697783","#687682","#687581","#677480","#66737f","#65727e","#64717d","#63707c","#626f7b","#616d79","#5f6c78","#5e6b77","#5d6a76","#5c6975","#5b6874","#5a6773","#596672","#586470","#57636f","#56626e","#54616d","#53606c","#525f6b","#515d69","#505c68","#4f5b67","#4e5a66","#4c5965","#4b5763","#4a5662","#495561","#485460","#47525e","#46515d","#44505c","#434f5b","#424e5a","#414d59","#404b57","#3f4a56","#3e4955","#3c4854","#3b4753","#3a4652","#394450","#38434f","#37424e","#36414d","#35404c","#343f4b","#333e4a","#323d49","#313c48","#303b47","#2f3a46","#2e3945","#2d3844","#2c3743","#2b3642","#2a3541","#293440","#29333f","#28323e","#27313d","#26313d","#25303c","#252f3b","#242e3a","#232d39","#232d39","#222c38","#212b37","#212b37","#202a36","#202a36","#1f2935","#1e2834","#1e2834"],
"lagoon":["#143c6e","#143c6e","#143d6e","#143d6f","#143e6f","#143e6f","#143f6f","#143f6f","#144070","#144170","#154170","#154270","#154370","#154371","#154471","#154571","#154572","#154672","#154772","#154872","#154973","#154973","#154a73","#164b74","#164c74","#164d74","#164e75","#164f75","#164f75","#165076","#165176","#165276","#165377","#165477","#175577","#175678","#175778","#175879","#175979","#175a79","#175b7a","#175c7a","#175d7a","#175e7b","#185f7b","#18607c","#18617c","#18627c","#18637d","#18647d","#18657d","#18667e","#18677e","#18687f","#19697f","#196a7f","#196b80","#196c80","#196d81","#196e81","#196f81","#197082","#197182","#197282","#1a7383","#1a7483","#1a7583","#1a7684","#1a7784","#1a7885","#1a7985","#1a7a85","#1a7b86","#1a7c86","#1a7d86","#1b7d87","#1b7e87","#1b7f87","#1b8087","#1b8188","#1b8188","#1b8288","#1b8389","#1b8489","#1b8489","#1b8589","#1b868a","#1b868a","#1c878a","#1c888a","#1c888b","#1c898b","#1c898b","#1c8a8b","#1c8a8b","#1c8b8c","#1c8b8c","#1c8c8c","#1c8c8c","#1d8d8c","#1e8d8c","#1f8d8b","#208e8b","#218e8b","#228f8b","#238f8b","#24908a","#25918a","#26918a","#27928a","#289289","#2a9389","#2b9489","#2c9489","#2d9588","#2f9688","#309788","#329787","#339887","#349987","#369a87","#379a86","#399b86","#3b9c86","#3c9d85","#3e9e85","#3f9e85","#419f84","#43a084","#44a183","#46a283","#48a383","#4aa482","#4ba582","#4da682","#4fa681","#51a781","#52a881","#54a980","#56aa80","#58ab7f","#59ac7f","#5bad7f","#5dae7e","#5faf7e","#61b07d","#63b17d","#64b27d","#66b37c","#68b47c","#6ab57c","#6cb57b","#6db67b","#6fb77a","#71b87a","#73b97a","#75ba79","#76bb79","#78bc79","#7abd78","#7cbe78","#7dbf77","#7fc077","#81c177","#82c176","#84c276","#86c376","#87c475","#89c575","#8bc675","#8cc674","#8ec774","#8fc874","#91c973","#92ca73","#94ca73","#95cb72","#97cc72","#98cd72","#99cd72","#9bce71","#9ccf71","#9dcf71","#9ed070","#9fd170","#a1d170","#a2d270","#a3d270","#a4d36f","#a5d36f","#a6d46f","#a7d46f","#a8d56f","#a8d56e","#a9d66e","#aad66e"],
"heather":["#f6eef6","#f6edf6","#f5edf5","#f5ecf5","#f4ebf5","#f4ebf4","#f3eaf4","#f3e9f3","#f2e8f3","#f2e7f2","#f1e6f2","#f1e5f1","#f0e4f1","#f0e3f0","#efe2f0","#eee1ef","#eee0ef","#eddfee","#ecdeed","#ecdded","#ebdbec","#eadaec","#ead9eb","#e9d8ea","#e8d7ea","#e7d5e9","#e7d4e8","#e6d3e8","#e5d1e7","#e4d0e6","#e3cfe5","#e3cde5","#e2cce4","#e1cae3","#e0c9e3","#dfc7e2","#dec6e1","#ddc5e0","#ddc3df","#dcc2df","#dbc0de","#dabfdd","#d9bddc","#d8bcdc","#d7badb","#d6b9da","#d5b7d9","#d5b6d8","#d4b4d8","#d3b3d7","#d2b1d6","#d1b0d5","#d0aed4","#cfadd4","#ceabd3","#cdaad2","#cda8d1","#cca7d0","#cba5d0","#caa4cf","#c9a2ce","#c8a1cd","#c79fcd","#c69ecc","#c69ccb","#c59bca","#c49aca","#c398c9","#c297c8","#c195c7","#c194c7","#c093c6","#bf91c5","#be90c5","#be8fc4","#bd8ec3","#bc8cc3","#bb8bc2","#bb8ac1","#ba89c1","#b988c0","#b986c0","#b885bf","#b784be","#b783be","#b682bd","#b581bd","#b580bc","#b47fbc","#b47ebb","#b37ebb","#b37dba","#b27cba","#b27bba","#b17ab9","#b17ab9","#b179b8","#b078b8","#b078b8","#af77b7","#af77b7","#ae76b6","#ad76b6","#ad75b5","#ac74b4","#ab74b4","#aa73b3","#a972b2","#a972b2","#a871b1","#a770b0","#a66faf","#a56eae","#a46eae","#a36dad","#a26cac","#a16bab","#a06aaa","#9f69a9","#9e68a8","#9d67a7","#9b66a6","#9a65a5","#9964a4","#9863a3","#9762a2","#9661a1","#9460a0","#935f9f","#925e9e","#915d9d","#8f5c9c","#8e5b9b","#8d5999","#8b5898","#8a5797","#895696","#875595","#865494","#855393","#835191","#825090","#814f8f","#7f4e8e","#7e4d8d","#7d4b8b","#7b4a8a","#7a4989","#794888","#774787","#764686","#754484","#734383","#724282","#714181","#6f4080","#6e3f7f","#6d3d7d","#6b3c7c","#6a3b7b","#693a7a","#673979","#663878","#653777","#643676","#623575","#613373","#603272","#5f3171","#5d3070","#5c2f6f","#5b2e6e","#5a2d6d","#592c6c","#582b6b","#572a6a","#562a6a","#552969","#542868","#532767","#522666","#512565","#502464","#4f2464","#4e2363","#4d2262","#4c2161","#4b2161","#4b2060","#4a1f5f","#491f5f","#481e5e","#481e5e","#471d5d","#471c5c","#461c5c"],
"rust":["#fae8d6","#fae7d5","#f9e7d4","#f9e6d3","#f9e5d2","#f8e4d1","#f8e3d0","#f8e2cf","#f7e2ce","#f7e1cd","#f7e0cc","#f6dfca","#f6ddc9","#f5dcc8","#f5dbc6","#f4dac5","#f4d9c3","#f3d8c2","#f3d6c0","#f2d5bf","#f2d4bd","#f1d3bc","#f1d1ba","#f0d0b8","#f0cfb7","#efcdb5","#efccb3","#eecab1","#edc9b0","#edc7ae","#ecc6ac","#ecc4aa","#ebc3a8","#eac1a6","#eac0a4","#e9bea2","#e8bda0","#e8bb9f","#e7b99d","#e6b89b","#e6b699","#e5b597","#e4b395","#e4b193","#e3b091","#e2ae8f","#e2ad8d","#e1ab8b","#e0a989","#e0a886","#dfa684","#dfa482","#dea380","#dda17e","#dd9f7c","#dc9e7a","#db9c78","#db9b76","#da9974","#d99772","#d99670","#d8946e","#d7936d","#d7916b","#d68f69","#d58e67","#d58c65","#d48b63","#d48961","#d3885f","#d2865e","#d2855c","#d1845a","#d18258","#d08157","#d07f55","#cf7e53","#ce7d52","#ce7b50","#cd7a4e","#cd794d","#cc784b","#cc774a","#cb7548","#cb7447","#cb7346","#ca7244","#ca7143","#c97042","#c96f41","#c86e3f","#c86d3e","#c86c3d","#c76b3c","#c76b3b","#c76a3a","#c66939","#c66838","#c66838","#c56738","#c46738","#c46737","#c36637","#c26637","#c16537","#c06536","#bf6436","#be6436","#bd6335","#bc6235","#bb6235","#ba6135","#b96034","#b86034","#b75f34","#b55e33","#b45e33","#b35d33","#b25c32","#b05c32","#af5b31","#ae5a31","#ac5931","#ab5830","#a95830","#a8572f","#a7562f","#a5552f","#a4542e","#a2542e","#a1532d","#9f522d","#9e512c","#9c502c","#9b4f2c","#994e2b","#974d2b","#964c2a","#944c2a","#934b29","#914a29","#8f4928","#8e4828","#8c4727","#8b4627","#894527","#874426","#864326","#844225","#834125","#814124","#7f4024","#7e3f23","#7c3e23","#7b3d22","#793c22","#773b22","#763a21","#743921","#733820","#713820","#70371f","#6e361f","#6d351e","#6b341e","#6a331e","#68321d","#67321d","#65311c","#64301c","#622f1c","#612e1b","#602e1b","#5e2d1a","#5d2c1a","#5c2b1a","#5b2b19","#592a19","#582919","#572818","#562818","#552718","#532717","#522617","#512517","#502516","#4f2416","#4e2416","#4d2316","#4d2315","#4c2215","#4b2215","#4a2115","#492114","#492014","#482014"],
"frost":["#fafcff","#f9fcff","#f9fbff","#f8fbff","#f7fafe","#f6fafe","#f5f9fe","#f4f9fe","#f3f8fd","#f2f8fd","#f1f7fd","#f0f6fd","#eff6fc","#eef5fc","#edf4fc","#ebf4fc","#eaf3fb","#e9f2fb","#e7f1fb","#e6f1fa","#e5f0fa","#e3effa","#e2eef9","#e0edf9","#dfecf9","#ddecf8","#dcebf8","#daeaf7","#d9e9f7","#d7e8f7","#d6e7f6","#d4e6f6","#d3e5f6","#d1e5f5","#d0e4f5","#cee3f5","#cde2f4","#cbe1f4","#cae0f4","#c8dff3","#c7def3","#c5def2","#c4ddf2","#c2dcf2","#c1dbf1","#bfdaf1","#bed9f1","#bdd9f0","#bbd8f0","#bad7f0","#b9d6ef","#b7d6ef","#b6d5ef","#b5d4ef","#b4d4ee","#b3d3ee","#b2d2ee","#b1d2ee","#b0d1ed","#afd1ed","#aed0ed","#add0ed","#accfec","#abcfec","#abceec","#aaceec","#a9cdec","#a8cceb","#a7cbeb","#a6cbea","#a5c9ea","#a4c8e9","#a3c7e9","#a2c6e8","#a0c5e8","#9fc4e7","#9ec2e6","#9cc1e6","#9bbfe5","#99bee4","#98bce4","#96bbe3","#94b9e2","#93b8e1","#91b6e1","#8fb4e0","#8eb3df","#8cb1de","#8aafdd","#88addc","#86acdc","#84aadb","#83a8da","#81a6d9","#7fa4d8","#7da3d7","#7ba1d6","#799fd5","#779dd5","#759bd4","#7399d3","#7198d2","#6f96d1","#6d94d0","#6c92cf","#6a90ce","#688fce","#668dcd","#648bcc","#6289cb","#6188ca","#5f86c9","#5d84c9","#5c83c8","#5a81c7","#5880c6","#577ec6","#557dc5","#547bc4","#527ac4","#5178c3","#5077c2","#4e76c2","#4d75c1","#4c74c1","#4b73c0","#4a71c0","#4971bf","#4870bf","#476fbe","#466ebe","#466dbd","#456dbc","#456cbb","#446bba","#446ab9","#4369b8","#4368b7","#4267b6","#4166b4","#4165b3","#4064b2","#3f63b0","#3f62af","#3e61ad","#3d5fac","#3c5eaa","#3c5da8","#3b5ba7","#3a5aa5","#3959a3","#3857a2","#3756a0","#37549e","#36539c","#35519a","#345098","#334e97","#324d95","#314b93","#304a91","#2f488f","#2e478d","#2e458b","#2d4489","#2c4287","#2b4185","#2a3f83","#293e81","#283c80","#273b7e","#26397c","#25387a","#253678","#243576","#233375","#223273","#213171","#202f70","#202e6e","#1f2d6c","#1e2b6b","#1d2a69","#1d2968","#1c2866","#1b2765","#1b2664","#1a2562","#192461","#192360","#18225f","#18215e","#17205d","#171f5c","#161f5b","#161e5a"],
"kelp":["#eef4d6","#edf4d5","#edf3d4","#ecf3d4","#ebf2d3","#ebf2d2","#eaf1d1","#e9f0d0","#e8f0cf","#e7efce","#e6eecc","#e5eecb","#e4edca","#e3ecc9","#e2ecc8","#e1ebc6","#e0eac5","#dfe9c4","#dee8c2","#dde8c1","#dce7bf","#dbe6be","#d9e5bc","#d8e4bb","#d7e3b9","#d6e2b8","#d4e1b6","#d3e0b5","#d2e0b3","#d0dfb1","#cfdeb0","#ceddae","#ccdcac","#cbdbaa","#cadaa9","#c8d9a7","#c7d8a5","#c5d7a3","#c4d5a2","#c2d4a0","#c1d39e","#bfd29c","#bed19a","#bdd099","#bbcf97","#bace95","#b8cd93","#b7cc91","#b5cb8f","#b4ca8e","#b2c98c","#b1c88a","#afc788","#aec586","#acc484","#abc382","#a9c281","#a8c17f","#a6c07d","#a5bf7b","#a3be79","#a2bd78","#a1bc76","#9fbb74","#9eba72","#9cb971","#9bb86f","#9ab76d","#98b66c","#97b56a","#96b468","#94b367","#93b265","#92b163","#90b062","#8faf60","#8eae5f","#8dae5d","#8cad5c","#8aac5a","#89ab59","#88aa58","#87aa56","#86a955","#85a854","#84a752","#83a751","#82a650","#81a54f","#80a54e","#7fa44d","#7fa34c","#7ea34b","#7da24a","#7ca249","#7ca148","#7ba147","#7aa046","#7aa046","#799f46","#799f46","#789e45","#789d45","#779d45","#769c45","#769b44","#759b44","#749a44","#739944","#739843","#729843","#719743","#709642","#6f9542","#6e9442","#6e9342","#6d9241","#6c9141","#6b9040","#6a8f40","#698e40","#688d3f","#678c3f","#668b3f","#658a3e","#64893e","#63883e","#61873d","#60863d","#5f853c","#5e843c","#5d823c","#5c813b","#5b803b","#5a7f3a","#587e3a","#577d39","#567b39","#557a39","#547938","#537838","#517637","#507537","#4f7436","#4e7336","#4d7236","#4b7035","#4a6f35","#496e34","#486d34","#466b33","#456a33","#446933","#436832","#426732","#416531","#3f6431","#3e6330","#3d6230","#3c6130","#3b5f2f","#3a5e2f","#385d2e","#375c2e","#365b2d","#355a2d","#34582d","#33572c","#32562c","#31552c","#30542b","#2f532b","#2e522a","#2d512a","#2c502a","#2b4f29","#2a4e29","#294d29","#284c28","#274b28","#264a28","#254a27","#254927","#244827","#234727","#224626","#214626","#214526","#204425","#1f4325","#1f4325","#1e4225","#1e4225","#1d4124","#1c4124","#1c4024"]
};
function ramp(name, t) {
var list = RAMPS[name] || RAMPS.tide;
return list[Math.round(clamp(t, 0, 1) * (list.length - 1))];
}
function parseColour(hex) {
var n = parseInt(hex.slice(1), 16);
return [(n >> 16) & 255, (n >> 8) & 255, n & 255];
}
function luminance(hex) {
var parts = parseColour(hex).map(function (c) {
var v = c / 255;
return v <= 0.03928 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4);
});
return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}
function readableOn(hex) { return luminance(hex) > 0.36 ? "#101c24" : "#ffffff"; }
function getBytes(url) {
return fetch(url).then(function (response) {
if (!response.ok) throw new Error(url + ": " + response.status);
return response.arrayBuffer();
}).then(function (buffer) { return new Uint8Array(buffer); });
}
function getJSON(url) {
return getBytes(url).then(function (bytes) { return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)); });
}
return {
version: "1.4.0",
h: h, s: s, clear: clear, replace: replace, delegate: delegate,
Emitter: Emitter, debounce: debounce, throttleFrame: throttleFrame, wait: wait, withTimeout: withTimeout,
Heap: Heap, Cache: Cache, groupBy: groupBy, sortBy: sortBy, range: range,
fold: fold, tokenise: tokenise, editDistance: editDistance, template: template, truncate: truncate,
formatNumber: formatNumber, formatBytes: formatBytes,
clamp: clamp, lerp: lerp, extent: extent, sum: sum, mean: mean, quantile: quantile, deviation: deviation,
correlation: correlation, histogram: histogram, random: random, adler32: adler32,
niceStep: niceStep, ticks: ticks, linear: linear, logarithmic: logarithmic, band: band,
haversine: haversine, linePath: linePath, smoothPath: smoothPath, hull: hull,
ramp: ramp, rampNames: Object.keys(RAMPS), parseColour: parseColour, luminance: luminance, readableOn: readableOn,
getBytes: getBytes, getJSON: getJSON
};
});
