/** Links: the rules, and servers that are held, or die, between the claim of an account elsewhere and its link. */

import { linkRecord, linkRules } from '@ostiary/test-kit/factors/link-rules'
import { userRecord as user } from '@ostiary/test-kit/user-rules'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Executor, postgresStores } from '../src/index.js'
import { executorIn, hold, untilItWaits } from './_held.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'
import { recorded, unexplained } from './_statements.js'

let texts = new Set<string>()
linkRules('links in PostgreSQL', async () => {
  const { executor, drop } = await migratedDatabase()
  const recording = recorded(executor)
  texts = recording.texts
  return { ...postgresStores(recording.executor), close: drop }
})

it('plans.long.test.ts explains every statement that the rules for links cause', async () => {
  expect(texts.size).toBeGreaterThan(6)
  expect(await unexplained(texts)).toEqual([])
})

describe.each([
  ['one database', false],
  ['a database that is divided by buckets', true],
])('in %s', (_, sharded) => {
  let database: OwnDatabase
  let realm = ''
  let realms = 0
  const ANN = linkRecord('ann')
  const BOB = linkRecord('bob')
  const at = (credential_version: number) => ({ credential_version, now: 9 })
  beforeAll(async () => {
    database = await migratedDatabase()
  })
  afterAll(() => database.drop())
  const storesOn = (executor: Executor) => postgresStores(executor, { sharded })
  const stores = () => {
    const { links, users } = storesOn(database.executor)
    return { links: links(realm), users: users(realm) }
  }
  beforeEach(async () => {
    realms += 1
    realm = `links-${sharded}-${realms}`
    const { users } = stores()
    for (const sub of ['ann', 'bob']) await users.create(user(sub))
  })
  /** A server that stops at the first statement with this text. */
  const dying = (part: string): Executor => ({
    ...database.executor,
    query: (text, params) =>
      text.includes(part) ? Promise.reject(new Error('died')) : database.executor.query(text, params),
  })
  const passSeconds = (seconds: number) =>
    database.executor.query('update oidc_link_keys set claimed_at = claimed_at - $2 where realm = $1', [
      realm,
      seconds,
    ])

  it('a claim of a server that has died is taken over after 60 seconds, and not before', async () => {
    const { links } = stores()
    await expect(storesOn(dying('insert into oidc_links')).links(realm).add(ANN, at(0))).rejects.toThrow(
      'died',
    )
    expect(await links.find(ANN.issuer, ANN.subject)).toBeNull()
    await passSeconds(50)
    expect(await links.add(BOB, at(0))).toBe(false)
    await passSeconds(10)
    expect(await links.add(BOB, at(0))).toBe(true)
    expect(await links.find(BOB.issuer, BOB.subject)).toEqual(BOB)
  })

  it('the user of such a claim may go on at once', async () => {
    const { links } = stores()
    await expect(storesOn(dying('insert into oidc_links')).links(realm).add(ANN, at(0))).rejects.toThrow(
      'died',
    )
    expect(await links.add(ANN, at(0))).toBe(true)
    expect(await links.find(ANN.issuer, ANN.subject)).toEqual(ANN)
  })

  it('an old claim with a link is never taken over', async () => {
    const { links } = stores()
    await links.add(ANN, at(0))
    await passSeconds(9_999)
    expect(await links.add(BOB, at(0))).toBe(false)
    expect(await links.find(ANN.issuer, ANN.subject)).toEqual(ANN)
  })

  it('a server that was too slow finds its claim taken over, and undoes its link', async () => {
    const { links } = stores()
    // The other account is added between the claim of this one and its link.
    const slow: Executor = {
      ...database.executor,
      async query(text, params) {
        if (text.includes('insert into oidc_links')) {
          await passSeconds(60)
          expect(await links.add(BOB, at(0))).toBe(true)
        }
        return database.executor.query(text, params)
      },
    }
    expect(await storesOn(slow).links(realm).add(ANN, at(0))).toBe(false)
    expect(await links.find(ANN.issuer, ANN.subject)).toEqual(BOB)
    expect([await links.list('ann'), await links.list('bob')]).toEqual([[], [BOB]])
  })

  it('two servers add it at the same time: the second waits, and adds none', async () => {
    const { links } = stores()
    const first = await hold(database.executor, (tx) => storesOn(executorIn(tx)).links(realm).add(ANN, at(0)))
    const second = links.add(BOB, at(0))
    expect(await untilItWaits(database.executor, second)).toBe(true)
    await first.commit()
    expect([first.result, await second]).toEqual([true, false])
    expect(await links.list('bob')).toEqual([])
  })
})
