/** Connections that a server refuses are counted, by the reason. */

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { freePort } from '@ostiary/local-services/ports'
import { startPostgres } from '@ostiary/local-services/postgres'
import { eventually } from '@ostiary/test-kit/eventually'
import { expect, it, onTestFinished } from 'vitest'
import { type PostgresOptions, postgresExecutor } from '../src/index.js'

const MAX_CONNECTIONS = 8
const NONE = {
  too_many_connections: 0,
  configuration_limit_exceeded: 0,
  cannot_connect_now: 0,
  connection_refused: 0,
}

function opened(url: string, options: PostgresOptions = {}) {
  const executor = postgresExecutor(url, { connections: 1, ...options })
  onTestFinished(() => executor.close())
  return executor
}

const codeOf = (query: Promise<unknown>) =>
  query.then(
    () => 'an answer',
    ({ code, name }: { code?: string; name: string }) => code ?? name,
  )

/** Uses `count` connections until `release` is called. */
async function used(url: string, count: number) {
  const executor = opened(url, { connections: count })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const ended: Promise<void>[] = []
  const began = Array.from(
    { length: count },
    () =>
      new Promise<void>((resolve) => {
        ended.push(
          executor.transaction(async (tx) => {
            await tx.query('select 1')
            resolve()
            await held
          }),
        )
      }),
  )
  await Promise.all(began)
  return async () => {
    release()
    await Promise.all(ended)
    await executor.close()
  }
}

it('max_connections are used up: each refused connection counts, and none after one is free', async () => {
  const server = await startPostgres({ max_connections: `${MAX_CONNECTIONS}` })
  onTestFinished(() => server.stop())
  const release = await used(server.url, MAX_CONNECTIONS - 1)
  const last = opened(server.url)
  expect(await codeOf(last.query('select 1'))).toBe('an answer')
  expect(last.load().refused).toEqual(NONE)

  const one = opened(server.url)
  expect(await codeOf(one.query('select 1'))).toBe('53300')
  expect(one.load().refused).toEqual({ ...NONE, too_many_connections: 1 })
  expect(await codeOf(one.transaction((tx) => tx.query('select 1')))).toBe('53300')
  expect(await codeOf(one.queryAlone?.('select 1') ?? Promise.resolve())).toBe('53300')
  expect(one.load().refused).toEqual({ ...NONE, too_many_connections: 3 })

  const { host } = new URL(server.url)
  const several = opened(`postgres://postgres@127.0.0.1:${await freePort()},${host}/postgres`)
  expect(await codeOf(several.query('select 1'))).toBe('NoPrimaryError')
  expect(several.load().refused).toEqual({ ...NONE, too_many_connections: 1, connection_refused: 1 })

  await release()
  await eventually(async () => expect(await codeOf(one.query('select 1'))).toBe('an answer'))
  const { refused } = one.load()
  expect(await codeOf(one.query("do $$ begin raise exception using errcode = '53400'; end $$"))).toBe('53400')
  expect(one.load().refused).toEqual(refused)
})

/** A server that answers each connection with this error. */
async function refusing(fields: readonly string[]): Promise<string> {
  const text = Buffer.from(`${fields.join('\0')}\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(text.length + 4, 1)
  const server = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end(Buffer.concat([head, text])))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `postgres://postgres@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`
}

it.each([
  ['53400', 'configuration_limit_exceeded'],
  ['57P03', 'cannot_connect_now'],
])(
  '%s counts as %s, from a server and from a pooler that sends no severity of its own',
  async (code, reason) => {
    for (const severity of [['SFATAL', 'VFATAL'], ['SFATAL']]) {
      const executor = opened(await refusing([...severity, `C${code}`, 'Mrefused']))
      expect(await codeOf(executor.query('select 1'))).toBe(code)
      expect(executor.load().refused).toEqual({ ...NONE, [reason]: 1 })
    }
  },
)

it('a refusal with another code does not count as one of these', async () => {
  const executor = opened(await refusing(['SFATAL', 'VFATAL', 'C28P01', 'Mrefused']))
  expect(await codeOf(executor.query('select 1'))).toBe('28P01')
  expect(executor.load().refused).toEqual(NONE)
})
