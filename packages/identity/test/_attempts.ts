/** Many attempts to sign in, and the limits that they reach. */

import { type Browser, browser, openLogin, PASSWORD, plainPasswords, type Setup, setup } from './_setup.js'

/** Without password hashing, so that hundreds of attempts are fast. */
export const manyAttempts = (options: Parameters<typeof setup>[0] = {}): Promise<Setup> =>
  setup({ ...options, stored: plainPasswords, identity: { passwords: plainPasswords, ...options.identity } })

export interface Guesses {
  count: number
  username?: string | ((index: number) => string)
  address?: (index: number) => string
  password?: string
}

/** A different address for each index. */
export const anywhere = (index: number): string =>
  `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`

/** Posts one form repeatedly from an unknown browser. Returns the number of answers by status. */
export async function guess(s: Setup, { count, username = 'ada', address, password = 'wrong' }: Guesses) {
  const b = browser(s)
  const { url, fields } = await openLogin(s, b)
  const statuses: Record<number, number> = {}
  for (let index = 0; index < count; index++) {
    b.cookies.delete('__Host-ostiary_device')
    const named = typeof username === 'string' ? username : username(index)
    const from = address?.(index)
    const login = { ...fields, username: named, password }
    const { status } = await b.post(url, login, from === undefined ? {} : { address: from })
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  return statuses
}

export interface Login {
  username?: string
  password?: string
  address?: string
  realm?: string
}

/** One attempt with this browser and its cookies. */
export async function attempt(s: Setup, b: Browser, login: Login = {}): Promise<Response> {
  const { username = 'ada', password = PASSWORD, address, realm = 'default' } = login
  const { url, fields } = await openLogin(s, b, { realm, prompt: 'login' })
  return b.post(url, { ...fields, username, password }, address === undefined ? {} : { address })
}

export const limitsReached = (s: Setup): (string | undefined)[] =>
  s.events.flatMap((event) => ('limit' in event ? [event.limit] : []))
