/** What a command beside the server can cost the server: connections, bytes, and the time of a transaction. */

import type { Executor } from '@ostiary/storage-postgres'
import { eventually } from '@ostiary/test-kit/eventually'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { lockFolder } from '../src/folder-lock.js'
import { FolderInUseError, pgliteExecutor, SharedFolderError } from '../src/index.js'
import { connectBeside } from '../src/socket/connect.js'
import { listenBeside } from '../src/socket/listen.js'
import { encode } from '../src/socket/messages.js'
import { HELLO, MAX_MESSAGE_BYTES } from '../src/socket/protocol.js'
import type { SessionLimits } from '../src/socket/session.js'
import { folderOfFile, greeted, rawConnection, rejection } from './_shared.js'

const folder = folderOfFile()
let owner: Executor
beforeAll(async () => {
  owner = await pgliteExecutor(folder)
  await owner.query('create table notes (n int)')
})
afterAll(() => owner.close())
beforeEach(() => owner.query('delete from notes'))

const INSERT = { do: 'query', text: 'insert into notes values (1)', params: [] }
const SELECT = { do: 'query', text: 'select n from notes', params: [] }
const NO_ROWS = { rows: [] }
const errorWith = (fields: object) => ({ error: expect.objectContaining(fields) })

/** What a test is not about has no time limit. */
const UNLIMITED_MS = 2 ** 31 - 1
const UNLIMITED: SessionLimits = {
  idle_ms: UNLIMITED_MS,
  transaction_ms: UNLIMITED_MS,
  stalled_ms: UNLIMITED_MS,
}

async function listening(
  limits: Partial<SessionLimits> = {},
  executor = owner,
): Promise<() => Promise<void>> {
  const close = await listenBeside(folder, executor, { ...UNLIMITED, ...limits })
  onTestFinished(close)
  return close
}

const inUse = async () => {
  const error = await rejection(lockFolder(folder))
  return error instanceof FolderInUseError ? error : new FolderInUseError({ folder, file: '', owner: '' })
}

async function command(): Promise<Executor> {
  const limits = { hello_ms: UNLIMITED_MS, answer_ms: UNLIMITED_MS }
  const executor = await connectBeside(folder, await inUse(), limits)
  onTestFinished(() => executor.close())
  return executor
}

