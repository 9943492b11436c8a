// The demo agent's knowledge: weather that is made up, and always the same for the same city.

/** A city that the agent knows. */
export interface City {
  readonly name: string;
  readonly local: string;
  readonly walk: string;
}

/** What its tool answers. */
export interface Weather {
  readonly city: string;
  readonly celsius: number;
  readonly sky: string;
  readonly humidity: number;
  readonly wind: number;
  /** Highest temperatures of the next days. */
  readonly forecast: readonly number[];
}

const CITIES: readonly City[] = [
  { name: "Hangzhou", local: "杭州", walk: "西湖 (West Lake)" },
  { name: "Beijing", local: "北京", walk: "颐和园 (the Summer Palace)" },
  { name: "Shanghai", local: "上海", walk: "外滩 (the Bund)" },
  { name: "Chengdu", local: "成都", walk: "人民公园 (People's Park)" },
  { name: "Lisbon", local: "Lisboa", walk: "the Tejo" },
  { name: "Berlin", local: "Berlin", walk: "the Spree" },
  { name: "Tokyo", local: "東京", walk: "上野公園 (Ueno Park)" },
];

/** A sky: for the tool, in Chinese, in English, and as people send it. */
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

/** The city that a text is about; without one, the one on the lake. */
export function cityIn(text: string): City {
  const lower = text.toLowerCase();
  return CITIES.find(({ name, local }) => lower.includes(name.toLowerCase()) || text.includes(local)) ?? CITIES[0]!;
}

/** The weather in a city. */
export function weatherIn({ name }: City): Weather {
  const chance = chances(name);
  const celsius = 14 + chance(14);
  return {
    city: name,
    celsius,
    sky: SKIES[chance(SKIES.length)]!.code,
    humidity: 40 + chance(45),
    wind: 1 + chance(5),
    forecast: Array.from({ length: 5 }, () => celsius - 4 + chance(9)),
  };
}

/** The sky with a code. */
export function skyOf({ sky }: Weather): Sky {
  return SKIES.find(({ code }) => code === sky)!;
}

/** The forecast as a small picture, inside its own address so that nobody has to fetch it. */
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

/** Numbers that look like chance, and are a function of a text. */
function chances(text: string): (below: number) => number {
  let state = 2166136261;
  for (const character of text) {
    state = Math.imul(state ^ character.codePointAt(0)!, 16777619);
  }
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}
