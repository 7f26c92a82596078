/** What a purge deletes has expired by the caller's clock and by the database's: a wrong clock deletes nothing early. */

import type { Storage } from '@ostiary/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { postgresStorage } from '../src/index.js'
import { codeRecord, grantRecord, idOf, NOW, rotation } from './_grants.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

const HOUR = 3600
let database: OwnDatabase
let storage: Storage
beforeAll(async () => {
  database = await migratedDatabase()
  storage = postgresStorage(database.executor)
})
afterAll(() => database.drop())

const PURGES: [string, (realm: string, now: number) => Promise<number>][] = [
  ['of a realm', (realm, now) => storage(realm).purge(now)],
  ['of all realms', async (_, now) => storage.background?.purge(now) ?? -1],
]
const request = { client_id: null, post_logout_redirect_uri: null, state: null }

/** Ten revoked tokens and five pending requests that expire then. @returns How many of each are left. */
async function records(realm: string, expires_at: number): Promise<() => Promise<[number, number]>> {
  const { revoked_tokens, pending } = storage(realm)
  const tokens = Array.from({ length: 10 }, (_, n) => `token-${n}`)
  const requests = Array.from({ length: 5 }, (_, n) => `request-${n}`)
  for (const jti of tokens) await revoked_tokens.add(jti, expires_at)
  for (const pending_hash of requests)
    await pending.put({ kind: 'logout', pending_hash, expires_at, sid: 's', request })
  return async () => {
    const revoked = await Promise.all(tokens.map((jti) => revoked_tokens.has(jti)))
    const waiting = await Promise.all(requests.map((hash) => pending.find(hash)))
    return [revoked.filter(Boolean).length, waiting.filter((found) => found !== null).length]
  }
}

it.each(PURGES)(
  'a caller whose clock is an hour ahead deletes nothing early (a purge %s)',
  async (of, purge) => {
    const left = await records(`ahead ${of}`, NOW + 600)
    expect(await purge(`ahead ${of}`, NOW + HOUR)).toBe(0)
    expect(await left()).toEqual([10, 5])
  },
)

it.each(PURGES)(
  'a caller whose clock is an hour behind deletes nothing early (a purge %s)',
  async (of, purge) => {
    const left = await records(`behind ${of}`, NOW - 600)
    await purge(`behind ${of}`, NOW - HOUR)
    expect(await left()).toEqual([10, 5])
    expect(await purge(`behind ${of}`, NOW)).toBe(15)
    expect(await left()).toEqual([0, 0])
  },
)

it('a caller whose clock is an hour ahead is told of nothing to purge', async () => {
  await records('due', NOW + 600)
  const due = async (now: number) =>
    (await storage.background?.due({ now, realms: [], keys_before: 0 }))?.expired
  expect(await due(NOW + HOUR)).toBe(false)
  await storage('due').revoked_tokens.add('old', NOW - 1)
  expect(await due(NOW)).toBe(true)
})

it('a used assertion stays used on a server whose clock is an hour ahead', async () => {
  const { replays } = storage('replays')
  expect(await replays.claim('used', NOW + 600, NOW)).toBe(true)
  expect(await replays.claim('used', NOW + 2 * HOUR, NOW + HOUR)).toBe(false)
  expect(await replays.claim('old', NOW - 1, NOW - HOUR)).toBe(true)
  expect(await replays.claim('old', NOW + 2 * HOUR, NOW + HOUR)).toBe(true)
})

/** A grant with two spent tokens that expire at this time, and a third one. */
async function rotated(grant_id: string, expires_at: number) {
  const { grants } = storage('tokens')
  const hash = (name: string) => `${grant_id} ${name}`
  const next = (name: string, until: number) => {
    const { refresh_token, ...next } = rotation(grant_id, hash(name), NOW + HOUR)
    return { ...next, refresh_token: refresh_token && { ...refresh_token, expires_at: until } }
  }
  await grants.create(
    { ...grantRecord(grant_id), expires_at: NOW + HOUR },
    codeRecord(hash('code'), grant_id),
  )
  await grants.redeemCode(idOf(hash('code')), next('one', expires_at), NOW)
  await grants.rotateRefreshToken(idOf(hash('one')), next('two', expires_at), NOW)
  return {
    refresh: (now: number) =>
      grants.rotateRefreshToken(idOf(hash('two')), next('three', NOW + 9 * HOUR), now),
    first: () => grants.findRefreshToken(idOf(hash('one'))),
  }
}

it.each([
  { clock: 'ahead', of: 'the database', expires_at: NOW + 600, now: NOW + HOUR },
  { clock: 'behind', of: 'the server', expires_at: NOW - 600, now: NOW - HOUR },
])(
  'a refresh on a server whose clock is an hour $clock keeps the spent tokens that have not expired by the clock of $of',
  async ({ clock, expires_at, now }) => {
    const { refresh, first } = await rotated(clock, expires_at)
    await refresh(now)
    expect(await first()).toMatchObject({ refresh_token: { spent_at: NOW } })
  },
)

it('a refresh deletes a spent token that has expired by both clocks', async () => {
  const { refresh, first } = await rotated('both', NOW - 600)
  await refresh(NOW)
  expect(await first()).toBeNull()
})