describe('the connections', () => {
  const CONNECTIONS = 8

  it('are eight: the next one is told to wait for the end of another', async () => {
    await listening()
    const raw = await Promise.all(Array.from({ length: CONNECTIONS }, () => greeted(folder)))
    const refused = await rejection(command())
    expect(refused).toBeInstanceOf(FolderInUseError)
    expect(refused).toMatchObject({
      message: expect.stringMatching(
        /is in use by process \d+ .*8 commands use it already: run this one again/,
      ),
    })
    expect(await raw[7]?.ask(SELECT)).toEqual(NO_ROWS)
    raw[0]?.socket.destroy()
    await eventually(async () => expect(await (await command()).query('select 1 as n')).toEqual([{ n: 1 }]))
  })

  it('end when nothing comes, or half a message', async () => {
    await listening({ stalled_ms: 200 })
    // A busy machine may need longer for a hello: then it is sent again.
    const greetedInTime = () => eventually(() => greeted(folder))
    const between = await greetedInTime()
    const silent = rawConnection(folder)
    expect(await silent.read()).toBe(undefined)
    for (const bytes of [Buffer.from([0]), encode(SELECT).subarray(0, 9)]) {
      const raw = await greetedInTime()
      raw.socket.write(bytes)
      expect(await raw.read()).toBe(undefined)
    }
    // Between two requests there is no limit: the operator may be asked a question.
    expect(await between.ask(SELECT)).toEqual(NO_ROWS)
  })

  it.each([
    ['a text', 'query'],
    ['a list', [SELECT]],
    ['another request', { do: 'drop' }],
    ['parameters that are no list', { ...SELECT, params: { length: 1 } }],
    ['a parameter that is an object', { ...SELECT, params: [{}] }],
    ['a text that is none', { ...SELECT, text: 1 }],
  ])('end with what is no request: %s', async (_name, message) => {
    await listening()
    const raw = await greeted(folder)
    await raw.ask({ do: 'begin' })
    await raw.ask(INSERT)
    expect(await raw.ask(message)).toBe(undefined)
    expect(await owner.query('select n from notes')).toEqual([])
  })

  it('end with what is no JSON, and with a request before the hello', async () => {
    await listening()
    const raw = await greeted(folder)
    raw.socket.write(Buffer.from([0, 0, 0, 1, 0x7b]))
    expect(await raw.read()).toBe(undefined)
    expect(await rawConnection(folder).ask(SELECT)).toBe(undefined)
  })

  it('have one answer that waits: who reads nothing is answered no further, and is cut off', async () => {
    let statements = 0
    const counted: Executor = {
      ...owner,
      transaction: (run) =>
        owner.transaction((tx) =>
          run({
            query(...given) {
              statements += 1
              return tx.query(...given)
            },
          }),
        ),
    }
    const close = await listening({ stalled_ms: 3_000 }, counted)
    const large = { do: 'query', text: `select repeat('x', 4000000) as large`, params: [] }
    const slow = await eventually(() => greeted(folder))
    await slow.ask({ do: 'begin' })
    for (let n = 0; n < 20; n += 1) slow.send(large)
    // It waits for the end of the transaction: of the connection.
    await owner.query('select 1')
    expect(statements).toBe(1)
    await close()
    // As often as it is asked where the answers are read.
    await listening({}, counted)
    const reader = await greeted(folder)
    await reader.ask({ do: 'begin' })
    for (let n = 0; n < 20; n += 1) await reader.ask(large)
    expect(statements).toBe(21)
  })
})

describe('the size of a message', () => {
  const statement = (bytes: number) => {
    const text = 'select length($1)::int as n'
    const around = JSON.stringify({ do: 'query', text, params: [''] }).length
    return [text, ['x'.repeat(bytes - around)]] as const
  }

  it('is limited for a statement, and the connection goes on', async () => {
    await listening()
    const executor = await command()
    const [text, params] = statement(MAX_MESSAGE_BYTES)
    expect(await executor.query(text, params)).toEqual([{ n: params[0]?.length }])
    const error = await rejection(executor.query(...statement(MAX_MESSAGE_BYTES + 1)))
    expect(error).toBeInstanceOf(SharedFolderError)
    expect(error).toMatchObject({
      message: expect.stringContaining(
        '33554433 bytes. Beside the running server 33554432 are the most: stop the server',
      ),
    })
    expect(await executor.query('select 1 as n')).toEqual([{ n: 1 }])
  })

  it('is limited for its rows, and the connection goes on', async () => {
    await listening()
    const executor = await command()
    const around = JSON.stringify({ rows: [{ x: '' }] }).length
    const rows = (bytes: number) =>
      executor.query<{ x: string }>(`select repeat('x', ${bytes - around}) as x`)
    expect((await rows(MAX_MESSAGE_BYTES))[0]?.x).toHaveLength(MAX_MESSAGE_BYTES - around)
    await expect(rows(MAX_MESSAGE_BYTES + 1)).rejects.toThrow(SharedFolderError)
    expect(await executor.query('select 1 as n')).toEqual([{ n: 1 }])
  })

  it('is limited before it is read', async () => {
    await listening()
    const raw = await greeted(folder)
    raw.socket.write(Buffer.from([0x02, 0, 0, 1]))
    expect(await raw.read()).toBe(undefined)
  })
})

