/** The documents that lead password managers to the account page. */

import { describe, expect, it } from 'vitest'
import { withFactors } from './_factors.js'
import { type Setup, setup } from './_setup.js'

const CHANGE_PASSWORD = '/.well-known/change-password'
const PASSKEY_ENDPOINTS = '/.well-known/passkey-endpoints'

const ask = (s: Setup, path: string, method = 'GET') =>
  s.handle(new Request(`https://id.example${path}`, { method }))

const statuses = async (s: Setup, base = '') =>
  Promise.all([CHANGE_PASSWORD, PASSKEY_ENDPOINTS].map(async (path) => (await ask(s, base + path)).status))

describe('a realm without a path', () => {
  it('leads to the password on the account page', async () => {
    const answer = await ask(await setup(), CHANGE_PASSWORD)
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      'https://id.example/account#password',
    ])
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('says where passkeys are added and managed', async () => {
    const answer = await ask(await withFactors(), PASSKEY_ENDPOINTS)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    const ways = 'https://id.example/account#ways'
    expect(await answer.json()).toEqual({ enroll: ways, manage: ways })
  })

  it.each([CHANGE_PASSWORD, PASSKEY_ENDPOINTS])(
    '%s: HEAD without a body, and 405 for other methods',
    async (path) => {
      const s = await withFactors()
      const read = await ask(s, path)
      const head = await ask(s, path, 'HEAD')
      expect([head.status, await head.text()]).toEqual([read.status, ''])
      expect([...head.headers]).toEqual([...read.headers])
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const refused = await ask(s, path, method)
        expect([method, refused.status, refused.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD'])
      }
    },
  )
})

describe('as any unknown path', () => {
  it.each<[string, () => Promise<Setup>, { expected: number[]; base?: string }]>([
    ['without factors, the one for passkeys', () => setup(), { expected: [303, 404] }],
    [
      'where passkeys are turned off',
      () => withFactors({ settings: { second_factor: 'optional', passkeys: { enabled: false } } }),
      { expected: [303, 404] },
    ],
    [
      'where passwords are turned off, the other one',
      () => withFactors({ settings: { password: { enabled: false } } }),
      { expected: [404, 200] },
    ],
    [
      'without an account page',
      () => withFactors({ identity: { account: false } }),
      { expected: [404, 404] },
    ],
    [
      'realms with a path',
      () => withFactors({ oidc: { routes: { realms: 'path' }, realms: { a: {} } } }),
      { expected: [404, 404] },
    ],
    [
      'below such a realm',
      () => withFactors({ oidc: { routes: { realms: 'path' }, realms: { a: {} } } }),
      { expected: [404, 404], base: '/realms/a' },
    ],
  ])('%s', async (_, make, { expected, base = '' }) => {
    const s = await make()
    expect(await statuses(s, base)).toEqual(expected)
    const unknown = await ask(s, `${base}/.well-known/unknown`)
    for (const path of [CHANGE_PASSWORD, PASSKEY_ENDPOINTS].filter((_path, at) => expected[at] === 404)) {
      for (const method of ['GET', 'POST', 'OPTIONS'])
        expect((await ask(s, base + path, method)).status).toBe(404)
      const answer = await ask(s, base + path)
      expect([...answer.headers]).toEqual([...unknown.headers])
      expect(await answer.text()).toBe(await unknown.clone().text())
    }
  })

  it('a longer path', async () => {
    const s = await withFactors()
    for (const path of [`${CHANGE_PASSWORD}/`, `${PASSKEY_ENDPOINTS}/x`, `/x${CHANGE_PASSWORD}`])
      expect((await ask(s, path)).status).toBe(404)
  })
})
