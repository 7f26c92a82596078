/** One of several servers does the background work, by a lease in the database; a server with a wrong clock does none. */

import { postgresExecutor, postgresLease } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createLog } from '../src/index.ts'
import { clockCheck } from '../src/server/clock.ts'
import { leadership } from '../src/server/leadership.ts'
import { providerTicker } from '../src/server/ticker.ts'

/** A lease that no busy machine takes longer than; and one whose end a test waits for. */
const TIMES = { lease_ms: 180_000, leader_ms: 100, follower_ms: 200 }
const SHORT = { ...TIMES, lease_ms: 1500 }
const HOUR = 3600
let database_url = ''
beforeAll(async () => {
  database_url = await migratedDatabase(afterAll)
})

/** A server that asks for the lease `name`. `die` cuts its database off, as the end of its process would. */
async function server(name: string, { ahead = 0, times = TIMES } = {}) {
  const clock = { ahead }
  const executor = postgresExecutor(database_url, { ...UNLIMITED, connections: 1 })
  const lease = postgresLease(executor, name)
  const lines: Record<string, unknown>[] = []
  const log = createLog({ write: (line) => lines.push(JSON.parse(line)) })
  const now = () => Math.floor(Date.now() / 1000) + clock.ahead
  let dead = false
  let asked = 0
  const cut =
    <A extends unknown[], T>(call: (...args: A) => Promise<T>) =>
    async (...args: A) => {
      asked += 1
      if (dead) throw new Error('cut off')
      return call(...args)
    }
  let takes = 0
  const taking: typeof lease.take = (...args) => {
    takes += 1
    return lease.take(...args)
  }
  const part = leadership(
    { take: cut(taking), now: cut(lease.now), giveBack: cut(lease.giveBack) },
    { log, now, times },
  )
  onTestFinished(async () => {
    await part.stop()
    await executor.close()
  })
  await part.start()
  const said = (text: string) => lines.filter(({ msg }) => String(msg).includes(text))
  const ready = () =>
    part.clock?.check().then(
      () => true,
      () => false,
    )
  const die = () => {
    dead = true
  }
  return {
    ...part,
    ahead: () => part.clock?.ahead() ?? null,
    clock,
    said,
    ready,
    die,
    asked: () => asked,
    takes: () => takes,
  }
}

describe('the lease of the background work', () => {
  it('a process without a shared database always leads', () => {
    const alone = leadership(undefined, { log: createLog({ write: () => {} }), now: () => 0 })
    expect([alone.leads(), alone.clock]).toEqual([true, undefined])
  })

  it('one of several servers that start at once leads', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => server('at once')))
    expect(all.filter(({ leads }) => leads())).toHaveLength(1)
    expect(all.flatMap(({ said }) => said('this server does the background work'))).toHaveLength(1)
  })

  it('when the leader dies, another server leads after the lease, and the dead one no longer counts itself as leader', async () => {
    let tries = 0
    // On a busy machine, the lease may end before the second server has asked for it.
    const [first, second] = await eventually(async () => {
      tries += 1
      const servers = [
        await server(`death ${tries}`, { times: SHORT }),
        await server(`death ${tries}`),
      ] as const
      servers[0].die()
      expect(servers.map(({ leads }) => leads())).toEqual([true, false])
      return servers
    })
    await eventually(() => second.leads())
    expect(first.leads()).toBe(false)
  })

  it('when the leader stops, the next server leads before the end of the lease', async () => {
    const first = await server('stop')
    await first.stop()
    expect(first.leads()).toBe(false)
    const second = await server('stop')
    expect(second.leads()).toBe(true)
  })

  it('a leader that is followed by another one does not end its lease when it stops', async () => {
    const first = await server('late', { times: SHORT })
    const second = await server('late')
    first.die()
    await eventually(() => second.leads())
    await first.stop()
    const third = await server('late')
    expect([second.leads(), third.leads()]).toEqual([true, false])
  })
})

