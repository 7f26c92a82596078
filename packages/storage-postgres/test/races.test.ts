/** Concurrent operations of different kinds on the same rows: none is lost, and none deadlocks. */

import {
  type AuthorizationCode,
  type CodeRedemption,
  type Grant,
  personTag,
  type RealmStorage,
} from '@ostiary/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresStorage } from '../src/index.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

const NOW = Math.floor(Date.now() / 1000)
const GRANTS = 60

const subOf = (n: number): string => `sub-${n % 5}`
/** The id or hash with this name of a record of the grant's person. */
const idOf = (name: string, n: number): string => `${name}-${n}-${personTag(subOf(n))}`
const sidOf = (n: number): string => idOf('sid', n % 5)

function records(n: number, expires_at: number): [Grant, AuthorizationCode] {
  const grant_id = idOf('grant', n)
  const grant: Grant = {
    grant_id,
    client_id: `client-${n % 3}`,
    sub: subOf(n),
    sid: sidOf(n),
    offline: false,
    scopes: [],
    resource: null,
    auth_time: null,
    amr: [],
    acr: null,
    client_auth: null,
    jkt: null,
    created_at: NOW,
    expires_at,
    revoked_at: null,
  }
  const code: AuthorizationCode = {
    code_hash: idOf('code', n),
    grant_id,
    redirect_uri: 'r',
    redirect_uri_sent: true,
    code_challenge: 'c',
    nonce: null,
    dpop_jkt: null,
    expires_at,
    redeemed_at: null,
  }
  return [grant, code]
}

const next = (n: number, name: string, grant_expires_at: number): CodeRedemption => ({
  refresh_token: {
    token_hash: idOf(name, n),
    grant_id: idOf('grant', n),
    created_at: NOW,
    expires_at: NOW + 9,
    spent_at: null,
  },
  grant_expires_at,
  client_auth: 'none',
  jkt: null,
})

/** In a different order in every round. */
const shuffled = <T>(list: T[], seed: number): T[] =>
  list
    .map((item, index) => [Math.sin(index * 7919 + seed * 104729), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item)

describe('concurrently', () => {
  let database: OwnDatabase
  let realms = 0
  const realm = (): RealmStorage => {
    realms += 1
    return postgresStorage(database.executor)(`realm-${realms}`)
  }
  beforeAll(async () => {
    database = await migratedDatabase()
  })
  afterAll(() => database.drop())

  it('redeem, rotate, revoke and purge of the same grants', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { grants, purge } = realm()
      const all = Array.from({ length: GRANTS }, (_, n) => n)
      // Every second grant has expired, so that purge deletes grants that the other operations use.
      const end = (n: number) => NOW + (n % 2 ? 9 : -9)
      await Promise.all(all.map((n) => grants.create(...records(n, end(n)))))
      const work = [
        ...all.map((n) => () => grants.redeemCode(idOf('code', n), next(n, 'first', end(n)), NOW)),
        ...all.map((n) => () => grants.rotateRefreshToken(idOf('first', n), next(n, 'second', end(n)), NOW)),
        ...all.map(
          (n) => () =>
            grants.renewRefreshToken(idOf('first', n), { expires_at: NOW + 9, grant_expires_at: end(n) }),
        ),
        ...[0, 1, 2, 3].map((n) => () => grants.revoke({ sid: sidOf(n) }, NOW)),
        ...all.map((n) => () => grants.revoke({ sub: subOf(n), client_id: `client-${n % 3}` }, NOW)),
        ...[0, 1, 2, 3, 4].map(() => () => purge(NOW)),
      ]
      await Promise.all(shuffled(work, round).map((run) => run()))
      while ((await purge(NOW)) > 0);
      for (const n of all) {
        const grant = await grants.find(idOf('grant', n))
        const found = await grants.findCode(idOf('code', n))
        expect(grant?.revoked_at ?? null).toBe(n % 2 ? NOW : null)
        expect(found?.code.redeemed_at ?? null).toBe(n % 2 ? NOW : null)
      }
    }
    // The codes and tokens of deleted grants are deleted too, also those that were stored at the same time.
    const [left] = await database.executor.query<{ count: number }>(
      `select count(*) from oidc_refresh_tokens t where realm like $1 and not exists (
         select from oidc_grants g where g.realm = t.realm and g.grant_id = t.grant_id)`,
      ['realm-%'],
    )
    expect(left?.count).toBe(0)
  })

  it('join and end of the same sessions', async () => {
    const { sessions } = realm()
    for (let round = 0; round < 100; round += 1) {
      const sid = `sid-${round}`
      await sessions.create({
        sid,
        session_hash: sid,
        sub: 's',
        auth_time: null,
        amr: [],
        acr: null,
        created_at: 1,
        raised_at: null,
        expires_at: NOW,
        user_agent: null,
        last_used_at: null,
        client_ids: [],
      })
      const joined: string[] = []
      const join = (n: number) => async () => {
        if (await sessions.join(sid, `client-${n}`)) joined.push(`client-${n}`)
      }
      const ends: string[][] = []
      const end = async () => {
        const ended = await sessions.end(sid, NOW, 30)
        if (ended) ends.push(ended.client_ids)
      }
      const work = [...Array.from({ length: 8 }, (_, n) => join(n)), end, end]
      await Promise.all(shuffled(work, round).map((run) => run()))
      expect(ends).toEqual([joined.sort()])
      await sessions.forget(sid)
    }
    expect(await database.executor.query('select from oidc_session_clients')).toEqual([])
  })

  it('revocations and merges of the same consents', async () => {
    const { consents } = realm()
    const pair = { sub: 's', client_id: 'c' }
    const approved = ['d', 'a', 'c', 'b'].map((resource) => ({ resource, scopes: ['x'] }))
    const work = Array.from(
      { length: 200 },
      (_, n) => () =>
        n % 3 ? consents.merge({ ...pair, approved: shuffled(approved, n) }, n) : consents.revoke(pair, n),
    )
    await Promise.all(shuffled<() => Promise<unknown>>(work, 1).map((run) => run()))
    expect(await consents.list('s')).toHaveLength(4)
  })
})
