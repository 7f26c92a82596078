/** The tag of a record follows from the `sub` of its person: no request and no application chooses it. */

import { describe, expect, it } from 'vitest'
import { personTag, tagOf } from '../src/storage/tag.js'
import { newSecret, sha256, systemRandom } from '../src/util/secret.js'
import {
  everyGrant,
  exchange,
  type Granted,
  granted,
  idsOf,
  peopleWorld,
  refresh,
  SECRET,
  subsOf,
  watchedPeople,
} from './people.js'
import { answer, BOB, bearer, redeem, type World } from './support.js'

const ALICE_TAG = personTag('alice')
const BOB_TAG = personTag('bob')
const VICTIM_ID = `6b49d200${'A'.repeat(22)}${ALICE_TAG}`

/** A `sub` in the bucket of Alice. */
function neighbor(): string {
  let n = 0
  while (personTag(`neighbor-${n}`) !== ALICE_TAG) n += 1
  return `neighbor-${n}`
}

/** The steps of every grant, by the stores that they ask. */
const STEPS = [
  'sessions.create',
  'sessions.find',
  'sessions.join',
  'sessions.raise',
  'sessions.end',
  'sessions.forget',
  'grants.create',
  'grants.find',
  'grants.findCode',
  'grants.redeemCode',
  'grants.findRefreshToken',
  'grants.rotateRefreshToken',
  'grants.revoke',
  'revoked_tokens.add',
]

async function tagsOfEveryGrant(sub: string, more: Record<string, string> = {}): Promise<string[]> {
  const { storage, calls } = watchedPeople()
  const w = await peopleWorld({ storage })
  w.accounts.set(sub, { ...BOB, sub })
  await everyGrant(w, sub, more)
  expect(calls.map(({ name }) => name)).toEqual(expect.arrayContaining(STEPS))
  expect([...new Set(subsOf(calls))]).toEqual([sub])
  return [...new Set(idsOf(calls).map(tagOf))]
}

describe('every record of a person has the tag of the sub', () => {
  it.each([
    ['of the server', BOB.sub],
    ['in the bucket of another person', neighbor()],
    ['that ends with the tag of another person', `sub-${ALICE_TAG}`],
    ['that is the id of a record', VICTIM_ID],
    ['that looks like the jti of a token', `${VICTIM_ID}.x.${'B'.repeat(22)}`],
    ['with the hash tag of a Redis Cluster', `{default:${ALICE_TAG}}`],
    ['of 255 characters', 's'.repeat(255)],
    ['of one character', 's'],
    ['of another alphabet', '名前 🦉 é/../%00'],
  ])('whatever an application takes as the sub: one %s', async (_, sub) => {
    expect(await tagsOfEveryGrant(sub)).toEqual([personTag(sub)])
  })

  it('whatever parameters a request has', async () => {
    const more = {
      sub: 'alice',
      sid: VICTIM_ID,
      grant_id: VICTIM_ID,
      jti: `${VICTIM_ID}.${'B'.repeat(22)}`,
      session_hash: newSecret(systemRandom) + ALICE_TAG,
      tag: ALICE_TAG,
      bucket: '7',
      realm: 'other',
      login_hint: 'alice',
    }
    expect(await tagsOfEveryGrant('bob', more)).toEqual([BOB_TAG])
  })

  it('whatever claims an application gives a person', async () => {
    const { storage, calls } = watchedPeople()
    const victim = {
      sub: 'alice',
      sid: VICTIM_ID,
      jti: `${VICTIM_ID}.${'B'.repeat(22)}`,
      grant_id: VICTIM_ID,
    }
    const w = await peopleWorld({ storage, claims: async () => victim })
    await everyGrant(w, 'bob')
    expect([...new Set(idsOf(calls).map(tagOf))]).toEqual([BOB_TAG])
    expect([...new Set(subsOf(calls))]).toEqual(['bob'])
  })
})

/** Alice and Bob are signed in, and both have tokens. */
async function twoPeople(options: Parameters<typeof peopleWorld>[0] = {}) {
  const { storage, calls } = watchedPeople()
  const w = await peopleWorld({ storage, ...options })
  const [alice, bob] = [await granted(w, 'alice'), await granted(w, 'bob')]
  return { w, alice, bob, calls }
}

/** What is stored about Alice. */
async function recordsOfAlice({ w, alice }: { w: World; alice: Granted }): Promise<unknown[]> {
  const { grants, sessions, consents } = w.storage(w.realm)
  return [
    await grants.list('alice', w.clock.now),
    await sessions.list('alice'),
    await consents.list('alice'),
    await grants.findRefreshToken(sha256(alice.body.refresh_token) + ALICE_TAG),
  ]
}

interface Place {
  /** The secret that a person has for it. */
  own(person: Granted): string
  /** Sends a text in its place, and returns what the answer says. */
  send(w: World, text: string): Promise<unknown>
  /** What the answer says to a text that is unknown. */
  unknown: unknown
}

