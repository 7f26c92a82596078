/** A thousand people over all buckets, two servers: each code is redeemed once, each token rotated once, and nothing is lost. */

import { bucketByHash, personTag, type RealmStorage } from '@ostiary/core'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Executor, postgresExecutor, postgresStorage } from '../src/index.js'
import { codeRecord, grantRecord, LATER, NOW, rotation } from './_grants.js'
import { partitionedDatabase } from './_partitioned.js'
import type { OwnDatabase } from './_setup.js'

const PEOPLE = 1000
const CALLERS = 20
/** People whose callers run at the same time. */
const AT_ONCE = 50

const subs = Array.from({ length: PEOPLE }, (_, n) => `person-${n}`)
const idOf = (sub: string, name: string): string => `${name}-${sub}-${personTag(sub)}`

/** The rotation to a token of this caller. */
const next = (sub: string, name: string) => {
  const { refresh_token, ...others } = rotation('', '')
  const ids = { grant_id: idOf(sub, 'grant'), token_hash: idOf(sub, name) }
  return { ...others, refresh_token: refresh_token && { ...refresh_token, ...ids } }
}

describe('on 16 partitions', () => {
  let database: OwnDatabase
  let servers: { executor: Executor; store: RealmStorage }[] = []
  beforeAll(async () => {
    database = await partitionedDatabase()
    servers = ['one', 'another'].map(() => {
      const executor = postgresExecutor(database.url, UNLIMITED)
      return { executor, store: postgresStorage(executor)('default') }
    })
  })
  afterAll(async () => {
    await Promise.all(servers.map(({ executor }) => executor.close()))
    await database.drop()
  })

  /** Calls it by each caller for each person, half of them on each server. Returns the winners by person. */
  async function winners(
    call: (store: RealmStorage, sub: string, caller: number) => Promise<boolean>,
  ): Promise<number[][]> {
    const found: number[][] = []
    for (let from = 0; from < PEOPLE; from += AT_ONCE) {
      const some = subs.slice(from, from + AT_ONCE).map(async (sub) => {
        const results = await Promise.all(
          Array.from({ length: CALLERS }, async (_, caller) => {
            const server = servers[caller % servers.length]
            if (server === undefined) throw new Error('There is no server')
            return call(server.store, sub, caller)
          }),
        )
        return results.flatMap((won, caller) => (won ? caller : []))
      })
      found.push(...(await Promise.all(some)))
    }
    return found
  }

  it('of 20 redemptions and of 20 rotations one wins, and its token is the one that is stored', async () => {
    expect(new Set(subs.map((sub) => bucketByHash(sub))).size).toBeGreaterThan(800)
    const [first] = servers
    for (const sub of subs) {
      const ids = { sub, sid: idOf(sub, 'sid'), grant_id: idOf(sub, 'grant') }
      const code = { ...codeRecord('', ''), code_hash: idOf(sub, 'code'), grant_id: ids.grant_id }
      await first?.store.grants.create({ ...grantRecord(''), ...ids, expires_at: LATER }, code)
    }
    const redeemed = await winners(({ grants }, sub, caller) =>
      grants.redeemCode(idOf(sub, 'code'), next(sub, `first-${caller}`), NOW),
    )
    const rotated = await winners(({ grants }, sub, caller) => {
      const [winner] = redeemed[subs.indexOf(sub)] ?? []
      return grants.rotateRefreshToken(idOf(sub, `first-${winner}`), next(sub, `second-${caller}`), NOW)
    })
    const one = Array.from({ length: PEOPLE }, () => 1)
    expect(redeemed.map(({ length }) => length)).toEqual(one)
    expect(rotated.map(({ length }) => length)).toEqual(one)
    const tokens = await database.executor.query<{ token_hash: string; is_spent: boolean }>(
      'select token_hash, spent_at is not null as is_spent from oidc_refresh_tokens order by token_hash',
    )
    const wanted = subs.flatMap((sub, n) => [
      { token_hash: idOf(sub, `first-${redeemed[n]?.[0]}`), is_spent: true },
      { token_hash: idOf(sub, `second-${rotated[n]?.[0]}`), is_spent: false },
    ])
    expect(tokens).toEqual(wanted.sort((a, b) => (a.token_hash < b.token_hash ? -1 : 1)))
  })
})
