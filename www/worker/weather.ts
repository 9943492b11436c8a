// The demo agent's data: weather that is made up, and always the same for the same city.

/** A city. */
export interface City {
  readonly name: string;
  /** The local name, or the name in the question. */
  readonly local: string;
  /** Another name. */
  readonly also?: string;
  readonly walk: string;
}

/** The result of the tool. */
export interface Weather {
  readonly city: string;
  readonly celsius: number;
  readonly sky: string;
  readonly humidity: number;
  readonly wind: number;
  /** The number of stations that were queried. */
  readonly stations: number;
  /** Highest temperatures of the next days. */
  readonly forecast: readonly number[];
}

const CITIES: readonly City[] = [
  { name: "Hangzhou", local: "杭州", walk: "西湖 (West Lake)" },
  { name: "Beijing", local: "北京", walk: "颐和园 (the Summer Palace)" },
  { name: "Shanghai", local: "上海", walk: "外滩 (the Bund)" },
  { name: "Chengdu", local: "成都", walk: "人民公园 (People's Park)" },
  { name: "Lisbon", local: "Lisboa", also: "里斯本", walk: "the Tejo" },
  { name: "Berlin", local: "Berlin", also: "柏林", walk: "the Spree" },
  { name: "Tokyo", local: "東京", also: "东京", walk: "上野公園 (Ueno Park)" },
  { name: "Paris", local: "Paris", also: "巴黎", walk: "the Seine" },
  { name: "London", local: "London", also: "伦敦", walk: "the Thames" },
  { name: "New York", local: "New York", also: "纽约", walk: "the Hudson" },
];

/** The city for questions about the weather without a city. */
export const DEFAULT_CITY = CITIES[0]!;

/** A sky: for the tool, in Chinese, in English, and as an emoji. */
export interface Sky {
  readonly code: string;
  readonly chinese: string;
  readonly english: string;
  readonly sign: string;
}

const SKIES: readonly Sky[] = [
  { code: "clear", chinese: "晴", english: "clear", sign: "☀️" },
  { code: "partly_cloudy", chinese: "多云", english: "partly cloudy", sign: "⛅️" },
  { code: "light_rain", chinese: "小雨", english: "raining a little", sign: "🌦️" },
  { code: "windy", chinese: "大风", english: "windy", sign: "🌬️" },
];

/**
 * Returns the cities of a text, in their order: the known ones, or else a word in the position of a
 * city.
 */
export function citiesIn(text: string): City[] {
  const lower = text.toLowerCase();
  const at = ({ name, local, also }: City): number =>
    Math.min(
      ...[name, local, also].flatMap((word) =>
        word === undefined ? [] : place(lower, word.toLowerCase()),
      ),
    );
  const known = CITIES.filter((city) => at(city) < Infinity).sort(
    (one, other) => at(one) - at(other),
  );
  return known.length > 0 ? known : placesIn(text);
}

/** Returns whether a text asks about the weather. */
export function isAboutWeather(text: string): boolean {
  return /weather|forecast|temperature|\b(rain|sunny|warm|cold)|天气|气温|下雨|天気/i.test(text);
}

/** Returns the position of a word: of a whole word, if it consists of Latin letters. */
function place(text: string, word: string): number {
  const found = /^[a-z ]+$/.test(word)
    ? text.search(new RegExp(`\\b${word}\\b`))
    : text.indexOf(word);
  return found < 0 ? Infinity : found;
}

const CAPITALISED = String.raw`\p{Lu}[\p{L}'’-]*(?:\s+\p{Lu}[\p{L}'’-]*){0,3}`;
const PLACES: readonly RegExp[] = [
  new RegExp(String.raw`\b(?:in|at|for|of|near|from)\s+(${CAPITALISED})`, "u"),
  new RegExp(String.raw`(${CAPITALISED})(?:'s)?\s+(?:weather|forecast)`, "u"),
  /\b(?:weather|forecast|temperature)\b.*?\b(?:in|at|for|of)\s+([\p{L}'’-]{3,})/iu,
  /^(?:请问|今天|明天|现在|在)*([\p{Script=Han}]{2,5}?)(?:市)?(?:今天|明天|现在)?的?(?:天气|气温)/u,
];

/** Unknown places have weather, too. */
function placesIn(text: string): City[] {
  for (const pattern of PLACES) {
    const name = pattern.exec(text)?.[1]?.replace(/^\p{L}/u, (letter) => letter.toUpperCase());
    if (name !== undefined && name.length <= 60) {
      return [{ name, local: name, walk: "the river" }];
    }
  }
  return [];
}

/** The weather in a city. */
export function weatherIn({ name }: City): Weather {
  const chance = randomGenerator(name);
  const celsius = 14 + chance(14);
  return {
    city: name,
    celsius,
    sky: SKIES[chance(SKIES.length)]!.code,
    humidity: 40 + chance(45),
    wind: 1 + chance(5),
    stations: 2 + chance(3),
    forecast: Array.from({ length: 5 }, () => celsius - 4 + chance(9)),
  };
}

/** The sky with a code. */
export function skyOf({ sky }: Weather): Sky {
  return SKIES.find(({ code }) => code === sky)!;
}

/**
 * Returns the forecast as a small picture in a data URL, so that a client does not have to fetch
 * it.
 */
export function forecastImage({ city, forecast }: Weather): string {
  const lowest = Math.min(...forecast) - 4;
  const bars = forecast.map((celsius, day) => {
    const height = (celsius - lowest) * 9;
    const [x, y] = [24 + day * 58, 132 - height];
    return (
      `<rect x="${x}" y="${y}" width="38" height="${height}" rx="6" fill="url(#g)"/>` +
      `<text x="${x + 19}" y="${y - 8}">${celsius}°</text><text x="${x + 19}" y="152" opacity=".6">+${day + 1}</text>`
    );
  });
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="172" viewBox="0 0 320 172" role="img" aria-label="Forecast for ${city}">` +
    `<defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="#7c8cff"/><stop offset="1" stop-color="#57d2c2"/></linearGradient></defs>` +
    `<rect width="320" height="172" fill="#15171c"/><g fill="#e8eaf0" font-family="system-ui,sans-serif" font-size="13" text-anchor="middle">` +
    `${bars.join("")}</g></svg>`;
  const bytes = new TextEncoder().encode(svg);
  return `data:image/svg+xml;base64,${btoa(String.fromCharCode(...bytes))}`;
}

/** Returns a pseudo-random number generator that depends only on a text. */
function randomGenerator(text: string): (below: number) => number {
  let state = 2166136261;
  for (const character of text) {
    state = Math.imul(state ^ character.codePointAt(0)!, 16777619);
  }
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}
