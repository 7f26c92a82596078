/**
 * The browser and the system of a `User-Agent`, for people to recognize their own sessions. This is a table, not a library:
 * bowser and ua-parser-js also return names that they cut out of the header. The header of an attacker with a stolen
 * password would then write text on the user's account page.
 */

/** What a browser says of itself. */
export interface Device {
  /** Null when it is none of the known ones. */
  browser: string | null
  system: string | null
}

/** The first row whose text the header contains. Browsers also send the names of those that they descend from. */
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['EdgA/', 'Edge'],
  ['EdgiOS/', 'Edge'],
  ['OPR/', 'Opera'],
  ['OPT/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Vivaldi/', 'Vivaldi'],
  ['YaBrowser/', 'Yandex Browser'],
  ['DuckDuckGo/', 'DuckDuckGo'],
  ['Ddg/', 'DuckDuckGo'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

/** Android also says Linux, and an iPhone also says Mac OS X. */
const SYSTEMS = [
  ['Windows', 'Windows'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** The known names in a `User-Agent`. */
export function deviceOf(user_agent: string | null): Device {
  const nameIn = (table: readonly (readonly [text: string, name: string])[]): string | null =>
    table.find(([text]) => user_agent?.includes(text))?.[1] ?? null
  return { browser: nameIn(BROWSERS), system: nameIn(SYSTEMS) }
}
