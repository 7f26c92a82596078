/** A command or a server is killed after it has written the row of a change: before the change, and before the end of the row. */

import { once } from 'node:events'
import { type Executor, postgresExecutor } from '@ostiary/storage-postgres'
import { ownDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { person } from '@ostiary/test-kit/person'
import { launch, run, SECRET, startTestServer } from '@ostiary/test-kit/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PASSWORD, users } from './client.ts'
import { report } from './report.ts'

const config = (port: number) => ({
  app: { url: `http://localhost:${port}` },
  audit: { enabled: true },
  users,
})

async function place() {
  const DATABASE_URL = await ownDatabase()
  // The test holds statements for as long as it needs: they have no limit.
  const env = { OIDC_SECRET: SECRET, DATABASE_URL, OSTIARY_DATABASE__STATEMENT_TIMEOUT: '0' }
  const admin = postgresExecutor(DATABASE_URL, UNLIMITED)
  onTestFinished(() => admin.close())
  const command = (line: string) => run({ config, env, args: line.split(' ') })
  expect((await command('migrate')).code).toBe(0)
  return { env, admin, command }
}
type Place = Awaited<ReturnType<typeof place>>

/** Locks the rows that the statement selects, until they are released. */
async function lock({ admin }: Place, rows: string): Promise<() => Promise<void>> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let over: Promise<void> = Promise.resolve()
  await new Promise<void>((resolve, reject) => {
    over = admin.transaction(async (tx) => {
      expect(await tx.query(`${rows} for update`)).toHaveLength(1)
      resolve()
      await held
    })
    over.catch(reject)
  })
  const unlock = () => {
    release()
    return over
  }
  onTestFinished(unlock)
  return unlock
}

/** How many statements with this text wait for a lock. */
async function waiting(admin: Executor, text: string): Promise<number> {
  const found = await admin.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and strpos(query, $1) > 0`,
    [text],
  )
  return found.length
}

/** A change, by a process that can be killed. */
interface Changing {
  type: string
  /** The statement of the change. */
  statement: string
  /** Selects a value of the record. */
  record: string
  /** Resolves with what starts the change. */
  prepare(place: Place): Promise<() => Promise<Running>>
}

interface Running {
  /** Resolves when the process is gone. */
  kill(): Promise<void>
}

const COMMAND: Changing = {
  type: 'client.update',
  statement: 'update oidc_clients',
  record: `select client_name as value from oidc_clients where client_id = 'app'`,
  async prepare({ env, command }) {
    await command('client create --id app --name App --redirect-uri https://app.example.com/cb')
    return async () => {
      const args = 'client update app --name Other'.split(' ')
      const { child, exited } = await launch({ config, env, args })
      return {
        async kill() {
          child.kill('SIGKILL')
          await exited
        },
      }
    }
  },
}

const PAGE: Changing = {
  type: 'user.update',
  statement: 'update oidc_users',
  record: 'select password_hash as value from oidc_users',
  async prepare({ env }) {
    const { issuer, child } = await startTestServer({ config, env })
    const ann = person(issuer)
    const account = await ann.submit(await ann.open(`${issuer}/account`), {
      username: 'ann',
      password: PASSWORD,
    })
    const forms = account.html.split(/(?=<form)/)
    const html = forms.find((form) => form.includes('value="change_password"')) ?? ''
    const another = 'another good password'
    const fields = { current_password: PASSWORD, new_password: another, new_password_again: another }
    return async () => {
      const answer = ann.submit({ ...account, html }, fields)
      const refused = expect(answer).rejects.toThrow()
      return {
        async kill() {
          const closed = once(child, 'close')
          child.kill('SIGKILL')
          await closed
          await refused
        },
      }
    }
  },
}

type Moment = 'before the change' | 'after the change' | 'while the database makes the change'

/** Holds the process at the moment, and kills it there. @returns What is stored after it. */
async function killAt(moment: Moment, changing: Changing, place: Place) {
  const { admin } = place
  const { type, statement, record, prepare } = changing
  const recordValue = async () => (await admin.query<{ value: string }>(record))[0]?.value
  // A database that asks whether its client is there ends the statement of a killed process, unless it is to go on.
  const seconds = moment === 'while the database makes the change' ? 0 : '100ms'
  const [named] = await admin.query<{ name: string }>('select current_database() as name')
  await admin.query(`alter database "${named?.name}" set client_connection_check_interval = '${seconds}'`)
  const start = await prepare(place)
  const before = await recordValue()
  const release_record = await lock(place, record)
  const { kill } = await start()
  await eventually(async () => expect(await waiting(admin, statement)).toBe(1))
  let release = release_record
  if (moment === 'after the change') {
    release = await lock(place, `select 1 from oidc_audit where type = '${type}' and outcome = 'begun'`)
    await release_record()
    await eventually(async () => expect(await waiting(admin, 'insert into oidc_audit')).toBe(1))
  }
  await kill()
  if (moment !== 'while the database makes the change')
    await eventually(async () => {
      expect(await waiting(admin, statement)).toBe(0)
      expect(await waiting(admin, 'insert into oidc_audit')).toBe(0)
    })
  await release()
  if (moment === 'while the database makes the change')
    await eventually(async () => expect(await recordValue()).not.toBe(before))
  const rows = await admin.query(`select outcome from oidc_audit where type = '${type}'`)
  return { rows, is_changed: (await recordValue()) !== before }
}

/** A server seals the rows, which are made older before: it seals what is older than two minutes. */
async function sealed({ admin, env }: Place, type: string): Promise<void> {
  // Not those that a server has sealed already, on a slow machine.
  await admin.query('update oidc_audit set time = time - 180 where seal is null')
  const server = await startTestServer({ config, env })
  await eventually(async () =>
    expect(await admin.query(`select 1 from oidc_audit where type = '${type}' and seal is null`)).toEqual([]),
  )
  await server.stop()
}

describe.each<[string, Changing]>([
  ['a command', COMMAND],
  ['a server with an account page', PAGE],
])('%s that is killed', (name, changing) => {
  it.each<[Moment, boolean]>([
    ['before the change', false],
    ['after the change', true],
    ['while the database makes the change', true],
  ])('%s leaves a row that is begun, which a seal covers', async (moment, is_changed) => {
    const at = await place()
    expect(await killAt(moment, changing, at)).toEqual({ rows: [{ outcome: 'begun' }], is_changed })
    await sealed(at, changing.type)
    const verified = await at.command('audit verify')
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('Nothing was changed')])
    const listed = await at.command(`audit list --type ${changing.type}`)
    expect(listed.stdout).toMatch(new RegExp(`${changing.type.replace('.', '\\.')} +begun +`))
    report(`SIGKILL of ${name} ${moment}`, { rows_begun: 1, record_changed: is_changed })
  })
})
