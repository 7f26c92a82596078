/** How long a spent refresh token may come again: `refresh_token_grace` of the client and of the realm, and their defaults. */

import type { Client } from '@ostiary/core'
import { dpopKey } from '@ostiary/test-kit/dpop'
import { describe, expect, it } from 'vitest'
import { codeForm, lastReason, proven, refreshForm } from './dpop.js'
import { CLIENT_SECRET, client, tokens, type World, type WorldOptions, world } from './support.js'

const secret = { client_secret: CLIENT_SECRET }
const key = dpopKey()

/** Who refreshes: `form` beside the token, and the key of the proof. */
const REQUESTERS = {
  'a client with a secret': { record: secret, form: secret, by: null },
  'a public client with a proof of the key of its grant': { record: {}, form: {}, by: key },
  'a public client': { record: {}, form: {}, by: null },
} as const
type Name = keyof typeof REQUESTERS

async function granted(name: Name, fields: Partial<Client> = {}, oidc: WorldOptions['oidc'] = {}) {
  const { record, form, by } = REQUESTERS[name]
  const clients = [await client({ ...record, trusted: true, ...fields })]
  const w = await world({ clients, oidc: { dpop: 'on', ...oidc } })
  const { code } = await w.browser().code()
  const first = (await proven(w, codeForm(code, form), by)).body
  const refresh = (refresh_token: string) => proven(w, refreshForm(refresh_token, form), by)
  return { w, refresh, first: first.refresh_token }
}

/** Seconds in which the spent token is answered again: the last one that is, checked at its limit and one second after. */
async function expectGrace(at: Awaited<ReturnType<typeof granted>>, seconds: number): Promise<void> {
  const { w, refresh, first } = at
  const second = await refresh(first)
  expect(second.status).toBe(200)
  if (seconds > 0) {
    w.clock.now += seconds - 1
    const again = await refresh(first)
    expect([again.status, again.body.refresh_token]).toEqual([200, second.body.refresh_token])
    w.clock.now += 1
  }
  expect((await refresh(first)).body.error).toBe('invalid_grant')
  expect(lastReason(w)).toBe('reused_refresh_token')
  expect((await refresh(second.body.refresh_token)).body.error).toBe('invalid_grant')
}

describe('The grace period', () => {
  it.each<[Name, number]>([
    ['a client with a secret', 30],
    ['a public client with a proof of the key of its grant', 30],
    ['a public client', 0],
  ])('of %s is %i seconds, where nothing is set', async (name, seconds) => {
    await expectGrace(await granted(name), seconds)
  })

  it.each(Object.keys(REQUESTERS) as Name[])('of %s is that of the realm', async (name) => {
    for (const seconds of [0, 7, 60])
      await expectGrace(await granted(name, {}, { tokens: { refresh_token_grace: seconds } }), seconds)
  })

  it.each(Object.keys(REQUESTERS) as Name[])('of %s is its own, before that of the realm', async (name) => {
    for (const [own, of_realm] of [
      [0, 60],
      [60, 0],
    ] as const) {
      const oidc = { tokens: { refresh_token_grace: of_realm } }
      await expectGrace(await granted(name, { refresh_token_grace: own }, oidc), own)
    }
  })

  it('of a public client is none on a server whose clock is behind that of the one before, either', async () => {
    const { w, refresh, first } = await granted('a public client')
    const second = (await refresh(first)).body.refresh_token
    w.clock.now -= 5
    expect((await refresh(first)).body.error).toBe('invalid_grant')
    expect(w.events.find(({ type }) => type === 'refresh_token.reused')).toMatchObject({ spent_seconds: 0 })
    expect((await refresh(second)).body.error).toBe('invalid_grant')
  })

  it('of a client that registered itself is never its own', async () => {
    const fields = { refresh_token_grace: 60, origin: 'registered' } as const
    await expectGrace(await granted('a public client', fields), 0)
  })

  it('a proof of a key that the grant is not bound to counts for nothing', async () => {
    const { w, first } = await granted('a public client')
    expect((await proven(w, refreshForm(first), key)).status).toBe(200)
    expect((await proven(w, refreshForm(first), key)).body.error).toBe('invalid_grant')
    expect(lastReason(w)).toBe('reused_refresh_token')
  })

  it.each([-1, 61, 1.5])('oidc.tokens.refresh_token_grace is not %d', async (seconds) => {
    await expect(world({ oidc: { tokens: { refresh_token_grace: seconds } } })).rejects.toThrow(
      'oidc.tokens.refresh_token_grace',
    )
  })

  it('of a client is at most 60', async () => {
    const { clients } = await (await world({ clients: [] })).provider.manage()
    const input = { client_id: 'web', redirect_uris: ['https://client.example.com/callback'] }
    await expect(clients.create({ ...input, refresh_token_grace: 61 })).rejects.toThrow('refresh_token_grace')
    const made = await clients.create({ ...input, refresh_token_grace: 60 })
    expect(made.client.refresh_token_grace).toBe(60)
  })
})

describe('When the successor is spent, the spent token is not answered again', () => {
  const twice = async (name: Name) => {
    const at = await granted(name, {}, { tokens: { refresh_token_grace: 30 } })
    const second = (await at.refresh(at.first)).body.refresh_token
    const third = (await at.refresh(second)).body.refresh_token
    return { ...at, third, again: await at.refresh(at.first) }
  }

  it('by a public client without a key, it is reuse', async () => {
    const { w, refresh, third, again } = await twice('a public client')
    expect([again.body.error, lastReason(w)]).toEqual(['invalid_grant', 'reused_refresh_token'])
    expect((await refresh(third)).body.error).toBe('invalid_grant')
  })

  it.each<Name>(['a client with a secret', 'a public client with a proof of the key of its grant'])(
    'by %s, it is refused, and nothing is revoked',
    async (name) => {
      const { w, refresh, third, again } = await twice(name)
      expect([again.body.error, lastReason(w)]).toEqual(['invalid_grant', 'superseded_refresh_token'])
      expect((await refresh(third)).status).toBe(200)
    },
  )
})

describe('The event of a reuse', () => {
  const reuse = (w: World) => w.events.find(({ type }) => type === 'refresh_token.reused')

  it.each<[string, Partial<Client>, number, object]>([
    [
      'of an operator’s client',
      {},
      5,
      { spent_seconds: 5, longer_grace: 'refresh_token_grace of the client' },
    ],
    [
      'of a registered client',
      { origin: 'registered' },
      59,
      { spent_seconds: 59, longer_grace: 'oidc.tokens.refresh_token_grace' },
    ],
    ['too late for every setting', {}, 60, { spent_seconds: 60, longer_grace: null }],
  ])('%s names the key that would have helped', async (...[, fields, seconds, expected]) => {
    const { w, refresh, first } = await granted('a public client', fields)
    await refresh(first)
    w.clock.now += seconds
    await tokens(w, refreshForm(first))
    expect(reuse(w)).toMatchObject(expected)
  })
})
