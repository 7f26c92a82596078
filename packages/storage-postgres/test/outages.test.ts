import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  DatabaseTimeoutError,
  type Executor,
  isUnavailable,
  postgresExecutor,
  type Queries,
} from '../src/index.js'
import { hold } from './_held.js'
import { type OwnDatabase, ownDatabase } from './_setup.js'

const ONE = 'select $1::int as n'

/** Why a query has failed; null when it has not. A query whose time runs out has a `DatabaseTimeoutError`. */
const errorOf = (query: Promise<unknown>): Promise<unknown> =>
  query.then(
    () => null,
    (reason: unknown) => reason,
  )

interface Proxy {
  url: string
  silence(on: boolean): void
  /** Drops the packets of the existing connections from now on, like a router that has lost its state. */
  silenceThese(): void
  server: Server
}

/** A proxy in front of the real server that can drop all packets without closing connections. */
async function aProxy(target: string): Promise<Proxy> {
  const sockets = new Set<Socket>()
  const lost = new WeakSet<Socket>()
  let silent = false
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(target).port), new URL(target).hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    client.on('data', (chunk) => silent || lost.has(client) || upstream.write(chunk))
    upstream.on('data', (chunk) => silent || lost.has(client) || client.write(chunk))
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = new URL(target)
  url.port = `${(server.address() as AddressInfo).port}`
  server.on('close', () => {
    for (const socket of sockets) socket.destroy()
  })
  const silence = (on: boolean) => {
    silent = on
  }
  const silenceThese = () => {
    for (const socket of sockets) lost.add(socket)
  }
  return { url: url.href, server, silence, silenceThese }
}

