/** A primary and its standby: which of them the executor uses, before and after a promotion. The tests run in this order. */

import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { type ReplicatedPostgres, startReplication } from '@ostiary/local-services/replication'
import { eventually } from '@ostiary/test-kit/eventually'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  DatabaseTimeoutError,
  isUnavailable,
  NoPrimaryError,
  type PostgresOptions,
  postgresExecutor,
} from '../src/index.js'

const INSERT = 'insert into written (n) values ($1) returning n'

let servers: ReplicatedPostgres

/** The URL of several servers, as `postgres://postgres@h1:p1,h2:p2/postgres`. */
const urlOf = (ports: readonly number[], query = '') =>
  `postgres://postgres@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/postgres${query}`

function opened(url: string, options: PostgresOptions = {}) {
  const executor = postgresExecutor(url, { connections: 2, ...options })
  onTestFinished(() => executor.close())
  return executor
}

const portOf = async (executor: ReturnType<typeof opened>) =>
  (await executor.query<{ port: number }>('select inet_server_port() as port'))[0]?.port

beforeAll(async () => {
  servers = await startReplication({ synchronous: true })
  const executor = postgresExecutor(servers.primary.url)
  await executor.query('create table written (n int)')
  await executor.close()
})
afterAll(() => servers.stop())

describe('while the primary runs', () => {
  it('a standby is not used: its answers may be outdated', async () => {
    const executor = opened(servers.standby.url)
    const error = await executor.query('select 1').catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(NoPrimaryError)
    expect(String(error)).toContain(`127.0.0.1:${servers.standby.port} is a standby (pg_is_in_recovery)`)
    await expect(executor.transaction((tx) => tx.query('select 1'))).rejects.toThrow(NoPrimaryError)
    expect(isUnavailable(error)).toBe(true)
  })

  it.each(['', '?target_session_attrs=primary', '?target_session_attrs=read-write'])(
    'of several hosts the primary is used: %j',
    async (query) => {
      const executor = opened(urlOf([servers.standby.port, servers.primary.port], query))
      expect(await portOf(executor)).toBe(servers.primary.port)
      expect(await executor.query(INSERT, [1])).toEqual([{ n: 1 }])
    },
  )

  it('target_session_attrs that asks for a standby is refused', () => {
    expect(() => postgresExecutor(`${servers.standby.url}?target_session_attrs=prefer-standby`)).toThrow(
      'target_session_attrs=prefer-standby asks for a standby, which accepts no writes: remove it',
    )
    expect(() => postgresExecutor('postgres://a@b:1,c:x/d')).toThrow('a host of the URL is not valid')
  })

  it('the state of each host is named', async () => {
    const places = `127.0.0.1:1,127.0.0.1:${servers.primary.port}`
    const error = await opened(`postgres://postgres@${places}/none`)
      .query('select 1')
      .catch((cause: unknown) => cause)
    expect(String(error)).toMatch(
      /127\.0\.0\.1:1 does not answer \(ECONNREFUSED\), 127\.0\.0\.1:\d+ refuses the connection \(database "none" does not exist\)/,
    )
  })

  it('a host that does not answer delays nothing', async () => {
    const executor = opened(urlOf([1, servers.primary.port]))
    expect(await executor.query(INSERT, [2])).toEqual([{ n: 2 }])
  })

  it('an address that leads to the primary and to a standby gives no answer of the standby', async () => {
    const { primary, standby } = servers
    let next = 0
    const balancer = createServer((near) => {
      const far = connect(next++ % 2 === 0 ? primary.port : standby.port, '127.0.0.1')
      near.pipe(far).pipe(near)
      near.on('error', () => far.destroy())
      far.on('error', () => near.destroy())
    }).listen(0, '127.0.0.1')
    await once(balancer, 'listening')
    onTestFinished(() => void balancer.close())
    const executor = opened(
      `postgres://postgres@127.0.0.1:${(balancer.address() as AddressInfo).port}/postgres`,
    )
    const states = new Set<unknown>()
    for (let round = 0; round < 20; round += 1) {
      const asked = Array.from({ length: 5 }, () =>
        executor.query<{ standby: boolean }>('select pg_is_in_recovery() as standby').then(
          ([row]) => (row?.standby ? 'answer of the standby' : 'answer of the primary'),
          (error: unknown) => (isUnavailable(error) ? 'outage' : error),
        ),
      )
      for (const state of await Promise.all(asked)) states.add(state)
    }
    expect([...states].filter((state) => state !== 'outage')).toEqual(
      states.has('answer of the primary') ? ['answer of the primary'] : [],
    )
  })

  it('connections that accept no writes any more are replaced', async () => {
    const executor = opened(servers.primary.url, { connections: 1 })
    await executor.query('set default_transaction_read_only = on')
    const error = await executor.query(INSERT, [3]).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: '25006' })
    expect(isUnavailable(error)).toBe(true)
    expect(await executor.query(INSERT, [3])).toEqual([{ n: 3 }])
  })
})

describe('when the primary has ended', () => {
  it('each query is an outage at once, until a standby is promoted; then it is used without a restart', async () => {
    const url = urlOf([servers.primary.port, servers.standby.port])
    const several = opened(url)
    const one = opened(servers.standby.url)
    expect(await several.query(INSERT, [4])).toEqual([{ n: 4 }])
    await servers.primary.kill()
    const states = [`127.0.0.1:${servers.primary.port} does not answer (ECONNREFUSED)`, 'is a standby']
    await eventually(async () => {
      const error = await several.query(INSERT, [5]).catch((cause: unknown) => cause)
      expect(isUnavailable(error)).toBe(true)
      for (const state of states) expect(String(error)).toContain(state)
    })
    const all = await Promise.allSettled(Array.from({ length: 200 }, (_, n) => several.query(INSERT, [n])))
    for (const result of all) {
      const error = result.status === 'rejected' ? result.reason : null
      expect(isUnavailable(error)).toBe(true)
      expect(error).not.toBeInstanceOf(DatabaseTimeoutError)
    }
    await expect(one.query('select 1')).rejects.toThrow(NoPrimaryError)

    await servers.standby.promote()
    for (const executor of [several, one]) {
      await eventually(() => executor.query(INSERT, [6]))
      expect(await portOf(executor)).toBe(servers.standby.port)
    }
    expect(await several.query('select n from written where n = 4')).toEqual([{ n: 4 }])
  })
})
