/**
 * Every limit of failed sign-ins, and the queue of password checks, with its key: a stranger at the limit of a row leaves others
 * what is theirs. A limit, a counter or a queue of identity and host without a row fails.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { argon2Passwords } from '../src/index.ts'
import { CODE_LIMITS, type CodeAttempt } from '../src/sign-in/code-limits.ts'
import { CHANGE, postAccount, signedIn } from './_account.ts'
import { anywhere, attempt, type Guesses, guess, manyAttempts } from './_attempts.ts'
import { codeWorld, DAY, guessCodes, guessForADay, START } from './_codes.ts'
import { type Browser, browser, PASSWORD, type Setup, setup, tryLogin } from './_setup.ts'

const STRANGER = '192.0.2.1'
const OTHER = '198.51.100.1'
const usernames = (index: number) => `user${index}`

interface Row {
  limit: string
  key: string
  /** The stranger's failures that are answered as failures. */
  passes: number
  fail(s: Setup, count: number): Promise<Record<number, number>>
  /** Each signs in with the right password: the status. */
  others: Record<string, (s: Setup, known: Browser) => Promise<number>>
}

const guesses =
  (where: Omit<Guesses, 'count'>): Row['fail'] =>
  (s, count) =>
    guess(s, { ...where, count })

const signIn = (address: string) => async (s: Setup) =>
  (await tryLogin(s, { username: 'ada', password: PASSWORD, address })).status

const onDevice = async (s: Setup, known: Browser) => (await attempt(s, known, { address: STRANGER })).status

async function repeated(count: number, send: () => Promise<Response>): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  for (let n = 0; n < count; n += 1) {
    const { status } = await send()
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  return statuses
}

const ROWS: Row[] = [
  {
    limit: 'account_and_address',
    key: 'account and address',
    passes: 20,
    fail: guesses({ address: () => STRANGER }),
    others: { 'another address': signIn(OTHER), 'a known device at the address': onDevice },
  },
  {
    limit: 'address',
    key: 'address, for all accounts',
    passes: 100,
    fail: guesses({ address: () => STRANGER, username: usernames }),
    others: { 'another address': signIn(OTHER), 'a known device at the address': onDevice },
  },
  {
    limit: 'site',
    key: '/48, for all accounts',
    passes: 400,
    fail: guesses({ address: (index) => `2001:db8:1:${index.toString(16)}::1`, username: usernames }),
    others: { 'another /48': signIn('2001:db8:2::1'), 'an IPv4 address': signIn(OTHER) },
  },
  {
    limit: 'account',
    key: 'account, from all addresses: browsers that have proved nothing',
    passes: 200,
    fail: guesses({ address: anywhere, username: 'ada' }),
    others: {
      'a known device of the account': onDevice,
      'another account': async (s) =>
        (await tryLogin(s, { username: 'bob', password: 'wrong', address: OTHER })).status,
    },
  },
  {
    limit: 'device',
    key: 'account and known device',
    passes: 20,
    async fail(s, count) {
      const device = browser(s)
      await attempt(s, device)
      return repeated(count, () => attempt(s, device, { password: 'wrong', address: OTHER }))
    },
    others: { 'another device': onDevice, 'the address without a device': signIn(OTHER) },
  },
  {
    limit: 'session',
    key: 'session, at the account page',
    passes: 20,
    async fail(s, count) {
      const session = await signedIn(s)
      return repeated(count, () => postAccount(s, session, { ...CHANGE, current_password: 'wrong' }))
    },
    others: { 'another device': onDevice, 'a browser without a session': signIn(OTHER) },
  },
]

/** Of a peer that claims addresses: packages/host/test/claimed-addresses.test.ts drives it through the headers. */
const ELSEWHERE = ['peer']

describe.each(ROWS)('$limit, by $key', ({ limit, passes, fail, others }) => {
  it(`answers ${passes} failures of a stranger, and then signs others in`, async () => {
    const s = await manyAttempts()
    const known = browser(s)
    await attempt(s, known)
    expect(await fail(s, passes + 5)).toEqual({ 422: passes, 429: 5 })
    expect(s.events.at(-1)).toMatchObject({ reason: 'throttled', limit })
    for (const [who, other] of Object.entries(others)) {
      const expected = who === 'another account' ? 422 : 303
      expect([who, await other(s, known)]).toEqual([who, expected])
    }
  })
})

