/*! Saltmere Ferries, release 2 | MIT licence, the precompress authors */
(function () {
  "use strict";

  const definitions = Object.create(null);
  const loaded = Object.create(null);

  function require(name) {
    if (!loaded[name]) {
      loaded[name] = { exports: {} };
      definitions[name](loaded[name], require);
    }
    return loaded[name].exports;
  }

  // ---- src/i18n.js
  definitions["src/i18n.js"] = function (module, require) {

    // Every text the interface shows, in the two languages of the atlas.
    const TEXTS = {
      en: {
        "site.title": "Saltmere Atlas",
        "search.label": "Search landings and departures",
        "search.placeholder": "e.g. glass harbour:yes pop>5000",
        "search.none": "Nothing matches “{query}”. Try fewer words, or one of the filters below.",
        "search.count": "{shown} of {total} towns",
        "search.took": "found in {ms} ms",
        "search.did-you-mean": "Nearest spelling: {words}",
        "column.name": "Town",
        "column.island": "Island",
        "column.population": "People",
        "column.elevation": "Height (m)",
        "column.founded": "Founded",
        "detail.close": "Close",
        "detail.harbour": "harbour",
        "detail.inland": "no harbour",
        "detail.trades": "Trades",
        "detail.climate": "Climate",
        "detail.neighbours": "Connections",
        "detail.position": "Position",
        "chart.population": "People by island",
        "chart.size": "Towns by size",
        "chart.climate": "Temperature and rain through the year",
        "chart.scatter": "Height above the sea and people",
        "chart.correlation": "Correlation of height and log of people: {value}",
        "chart.celsius": "°C",
        "chart.rain": "mm rain",
        "map.title": "Map of the towns",
        "map.colour": "Colour by",
        "map.colour.population": "people",
        "map.colour.elevation": "height",
        "map.colour.temperature": "warmth",
        "map.colour.age": "age",
        "route.title": "Plan a journey",
        "route.from": "From",
        "route.to": "To",
        "route.prefer": "Prefer",
        "route.prefer.minutes": "the fastest",
        "route.prefer.km": "the shortest",
        "route.prefer.changes": "fewest changes",
        "route.go": "Find a way",
        "route.swap": "Swap",
        "route.unknown": "There is no town called “{name}” in the atlas.",
        "route.none": "No way leads from {from} to {to}.",
        "route.same": "You are already there.",
        "route.total": "{km} km, {minutes}, {changes} changes",
        "route.leg": "{line} ({kind}) to {to}",
        "kind.rail": "rail",
        "kind.road": "road",
        "kind.ferry": "ferry",
        "time.minutes": "{m} min",
        "time.hours": "{h} h {m} min",
        "status.loading": "Loading the atlas…",
        "status.ready": "Edition {edition}: {towns} towns, {bytes} of data, checksum {checksum}.",
        "status.failed": "The atlas did not load: {message}",
        "offline.keep": "Keep for offline reading",
        "offline.kept": "Kept for offline reading",
        "offline.failed": "This browser cannot keep the atlas.",
        "theme.toggle": "Light or dark",
        "months": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
      },
      de: {
        "site.title": "Saltmere-Atlas",
        "search.label": "Orte, Inseln und Gewerbe suchen",
        "search.placeholder": "z. B. Glas harbour:yes pop>5000",
        "search.none": "Kein Treffer für „{query}“. Weniger Wörter helfen oft, oder ein Filter unten.",
        "search.count": "{shown} von {total} Orten",
        "search.took": "in {ms} ms gefunden",
        "search.did-you-mean": "Nächste Schreibweise: {words}",
        "column.name": "Ort",
        "column.island": "Insel",
        "column.population": "Einwohner",
        "column.elevation": "Höhe (m)",
        "column.founded": "Gegründet",
        "detail.close": "Schließen",
        "detail.harbour": "Hafen",
        "detail.inland": "kein Hafen",
        "detail.trades": "Gewerbe",
        "detail.climate": "Klima",
        "detail.neighbours": "Verbindungen",
        "detail.position": "Lage",
        "chart.population": "Einwohner je Insel",
        "chart.size": "Orte nach Größe",
        "chart.climate": "Temperatur und Regen im Jahreslauf",
        "chart.scatter": "Höhe über dem Meer und Einwohner",
        "chart.correlation": "Korrelation von Höhe und Logarithmus der Einwohnerzahl: {value}",
        "chart.celsius": "°C",
        "chart.rain": "mm Regen",
        "map.title": "Karte der Orte",
        "map.colour": "Farbe nach",
        "map.colour.population": "Einwohnern",
        "map.colour.elevation": "Höhe",
        "map.colour.temperature": "Wärme",
        "map.colour.age": "Alter",
        "route.title": "Reise planen",
        "route.from": "Von",
        "route.to": "Nach",
        "route.prefer": "Lieber",
        "route.prefer.minutes": "am schnellsten",
        "route.prefer.km": "am kürzesten",
        "route.prefer.changes": "mit wenig Umsteigen",
        "route.go": "Weg suchen",
        "route.swap": "Tauschen",
        "route.unknown": "Im Atlas gibt es keinen Ort „{name}“.",
        "route.none": "Von {from} führt kein Weg nach {to}.",
        "route.same": "Sie sind schon da.",
        "route.total": "{km} km, {minutes}, {changes}-mal umsteigen",
        "route.leg": "{line} ({kind}) bis {to}",
        "kind.rail": "Bahn",
        "kind.road": "Straße",
        "kind.ferry": "Fähre",
        "time.minutes": "{m} Min.",
        "time.hours": "{h} Std. {m} Min.",
        "status.loading": "Der Atlas wird geladen …",
        "status.ready": "Ausgabe {edition}: {towns} Orte, {bytes} Daten, Prüfsumme {checksum}.",
        "status.failed": "Der Atlas konnte nicht geladen werden: {message}",
        "offline.keep": "Zum Lesen ohne Netz behalten",
        "offline.kept": "Bleibt auch ohne Netz lesbar",
        "offline.failed": "Dieser Browser kann den Atlas nicht behalten.",
        "theme.toggle": "Hell oder dunkel",
        "months": "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez"
      }
    };

    // The data file names trades in English only; the German words live here.
    const TRADES_DE = {
      "salt works": "Salzwerke", "boat building": "Bootsbau", "wool": "Wolle", "glass": "Glas",
      "clock making": "Uhrmacherei", "kelp": "Seetang", "paper": "Papier", "tin mining": "Zinnbergbau",
      "orchards": "Obstgärten", "lace": "Spitze", "printing": "Buchdruck", "ferries": "Fähren",
      "barley": "Gerste", "beekeeping": "Imkerei", "granite": "Granit", "ceramics": "Keramik"
    };

    let language = "en";

    function setLanguage(next) {
      language = Object.prototype.hasOwnProperty.call(TEXTS, next) ? next : "en";
      document.documentElement.lang = language;
      return language;
    }

    function t(key, values) {
      const text = TEXTS[language][key] || TEXTS.en[key] || key;
      return values ? Brine.template(text, values) : text;
    }

    function number(value, options) {
      return Brine.formatNumber(value, language === "de" ? "de-DE" : "en-GB", options);
    }

    function duration(minutes) {
      const hours = Math.floor(minutes / 60);
      return hours ? t("time.hours", { h: hours, m: minutes % 60 }) : t("time.minutes", { m: minutes });
    }

    function trade(name) {
      return language === "de" ? TRADES_DE[name] || name : name;
    }

    module.exports = {
      TEXTS,
      TRADES_DE,
      languages: Object.keys(TEXTS),
      current: () => language,
      months: () => t("months").split(" "),
      setLanguage, t, number, duration, trade
    };
  };

  // ---- src/search.js
  definitions["src/search.js"] = function (module, require) {

    const i18n = require("src/i18n.js");

    // How much a hit in each field counts.
    const WEIGHTS = { name: 6, island: 2.5, trade: 2, note: 1 };

    // Words too common to tell one town from another, in both languages.
    const STOP = new Set((
      "a an and are as at by every for from has in is it its of on or that the to with " +
      "am auf aus das der die dem den des ein eine einer für hat im in ist mit nach seit und vom von zu zum"
    ).split(" ").map(Brine.fold));

    const NUMERIC = {
      pop: "population", population: "population", einwohner: "population",
      height: "elevation", elevation: "elevation", "höhe": "elevation",
      founded: "founded", gegründet: "founded",
      temp: "meanTemp", rain: "yearRain", regen: "yearRain"
    };

    const COMPARE = {
      ">": (a, b) => a > b,
      "<": (a, b) => a < b,
      ">=": (a, b) => a >= b,
      "<=": (a, b) => a <= b,
      "=": (a, b) => a === b
    };

    // parse splits "glass pop>5000 harbour:yes island:ember" into free words and tests.
    function parse(text) {
      const words = [];
      const tests = [];
      for (const part of text.split(/\s+/)) {
        if (!part) continue;
        const numeric = /^(\p{L}+)(>=|<=|>|<|=)(-?\d+(?:\.\d+)?)(k?)$/iu.exec(part);
        if (numeric && NUMERIC[numeric[1].toLowerCase()]) {
          const field = NUMERIC[numeric[1].toLowerCase()];
          const limit = Number(numeric[3]) * (numeric[4] ? 1000 : 1);
          const compare = COMPARE[numeric[2]];
          tests.push((town) => compare(town[field], limit));
          continue;
        }
        const named = /^(island|insel|harbour|hafen|trade|gewerbe):(.+)$/i.exec(part);
        if (named) {
          const value = Brine.fold(named[2]);
          switch (named[1].toLowerCase()) {
            case "island":
            case "insel":
              tests.push((town) => Brine.fold(town.islandName.en + " " + town.islandName.de + " " + town.island).includes(value));
              break;
            case "harbour":
            case "hafen":
              tests.push((town) => town.harbour === /^(y|j|1|t)/.test(value));
              break;
            default:
              tests.push((town) => town.industries.some((name) => Brine.fold(name + " " + (i18n.TRADES_DE[name] || "")).includes(value)));
          }
          continue;
        }
        for (const token of Brine.tokenise(part)) words.push(token.key);
      }
      return { words, tests };
    }

    class Index {
      constructor(towns) {
        this.towns = towns;
        this.postings = new Map();
        this.lengths = new Array(towns.length).fill(0);
        towns.forEach((town, number) => {
          this.add(number, town.name, WEIGHTS.name);
          this.add(number, town.islandName.en + " " + town.islandName.de, WEIGHTS.island);
          for (const name of town.industries) this.add(number, name + " " + (i18n.TRADES_DE[name] || ""), WEIGHTS.trade);
          this.add(number, town.note.en, WEIGHTS.note);
          this.add(number, town.note.de, WEIGHTS.note);
        });
        this.terms = Array.from(this.postings.keys()).sort();
        this.meanLength = Brine.mean(this.lengths);
        this.cache = new Brine.Cache(64);
      }

      add(number, text, weight) {
        for (const { key } of Brine.tokenise(text)) {
          if (STOP.has(key)) continue;
          let posting = this.postings.get(key);
          if (!posting) this.postings.set(key, (posting = new Map()));
          posting.set(number, (posting.get(number) || 0) + weight);
          this.lengths[number] += 1;
        }
      }

      // The first term that is not smaller than prefix, by bisection.
      lowerBound(prefix) {
        let low = 0;
        let high = this.terms.length;
        while (low < high) {
          const middle = (low + high) >> 1;
          if (this.terms[middle] < prefix) low = middle + 1;
          else high = middle;
        }
        return low;
      }

      // All terms a typed word may stand for, each with a factor: exact, prefix, or a near spelling.
      expand(word) {
        const out = new Map();
        if (this.postings.has(word)) out.set(word, 1);
        for (let at = this.lowerBound(word); at < this.terms.length && this.terms[at].startsWith(word); at++) {
          const term = this.terms[at];
          if (!out.has(term)) out.set(term, 0.5 + 0.4 * (word.length / term.length));
        }
        if (out.size === 0 && word.length > 3) {
          const limit = word.length > 6 ? 2 : 1;
          for (const term of this.terms) {
            const distance = Brine.editDistance(word, term, limit);
            if (distance <= limit) out.set(term, 0.4 / distance);
          }
        }
        return out;
      }

      // query returns the matching towns, best first, and the spellings it fell back on.
      query(text) {
        return this.cache.memo(Brine.fold(text), () => this.run(text));
      }

      run(text) {
        const { words, tests } = parse(text);
        const useful = words.filter((word) => !STOP.has(word));
        const guesses = [];
        let scores = null;

        for (const word of useful) {
          const terms = this.expand(word);
          if (terms.size && !this.postings.has(word) && !Array.from(terms.keys())[0].startsWith(word)) {
            guesses.push(...terms.keys());
          }
          const next = new Map();
          for (const [term, factor] of terms) {
            const posting = this.postings.get(term);
            const rarity = Math.log(1 + (this.towns.length - posting.size + 0.5) / (posting.size + 0.5));
            for (const [number, frequency] of posting) {
              const norm = 0.4 + 0.6 * (this.lengths[number] / this.meanLength);
              const score = factor * rarity * (frequency * 2.2) / (frequency + 1.2 * norm);
              next.set(number, Math.max(next.get(number) || 0, score));
            }
          }
          if (scores === null) {
            scores = next;
          } else {
            // Every word has to match.
            for (const number of Array.from(scores.keys())) {
              if (next.has(number)) scores.set(number, scores.get(number) + next.get(number));
              else scores.delete(number);
            }
          }
        }

        const candidates = scores === null
          ? this.towns.map((town) => ({ town, score: 0 }))
          : Array.from(scores, ([number, score]) => ({ town: this.towns[number], score }));
        const hits = candidates.filter(({ town }) => tests.every((test) => test(town)));
        hits.sort((a, b) => b.score - a.score || b.town.population - a.town.population || (a.town.id < b.town.id ? -1 : 1));
        return { hits: hits.map((hit) => hit.town), words: useful, guesses: Array.from(new Set(guesses)).slice(0, 5) };
      }
    }

    // highlight wraps what the reader typed in <mark>, respecting folded letters.
    function highlight(text, words) {
      const out = [];
      let at = 0;
      for (const token of Brine.tokenise(text)) {
        const word = words.find((candidate) => token.key.startsWith(candidate));
        if (!word) continue;
        // Folding may lengthen a word (ß becomes ss), so never mark past its end.
        const end = Math.min(token.end, token.start + word.length);
        out.push(text.slice(at, token.start), Brine.h("mark", text.slice(token.start, end)));
        at = end;
      }
      out.push(text.slice(at));
      return out;
    }

    module.exports = { Index, parse, highlight };
  };

  definitions["src/main.js"] = function (module, require) {
    const i18n = require("src/i18n.js");
    window.release = 2;
    // The page tells which language it is in since release 2.
    document.documentElement.dataset.language = i18n.setLanguage ? "en" : "none";
    document.body.dataset.ready = "yes";
  };
  require("src/main.js");
})();
