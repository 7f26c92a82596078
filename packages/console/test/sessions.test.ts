/** The sessions: their rows, and when they end. */

import { memoryStorage } from '@ostiary/core/memory'
import { describe, expect, it } from 'vitest'
import { createSessions, MAX_IDLE_SECONDS, MAX_SESSION_SECONDS } from '../src/session/sessions.ts'
import { createSealer, hashOf } from '../src/web/seal.ts'

const SECRET = 'the-secret-of-the-tests-is-long-enough'
const ANN = { sub: 'ann-1', name: 'ann', access_token: 'token', dpop_key: null, auth_time: 0 }

function place(secrets = { secret: SECRET }) {
  const clock = { now: 1_800_000_000 }
  const rows = memoryStorage()('default').pending
  const sessions = (given: { secret: string; previous_secret?: string } = secrets) =>
    createSessions({ rows, sealer: createSealer(given), now: () => clock.now })
  return { clock, rows, sessions: sessions(), of: sessions }
}

describe('a session', () => {
  it(`ends after ${MAX_IDLE_SECONDS} seconds without a request, and not before`, async () => {
    const { clock, sessions } = place()
    const cookie = await sessions.begin(ANN)
    clock.now += MAX_IDLE_SECONDS - 1
    const found = await sessions.find(cookie)
    expect(found?.session).toMatchObject(ANN)
    clock.now += 1
    expect(await sessions.find(cookie)).toBeNull()
    clock.now += MAX_IDLE_SECONDS - 2
    expect(await sessions.find(found?.renewed ?? '')).not.toBeNull()
    clock.now += 1
    expect(await sessions.find(found?.renewed ?? '')).toBeNull()
  })

  it(`ends ${MAX_SESSION_SECONDS} seconds after it began, however often it is used`, async () => {
    const { clock, sessions } = place()
    let cookie = await sessions.begin(ANN)
    const end = clock.now + MAX_SESSION_SECONDS
    while (clock.now + 1000 < end) {
      clock.now += 1000
      cookie = (await sessions.find(cookie))?.renewed ?? cookie
    }
    clock.now = end - 1
    cookie = (await sessions.find(cookie))?.renewed ?? ''
    expect(cookie).not.toBe('')
    clock.now = end
    expect(await sessions.find(cookie)).toBeNull()
  })

  it('has a new row once a minute, and one of two requests at once makes it', async () => {
    const { clock, sessions } = place()
    const cookie = await sessions.begin(ANN)
    clock.now += 59
    expect((await sessions.find(cookie))?.renewed).toBeNull()
    clock.now += 1
    const both = await Promise.all([sessions.find(cookie), sessions.find(cookie)])
    const next = cookie.replace('.0', '.1')
    expect(both.map((each) => each?.renewed)).toEqual([next, next])
    expect((await sessions.find(next))?.renewed).toBeNull()
  })

  it('ends with all of its rows', async () => {
    const { clock, sessions } = place()
    const cookies = [await sessions.begin(ANN)]
    for (let step = 0; step < 5; step += 1) {
      clock.now += 60
      cookies.push((await sessions.find(cookies.at(-1) ?? ''))?.renewed ?? '')
    }
    await sessions.end(cookies[2] ?? '')
    for (const cookie of cookies) expect(await sessions.find(cookie)).toBeNull()
  })

  it('is read with the previous secret of the server, and with no other', async () => {
    const { sessions, of } = place()
    const cookie = await sessions.begin(ANN)
    const other = 'another-secret-that-is-long-enough-too'
    expect(await of({ secret: other }).find(cookie)).toBeNull()
    expect((await of({ secret: other, previous_secret: SECRET }).find(cookie))?.session).toMatchObject(ANN)
  })

  it('is no row of another kind, and no row under another hash', async () => {
    const { clock, rows, sessions } = place()
    const cookie = await sessions.begin(ANN)
    const row = (await rows.find(hashOf('console', ...cookie.split('.')))) as { sealed: string }
    const expires_at = clock.now + 60
    const id = 'a'.repeat(43)
    await rows.put({
      kind: 'sealed',
      pending_hash: hashOf('console', id, '0'),
      expires_at,
      sealed: row.sealed,
    })
    await rows.put({ kind: 'answered', pending_hash: hashOf('console', id, '1'), expires_at })
    expect(await sessions.find(`${id}.0`)).toBeNull()
    expect(await sessions.find(`${id}.1`)).toBeNull()
  })
})