interface CodeRow {
  limit: string
  key: string
  stranger: Partial<CodeAttempt>
  /** The length of the window in seconds. */
  window: number
  /** Each has wrong codes of its own. */
  others: Record<string, Partial<CodeAttempt>>
}

const CODE_ROWS: CodeRow[] = [300, DAY].flatMap((window) => [
  {
    limit: window === DAY ? 'code_day' : 'code',
    key: 'account, from all addresses: browsers that are no known device',
    stranger: {},
    window,
    others: {
      'a known device of the account': { device: 'device 1' },
      'another account': { username_key: 'bob' },
      'another realm': { realm: 'two' },
    },
  },
  {
    limit: window === DAY ? 'code_device_day' : 'code_device',
    key: 'account and known device',
    stranger: { device: 'device 1' },
    window,
    others: {
      'another device': { device: 'device 2' },
      'a browser without a device': {},
      'another account': { username_key: 'bob', device: 'device 1' },
    },
  },
])

describe.each(CODE_ROWS)('$limit, by $key', ({ limit, stranger, window, others }) => {
  const guesses = (w: ReturnType<typeof codeWorld>, attempt: Partial<CodeAttempt>) =>
    window === DAY ? guessForADay(w, attempt) : guessCodes(w, 5, attempt)

  it.each(Object.entries(others))(
    'checks the wrong codes of a stranger, and then those of %s',
    async (_, other) => {
      const w = codeWorld()
      expect(await guesses(w, stranger)).toEqual([])
      const now = window === DAY ? START + 1_200 : START
      const refused = { limit, retry_after: START + window - now }
      expect(await w.right(stranger, now)).toEqual(refused)
      expect(await guesses(w, other)).toEqual([])
      expect(await w.right(stranger, now)).toEqual(refused)
    },
  )
})

it('the queue of password checks: a full one takes an attempt from another address', async () => {
  const s = await setup({ identity: { passwords: argon2Passwords({ concurrent: 1, waiting: 8 }) } })
  const stranger = Array.from({ length: 30 }, (_, index) =>
    tryLogin(s, { username: usernames(index), password: 'wrong', address: STRANGER }),
  )
  const other = await tryLogin(s, { username: 'ada', password: PASSWORD, address: OTHER })
  const statuses = (await Promise.all(stranger)).map(({ status }) => status)
  expect([statuses.includes(503), other.status]).toEqual([true, 303])
})

const sources = (folder: string): string[] => {
  const url = new URL(folder, import.meta.url)
  return readdirSync(url, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => `${name.replaceAll('\\', '/')}\n${readFileSync(new URL(name, url), 'utf8')}`)
}

describe('each has a row:', () => {
  it('each limit of failed sign-ins', () => {
    const [file = ''] = sources('../src/').filter((text) => text.startsWith('sign-in/login-limits.ts'))
    const [, found = ''] = /\nconst FACTORS[^{]*\{\n([\s\S]*?)\n\}/.exec(file) ?? []
    const limits = [...found.matchAll(/^ +(\w+):/gm)].map(([, limit]) => limit)
    expect(limits.sort()).toEqual([...ROWS.map(({ limit }) => limit), ...ELSEWHERE].sort())
  })

  it('each limit of wrong codes', () => {
    const limits = CODE_ROWS.map(({ limit }) => limit)
    expect(limits.sort()).toEqual(Object.keys(CODE_LIMITS).sort())
  })

  it('each call that counts, and each queue', () => {
    const calls = [...sources('../src/'), ...sources('../../host/src/')].flatMap((text) => {
      const found = text.matchAll(/(?<!function )\b(createGate|fairQueue|(?<=\.)hit|countUnderCeiling)[(<]/g)
      return [...found].map(([, call]) => `${text.split('\n', 1)[0]} ${call}`)
    })
    expect(calls.sort()).toEqual([
      'sign-in/attempts.ts hit',
      'users/gate.ts fairQueue',
      'users/gate.ts fairQueue',
      'users/passwords.ts createGate',
    ])
  })
})
