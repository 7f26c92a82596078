/** Two databases, each with half of the buckets, of which one does not answer. */

import { bucketByHash, type Throttle } from '@ostiary/core'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { DatabaseTimeoutError, isUnavailable, RangeUnavailableError } from '../src/connection/availability.js'
import { postgresExecutor, postgresStores, rangedExecutor } from '../src/index.js'
import { breaker } from '../src/ranges/breaker.js'
import { bucketOf } from '../src/ranges/bucket-of.js'
import { withOwnRates } from '../src/ranges/counters.js'
import { createPlaces } from '../src/ranges/places.js'
import { type DividedDatabase, dividedDatabase } from './_divided.js'
import { statements } from './_statements.js'

const NOW = 1_700_000_000
const REALM = 'ranges'

let divided: DividedDatabase
beforeAll(async () => {
  divided = await dividedDatabase()
})
afterAll(() => divided.drop())

/** A name whose bucket is in this half. */
const nameIn = (half: 0 | 1, about: string): string => {
  for (let number = 0; ; number += 1)
    if (Math.floor(bucketByHash(`${about}${number}`) / 2048) === half) return `${about}${number}`
}

/** Makes every statement about users of the second half wait. Returns what ends that. */
async function hold(): Promise<() => Promise<void>> {
  const blocking = postgresExecutor(divided.databases[1].url, { ...UNLIMITED, connections: 1 })
  onTestFinished(() => blocking.close(0))
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  let lock = () => {}
  const locked = new Promise<void>((resolve) => {
    lock = resolve
  })
  const held = blocking.transaction(async (tx) => {
    await tx.query('lock table oidc_users, oidc_throttles in access exclusive mode')
    lock()
    await ended
  })
  // Without a release, the connection is closed with the test.
  held.catch(() => {})
  onTestFinished(end)
  await locked
  return async () => {
    end()
    await held
  }
}

describe('the bucket of a statement', () => {
  it('is read from each statement of a divided database that names one', async () => {
    const all = await statements({ sharded: true })
    const wrong = all
      .filter(({ text }) => !text.includes('oidc_clients') && !text.includes('oidc_client_documents'))
      .filter(({ text, params }) => /\bbucket\b/.test(text) !== (bucketOf(text, params) !== null))
    expect(wrong).toEqual([])
  })

  it('is the parameter that is compared with the column, or inserted into it', () => {
    expect(bucketOf('select from x where realm = $1 and bucket = $3', ['r', 'i', 7])).toBe(7)
    expect(bucketOf('insert into x (realm, bucket, id) values ($1, $2, $3)', ['r', 8, 'i'])).toBe(8)
    expect(bucketOf('insert into x (realm, bucket, id)\n  select $1, $2::smallint, id', ['r', 9])).toBe(9)
    expect(bucketOf('select from oidc_clients where realm = $1', ['r'])).toBeNull()
    expect(bucketOf('select 1', [])).toBeNull()
  })
})

describe('a range whose database does not answer', () => {
  it('is asked no more after three statements, until it answers; the other range and the home database are served', async () => {
    const executor = divided.open({ connectTimeout: 60, statementTimeout: 0, answerTimeout: 1 })
    const { users, storage } = postgresStores(executor)
    const healthy = nameIn(0, 'sub')
    const ill = nameIn(1, 'sub')
    const find = (sub: string) => users(REALM).find(sub)
    expect(await eventually(() => find(ill))).toBeNull()
    const [first, second] = executor.ranges
    const release = await hold()
    // One after the other: a statement without an answer ends the connections, and others on them with another error.
    for (const _ of [1, 2, 3]) await expect(find(ill)).rejects.toThrow(DatabaseTimeoutError)
    await expect(find(ill)).rejects.toThrow('The database of the buckets 2048-4095 does not answer')
    await expect(second?.check()).rejects.toThrow(RangeUnavailableError)
    expect(await eventually(() => find(healthy))).toBeNull()
    await eventually(() => first?.check())
    expect(await eventually(() => storage(REALM).clients.find('none'))).toBeNull()
    await release()
    expect(await eventually(() => find(ill))).toBeNull()
    await eventually(() => second?.check())
  })

  it('is not ready while it accepts no writes', async () => {
    const executor = divided.open(UNLIMITED)
    const { executor: admin, url } = divided.databases[1]
    const name = new URL(url).pathname.slice(1)
    await admin.query(`alter database ${name} set default_transaction_read_only = on`)
    onTestFinished(async () => {
      await admin.query('set default_transaction_read_only = off')
      await admin.query(`alter database ${name} reset default_transaction_read_only`)
    })
    const [first, second] = executor.ranges
    await expect(second?.check()).rejects.toThrow('The database of the buckets 2048-4095 accepts no writes')
    await first?.check()
  })

  it('does not stop rates, which this process counts meanwhile; counters of guesses fail', async () => {
    const executor = divided.open({ connectTimeout: 60, statementTimeout: 0, answerTimeout: 1 })
    const { throttle } = postgresStores(executor).storage(REALM)
    const rate = nameIn(1, 'authorize:192.0.2.')
    const guess = nameIn(1, 'login:account:')
    await hold()
    for (const hits of [1, 2, 3]) expect(await throttle.hit(rate, 60, NOW)).toBe(hits)
    await throttle.release(rate, 60, NOW)
    expect(await throttle.hit(rate, 60, NOW)).toBe(3)
    const failed = await throttle.hit(guess, 60, NOW).catch((error: unknown) => error)
    expect(isUnavailable(failed)).toBe(true)
  })
})

