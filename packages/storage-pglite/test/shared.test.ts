/** A command beside the process that has the database open: the executor that goes through the socket. */

import { type Executor, migrations, postgresUsers } from '@ostiary/storage-postgres'
import { userRecord } from '@ostiary/test-kit/user-rules'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FolderInUseError, pgliteExecutor } from '../src/index.js'
import { connected, folderOfFile, rejection } from './_shared.js'

const folder = folderOfFile()
let owner: Executor
beforeAll(async () => {
  owner = await pgliteExecutor(folder, { socket: 'listen' })
  await migrations(owner).migrate()
  await owner.query('create table notes (n int primary key, check (n < 1000))')
})
afterAll(() => owner.close())

const numbers = async (db: Pick<Executor, 'query'>) =>
  (await db.query<{ n: number }>('select n from notes order by n')).map(({ n }) => n)

describe('the executor of a command beside the owner', () => {
  it('has the rows that the owner has, of every type that the statements of Ostiary return', async () => {
    const command = await connected(folder)
    const text = `select $1::int8 as big, $2::text as text, $3::bool as yes, null as nothing, 0.5::float8 as part,
      $4::text::json as record, '[1, [true, null], {"__proto__": 1}]'::json as list, 'ü€😀 ' as letters`
    const params = [9_007_199_254_740_991, 'a\u0001"\\', false, '{"a":{"b":[1]},"c":""}']
    expect(await command.query(text, params)).toEqual(await owner.query(text, params))
    expect(await command.query('select 1 as n; select 2 as n')).toEqual([{ n: 2 }])
    expect(await command.query('select n from notes where n < 0')).toEqual([])
  })

  it.each(['timestamptz', 'bytea', 'timestamptz[]'])(
    'refuses a value of the type %s, which would arrive as another one',
    async (type) => {
      const command = await connected(folder)
      const value = { timestamptz: 'now()', bytea: `'\\x00'::bytea`, 'timestamptz[]': 'array[now()]' }[type]
      const error = await rejection(command.query(`select ${value} as seen`))
      expect(error).toMatchObject({
        name: 'SharedFolderError',
        message: expect.stringMatching(/^The column seen has/),
      })
      expect(await command.query('select 1 as n')).toEqual([{ n: 1 }])
    },
  )

  it('refuses a number that JSON does not have', async () => {
    const command = await connected(folder)
    await expect(command.query(`select 'NaN'::float8 as odd`)).rejects.toThrow('The column odd has')
    await expect(command.query(`select 9223372036854775807::int8 as odd`)).rejects.toThrow(
      'The column odd has',
    )
  })

  it('rejects with the errors of the owner, without the values of the statement', async () => {
    const command = await connected(folder)
    await owner.query('insert into notes values (7)')
    const insert = (db: Executor) => rejection(db.query('insert into notes values ($1)', [7]))
    const [here, there] = [await insert(command), await insert(owner)]
    for (const name of [
      'name',
      'message',
      'code',
      'severity',
      'detail',
      'constraint',
      'table',
      'schema',
      'routine',
    ])
      expect([name, Reflect.get(here as object, name)]).toEqual([name, Reflect.get(there as object, name)])
    expect(here).toMatchObject({ code: '23505', constraint: 'notes_pkey' })
    expect(here).toBeInstanceOf(Error)
    expect(Object.keys(here as object)).not.toContain('params')
    expect(await rejection(command.query('selec'))).toMatchObject({
      code: '42601',
      message: expect.stringContaining('selec'),
    })
  })

  it('says that a name is taken, as the owner does', async () => {
    const command = await connected(folder)
    const [mine, theirs] = [postgresUsers(command)('r'), postgresUsers(owner)('r')]
    const ann = userRecord('ann-1', { username_key: 'ann' })
    expect(await mine.create(ann)).toBe(true)
    expect(await theirs.find('ann-1')).toEqual(ann)
    expect(await mine.create(userRecord('ann-2', { username_key: 'ann' }))).toBe(false)
  })

  it('commits, and rolls back when its work fails', async () => {
    const command = await connected(folder)
    const before = await numbers(owner)
    const result = await command.transaction(async (tx) => {
      await Promise.all([
        tx.query('insert into notes values (20)'),
        tx.query('insert into notes values (21)'),
      ])
      return numbers(tx)
    })
    expect(result).toEqual([...before, 20, 21])
    expect(await numbers(owner)).toEqual(result)
    const failed = command.transaction(async (tx) => {
      await tx.query('insert into notes values (22)')
      throw new RangeError('no')
    })
    await expect(failed).rejects.toThrow(RangeError)
    await expect(
      command.transaction((tx) => tx.query('insert into notes values (20)')),
    ).rejects.toMatchObject({ code: '23505' })
    expect(await numbers(owner)).toEqual(result)
    expect(await numbers(command)).toEqual(result)
  })

  it('takes nothing for a transaction that has ended', async () => {
    const command = await connected(folder)
    const tx = await command.transaction(async (open) => open)
    await expect(tx.query('select 1')).rejects.toThrow('The transaction has ended')
  })

  it('its transaction is alone: the owner, and another command, wait for its end', async () => {
    const [command, other] = [await connected(folder), await connected(folder)]
    const order: string[] = []
    let waiting: Promise<unknown>[] = []
    await command.transaction(async (tx) => {
      await tx.query('insert into notes values (30)')
      waiting = [
        owner.query('select n from notes where n = 30').then((rows) => order.push(`owner ${rows.length}`)),
        other.query('select n from notes where n = 30').then((rows) => order.push(`other ${rows.length}`)),
        other
          .transaction((next) => next.query('insert into notes values (31)'))
          .then(() => order.push('other 31')),
      ]
      await tx.query('delete from notes where n = 30')
      order.push('commit')
    })
    await Promise.all(waiting)
    expect(order[0]).toBe('commit')
    expect(order.slice(1).sort()).toEqual(['other 0', 'other 31', 'owner 0'])
  })

  it('a statement of the owner that fails in between leaves the transaction as it is', async () => {
    const command = await connected(folder)
    let waiting: Promise<unknown> = Promise.resolve()
    await command.transaction(async (tx) => {
      await tx.query('insert into notes values (40)')
      waiting = rejection(owner.query('insert into notes values (40)'))
    })
    expect(await waiting).toMatchObject({ code: '23505' })
    expect(await numbers(owner)).toContain(40)
  })

  it('closes alone: the owner and the next command go on', async () => {
    const command = await pgliteExecutor(folder, { socket: 'connect' })
    await command.close()
    await expect(command.query('select 1')).rejects.toThrow('Run the command again')
    expect(await (await connected(folder)).query('select 1 as n')).toEqual([{ n: 1 }])
  })

  it('a second server, and what needs the database alone, are refused', async () => {
    await expect(pgliteExecutor(folder, { socket: 'listen' })).rejects.toThrow(FolderInUseError)
    await expect(pgliteExecutor(folder)).rejects.toThrow(
      /is in use by process \d+ on .*A second server, and a command that needs the embedded database alone, are refused/,
    )
    expect(await (await connected(folder)).query('select 1 as n')).toEqual([{ n: 1 }])
  })
})