describe('the executor during an outage', () => {
  let database: OwnDatabase
  const open: Executor[] = []
  const opened = (...args: Parameters<typeof postgresExecutor>) => {
    const executor = postgresExecutor(...args)
    open.push(executor)
    return executor
  }
  beforeAll(async () => {
    database = await ownDatabase()
  })
  afterAll(async () => {
    await Promise.all(open.map((executor) => executor.close()))
    await database.drop()
  })

  it('fails at once for any number of queries when the port is closed', async () => {
    const executor = opened('postgres://postgres@127.0.0.1:1/none')
    for (const round of [1, 2]) {
      const all = await Promise.all(Array.from({ length: 200 }, () => errorOf(executor.query(ONE, [round]))))
      for (const error of all) {
        expect(isUnavailable(error)).toBe(true)
        expect(error).not.toBeInstanceOf(DatabaseTimeoutError)
      }
    }
  })

  it('fails at once when a balancer without a server closes each connection, and connects once for each query', async () => {
    let connections = 0
    const balancer = createServer((socket) => {
      connections += 1
      socket.end()
    })
    await new Promise<void>((done) => balancer.listen(0, '127.0.0.1', done))
    const { port } = balancer.address() as AddressInfo
    const executor = opened(`postgres://postgres@127.0.0.1:${port}/none`)
    const all = await Promise.all(Array.from({ length: 20 }, () => errorOf(executor.query(ONE, [1]))))
    for (const error of all) {
      expect(isUnavailable(error)).toBe(true)
      expect(error).not.toBeInstanceOf(DatabaseTimeoutError)
    }
    expect(connections).toBe(20)
    balancer.close()
  })

  it('fails when the server stops answering, and recovers by itself', async () => {
    const proxy = await aProxy(database.url)
    const executor = opened(proxy.url, { connections: 2, connectTimeout: 1, statementTimeout: 1 })
    expect(await executor.query(ONE, [1])).toEqual([{ n: 1 }])
    proxy.silence(true)
    const all = await Promise.all(Array.from({ length: 30 }, () => errorOf(executor.query(ONE, [2]))))
    for (const error of all) expect(isUnavailable(error)).toBe(true)
    expect(all.some((error) => error instanceof DatabaseTimeoutError)).toBe(true)
    proxy.silence(false)
    expect(await executor.query(ONE, [3])).toEqual([{ n: 3 }])
    proxy.server.close()
  })

  it('replaces broken connections: queries that wait for them fail, and the next query uses new ones', async () => {
    const proxy = await aProxy(database.url)
    const executor = opened(proxy.url, { connections: 1, connectTimeout: 0.5, statementTimeout: 0.5 })
    expect(await executor.query(ONE, [1])).toEqual([{ n: 1 }])
    proxy.silenceThese()
    const query = executor.query(ONE, [2])
    const transaction = executor.transaction((tx) => tx.query(ONE, [2]))
    const unavailable = expect.toSatisfy(isUnavailable, 'an outage')
    await Promise.all([
      expect(query).rejects.toEqual(unavailable),
      expect(transaction).rejects.toEqual(unavailable),
    ])
    expect(await executor.query(ONE, [3])).toEqual([{ n: 3 }])
    proxy.server.close()
  })

  it('checks an overloaded pool again: a transaction on a broken connection fails in the end', async () => {
    const proxy = await aProxy(database.url)
    const executor = opened(proxy.url, { connections: 2, connectTimeout: 0.5, statementTimeout: 0.5 })
    expect(await executor.query(ONE, [1])).toEqual([{ n: 1 }])
    proxy.silenceThese()
    const stuck = executor.transaction((tx) => tx.query(ONE, [2])).catch((error: unknown) => error)
    // The other connection answers, so late queries alone do not mean an outage.
    const sleeps = Array.from({ length: 20 }, () => executor.query('select pg_sleep(0.1)'))
    const outcomes = await Promise.allSettled(sleeps)
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['fulfilled', 'rejected']))
    expect(await stuck).toSatisfy(isUnavailable, 'an outage')
    expect(await executor.query(ONE, [3])).toEqual([{ n: 3 }])
    proxy.server.close()
  })

  it('replaces the pool once when many queries time out, and close closes every connection', async () => {
    const proxy = await aProxy(database.url)
    const executor = postgresExecutor(proxy.url, {
      connections: 1,
      connectTimeout: 0.5,
      statementTimeout: 0.5,
    })
    expect(await executor.query(ONE, [1])).toEqual([{ n: 1 }])
    proxy.silenceThese()
    const pid = () => executor.query<{ pid: number }>('select pg_backend_pid() as pid')
    const queries = [1, 2].map(() => executor.query(ONE, [2]).catch(pid))
    const pids = new Set((await Promise.all(queries)).map((rows) => JSON.stringify(rows)))
    expect(pids.size).toBe(1)
    const [{ pid: backend } = { pid: 0 }] = await pid()
    await executor.close()
    const left = 'select pid from pg_stat_activity where pid = $1'
    while ((await database.executor.query(left, [backend])).length > 0);
    proxy.server.close()
  })

  it('a deadlock counts as unavailable: the same request may succeed later', async () => {
    const executor = opened(database.url)
    await executor.query('create table locked (n int primary key); insert into locked values (1), (2)')
    const lock = (tx: Queries, n: number) => tx.query('select n from locked where n = $1 for update', [n])
    const one = await hold(executor, (tx) => lock(tx, 1))
    const two = await hold(executor, (tx) => lock(tx, 2))
    const results = await Promise.allSettled([lock(one.tx, 2), lock(two.tx, 1)])
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(errors).toMatchObject([{ code: '40P01' }])
    expect(errors.every(isUnavailable)).toBe(true)
  })

  it('fails when connections are accepted and never answered', async () => {
    const sockets: Socket[] = []
    const server = createServer((socket) => void sockets.push(socket))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    const executor = opened(`postgres://postgres@127.0.0.1:${port}/none`, {
      connections: 2,
      connectTimeout: 1,
      statementTimeout: 1,
    })
    const all = await Promise.all(Array.from({ length: 10 }, () => errorOf(executor.query(ONE, [1]))))
    for (const error of all) expect(isUnavailable(error)).toBe(true)
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  it('keeps its connections while the server answers, even when a query has waited too long for one', async () => {
    const executor = opened(database.url, { connections: 2, connectTimeout: 1, statementTimeout: 2 })
    const backend = (tx: Queries) => tx.query<{ pid: number }>('select pg_backend_pid() as pid')
    const holding = () =>
      executor.transaction(async (tx) => {
        const before = await backend(tx)
        // Each is within the time limit of a statement; together they exceed the time limit of a query.
        for (let n = 0; n < 5; n++) await tx.query('select pg_sleep($1)', [1])
        expect(await backend(tx)).toEqual(before)
      })
    const held = [holding(), holding()]
    const waiting = await Promise.all(Array.from({ length: 6 }, () => errorOf(executor.query(ONE, [1]))))
    for (const error of waiting) expect(error).toBeInstanceOf(DatabaseTimeoutError)
    await Promise.all(held)
    expect(await executor.query(ONE, [2])).toEqual([{ n: 2 }])
  })

  it('cancels a statement that takes too long', async () => {
    const executor = opened(database.url, { statementTimeout: 1 })
    const error = await errorOf(executor.query('select pg_sleep($1)', [3600]))
    expect(error).toMatchObject({ code: '57014' })
    expect(isUnavailable(error)).toBe(true)
  })

  it('continues after the server has closed its connections', async () => {
    const executor = opened(database.url, { connections: 2 })
    await Promise.all([executor.query(ONE, [1]), executor.query(ONE, [1])])
    await database.executor.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
    let failures = 0
    for (;;) {
      const error = await errorOf(executor.query(ONE, [2]))
      if (error === null) break
      expect(isUnavailable(error)).toBe(true)
      failures += 1
      expect(failures).toBeLessThan(5)
    }
  })

  it('close waits for running queries', async () => {
    const executor = postgresExecutor(database.url)
    const running = executor.query('select pg_sleep($1), 1 as n', [0.3])
    await executor.close()
    expect(await running).toMatchObject([{ n: 1 }])
  })

  it('a transaction that fails changes nothing', async () => {
    const executor = opened(database.url)
    await executor.query('create table kept (n int)')
    const failing = executor.transaction(async (tx) => {
      await tx.query('insert into kept values ($1)', [1])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await executor.query('select n from kept where n > $1', [0])).toEqual([])
    expect(
      await executor.transaction((tx) => tx.query('insert into kept values ($1) returning n', [2])),
    ).toEqual([{ n: 2 }])
  })

  it('a transaction with a failed statement is rolled back, not in silence, although its work has caught the error', async () => {
    const executor = opened(database.url)
    await executor.query('create table caught (n int)')
    const work = executor.transaction(async (tx) => {
      await tx.query('insert into caught values (1)')
      await tx.query('insert into caught values (1 / 0)').catch(() => {})
    })
    expect(await errorOf(work)).toMatchObject({ code: '22012' })
    expect(await executor.query('select n from caught')).toEqual([])
  })

  it('a statement for which a transaction does not wait does not undo it in silence', async () => {
    const executor = opened(database.url)
    await executor.query('create table unawaited (n int)')
    const failing = executor.transaction(async (tx) => {
      await tx.query('insert into unawaited values (1)')
      errorOf(tx.query('select 1 / 0'))
    })
    await expect(failing).rejects.toMatchObject({ code: '22012' })
    expect(await executor.query('select n from unawaited')).toEqual([])
  })

  it('a transaction whose connection ends between two statements is an outage, and the next one succeeds', async () => {
    const executor = opened(database.url, { connections: 1 })
    const backend = (tx: Queries) => tx.query<{ pid: number }>('select pg_backend_pid() as pid')
    const ended = executor.transaction(async (tx) => {
      const [row] = await backend(tx)
      await database.executor.query('select pg_terminate_backend($1, 10000)', [row?.pid ?? 0])
      return backend(tx)
    })
    expect(await errorOf(ended)).toSatisfy(isUnavailable, 'an outage')
    expect(await executor.transaction(backend)).toEqual([{ pid: expect.any(Number) }])
  })

  it.each([true, false])(
    'a lost prepared statement does not lose a transaction (prepare: %s)',
    async (prepare) => {
      const executor = opened(database.url, { connections: 1, prepare })
      const table = `lost_${prepare}`
      await executor.query(`create table ${table} (n int)`)
      const write = (n: number) =>
        executor.transaction(async (tx) => {
          await tx.query(`insert into ${table} values (${n})`)
          // As behind a pooler, where the end of the transaction may be on another backend than the one before it.
          await tx.query('deallocate all')
        })
      await write(1)
      await write(2)
      const rows = await executor.query(`select n from ${table} order by n`)
      expect(rows).toEqual([{ n: 1 }, { n: 2 }])
    },
  )

  it('an error in a statement is not an outage', async () => {
    const error = await errorOf(database.executor.query('select nothing'))
    expect(error).toMatchObject({ code: '42703' })
    expect([error, new Error('x'), null, { code: 'ERR_INVALID_URL' }].some(isUnavailable)).toBe(false)
  })
})