describe('the ranges of a database', () => {
  it.each([
    [1, ['0-4095']],
    [2, ['0-2047', '2048-4095']],
    [3, ['0-1365', '1366-2730', '2731-4095']],
  ])('%i: each bucket is in one', (shards, names) => {
    const executor = rangedExecutor('postgres://postgres@127.0.0.1:1/none', { shards })
    onTestFinished(() => executor.close(0))
    expect(executor.ranges.map(({ name }) => name)).toEqual(names)
  })

  it('has connections of its own: half as many as the home database', () => {
    const executor = rangedExecutor('postgres://postgres@127.0.0.1:1/none', { shards: 3, connections: 5 })
    onTestFinished(() => executor.close(0))
    expect(executor.load()).toMatchObject({ unanswered: 0, connections: 5 + 3 * 2 })
  })
})

describe('a breaker', () => {
  const silent = () => Promise.reject(new DatabaseTimeoutError(1))
  const refusal = () => new Error('refused')
  const failed = (work: Promise<unknown>) => work.catch((error: unknown) => error)

  it('opens after three time-outs in a row; an answer between them begins anew', async () => {
    const { run, isOpen, end } = breaker({ probe: silent, refusal })
    onTestFinished(end)
    for (const _ of [1, 2]) await failed(run(silent))
    await run(async () => 'answer')
    for (const _ of [1, 2]) await failed(run(silent))
    expect(isOpen()).toBe(false)
    await failed(run(silent))
    expect(isOpen()).toBe(true)
    await expect(run(async () => 'answer')).rejects.toThrow('refused')
  })

  it('an error that the database has sent is an answer', async () => {
    const { run, isOpen, end } = breaker({ probe: silent, refusal })
    onTestFinished(end)
    for (const _ of [1, 2]) await failed(run(silent))
    await failed(run(() => Promise.reject(Object.assign(new Error('unique'), { code: '23505' }))))
    await failed(run(silent))
    expect(isOpen()).toBe(false)
  })

  it('a statement that has waited behind others, which were answered, does not count', async () => {
    const { run, isOpen, end } = breaker({ probe: silent, refusal })
    onTestFinished(end)
    let answered = () => {}
    const after = new Promise<void>((resolve) => {
      answered = resolve
    })
    const late = [1, 2, 3].map(() => failed(run(() => after.then(silent))))
    await run(async () => 'answer')
    answered()
    await Promise.all(late)
    expect(isOpen()).toBe(false)
  })

  it('a connection that is refused is no silence', async () => {
    const { run, isOpen, end } = breaker({ probe: silent, refusal })
    onTestFinished(end)
    const refused = () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
    for (const _ of [1, 2, 3, 4]) await failed(run(refused))
    expect(isOpen()).toBe(false)
  })

  it('that has ended sends no probe', async () => {
    const { run, isOpen, end } = breaker({ probe: silent, refusal })
    const late = [1, 2, 3].map(() => failed(run(silent)))
    end()
    await Promise.all(late)
    expect(isOpen()).toBe(false)
  })

  it('probes again and again, and closes with the first answer', async () => {
    let probes = 0
    const probe = async () => {
      probes += 1
      if (probes < 3) await silent()
    }
    const { run, isOpen, end } = breaker({ probe, refusal })
    onTestFinished(end)
    for (const _ of [1, 2, 3]) await failed(run(silent))
    await eventually(() => !isOpen())
    expect(probes).toBe(3)
    expect(await run(async () => 'answer')).toBe('answer')
  })
})

