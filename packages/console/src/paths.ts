/** The client of the console, and where pages and operations are. */

export const CONSOLE_CLIENT_ID = 'ostiary-console'

/** Its first page. */
export const CONSOLE_PATH = '/admin'

/** Where its client gets the codes. */
export const CALLBACK_PATH = `${CONSOLE_PATH}/callback`

/** What is in a realm. */
export interface InRealm {
  realm: string
}

/** The path of what the API has for the realm. */
export const apiPath = (c: InRealm, ...parts: string[]): string =>
  `/realms/${[c.realm, ...parts].map(encodeURIComponent).join('/')}`

/** The path of a page of the realm. */
export const pathOf = (c: InRealm, ...parts: string[]): string => CONSOLE_PATH + apiPath(c, ...parts)