describe('a late answer for the lease', () => {
  it('is counted from the question: a server that hears of its lease after its end does not lead', async () => {
    const lease_ms = 50
    let asked = 0
    const now = () => Math.floor(Date.now() / 1000)
    const late = leadership(
      {
        async take() {
          asked = performance.now()
          // The answer is on its way for longer than the lease lasts.
          await eventually(() => performance.now() > asked + lease_ms)
          return { held: true, ends_in: lease_ms / 1000, now: Date.now() / 1000 }
        },
        now: async () => Date.now() / 1000,
        giveBack: async () => {},
      },
      { log: createLog({ write: () => {} }), now, times: { ...TIMES, lease_ms } },
    )
    onTestFinished(late.stop)
    await late.start()
    expect(late.leads()).toBe(false)
  })
})

describe('the ticker', () => {
  it('does the background work while this server leads, and none before', async () => {
    const leads = { asked: 0, answer: false }
    let ticks = 0
    const ticker = providerTicker(
      {
        async tick() {
          ticks += 1
          return { sessions_ended: 0, keys_retired: 0, records_purged: 0 }
        },
      },
      {
        log: createLog({ write: () => {} }),
        interval_ms: 1,
        leads() {
          leads.asked += 1
          return leads.answer
        },
        ticked: () => {},
      },
    )
    onTestFinished(ticker.stop)
    ticker.start()
    await eventually(() => leads.asked > 5)
    expect(ticks).toBe(0)
    leads.answer = true
    await eventually(() => ticks > 1)
  })
})

describe('the clock of a server', () => {
  it.each([
    ['30 seconds ahead', 130, 100, true],
    ['more than that', 131, 100.9, false],
    ['30 seconds behind', 100, 131, true],
    ['more than that', 100, 131.1, false],
  ])('%s: %d, while the database has %d', async (...[, server_time, database_time, is_right]) => {
    const clock = clockCheck({ log: createLog({ write: () => {} }), now: () => server_time })
    await clock.compare(async () => ({ now: database_time }))
    expect(clock.isRight()).toBe(is_right)
  })
})

describe('a server with a wrong clock', () => {
  it.each([
    ['an hour ahead', HOUR],
    ['an hour behind', -HOUR],
  ])('%s: it does not lead, is not ready, and says so once', async (name, ahead) => {
    const wrong = await server(name, { ahead })
    expect([wrong.leads(), await wrong.ready()]).toEqual([false, false])
    const right = await server(name)
    expect([right.leads(), await right.ready()]).toEqual([true, true])
    await eventually(() => wrong.asked() > 3)
    expect([wrong.leads(), wrong.takes()]).toEqual([false, 0])
    expect(Math.abs((wrong.ahead() ?? 0) - ahead)).toBeLessThan(3)
    const [line, ...more] = wrong.said('the clock of this server differs')
    expect(more).toEqual([])
    expect(line).toMatchObject({ level: 'error', msg: expect.stringContaining('NTP') })
    expect(Math.abs(Number(line?.seconds_ahead) - ahead)).toBeLessThanOrEqual(2)
  })

  it('does not lead while it gives the lease back', async () => {
    const clock = { ahead: 0 }
    let giving = false
    let given = () => {}
    const held = { held: true, ends_in: 60 }
    const wrong = leadership(
      {
        take: async () => ({ ...held, now: Date.now() / 1000 }),
        now: async () => Date.now() / 1000,
        giveBack() {
          giving = true
          return new Promise((resolve) => {
            given = resolve
          })
        },
      },
      {
        log: createLog({ write: () => {} }),
        now: () => Math.floor(Date.now() / 1000) + clock.ahead,
        times: TIMES,
      },
    )
    onTestFinished(wrong.stop)
    await wrong.start()
    expect(wrong.leads()).toBe(true)
    clock.ahead = HOUR
    await eventually(() => giving)
    expect(wrong.leads()).toBe(false)
    given()
  })

  it('20 seconds ahead: it leads, and is ready', async () => {
    const server20 = await server('20', { ahead: 20 })
    expect([server20.leads(), await server20.ready()]).toEqual([true, true])
  })

  it('that was right before: it gives the lease back, and is ready again when it is right again', async () => {
    const first = await server('turns', { ahead: 0 })
    const second = await server('turns')
    first.clock.ahead = HOUR
    await eventually(() => second.leads())
    expect([first.leads(), await first.ready()]).toEqual([false, false])
    first.clock.ahead = 0
    await eventually(first.ready)
    expect(first.said('agrees with')).toHaveLength(1)
    expect([first.leads(), second.leads()]).toEqual([false, true])
  })
})
