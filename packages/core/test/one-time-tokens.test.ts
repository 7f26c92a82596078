/** One-time tokens as clients and browsers send them: a text that is none reaches no record. */

import { describe, expect, it } from 'vitest'
import { oneTimeHash } from '../src/request/one-time-token.js'
import { newSecret, sha256, systemRandom } from '../src/util/secret.js'
import { DEVICE_GRANT, type Granted, granted, peopleWorld, SECRET, watchedStorage } from './people.js'
import { tokens, type World } from './support.js'

const token = newSecret(systemRandom)
const marked = `${token}.${newSecret(systemRandom)}`

const NO_TOKENS: [string, string][] = [
  ['short', token.slice(1)],
  ['long', `${token}A`],
  ['with a tag', `${token}AA`],
  ['of another alphabet', `+${token.slice(1)}`],
  ['of two lines', `${token}\n${token}`],
  ['with half a mark', marked.slice(0, -1)],
  ['with two marks', `${marked}.${token}`],
  ['with a mark alone', marked.slice(43)],
  ['of 5,000 characters', token.repeat(120).slice(0, 5000)],
]

const errorOf = async (response: Response) => ((await response.json()) as { error?: string }).error

/** Sends the text in its place. Returns what the answer says, which is the same for a token that is unknown. */
const PLACES: Record<string, [send: (w: World, person: Granted, text: string) => Promise<unknown>, unknown]> =
  {
    'a device code': [
      async (w, _, device_code) =>
        (await tokens(w, { grant_type: DEVICE_GRANT, client_id: 'app', ...SECRET, device_code })).body.error,
      'invalid_grant',
    ],
    'the auth_token of a consent': [
      async (w, { browser }, auth_token) =>
        errorOf(await browser.post(`${w.issuer}/oauth/authorize/consent`, { auth_token })),
      'access_denied',
    ],
    'the confirmation of a sign-out': [
      async (w, { browser }, confirmation_token) =>
        errorOf(await browser.post(`${w.issuer}/oauth/logout`, { confirmation_token })),
      'access_denied',
    ],
    'the confirmation of a device': [
      async (w, { browser }, confirmation_token) =>
        (await browser.post(`${w.issuer}/device`, { confirmation_token, answer: 'allow' })).text(),
      expect.stringContaining('answered before'),
    ],
    'a request_uri': [
      async (_, { browser }, text) => {
        const request_uri = `urn:ietf:params:oauth:request_uri:${text}`
        return errorOf(await browser.authorize({ request_uri }))
      },
      'invalid_request_uri',
    ],
    'a pending authorization request': [
      async (w, { browser }, id) =>
        errorOf(await browser.get(`${w.issuer}/oauth/authorize/resume?${new URLSearchParams({ id })}`)),
      'invalid_request',
    ],
  }

describe.each(Object.entries(PLACES))('%s', (_, [send, unknown]) => {
  async function start() {
    const { storage, calls } = watchedStorage(['pending'])
    const w = await peopleWorld({ storage, oidc: { par: 'allowed' } })
    const alice = await granted(w, 'alice')
    calls.length = 0
    return { w, alice, calls }
  }

  it.each(NO_TOKENS)('that is no token, but a text %s: no record is looked for', async (_, text) => {
    const { w, alice, calls } = await start()
    expect(await send(w, alice, text)).toEqual(unknown)
    expect(calls).toEqual([])
  })

  it('that is unknown is looked for, and the answer is the same', async () => {
    const { w, alice, calls } = await start()
    expect(await send(w, alice, token)).toEqual(unknown)
    expect(calls).toContainEqual({ name: 'pending.find', args: [sha256(token)] })
    expect(calls.filter(({ name }) => name !== 'pending.find')).toEqual([])
  })
})

it('the hash of a token is its SHA-256, with and without the mark of a client', () => {
  expect([oneTimeHash(token), oneTimeHash(marked)]).toEqual([sha256(token), sha256(marked)])
})
