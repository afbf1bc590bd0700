/*! Saltmere Atlas, edition 7 | MIT licence, the precompress authors */
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
        "search.label": "Search towns, islands and trades",
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

  // ---- src/connections.js
  definitions["src/connections.js"] = function (module, require) {

    // from, to, kind, kilometres, minutes, name of the line; every connection runs both ways
    module.exports = [
      ["aldford", "fenndorf", "rail", 154, 128, "Coast Line"],
      ["aldford", "lindvale", "rail", 166, 138, "Moor Railway"],
      ["aldford", "zella", "road", 73, 87, "Salt Road"],
      ["aldkirk", "bradorf", "ferry", 83, 181, "Heron Ferry"],
      ["aldkirk", "elskorg", "road", 143, 168, "Salt Road"],
      ["aldkirk", "molstad", "ferry", 95, 207, "Heron Ferry"],
      ["aldkirk", "norrore", "rail", 103, 87, "Moor Railway"],
      ["aldkorg", "kalmunde", "road", 55, 66, "Lamp Road"],
      ["aldkorg", "lindhaven", "ferry", 183, 395, "Gull Ferry"],
      ["aldkorg", "zellvale", "road", 97, 115, "Salt Road"],
      ["aldsund", "elsbrook", "rail", 163, 135, "Coast Line"],
      ["aldsund", "jorkorg", "road", 165, 193, "Salt Road"],
      ["aldsund", "jorsund", "road", 138, 162, "Granite Road"],
      ["aldwick", "iskkorg", "road", 29, 36, "Salt Road"],
      ["aldwick", "jorore", "rail", 154, 128, "Moor Railway"],
      ["aldwick", "stromunde", "rail", 60, 52, "Orchard Line"],
      ["aldwick", "wynholt", "rail", 43, 38, "Moor Railway"],
      ["alnberg", "elssund", "rail", 92, 78, "Moor Railway"],
      ["alnberg", "grundorf", "rail", 71, 61, "Moor Railway"],
      ["alnberg", "grunstad", "road", 62, 75, "Granite Road"],
      ["alnberg", "lorcliff", "ferry", 54, 119, "Gull Ferry"],
      ["alnbuhl", "hoega", "ferry", 84, 183, "Gull Ferry"],
      ["alnbuhl", "nimheim", "road", 174, 204, "Salt Road"],
      ["alnbuhl", "terbuhl", "rail", 41, 36, "Orchard Line"],
      ["alnbuhl", "thornvale", "rail", 78, 66, "Orchard Line"],
      ["alnkirk", "grunby", "rail", 79, 67, "Orchard Line"],
      ["alnkirk", "lindhafen", "rail", 79, 67, "Orchard Line"],
      ["alnkirk", "rosmoor", "rail", 61, 52, "Moor Railway"],
      ["alnmark", "fennwick", "road", 60, 72, "Granite Road"],
      ["alnmark", "kalstow", "road", 17, 23, "Granite Road"],
      ["alnmark", "marrmere", "rail", 46, 40, "Moor Railway"],
      ["alnmark", "pellgate", "rail", 53, 46, "Coast Line"],
      ["alnmark", "vannford", "rail", 64, 55, "Moor Railway"],
      ["alnmark", "wyngate", "road", 117, 138, "Granite Road"],
      ["alnmark", "zellness", "road", 58, 70, "Lamp Road"],
      ["alnreach", "garrwick", "rail", 21, 20, "Orchard Line"],
      ["alnreach", "molwick", "road", 42, 51, "Lamp Road"],
      ["alnreach", "strokorg", "road", 36, 45, "Salt Road"],
      ["bachby", "elsau", "ferry", 58, 127, "Heron Ferry"],
      ["bachby", "runtor", "road", 53, 64, "Lamp Road"],
      ["bachby", "zellbrook", "road", 59, 71, "Salt Road"],
      ["bachgate", "corford", "rail", 106, 89, "Orchard Line"],
      ["bachgate", "quensund", "rail", 83, 70, "Coast Line"],
      ["bachgate", "vannkirk", "rail", 191, 158, "Coast Line"],
      ["bachvale", "sebmark", "ferry", 168, 363, "Heron Ferry"],
      ["bachvale", "sundholt", "rail", 126, 105, "Moor Railway"],
      ["bachvale", "yarcliff", "road", 88, 105, "Lamp Road"],
      ["bachwick", "ostmere", "road", 97, 115, "Granite Road"],
      ["bachwick", "thornbuhl", "rail", 145, 121, "Coast Line"],
      ["bachwick", "vannhaven", "rail", 18, 18, "Coast Line"],
      ["bradorf", "dunness", "ferry", 118, 256, "Gull Ferry"],
      ["bradorf", "grunby", "road", 125, 147, "Lamp Road"],
      ["bradorf", "molstad", "road", 15, 20, "Salt Road"],
      ["bramkirk", "corsund", "road", 69, 83, "Lamp Road"],
      ["bramkirk", "dunmere", "road", 53, 64, "Granite Road"],
      ["bramkirk", "kalgate", "ferry", 128, 277, "Gull Ferry"],
      ["bramkirk", "lorsund", "road", 76, 91, "Lamp Road"],
      ["bramkirk", "sundbuhl", "ferry", 52, 114, "Gull Ferry"],
      ["brasund", "corford", "rail", 141, 117, "Moor Railway"],
      ["brasund", "fennkirk", "rail", 73, 62, "Moor Railway"],
      ["brasund", "nimgate", "road", 114, 135, "Granite Road"],
      ["brasund", "nimholt", "road", 119, 140, "Lamp Road"],
      ["corford", "fennkirk", "rail", 144, 120, "Moor Railway"],
      ["corford", "quensund", "rail", 189, 156, "Coast Line"],
      ["corheim", "lormunde", "road", 93, 110, "Salt Road"],
      ["corheim", "pellness", "road", 57, 69, "Salt Road"],
      ["corheim", "vannhafen", "road", 48, 58, "Salt Road"],
      ["cormark", "corsund", "road", 137, 161, "Salt Road"],
      ["cormark", "kalheim", "road", 82, 98, "Salt Road"],
      ["cormark", "lindmunde", "road", 185, 216, "Salt Road"],
      ["cormoor", "jorberg", "rail", 57, 49, "Coast Line"],
      ["cormoor", "lindhaven", "road", 90, 107, "Lamp Road"],
      ["cormoor", "runwick", "rail", 66, 57, "Coast Line"],
      ["cormoor", "thornwick", "road", 30, 38, "Granite Road"],
      ["cormoor", "yartor", "road", 59, 71, "Granite Road"],
      ["corstow", "lindau", "ferry", 359, 772, "Gull Ferry"],
      ["corstow", "marrstow", "rail", 226, 186, "Coast Line"],
      ["corstow", "runmunde", "rail", 224, 185, "Orchard Line"],
      ["corstow", "schokorg", "road", 166, 195, "Lamp Road"],
      ["corsund", "lindmunde", "rail", 62, 53, "Coast Line"],
      ["corsund", "lorsund", "rail", 108, 91, "Moor Railway"],
      ["corsund", "molstow", "road", 75, 90, "Salt Road"],
      ["corsund", "sebkirk", "rail", 210, 173, "Coast Line"],
      ["dunmere", "lindmunde", "road", 61, 73, "Salt Road"],
      ["dunmere", "molstow", "rail", 39, 35, "Moor Railway"],
      ["dunmere", "sundbuhl", "road", 57, 69, "Granite Road"],
      ["dunmere", "thornvale", "rail", 68, 58, "Coast Line"],
      ["dunness", "garrmunde", "road", 113, 133, "Salt Road"],
      ["dunness", "oestbuhl", "rail", 138, 115, "Orchard Line"],
      ["dunness", "vannvale", "rail", 81, 69, "Coast Line"],
      ["dunstow", "fennmunde", "ferry", 53, 117, "Heron Ferry"],
      ["dunstow", "iskmere", "rail", 149, 124, "Coast Line"],
      ["dunstow", "lorness", "ferry", 117, 254, "Heron Ferry"],
      ["dunstow", "zellness", "rail", 163, 135, "Coast Line"],
      ["elsau", "marrsund", "ferry", 25, 57, "Heron Ferry"],
      ["elsau", "runtor", "road", 33, 41, "Salt Road"],
      ["elsbrook", "holmcliff", "rail", 78, 66, "Moor Railway"],
      ["elsbrook", "jortor", "ferry", 113, 245, "Gull Ferry"],
      ["elsbrook", "norrmoor", "rail", 83, 70, "Coast Line"],
      ["elsbrook", "pellbuhl", "road", 102, 121, "Lamp Road"],
      ["elshafen", "garrmunde", "road", 55, 66, "Granite Road"],
      ["elshafen", "nimau", "ferry", 66, 144, "Gull Ferry"],
      ["elshafen", "norrore", "road", 125, 147, "Salt Road"],
      ["elskorg", "nimau", "rail", 70, 60, "Moor Railway"],
      ["elskorg", "norrore", "rail", 32, 29, "Orchard Line"],
      ["elsness", "garrbrook", "rail", 131, 109, "Moor Railway"],
      ["elsness", "nimwick", "road", 120, 141, "Salt Road"],
      ["elsness", "ostmere", "rail", 152, 126, "Orchard Line"],
      ["elsness", "thornbuhl", "rail", 68, 58, "Orchard Line"],
      ["elsreach", "fennmunde", "rail", 146, 121, "Coast Line"],
      ["elsreach", "kalstow", "road", 171, 200, "Lamp Road"],
      ["elsreach", "wyngate", "road", 51, 62, "Lamp Road"],
      ["elsstad", "fennvale", "ferry", 55, 121, "Gull Ferry"],
      ["elsstad", "jorkorg", "ferry", 190, 410, "Gull Ferry"],
      ["elsstad", "jorsund", "rail", 96, 81, "Orchard Line"],
      ["elsstad", "norrmoor", "rail", 80, 68, "Moor Railway"],
      ["elsstad", "zellwick", "rail", 54, 47, "Coast Line"],
      ["elssund", "grunstad", "road", 83, 99, "Granite Road"],
      ["elssund", "lorcliff", "road", 33, 41, "Salt Road"],
      ["elssund", "yarfjord", "rail", 92, 78, "Orchard Line"],
      ["elssund", "zella", "road", 177, 207, "Granite Road"],
      ["fenncliff", "grunby", "ferry", 103, 224, "Heron Ferry"],
      ["fenncliff", "molstad", "ferry", 130, 282, "Heron Ferry"],
      ["fenncliff", "vannvale", "rail", 136, 113, "Moor Railway"],
      ["fenndorf", "lindvale", "road", 52, 63, "Granite Road"],
      ["fenndorf", "nimgate", "rail", 62, 53, "Moor Railway"],
      ["fenndorf", "nimholt", "road", 43, 53, "Salt Road"],
      ["fenndorf", "norrkirk", "road", 92, 109, "Salt Road"],
      ["fennford", "grunford", "rail", 82, 69, "Coast Line"],
      ["fennford", "nimwick", "road", 102, 121, "Lamp Road"],
      ["fennford", "ostdorf", "road", 134, 158, "Lamp Road"],
      ["fennford", "stromunde", "road", 104, 123, "Granite Road"],
      ["fennford", "vanndorf", "road", 70, 84, "Salt Road"],
      ["fennhaven", "hoega", "road", 151, 177, "Granite Road"],
      ["fennhaven", "nimheim", "rail", 130, 108, "Coast Line"],
      ["fennhaven", "sundholt", "road", 145, 170, "Salt Road"],
      ["fennhaven", "yarcliff", "road", 218, 255, "Lamp Road"],
      ["fennkirk", "nimgate", "road", 166, 195, "Granite Road"],
      ["fennmunde", "wyngate", "road", 117, 138, "Granite Road"],
      ["fennmunde", "zellness", "road", 120, 141, "Salt Road"],
      ["fennore", "fennvale", "rail", 53, 46, "Coast Line"],
      ["fennore", "holmsund", "rail", 39, 35, "Orchard Line"],
      ["fennore", "yarau", "road", 47, 57, "Lamp Road"],
      ["fennvale", "yarau", "road", 49, 60, "Lamp Road"],
      ["fennvale", "zellwick", "road", 45, 55, "Salt Road"],
      ["fennwick", "pellgate", "rail", 5, 7, "Orchard Line"],
      ["fennwick", "vannford", "rail", 3, 5, "Orchard Line"],
      ["garrbrook", "iskkorg", "rail", 57, 49, "Orchard Line"],
      ["garrbrook", "thornbuhl", "ferry", 76, 166, "Gull Ferry"],
      ["garrbrook", "vanndorf", "ferry", 75, 164, "Heron Ferry"],
      ["garrbrook", "wynholt", "road", 50, 61, "Granite Road"],
      ["garrmunde", "nimau", "rail", 126, 105, "Moor Railway"],
      ["garrwick", "molwick", "road", 50, 61, "Lamp Road"],
      ["garrwick", "schoford", "road", 92, 109, "Lamp Road"],
      ["garrwick", "strokorg", "rail", 39, 35, "Coast Line"],
      ["grunberg", "rosmere", "road", 187, 219, "Salt Road"],
      ["grunberg", "terbrook", "rail", 202, 167, "Coast Line"],
      ["grunberg", "thornberg", "ferry", 278, 599, "Heron Ferry"],
      ["grunberg", "yargate", "rail", 114, 95, "Coast Line"],
      ["grunby", "molstad", "road", 116, 137, "Lamp Road"],
      ["grundorf", "grunstad", "road", 124, 146, "Lamp Road"],
      ["grundorf", "lorcliff", "road", 131, 154, "Lamp Road"],
      ["grundorf", "oeststow", "rail", 145, 121, "Orchard Line"],
      ["grundorf", "yarcliff", "ferry", 224, 483, "Gull Ferry"],
      ["grunford", "ostdorf", "rail", 148, 123, "Coast Line"],
      ["grunford", "runwick", "rail", 90, 76, "Orchard Line"],
      ["grunford", "ulfmark", "road", 112, 132, "Lamp Road"],
      ["grunford", "zellvale", "road", 197, 230, "Granite Road"],
      ["grunkorg", "kala", "rail", 6, 8, "Coast Line"],
      ["grunkorg", "marrmere", "rail", 41, 36, "Coast Line"],
      ["grunkorg", "roskorg", "rail", 57, 49, "Coast Line"],
      ["grunkorg", "sunddorf", "ferry", 21, 48, "Heron Ferry"],
      ["grunstad", "lorcliff", "ferry", 68, 149, "Gull Ferry"],
      ["grunstad", "quenbuhl", "road", 68, 81, "Granite Road"],
      ["grunstad", "runcliff", "road", 39, 48, "Salt Road"],
      ["hoega", "nimheim", "road", 94, 111, "Salt Road"],
      ["hoega", "terbuhl", "rail", 111, 93, "Moor Railway"],
      ["hoega", "thornberg", "rail", 253, 208, "Orchard Line"],
      ["holmau", "holmreach", "ferry", 46, 102, "Gull Ferry"],
      ["holmau", "iskgate", "road", 132, 155, "Granite Road"],
      ["holmau", "kelfjord", "rail", 105, 88, "Coast Line"],
      ["holmau", "schocliff", "rail", 103, 87, "Orchard Line"],
      ["holmcliff", "holmsund", "road", 65, 78, "Salt Road"],
      ["holmcliff", "jortor", "road", 138, 162, "Granite Road"],
      ["holmcliff", "norrmoor", "rail", 57, 49, "Orchard Line"],
      ["holmcliff", "pellbuhl", "road", 21, 27, "Salt Road"],
      ["holmcliff", "tersund", "road", 147, 173, "Lamp Road"],
      ["holmfjord", "nimmere", "road", 108, 128, "Granite Road"],
      ["holmfjord", "ostholt", "rail", 103, 87, "Coast Line"],
      ["holmfjord", "ulfau", "road", 112, 132, "Lamp Road"],
      ["holmreach", "iskgate", "road", 135, 159, "Granite Road"],
      ["holmreach", "kelfjord", "rail", 112, 94, "Coast Line"],
      ["holmreach", "marrsund", "rail", 87, 74, "Moor Railway"],
      ["holmreach", "runtor", "road", 79, 94, "Granite Road"],
      ["holmsund", "norrmoor", "rail", 50, 44, "Orchard Line"],
      ["holmsund", "pellbuhl", "road", 55, 66, "Granite Road"],
      ["iskgate", "kelfjord", "road", 31, 39, "Granite Road"],
      ["iskgate", "tersund", "rail", 160, 133, "Orchard Line"],
      ["iskkorg", "jorore", "rail", 186, 154, "Coast Line"],
      ["iskkorg", "stromunde", "road", 60, 72, "Granite Road"],
      ["iskkorg", "wynholt", "road", 17, 23, "Granite Road"],
      ["iskmere", "lorness", "road", 85, 101, "Lamp Road"],
      ["iskmere", "strowick", "road", 18, 24, "Lamp Road"],
      ["jorberg", "lindau", "rail", 121, 101, "Coast Line"],
      ["jorberg", "thornwick", "rail", 30, 27, "Moor Railway"],
      ["jorberg", "yartor", "rail", 1, 4, "Moor Railway"],
      ["jorhafen", "pelldorf", "ferry", 83, 181, "Heron Ferry"],
      ["jorhafen", "terbrook", "rail", 114, 95, "Moor Railway"],
      ["jorhafen", "ulfau", "rail", 94, 79, "Moor Railway"],
      ["jorhafen", "wynsund", "rail", 21, 20, "Coast Line"],
      ["jorkorg", "jorsund", "road", 104, 123, "Lamp Road"],
      ["jorore", "lindau", "road", 132, 155, "Lamp Road"],
      ["jortor", "norrkirk", "ferry", 223, 481, "Gull Ferry"],
      ["jortor", "pellbuhl", "road", 180, 211, "Granite Road"],
      ["kala", "marrmere", "road", 30, 38, "Lamp Road"],
      ["kala", "sunddorf", "ferry", 23, 52, "Heron Ferry"],
      ["kalgate", "lorsund", "road", 90, 107, "Lamp Road"],
      ["kalgate", "sebkirk", "rail", 181, 150, "Orchard Line"],
      ["kalgate", "sundbuhl", "ferry", 153, 331, "Gull Ferry"],
      ["kalheim", "lindmunde", "road", 141, 166, "Salt Road"],
      ["kalheim", "molau", "road", 157, 184, "Granite Road"],
      ["kalmunde", "lindhaven", "road", 131, 154, "Salt Road"],
      ["kalmunde", "zellvale", "ferry", 104, 226, "Heron Ferry"],
      ["kalstow", "marrmere", "road", 50, 61, "Lamp Road"],
      ["kalstow", "pellgate", "road", 56, 68, "Granite Road"],
      ["kalstow", "wyngate", "road", 115, 136, "Granite Road"],
      ["kalstow", "zellness", "road", 65, 78, "Granite Road"],
      ["lindau", "schoberg", "road", 123, 145, "Lamp Road"],
      ["lindau", "yartor", "rail", 106, 89, "Moor Railway"],
      ["lindhafen", "lorstad", "road", 47, 57, "Salt Road"],
      ["lindhafen", "oestdorf", "rail", 103, 87, "Moor Railway"],
      ["lindhafen", "quenheim", "road", 139, 163, "Salt Road"],
      ["lindhafen", "rosmoor", "road", 55, 66, "Salt Road"],
      ["lindhafen", "schomunde", "rail", 189, 156, "Moor Railway"],
      ["lindhaven", "thornwick", "road", 78, 93, "Granite Road"],
      ["lindhaven", "yartor", "rail", 117, 98, "Coast Line"],
      ["lindmunde", "molau", "road", 103, 122, "Salt Road"],
      ["lindmunde", "molstow", "road", 22, 28, "Granite Road"],
      ["lindvale", "nimholt", "ferry", 91, 198, "Gull Ferry"],
      ["lindvale", "sundreach", "rail", 92, 78, "Orchard Line"],
      ["lindvale", "yarfjord", "rail", 75, 64, "Orchard Line"],
      ["lorcliff", "zella", "ferry", 177, 382, "Heron Ferry"],
      ["lormunde", "pellness", "rail", 38, 34, "Moor Railway"],
      ["lormunde", "strofjord", "rail", 56, 48, "Moor Railway"],
      ["lormunde", "strowick", "road", 155, 182, "Granite Road"],
      ["lormunde", "vannhafen", "road", 50, 61, "Granite Road"],
      ["lorness", "strofjord", "road", 98, 116, "Granite Road"],
      ["lorness", "strowick", "rail", 99, 83, "Coast Line"],
      ["lorstad", "oestdorf", "rail", 100, 84, "Coast Line"],
      ["lorstad", "roskorg", "rail", 59, 51, "Orchard Line"],
      ["lorstad", "rosmoor", "road", 48, 58, "Granite Road"],
      ["lorsund", "sebkirk", "road", 170, 199, "Granite Road"],
      ["marrmere", "sunddorf", "road", 52, 63, "Lamp Road"],
      ["marrmere", "zellness", "rail", 47, 41, "Moor Railway"],
      ["marrstow", "pelldorf", "rail", 95, 80, "Coast Line"],
      ["marrstow", "pellvale", "road", 51, 62, "Lamp Road"],
      ["marrstow", "runmunde", "rail", 57, 49, "Coast Line"],
      ["marrstow", "schokorg", "rail", 93, 78, "Orchard Line"],
      ["marrsund", "norrreach", "rail", 106, 89, "Coast Line"],
      ["marrsund", "runtor", "rail", 52, 45, "Orchard Line"],
      ["marrsund", "schoa", "rail", 80, 68, "Moor Railway"],
      ["marrsund", "schocliff", "rail", 71, 61, "Orchard Line"],
      ["molau", "molstow", "rail", 112, 94, "Moor Railway"],
      ["molau", "thornberg", "road", 192, 225, "Lamp Road"],
      ["molwick", "roskorg", "road", 68, 81, "Lamp Road"],
      ["molwick", "sunddorf", "road", 62, 75, "Salt Road"],
      ["nimau", "norrore", "rail", 60, 52, "Coast Line"],
      ["nimgate", "nimholt", "road", 31, 39, "Granite Road"],
      ["nimgate", "norrkirk", "rail", 70, 60, "Coast Line"],
      ["nimgate", "sundreach", "road", 122, 144, "Granite Road"],
      ["nimheim", "thornberg", "rail", 215, 177, "Coast Line"],
      ["nimholt", "norrkirk", "road", 69, 83, "Granite Road"],
      ["nimmere", "oestby", "rail", 136, 113, "Coast Line"],
      ["nimmere", "ostholt", "rail", 107, 90, "Coast Line"],
      ["nimmere", "vannsund", "rail", 159, 132, "Coast Line"],
      ["nimwick", "ostdorf", "rail", 62, 53, "Moor Railway"],
      ["nimwick", "thornbuhl", "road", 99, 117, "Granite Road"],
      ["norrmoor", "pellbuhl", "rail", 43, 38, "Coast Line"],
      ["norrmoor", "zellwick", "road", 36, 45, "Salt Road"],
      ["norrreach", "runheim", "ferry", 123, 267, "Heron Ferry"],
      ["norrreach", "schoa", "road", 84, 100, "Granite Road"],
      ["norrreach", "schocliff", "rail", 63, 54, "Coast Line"],
      ["oestbuhl", "oestby", "road", 154, 181, "Salt Road"],
      ["oestbuhl", "vannvale", "rail", 83, 70, "Orchard Line"],
      ["oestby", "vannsund", "rail", 113, 95, "Coast Line"],
      ["oestdorf", "quenheim", "road", 57, 69, "Granite Road"],
      ["oestdorf", "schomunde", "road", 151, 177, "Granite Road"],
      ["oeststow", "runcliff", "rail", 167, 138, "Orchard Line"],
      ["oeststow", "schoness", "rail", 92, 78, "Orchard Line"],
      ["ostholt", "ulfau", "road", 213, 249, "Salt Road"],
      ["ostholt", "vannsund", "road", 187, 219, "Salt Road"],
      ["ostmere", "vannhaven", "rail", 79, 67, "Moor Railway"],
      ["pellbuhl", "tersund", "road", 144, 169, "Lamp Road"],
      ["pelldorf", "pellvale", "road", 42, 51, "Lamp Road"],
      ["pelldorf", "rosmere", "road", 142, 167, "Salt Road"],
      ["pelldorf", "runmunde", "rail", 50, 44, "Coast Line"],
      ["pelldorf", "wynsund", "ferry", 93, 202, "Gull Ferry"],
      ["pellgate", "vannford", "road", 5, 9, "Granite Road"],
      ["pellness", "strofjord", "road", 49, 60, "Lamp Road"],
      ["pellness", "vannhafen", "rail", 37, 33, "Orchard Line"],
      ["pellvale", "runmunde", "road", 22, 28, "Granite Road"],
      ["pellvale", "schokorg", "road", 72, 86, "Salt Road"],
      ["quenbuhl", "runcliff", "rail", 31, 28, "Coast Line"],
      ["quenbuhl", "schoness", "road", 71, 85, "Lamp Road"],
      ["quenbuhl", "terore", "rail", 16, 16, "Moor Railway"],
      ["quenbuhl", "vannkirk", "road", 62, 75, "Lamp Road"],
      ["quenheim", "schomunde", "road", 90, 107, "Lamp Road"],
      ["quensund", "vannkirk", "rail", 152, 126, "Orchard Line"],
      ["rosmere", "terbrook", "road", 77, 92, "Lamp Road"],
      ["rosmere", "yargate", "rail", 77, 65, "Coast Line"],
      ["runcliff", "schoness", "rail", 64, 55, "Orchard Line"],
      ["runcliff", "terore", "rail", 47, 41, "Moor Railway"],
      ["runheim", "schoa", "rail", 58, 50, "Moor Railway"],
      ["runheim", "wynwick", "road", 100, 118, "Granite Road"],
      ["runmunde", "schokorg", "rail", 64, 55, "Coast Line"],
      ["runtor", "yarau", "road", 69, 83, "Granite Road"],
      ["runwick", "schoberg", "road", 71, 85, "Salt Road"],
      ["runwick", "ulfmark", "road", 63, 76, "Salt Road"],
      ["schoa", "wynhafen", "road", 112, 132, "Granite Road"],
      ["schoa", "wynwick", "road", 62, 75, "Salt Road"],
      ["schoberg", "ulfmark", "rail", 31, 28, "Moor Railway"],
      ["schoberg", "yartor", "rail", 81, 69, "Moor Railway"],
      ["schoford", "strofjord", "rail", 71, 61, "Orchard Line"],
      ["schoford", "strokorg", "rail", 68, 58, "Orchard Line"],
      ["schoness", "terore", "rail", 62, 53, "Coast Line"],
      ["schoness", "vannkirk", "road", 92, 109, "Granite Road"],
      ["sebmark", "sundholt", "rail", 103, 87, "Orchard Line"],
      ["sebmark", "terbuhl", "rail", 97, 82, "Moor Railway"],
      ["sebmark", "thornvale", "rail", 123, 103, "Moor Railway"],
      ["stromunde", "vanndorf", "rail", 27, 25, "Moor Railway"],
      ["sundbuhl", "thornvale", "road", 27, 34, "Granite Road"],
      ["sundholt", "terbuhl", "rail", 112, 94, "Orchard Line"],
      ["sundholt", "yarcliff", "rail", 164, 136, "Coast Line"],
      ["sundreach", "yarfjord", "rail", 112, 94, "Coast Line"],
      ["terbrook", "wynsund", "road", 116, 137, "Salt Road"],
      ["terbrook", "yargate", "ferry", 132, 286, "Heron Ferry"],
      ["terbuhl", "thornvale", "road", 90, 107, "Lamp Road"],
      ["terore", "vannkirk", "road", 54, 65, "Granite Road"],
      ["thornbuhl", "vannhaven", "rail", 132, 110, "Orchard Line"],
      ["thornwick", "yartor", "rail", 31, 28, "Orchard Line"],
      ["ulfau", "wynsund", "road", 88, 105, "Salt Road"],
      ["ulfmark", "vanndorf", "road", 64, 77, "Lamp Road"],
      ["wynhafen", "wynwick", "road", 60, 72, "Granite Road"],
      ["wynhafen", "zellbrook", "rail", 50, 44, "Moor Railway"],
      ["wynwick", "zellbrook", "road", 37, 46, "Granite Road"]
    ];
  };

  // ---- src/store.js
  definitions["src/store.js"] = function (module, require) {

    const connections = require("src/connections.js");

    // One town as the interface uses it: the row of the data file plus what can be computed once.
    function prepare(row, islands) {
      const island = islands.get(row.island);
      if (!island) throw new Error("town " + row.id + " lies on an unknown island");
      if (row.temp.length !== 12 || row.rain.length !== 12) throw new Error("town " + row.id + " needs twelve months");
      return Object.assign({}, row, {
        islandName: island.name,
        meanTemp: Brine.mean(row.temp),
        yearRain: Brine.sum(row.rain),
        neighbours: []
      });
    }

    function create(data) {
      const islands = new Map(data.islands.map((island) => [island.id, island]));
      const towns = data.cities.map((row) => prepare(row, islands));
      const byId = new Map(towns.map((town) => [town.id, town]));
      const byName = new Map(towns.map((town) => [Brine.fold(town.name), town]));

      for (const [from, to, kind, km, minutes, line] of connections) {
        const a = byId.get(from);
        const b = byId.get(to);
        // A connection may outlive a town that a later edition dropped.
        if (!a || !b) continue;
        a.neighbours.push({ to: b, kind, km, minutes, line });
        b.neighbours.push({ to: a, kind, km, minutes, line });
      }

      return {
        edition: data.edition,
        islands: data.islands,
        towns,
        byId,
        find: (name) => byName.get(Brine.fold(name.trim())) || byId.get(name.trim()) || null,
        bounds: {
          lat: Brine.extent(towns.map((town) => town.lat)),
          lon: Brine.extent(towns.map((town) => town.lon)),
          population: Brine.extent(towns.map((town) => town.population)),
          elevation: Brine.extent(towns.map((town) => town.elevation)),
          founded: Brine.extent(towns.map((town) => town.founded)),
          meanTemp: Brine.extent(towns.map((town) => town.meanTemp))
        }
      };
    }

    module.exports = { create };
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

  // ---- src/routes.js
  definitions["src/routes.js"] = function (module, require) {

    // What one more connection costs under each preference.
    const COSTS = {
      minutes: (edge, changed) => edge.minutes + (changed ? 9 : 0),
      km: (edge, changed) => edge.km + (changed ? 0.001 : 0),
      changes: (edge, changed) => (changed ? 1000 : 0) + edge.minutes / 100
    };

    // find is Dijkstra over pairs of (town, line), because staying on a line is cheaper than changing.
    function find(from, to, preference) {
      const cost = COSTS[preference] || COSTS.minutes;
      const best = new Map();
      const heap = new Brine.Heap((a, b) => a.cost - b.cost || a.order - b.order);
      let order = 0;
      heap.push({ town: from, line: null, cost: 0, order: order++, previous: null, edge: null });

      while (heap.size()) {
        const state = heap.pop();
        const key = state.town.id + "/" + state.line;
        if (best.has(key)) continue;
        best.set(key, state.cost);
        if (state.town === to) return unwind(state);
        for (const edge of state.town.neighbours) {
          const changed = state.line !== null && state.line !== edge.line;
          if (best.has(edge.to.id + "/" + edge.line)) continue;
          heap.push({
            town: edge.to,
            line: edge.line,
            cost: state.cost + cost(edge, changed),
            order: order++,
            previous: state,
            edge
          });
        }
      }
      return null;
    }

    function unwind(state) {
      const steps = [];
      for (; state.previous; state = state.previous) steps.unshift({ from: state.previous.town, edge: state.edge });
      const legs = [];
      for (const { from, edge } of steps) {
        const last = legs[legs.length - 1];
        if (last && last.line === edge.line && last.kind === edge.kind) {
          last.to = edge.to;
          last.km += edge.km;
          last.minutes += edge.minutes;
          last.via.push(from);
        } else {
          legs.push({ from, to: edge.to, line: edge.line, kind: edge.kind, km: edge.km, minutes: edge.minutes, via: [] });
        }
      }
      return {
        legs,
        towns: steps.length ? [steps[0].from].concat(steps.map((step) => step.edge.to)) : [state.town],
        km: Brine.sum(legs.map((leg) => leg.km)),
        minutes: Brine.sum(legs.map((leg) => leg.minutes)),
        changes: Math.max(0, legs.length - 1)
      };
    }

    // reachable lists how far one gets from a town within some minutes.
    function reachable(from, minutes) {
      const done = new Map();
      const heap = new Brine.Heap((a, b) => a.minutes - b.minutes);
      heap.push({ town: from, minutes: 0 });
      while (heap.size()) {
        const state = heap.pop();
        if (done.has(state.town)) continue;
        done.set(state.town, state.minutes);
        for (const edge of state.town.neighbours) {
          const total = state.minutes + edge.minutes;
          if (total <= minutes && !done.has(edge.to)) heap.push({ town: edge.to, minutes: total });
        }
      }
      return done;
    }

    module.exports = { find, reachable };
  };

  // ---- src/chart.js
  definitions["src/chart.js"] = function (module, require) {

    const i18n = require("src/i18n.js");
    const { s } = Brine;

    function frame(options) {
      const size = Object.assign({ width: 560, height: 280, top: 26, right: 44, bottom: 34, left: 56 }, options);
      const svg = s("svg", {
        class: ["chart", options.class],
        viewBox: "0 0 " + size.width + " " + size.height,
        role: "img",
        "aria-label": options.title
      }, s("title", options.title));
      return {
        svg,
        size,
        x: [size.left, size.width - size.right],
        y: [size.height - size.bottom, size.top]
      };
    }

    function leftAxis(f, scale, format, label) {
      const group = s("g", { class: "axis axis-left" });
      for (const value of scale.ticks(5)) {
        const y = scale(value);
        group.append(
          s("line", { x1: f.x[0], x2: f.x[1], y1: y, y2: y, class: "grid" }),
          s("text", { x: f.x[0] - 6, y: y + 4, "text-anchor": "end" }, format(value))
        );
      }
      if (label) group.append(s("text", { x: 4, y: f.y[1] - 14, class: "unit" }, label));
      return group;
    }

    function rightAxis(f, scale, format, label) {
      const group = s("g", { class: "axis axis-right" });
      for (const value of scale.ticks(4)) {
        group.append(s("text", { x: f.x[1] + 6, y: scale(value) + 4 }, format(value)));
      }
      group.append(s("text", { x: f.size.width - 2, y: f.y[1] - 14, class: "unit", "text-anchor": "end" }, label));
      return group;
    }

    // bars draws one bar per item: [{ label, value, colour }].
    function bars(items, options) {
      const f = frame(options);
      const x = Brine.band(items.map((item) => item.label), f.x, 0.24);
      const y = Brine.linear([0, Math.max(1, Brine.extent(items.map((item) => item.value))[1]) * 1.05], f.y);
      f.svg.append(leftAxis(f, y, (value) => i18n.number(value, { notation: "compact" })));
      items.forEach((item, number) => {
        const left = x(item.label);
        const top = y(item.value);
        f.svg.append(
          s("rect", { x: left, y: top, width: x.width, height: Math.max(0, f.y[0] - top), rx: 2, fill: item.colour },
            s("title", item.label + ": " + i18n.number(item.value))),
          number % (options.every || 1) === 0
            ? s("text", { class: "tick", x: left + x.width / 2, y: f.y[0] + 16, "text-anchor": "middle" }, Brine.truncate(item.label, 14))
            : ""
        );
      });
      return f.svg;
    }

    // sizes is a histogram over the logarithm of the population.
    function sizes(towns, options) {
      const bins = Brine.histogram(towns.map((town) => Math.log10(town.population)), 12);
      return bars(bins.map((bin, number) => ({
        label: i18n.number(Math.pow(10, bin.from), { notation: "compact", maximumSignificantDigits: 2 }) + "+",
        value: bin.count,
        colour: Brine.ramp("tide", 0.25 + number / 16)
      })), Object.assign({ every: 2 }, options));
    }

    // climate draws a line for the temperature over bars for the rain.
    function climate(temp, rain, options) {
      const f = frame(options);
      const months = i18n.months();
      const x = Brine.band(months, f.x, 0.3);
      const low = Math.min(0, Math.floor(Brine.extent(temp)[0] / 5) * 5);
      const high = Math.max(20, Math.ceil(Brine.extent(temp)[1] / 5) * 5);
      const yTemp = Brine.linear([low, high], f.y);
      const yRain = Brine.linear([0, Math.max(120, Brine.extent(rain)[1])], f.y);
      f.svg.append(
        leftAxis(f, yTemp, (value) => i18n.number(value), i18n.t("chart.celsius")),
        rightAxis(f, yRain, (value) => i18n.number(value), i18n.t("chart.rain"))
      );
      months.forEach((month, number) => {
        const top = yRain(rain[number]);
        f.svg.append(
          s("rect", { class: "rain", x: x(month), y: top, width: x.width, height: f.y[0] - top },
            s("title", month + ": " + i18n.number(rain[number]) + " " + i18n.t("chart.rain"))),
          s("text", { class: "tick", x: x(month) + x.width / 2, y: f.y[0] + 16, "text-anchor": "middle" }, month)
        );
      });
      const points = months.map((month, number) => [x(month) + x.width / 2, yTemp(temp[number])]);
      f.svg.append(s("path", { class: "temperature", d: Brine.smoothPath(points) }));
      points.forEach(([cx, cy], number) => {
        f.svg.append(s("circle", { class: "temperature-dot", cx, cy, r: 3 },
          s("title", months[number] + ": " + i18n.number(temp[number]) + " " + i18n.t("chart.celsius"))));
      });
      if (low < 0) f.svg.append(s("line", { class: "zero", x1: f.x[0], x2: f.x[1], y1: yTemp(0), y2: yTemp(0) }));
      return f.svg;
    }

    // scatter puts the height on the x axis and the population, logarithmic, on the y axis.
    function scatter(towns, bounds, options) {
      const f = frame(options);
      const x = Brine.linear([0, bounds.elevation[1] * 1.02], f.x);
      const y = Brine.logarithmic([Math.max(1, bounds.population[0] * 0.8), bounds.population[1] * 1.2], f.y);
      f.svg.append(leftAxis(f, y, (value) => i18n.number(value, { notation: "compact" })));
      for (const value of x.ticks(7)) {
        f.svg.append(s("text", { class: "tick", x: x(value), y: f.y[0] + 16, "text-anchor": "middle" }, i18n.number(value)));
      }
      for (const town of towns) {
        f.svg.append(s("circle", {
          class: "dot",
          cx: x(town.elevation).toFixed(1),
          cy: y(town.population).toFixed(1),
          r: town.harbour ? 4 : 3,
          data: { town: town.id }
        }, s("title", town.name)));
      }
      return f.svg;
    }

    // spark is a chart small enough for a table cell.
    function spark(values) {
      const bounds = Brine.extent(values);
      const y = Brine.linear(bounds, [18, 2]);
      const points = values.map((value, number) => [2 + number * (56 / (values.length - 1)), y(value)]);
      return s("svg", { class: "spark", viewBox: "0 0 60 20", "aria-hidden": "true" }, s("path", { d: Brine.linePath(points) }));
    }

    module.exports = { bars, sizes, climate, scatter, spark };
  };

  // ---- src/map.js
  definitions["src/map.js"] = function (module, require) {

    const i18n = require("src/i18n.js");
    const { s } = Brine;

    const WIDTH = 640;
    const HEIGHT = 620;
    const MARGIN = 26;

    const COLOURS = {
      population: { ramp: "ember", of: (town) => Math.log10(town.population), range: (b) => b.population.map(Math.log10) },
      elevation: { ramp: "moor", of: (town) => town.elevation, range: (b) => b.elevation },
      temperature: { ramp: "thaw", of: (town) => town.meanTemp, range: (b) => b.meanTemp },
      age: { ramp: "slate", of: (town) => -town.founded, range: (b) => [-b.founded[1], -b.founded[0]] }
    };

    // A cylindrical projection that keeps angles near enough for an atlas of one archipelago.
    function projection(bounds) {
      const mercator = (lat) => Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360));
      const x = Brine.linear(bounds.lon, [MARGIN, WIDTH - MARGIN]);
      const y = Brine.linear(bounds.lat.map(mercator), [HEIGHT - MARGIN, MARGIN]);
      return (town) => [x(town.lon), y(mercator(town.lat))];
    }

    class TownMap {
      constructor(store, onPick) {
        this.store = store;
        this.project = projection(store.bounds);
        this.shores = s("g", { class: "shores" });
        this.roads = s("g", { class: "connections" });
        this.route = s("path", { class: "route", d: "" });
        this.dots = s("g", { class: "towns" });
        this.svg = s("svg", { class: "map", viewBox: "0 0 " + WIDTH + " " + HEIGHT, role: "img" },
          this.shores, this.roads, this.route, this.dots);
        this.circles = new Map();
        this.drawShores();
        this.drawConnections();
        this.drawTowns();
        Brine.delegate(this.svg, "click", "circle[data-town]", (event, node) => onPick(node.dataset.town));
        this.colourBy("population");
      }

      // Each island is the hull of its towns, pushed outwards a little.
      drawShores() {
        for (const [island, towns] of Brine.groupBy(this.store.towns, (town) => town.island)) {
          const points = Brine.hull(towns.map(this.project));
          const cx = Brine.mean(points.map((p) => p[0]));
          const cy = Brine.mean(points.map((p) => p[1]));
          const shore = points.map(([x, y]) => {
            const length = Math.hypot(x - cx, y - cy) || 1;
            return [x + ((x - cx) / length) * 14, y + ((y - cy) / length) * 14];
          });
          this.shores.append(s("path", { class: ["shore", island], d: Brine.linePath(shore) + "Z" }));
        }
      }

      drawConnections() {
        const drawn = new Set();
        for (const town of this.store.towns) {
          for (const edge of town.neighbours) {
            const key = [town.id, edge.to.id].sort().join(" ");
            if (drawn.has(key)) continue;
            drawn.add(key);
            this.roads.append(s("path", { class: edge.kind, d: Brine.linePath([this.project(town), this.project(edge.to)]) }));
          }
        }
      }

      drawTowns() {
        for (const town of Brine.sortBy(this.store.towns, (item) => item.population, true)) {
          const [cx, cy] = this.project(town);
          const circle = s("circle", {
            cx: cx.toFixed(1),
            cy: cy.toFixed(1),
            r: (2 + 1.6 * Math.max(0, Math.log10(town.population) - 2)).toFixed(1),
            data: { town: town.id }
          }, s("title", town.name));
          this.circles.set(town.id, circle);
          this.dots.append(circle);
        }
      }

      colourBy(name) {
        const colour = COLOURS[name] || COLOURS.population;
        const [low, high] = colour.range(this.store.bounds);
        for (const town of this.store.towns) {
          this.circles.get(town.id).setAttribute("fill", Brine.ramp(colour.ramp, (colour.of(town) - low) / (high - low || 1)));
        }
      }

      // filter dims the towns a search did not find.
      filter(towns) {
        const shown = new Set(towns.map((town) => town.id));
        for (const [id, circle] of this.circles) circle.classList.toggle("dim", !shown.has(id));
      }

      select(town) {
        for (const [id, circle] of this.circles) circle.classList.toggle("selected", Boolean(town) && id === town.id);
      }

      showRoute(towns) {
        this.route.setAttribute("d", towns.length > 1 ? Brine.linePath(towns.map(this.project)) : "");
      }

      retitle() {
        this.svg.setAttribute("aria-label", i18n.t("map.title"));
      }
    }

    module.exports = { TownMap, colours: Object.keys(COLOURS) };
  };

  // ---- src/wasm.js
  definitions["src/wasm.js"] = function (module, require) {

    // load fetches the module and says which way it was compiled: streaming needs
    // the media type application/wasm, so the answer tells something about the server.
    async function load(url) {
      const response = await fetch(url);
      if (!response.ok) throw new Error(url + ": " + response.status);
      const type = (response.headers.get("content-type") || "").split(";")[0].trim();
      let how = "buffer";
      let result;
      if (type === "application/wasm" && WebAssembly.instantiateStreaming) {
        result = await WebAssembly.instantiateStreaming(response, {});
        how = "streaming";
      } else {
        result = await WebAssembly.instantiate(await response.arrayBuffer(), {});
      }
      return wrap(result.instance.exports, how);
    }

    function wrap(exports, how) {
      if (exports.add(2, 3) !== 5) throw new Error("add.wasm cannot add");
      const memory = exports.memory;

      // adler32 copies the bytes through the memory of the module, a window at a time.
      function adler32(bytes) {
        const start = 1024;
        const room = memory.buffer.byteLength - start;
        let sum = 1;
        for (let at = 0; at < bytes.length; at += room) {
          const part = bytes.subarray(at, Math.min(bytes.length, at + room));
          new Uint8Array(memory.buffer).set(part, start);
          sum = exports.adler32(sum, start, part.length);
        }
        return sum >>> 0;
      }

      function greeting() {
        const bytes = new Uint8Array(memory.buffer, 0, exports.greeting_length());
        return new TextDecoder().decode(bytes);
      }

      return { how, add: exports.add, gcd: exports.gcd, fib: exports.fib, adler32, greeting };
    }

    module.exports = { load };
  };

  // ---- src/ui.js
  definitions["src/ui.js"] = function (module, require) {

    const i18n = require("src/i18n.js");
    const chart = require("src/chart.js");
    const { highlight } = require("src/search.js");
    const routes = require("src/routes.js");
    const { colours } = require("src/map.js");
    const { h } = Brine;
    const { t, number } = i18n;

    const COLUMNS = [
      { key: "name", of: (town) => Brine.fold(town.name), text: (town, words) => highlight(town.name, words) },
      { key: "island", of: (town) => town.island, text: (town, words) => highlight(town.islandName[i18n.current()], words) },
      { key: "population", of: (town) => town.population, text: (town) => number(town.population), numeric: true },
      { key: "elevation", of: (town) => town.elevation, text: (town) => number(town.elevation), numeric: true },
      { key: "founded", of: (town) => town.founded, text: (town) => String(town.founded), numeric: true }
    ];

    const PAGE = 25;

    // ResultTable shows the hits of a search, a page at a time, in an order the reader picks.
    class ResultTable {
      constructor(root, onPick) {
        this.root = root;
        this.sort = null;
        this.descending = false;
        this.shown = PAGE;
        this.result = { hits: [], words: [], guesses: [] };
        Brine.delegate(root, "click", "th[data-key]", (event, node) => this.sortOn(node.dataset.key));
        Brine.delegate(root, "click", "button[data-more]", () => { this.shown += PAGE; this.draw(); });
        Brine.delegate(root, "click", "tr[data-town]", (event, node) => onPick(node.dataset.town));
        Brine.delegate(root, "keydown", "tr[data-town]", (event, node) => {
          if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            onPick(node.dataset.town);
          }
        });
      }

      sortOn(key) {
        if (this.sort === key) this.descending = !this.descending;
        else { this.sort = key; this.descending = COLUMNS.find((column) => column.key === key).numeric === true; }
        this.draw();
      }

      show(result, query) {
        this.result = result;
        this.query = query;
        this.shown = PAGE;
        this.draw();
      }

      rows() {
        if (!this.sort) return this.result.hits;
        const column = COLUMNS.find((candidate) => candidate.key === this.sort);
        return Brine.sortBy(this.result.hits, column.of, this.descending);
      }

      draw() {
        const rows = this.rows();
        if (rows.length === 0) {
          Brine.replace(this.root, h("p", { class: "empty" }, t("search.none", { query: this.query })));
          return;
        }
        Brine.replace(this.root,
          this.result.guesses.length ? h("p", { class: "hint" }, t("search.did-you-mean", { words: this.result.guesses.join(", ") })) : null,
          h("table",
            h("thead", h("tr", COLUMNS.map((column) => h("th", {
              scope: "col",
              class: column.numeric ? "numeric" : "",
              data: { key: column.key },
              "aria-sort": this.sort !== column.key ? "none" : this.descending ? "descending" : "ascending"
            }, t("column." + column.key))), h("th", { scope: "col" }, t("chart.celsius")))),
            h("tbody", rows.slice(0, this.shown).map((town) => h("tr", { tabindex: 0, data: { town: town.id } },
              COLUMNS.map((column) => h("td", { class: column.numeric ? "numeric" : "" }, column.text(town, this.result.words))),
              h("td", chart.spark(town.temp)))))),
          rows.length > this.shown ? h("button", { type: "button", data: { more: "1" } }, "+ " + Math.min(PAGE, rows.length - this.shown)) : null);
      }
    }

    function coordinates(town) {
      const part = (value, positive, negative) => {
        const degrees = Math.floor(Math.abs(value));
        const minutes = Math.round((Math.abs(value) - degrees) * 60);
        return (minutes === 60 ? degrees + 1 : degrees) + "° " + String(minutes % 60).padStart(2, "0") + "′ " + (value < 0 ? negative : positive);
      };
      return part(town.lat, "N", "S") + ", " + part(town.lon, i18n.current() === "de" ? "O" : "E", "W");
    }

    // detail is the card of one town.
    function detail(town, words, actions) {
      const near = Brine.sortBy(town.neighbours, (edge) => edge.minutes);
      const within = routes.reachable(town, 120).size - 1;
      return h("article", { class: "card town", "aria-labelledby": "town-name" },
        h("header",
          h("h3", { id: "town-name" }, town.name),
          h("button", { type: "button", class: "quiet", onclick: actions.close }, t("detail.close"))),
        h("p", highlight(town.note[i18n.current()], words)),
        h("dl",
          h("dt", t("column.island")), h("dd", town.islandName[i18n.current()]),
          h("dt", t("column.population")), h("dd", number(town.population)),
          h("dt", t("column.elevation")), h("dd", number(town.elevation), " (", t(town.harbour ? "detail.harbour" : "detail.inland"), ")"),
          h("dt", t("column.founded")), h("dd", String(town.founded)),
          h("dt", t("detail.position")), h("dd", coordinates(town)),
          h("dt", t("detail.trades")), h("dd", town.industries.map(i18n.trade).join(", ")),
          h("dt", "≤ " + i18n.duration(120)), h("dd", number(within))),
        h("h4", t("detail.climate")),
        chart.climate(town.temp, town.rain, { title: t("chart.climate"), class: "climate", height: 220 }),
        h("h4", t("detail.neighbours")),
        h("ul", { class: "connections-list" }, near.map((edge) => h("li", { class: "kind-" + edge.kind },
          h("button", { type: "button", class: "link", onclick: () => actions.pick(edge.to.id) }, edge.to.name),
          " ", edge.line, ", ", number(edge.km), " km, ", i18n.duration(edge.minutes)))));
    }

    // planner is the form that asks for two towns.
    function planner(store, onRoute) {
      const listId = "town-names";
      const from = h("input", { name: "from", list: listId, required: true, autocomplete: "off" });
      const to = h("input", { name: "to", list: listId, required: true, autocomplete: "off" });
      const prefer = h("select", { name: "prefer" }, ["minutes", "km", "changes"].map((key) => h("option", { value: key }, t("route.prefer." + key))));
      const answer = h("div", { class: "answer", role: "status" });

      function say(message) {
        Brine.replace(answer, h("p", { class: "hint" }, message));
        onRoute([]);
      }

      function submit(event) {
        event.preventDefault();
        const a = store.find(from.value);
        const b = store.find(to.value);
        if (!a || !b) return say(t("route.unknown", { name: (a ? to : from).value }));
        if (a === b) return say(t("route.same"));
        const route = routes.find(a, b, prefer.value);
        if (!route) return say(t("route.none", { from: a.name, to: b.name }));
        Brine.replace(answer,
          h("p", { class: "total" }, t("route.total", { km: number(route.km), minutes: i18n.duration(route.minutes), changes: route.changes })),
          h("ol", route.legs.map((leg) => h("li", { class: "kind-" + leg.kind },
            t("route.leg", { line: leg.line, kind: t("kind." + leg.kind), to: leg.to.name }),
            h("small", " ", number(leg.km), " km, ", i18n.duration(leg.minutes), leg.via.length ? " · " + leg.via.map((town) => town.name).join(", ") : "")))));
        onRoute(route.towns);
        return route;
      }

      return h("form", { class: "planner", onsubmit: submit },
        h("datalist", { id: listId }, store.towns.map((town) => h("option", { value: town.name }))),
        h("label", t("route.from"), from),
        h("button", {
          type: "button",
          class: "quiet",
          onclick: () => { [from.value, to.value] = [to.value, from.value]; }
        }, t("route.swap")),
        h("label", t("route.to"), to),
        h("label", t("route.prefer"), prefer),
        h("button", { type: "submit" }, t("route.go")),
        answer);
    }

    function colourPicker(onChange) {
      return h("label", { class: "inline" }, t("map.colour"), " ",
        h("select", { onchange: (event) => onChange(event.target.value) },
          colours.map((key) => h("option", { value: key }, t("map.colour." + key)))));
    }

    function charts(store) {
      const islands = Brine.groupBy(store.towns, (town) => town.island);
      const people = store.islands.map((island, index) => ({
        label: island.name[i18n.current()],
        value: Brine.sum((islands.get(island.id) || []).map((town) => town.population)),
        colour: Brine.ramp("lagoon", 0.15 + (index / store.islands.length) * 0.8)
      }));
      const relation = Brine.correlation(store.towns.map((town) => town.elevation), store.towns.map((town) => Math.log10(town.population)));
      const figure = (key, svg, note) => h("figure", svg, h("figcaption", t(key), note ? h("small", " ", note) : null));
      return [
        figure("chart.population", chart.bars(people, { title: t("chart.population") })),
        figure("chart.size", chart.sizes(store.towns, { title: t("chart.size") })),
        figure("chart.scatter", chart.scatter(store.towns, store.bounds, { title: t("chart.scatter") }),
          t("chart.correlation", { value: number(relation, { maximumFractionDigits: 2 }) }))
      ];
    }

    module.exports = { ResultTable, detail, planner, colourPicker, charts };
  };

  // ---- src/main.js
  definitions["src/main.js"] = function (module, require) {

    const i18n = require("src/i18n.js");
    const { create } = require("src/store.js");
    const { Index } = require("src/search.js");
    const { TownMap } = require("src/map.js");
    const wasm = require("src/wasm.js");
    const ui = require("src/ui.js");

    const $ = (selector) => document.querySelector(selector);
    const events = new Brine.Emitter();
    const state = { query: "", town: null, store: null, index: null, map: null, table: null, facts: null };

    // The address bar holds the search and the town, so that a view can be shared.
    function readAddress() {
      const parameters = new URLSearchParams(location.hash.slice(1));
      return { query: parameters.get("q") || "", town: parameters.get("town"), language: parameters.get("lang") };
    }

    function writeAddress() {
      const parameters = new URLSearchParams();
      if (state.query) parameters.set("q", state.query);
      if (state.town) parameters.set("town", state.town.id);
      if (i18n.current() !== "en") parameters.set("lang", i18n.current());
      const hash = parameters.toString();
      history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search);
    }

    function search(query) {
      state.query = query;
      const started = performance.now();
      const result = state.index.query(query);
      const ms = performance.now() - started;
      state.table.show(result, query);
      state.map.filter(result.hits);
      $("#count").textContent = i18n.t("search.count", { shown: i18n.number(result.hits.length), total: i18n.number(state.store.towns.length) }) +
        ", " + i18n.t("search.took", { ms: i18n.number(ms, { maximumFractionDigits: 1 }) });
      writeAddress();
    }

    function pick(id) {
      state.town = id ? state.store.byId.get(id) || null : null;
      const words = state.index.query(state.query).words;
      Brine.replace($("#detail"), state.town ? ui.detail(state.town, words, { close: () => pick(null), pick }) : null);
      state.map.select(state.town);
      writeAddress();
      events.emit("picked", state.town);
    }

    function report() {
      $("#status").textContent = !state.facts ? i18n.t("status.loading") : i18n.t("status.ready", {
        edition: state.facts.edition,
        towns: i18n.number(state.store.towns.length),
        bytes: Brine.formatBytes(state.facts.bytes),
        checksum: state.facts.checksum
      });
    }

    // translate redraws all that carries text; the data stays.
    function translate(language) {
      i18n.setLanguage(language);
      for (const node of document.querySelectorAll("[data-text]")) node.textContent = i18n.t(node.dataset.text);
      for (const node of document.querySelectorAll("[data-placeholder]")) node.placeholder = i18n.t(node.dataset.placeholder);
      for (const node of document.querySelectorAll("[data-language]")) {
        node.setAttribute("aria-pressed", String(node.dataset.language === i18n.current()));
      }
      report();
      if (!state.store) return;
      state.map.retitle();
      Brine.replace($("#charts"), ui.charts(state.store));
      Brine.replace($("#planner"), ui.planner(state.store, (towns) => state.map.showRoute(towns)));
      Brine.replace($("#map-tools"), ui.colourPicker((name) => state.map.colourBy(name)));
      search(state.query);
      pick(state.town && state.town.id);
      events.emit("translated", i18n.current());
    }

    function theme() {
      const root = document.documentElement;
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
    }

    async function keepOffline(button) {
      try {
        await navigator.serviceWorker.register("sw.js");
        button.textContent = i18n.t("offline.kept");
        button.disabled = true;
      } catch (error) {
        button.textContent = i18n.t("offline.failed");
      }
    }

    async function loadFont() {
      const faces = await document.fonts.load('32px "Saltmere Caps"', "Saltmere");
      if (faces.length === 0) throw new Error("the font did not load");
      return faces[0].family;
    }

    async function loadPictures() {
      const pictures = Array.from(document.images);
      await Promise.all(pictures.map((picture) => picture.decode()));
      return pictures.length;
    }

    // The style sheet says when it has arrived through a property of its own.
    async function loadStyle() {
      for (let attempt = 0; attempt < 50; attempt++) {
        if (getComputedStyle(document.documentElement).getPropertyValue("--style-loaded").trim() === "yes") return true;
        await Brine.wait(100);
      }
      throw new Error("the style sheet did not load");
    }

    function listen() {
      const box = $("#query");
      box.addEventListener("input", Brine.debounce(80, () => search(box.value)));
      $("#search").addEventListener("submit", (event) => { event.preventDefault(); search(box.value); });
      Brine.delegate(document.body, "click", "[data-language]", (event, node) => translate(node.dataset.language));
      Brine.delegate(document.body, "click", "[data-query]", (event, node) => { box.value = node.dataset.query; search(box.value); });
      $("#theme").addEventListener("click", theme);
      $("#offline").addEventListener("click", (event) => keepOffline(event.currentTarget));
      document.addEventListener("keydown", (event) => {
        if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
          event.preventDefault();
          box.focus();
        } else if (event.key === "Escape" && state.town) {
          pick(null);
        }
      });
      addEventListener("hashchange", () => {
        const address = readAddress();
        box.value = address.query;
        if (address.language && address.language !== i18n.current()) translate(address.language);
        search(address.query);
        pick(address.town);
      });
    }

    async function start() {
      const address = readAddress();
      const language = address.language || (navigator.language || "en").slice(0, 2);
      translate(language);

      const [bytes, module, font, pictures] = await Brine.withTimeout(20000, Promise.all([
        Brine.getBytes("data/cities.json"),
        wasm.load("wasm/add.wasm"),
        loadFont(),
        loadPictures(),
        loadStyle()
      ]), "loading");

      const checksum = module.adler32(bytes);
      if (checksum !== Brine.adler32(bytes)) throw new Error("the two checksums differ");
      const data = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));

      state.store = create(data);
      state.index = new Index(state.store.towns);
      state.map = new TownMap(state.store, pick);
      state.table = new ui.ResultTable($("#results"), pick);
      Brine.replace($("#map"), state.map.svg);
      state.query = address.query;
      state.town = address.town ? state.store.byId.get(address.town) || null : null;
      $("#query").value = address.query;
      translate(i18n.current());
      listen();

      state.facts = { edition: data.edition, bytes: bytes.length, checksum: checksum.toString(16).padStart(8, "0") };
      report();
      Object.assign(document.body.dataset, {
        towns: String(state.store.towns.length),
        bytes: String(bytes.length),
        checksum: state.facts.checksum,
        wasm: module.how,
        sum: String(module.add(19, 23)),
        font: font.replace(/"/g, ""),
        pictures: String(pictures)
      });
    }

    start().then(
      () => { document.body.dataset.ready = "yes"; },
      (error) => {
        document.body.dataset.ready = "no";
        document.body.dataset.error = String(error && error.message || error);
        $("#status").textContent = i18n.t("status.failed", { message: document.body.dataset.error });
      }
    );

    module.exports = { events, state };
  };

  require("src/main.js");
})();
//# sourceMappingURL=app-94321350.js.map