describe('a transaction', () => {
  it('is rolled back when its client leaves, also while it waits for its turn', async () => {
    await listening()
    const [holder, waiting] = [await greeted(folder), await greeted(folder)]
    expect(await holder.ask({ do: 'begin' })).toEqual(NO_ROWS)
    expect(await holder.ask(INSERT)).toEqual(NO_ROWS)
    waiting.send({ do: 'begin' })
    waiting.send(INSERT)
    waiting.socket.end()
    holder.socket.destroy()
    expect(await owner.query('select n from notes')).toEqual([])
    expect(await (await greeted(folder)).ask(SELECT)).toEqual(NO_ROWS)
  })

  it('that is idle is rolled back: the server goes on, and the client is told', async () => {
    await listening({ idle_ms: 300 })
    const executor = await command()
    const idle = executor.transaction(async (tx) => {
      await tx.query(INSERT.text)
      // The owner waits for the end of the transaction, which waits for the owner.
      return owner.query('select n from notes')
    })
    expect(await rejection(idle)).toMatchObject({
      name: 'SharedFolderError',
      code: '25P03',
      message: expect.stringMatching(
        /^The command has left its transaction idle for 0\.3 s, so the running server has rolled it back/,
      ),
    })
    expect(await owner.query('select n from notes')).toEqual([])
    const raw = await greeted(folder)
    await raw.ask({ do: 'begin' })
    await raw.ask(INSERT)
    expect(await owner.query('select n from notes')).toEqual([])
    for (const message of [INSERT, { do: 'begin' }]) expect(await raw.ask(message)).toHaveProperty('error')
    expect(await raw.ask({ do: 'commit' })).toEqual(errorWith({ code: '25P03' }))
    expect(await raw.ask(INSERT)).toEqual(NO_ROWS)
    expect(await owner.query('select n from notes')).toEqual([{ n: 1 }])
  })

  it('that has no end is rolled back, however busy it is', async () => {
    await listening({ transaction_ms: 400 })
    const executor = await command()
    const endless = executor.transaction(async (tx) => {
      for (;;) await tx.query(INSERT.text)
    })
    expect(await rejection(endless)).toMatchObject({
      code: '25P04',
      message: expect.stringMatching(/^The transaction of the command takes longer than 0\.4 s/),
    })
    expect(await owner.query('select n from notes')).toEqual([])
    // The next one has its own time, in which a busy machine may not end it.
    await eventually(async () =>
      expect(await executor.transaction((tx) => tx.query('select 1 as n'))).toEqual([{ n: 1 }]),
    )
  })

  it('is one at a time', async () => {
    await listening()
    const raw = await greeted(folder)
    await raw.ask({ do: 'begin' })
    expect(await raw.ask({ do: 'begin' })).toEqual(
      errorWith({ message: 'The connection has a transaction already' }),
    )
    expect(await raw.ask({ do: 'rollback' })).toEqual(NO_ROWS)
    expect(await raw.ask({ do: 'rollback' })).toEqual(NO_ROWS)
  })

  it('is rolled back when the server stops, which waits for that alone', async () => {
    const close = await listening()
    const executor = await command()
    const [idle, raw] = [await greeted(folder), await greeted(folder)]
    await raw.ask({ do: 'begin' })
    await raw.ask(INSERT)
    idle.send({ do: 'begin' })
    await close()
    expect(await owner.query('select n from notes')).toEqual([])
    const lost = await rejection(executor.query('select 1'))
    expect(lost).toBeInstanceOf(SharedFolderError)
    expect(lost).toMatchObject({
      code: 'ECONNRESET',
      message: expect.stringMatching(
        /^The server that has the embedded database open, process \d+ on .*, has stopped .*Run the command again\.$/,
      ),
    })
    await expect(executor.transaction((tx) => tx.query('select 1'))).rejects.toThrow('has stopped')
  })
})

describe('the hello', () => {
  it.each([{ protocol: 2 }, { schema: 'another' }])(
    'of another release is answered, and no request of it: %o',
    async (other) => {
      await listening()
      const raw = rawConnection(folder)
      expect(await raw.ask({ ...HELLO, ...other })).toEqual(HELLO)
      expect(await raw.ask(INSERT)).toBe(undefined)
      expect(await owner.query('select n from notes')).toEqual([])
    },
  )
})
