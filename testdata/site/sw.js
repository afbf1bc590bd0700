"use strict";

// Keeps the atlas for reading without a network. It is registered only when
// the reader presses the button, never on its own.

const EDITION = "saltmere-7";
const FILES = [
  "./",
  "index.html",
  "about/index.html",
  "404.html",
  "assets/style-9e3d9535.css",
  "assets/vendor-2f7960111a2ad8f493e7.js",
  "assets/app-94321350.js",
  "data/cities.json",
  "wasm/add.wasm",
  "fonts/demo.woff2",
  "img/logo.png",
  "favicon.svg",
  "manifest.webmanifest",
  "empty.css",
  "icons/atlas.svg",
  "icons/compass.svg",
  "icons/ferry.svg",
  "icons/lighthouse.svg",
  "icons/peak.svg",
  "icons/rail.svg",
  "icons/road.svg",
  "icons/search.svg"
];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(EDITION).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("saltmere-") && name !== EDITION) await caches.delete(name);
    }
    await self.clients.claim();
  })());
});

// Files with a hash in their name never change, so the cache answers first.
// For all others the network comes first and the cache is the fallback.
const IMMUTABLE = /\/assets\/[\w.]+-[0-9a-f]{8,}\.\w+$/;

async function fromNetwork(request) {
  const response = await fetch(request);
  if (response.ok && response.type === "basic") {
    const cache = await caches.open(EDITION);
    await cache.put(request, response.clone());
  }
  return response;
}

async function answer(request) {
  if (IMMUTABLE.test(new URL(request.url).pathname)) {
    return (await caches.match(request)) || fromNetwork(request);
  }
  try {
    return await fromNetwork(request);
  } catch (error) {
    const kept = await caches.match(request, { ignoreSearch: true });
    if (kept) return kept;
    if (request.mode === "navigate") return caches.match("404.html");
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(answer(request));
});