describe('the places of a range', () => {
  const take = (places: ReturnType<typeof createPlaces>, sender: string, count: number) =>
    Array.from({ length: count }, () => places.take(sender)).filter((leave) => leave !== null)

  it('one sender takes 100; nine tenths are left to the others', () => {
    const places = createPlaces()
    const own = take(places, 'a', 101)
    expect(own).toHaveLength(100)
    for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9]) expect(take(places, `b${n}`, 100)).toHaveLength(100)
    expect(take(places, 'c', 1)).toHaveLength(0)
    own[0]?.()
    expect(take(places, 'c', 2)).toHaveLength(1)
  })

  it('are of each sender in each range, for look-ups and for other statements; work of the server needs none', async () => {
    const senders: (string | undefined)[] = []
    const executor = divided.open({ ...UNLIMITED, sender: () => senders[0] })
    const { users } = postgresStores(executor)
    const [healthy, ill] = [nameIn(0, 'sub'), nameIn(1, 'sub')]
    const release = await hold()
    senders[0] = 'attacker'
    const waiting = Array.from({ length: 100 }, () => users(REALM).find(ill))
    await expect(users(REALM).find(ill)).rejects.toThrow('2048-4095 has too many statements in progress')
    const { throttle } = postgresStores(executor).storage(REALM)
    await expect(throttle.reset('x')).rejects.toThrow('too many')
    // Its rates are not counted by the process alone: that would be a second limit.
    await expect(throttle.hit(nameIn(1, 'authorize:192.0.2.'), 60, NOW)).rejects.toThrow('too many')
    expect(await users(REALM).find(healthy)).toBeNull()
    senders[0] = 'victim'
    waiting.push(users(REALM).find(ill))
    senders[0] = undefined
    waiting.push(...Array.from({ length: 200 }, () => users(REALM).find(ill)))
    await release()
    expect(await Promise.all(waiting)).toEqual(Array(301).fill(null))
  })
})

describe('rates that a process counts alone', () => {
  const away = async () => {
    throw new RangeUnavailableError('0-1', 'does not answer')
  }
  const open = () => withOwnRates({ hit: away, release: away } as unknown as Throttle)

  it.each([
    'authorize:192.0.2.1;',
    'authorize',
    'authorize-others',
    'authorize share:192.0.2.1;',
    'cancel:192.0.2.1;',
    'client-secret:192.0.2.1;app',
    'consent:sid',
    'device:sid',
    'device-others',
    'device-client:tv:192.0.2.1;',
    'device-poll:hash',
    'document-clients:sub',
    'login:address:hash',
    'login:peer:hash',
    'login:site:hash',
    'logout:sid',
    'par:192.0.2.1;',
    'par-others share:192.0.2.1;',
    'par-client:app',
    'register:192.0.2.1;',
    'registrations',
    'registrations share:192.0.2.1;',
  ])('%s', async (key) => expect(await open().hit(key, 60, NOW)).toBe(1))

  it.each([
    'login:account:hash:account',
    'login:account:hash:account_and_address:hash',
    'login:account:hash:session:hash',
    'device-user:sub;',
    'device-guesses',
    'device-guesses share:192.0.2.1;',
    'device-guess:192.0.2.1;',
    'a-counter-of-later:sub',
  ])('not %s, which may count guesses', async (key) => {
    const counters = open()
    await expect(counters.hit(key, 60, NOW)).rejects.toThrow(RangeUnavailableError)
    await expect(counters.release(key, 60, NOW)).rejects.toThrow(RangeUnavailableError)
  })

  it('have windows, and each key counts for itself', async () => {
    const counters = open()
    expect(await counters.hit('par:192.0.2.1;', 60, NOW)).toBe(1)
    expect(await counters.hit('par:192.0.2.1;', 60, NOW)).toBe(2)
    expect(await counters.hit('par:192.0.2.2;', 60, NOW)).toBe(1)
    expect(await counters.hit('par:192.0.2.1;', 60, NOW + 60)).toBe(1)
    expect(await counters.hit('par:192.0.2.1;', 3600, NOW)).toBe(1)
  })

  it('are 10,000 at most: the one that was used longest ago is forgotten', async () => {
    const counters = open()
    await counters.hit('par:first;', 60, NOW)
    for (let n = 1; n < 10_000; n += 1) await counters.hit(`par:${n};`, 60, NOW)
    expect(await counters.hit('par:first;', 60, NOW)).toBe(2)
    for (let n = 10_000; n < 20_000; n += 1) await counters.hit(`par:${n};`, 60, NOW)
    expect(await counters.hit('par:first;', 60, NOW)).toBe(1)
  })

  it('an error that is no outage is passed on', async () => {
    const wrong = withOwnRates({ hit: async () => Promise.reject(new Error('wrong')) } as unknown as Throttle)
    await expect(wrong.hit('par:192.0.2.1;', 60, NOW)).rejects.toThrow('wrong')
  })
})