const CLIENT = { client_id: 'app', ...SECRET }
const code = ({ code }: Granted) => code
const refreshToken = ({ body }: Granted) => body.refresh_token
const cookie = ({ cookie: [, value] }: Granted) => value
const withCookie = (w: World, value: string) => {
  const browser = w.browser()
  browser.cookies.set(w.realm === 'default' ? COOKIE : `${COOKIE}.${w.realm}`, value)
  return browser
}
const COOKIE = '__Host-ostiary_session'
const errorOf = async (response: Response) => ((await response.json()) as { error?: string }).error

const PLACES: Record<string, Place> = {
  'a code': {
    own: code,
    send: async (w, text) => (await redeem(w, text, SECRET)).body.error,
    unknown: 'invalid_grant',
  },
  'a refresh token': {
    own: refreshToken,
    send: async (w, text) => (await refresh(w, text)).body.error,
    unknown: 'invalid_grant',
  },
  'a token that is introspected': {
    own: refreshToken,
    send: async (w, token) => (await w.post('/oauth/introspect', { ...CLIENT, token })).json(),
    unknown: { active: false },
  },
  'a token that is revoked': {
    own: refreshToken,
    send: async (w, token) => (await w.post('/oauth/revoke', { ...CLIENT, token })).text(),
    unknown: '',
  },
  'the subject of an exchange': {
    own: refreshToken,
    send: async (w, text) => (await exchange(w, text)).body.error,
    unknown: 'invalid_grant',
  },
  'a bearer token': {
    own: refreshToken,
    async send(w, text) {
      const request = new Request(`${w.issuer}/oauth/userinfo`, { headers: bearer(text) })
      return errorOf(await w.provider.fetch(request))
    },
    unknown: 'invalid_token',
  },
  'the cookie of an authorization request': {
    own: cookie,
    send: async (w, text) => answer(await withCookie(w, text).authorize({ prompt: 'none' })).error,
    unknown: 'login_required',
  },
  'the cookie of a sign-out': {
    own: cookie,
    send: async (w, text) => (await withCookie(w, text).get(`${w.issuer}/oauth/logout`)).text(),
    unknown: expect.stringContaining('Nobody is signed in'),
  },
  'the cookie of an approval': {
    own: cookie,
    async send(w, text) {
      const { auth_token = '' } = w.consents.at(-1) ?? {}
      return errorOf(await withCookie(w, text).post(`${w.issuer}/oauth/authorize/consent`, { auth_token }))
    },
    unknown: 'access_denied',
  },
  'the cookie of the page for devices': {
    own: cookie,
    async send(w, text) {
      const page = await withCookie(w, text).post(`${w.issuer}/device`, { user_code: 'BCDF-GHJK' })
      return page.text()
    },
    unknown: expect.stringContaining('Sign in first'),
  },
  "the cookie of the application's own page": {
    own: cookie,
    async send(w, text) {
      const { jar } = withCookie(w, text)
      return w.provider.session(new Request(`${w.issuer}/account`, { headers: { cookie: jar.header() } }))
    },
    unknown: null,
  },
}

const withTag = (secret: string, tag: string): string => secret.slice(0, -2) + tag

const MALFORMED: [string, (own: string) => string][] = [
  ['without its tag', (own) => own.slice(0, -2)],
  ['with half of its tag', (own) => own.slice(0, -1)],
  ['with its tag twice', (own) => own + ALICE_TAG],
  ['with a further character', (own) => `${own}A`],
  ['with a tag of another alphabet', (own) => withTag(own, '+/')],
  ['with a tag that is a wildcard', (own) => withTag(own, '%_')],
  ['of another alphabet', (own) => `~${own.slice(1)}`],
  ['that is a tag alone', () => ALICE_TAG],
  ['that is the id of a record', () => VICTIM_ID],
  ['of 5,000 characters', (own) => own.repeat(112).slice(0, 5000 - 2) + ALICE_TAG],
]

describe.each(Object.entries(PLACES))('%s', (_, place) => {
  it.each(MALFORMED)('%s reaches no record', async (_, malformed) => {
    const { w, alice, calls } = await twoPeople()
    calls.length = 0
    expect(await place.send(w, malformed(place.own(alice)))).toEqual(place.unknown)
    expect(calls).toEqual([])
  })

  it('with the tag of another person is not found, and changes nothing', async () => {
    const people = await twoPeople()
    const { w, alice, bob, calls } = people
    const before = await recordsOfAlice(people)
    calls.length = 0
    const unknown = newSecret(systemRandom)
    for (const text of [
      withTag(place.own(alice), BOB_TAG),
      withTag(place.own(bob), ALICE_TAG),
      unknown + ALICE_TAG,
    ])
      expect(await place.send(w, text)).toEqual(place.unknown)
    expect(calls.filter(({ name }) => !name.includes('.find'))).toEqual([])
    expect(await recordsOfAlice(people)).toEqual(before)
    expect((await refresh(w, alice.body.refresh_token)).status).toBe(200)
  })
})
