/** The commands about administrators, over a database: with their events and their rows in the audit. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { postgresExecutor } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { expect, it, onTestFinished } from 'vitest'
import { run } from '../../src/index.ts'
import { consoleServer } from '../console/_console.ts'
import { SECRET } from '../support.ts'

const CONFIG = {
  app: { url: 'http://localhost:4000' },
  oidc: { acr: 'require' },
  admin: { enabled: true },
  audit: { enabled: true },
}

async function commands(config: object = CONFIG) {
  const DATABASE_URL = await migratedDatabase()
  const executor = postgresExecutor(DATABASE_URL, UNLIMITED)
  onTestFinished(() => executor.close())
  const cwd = await temporaryFolder()
  await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(config))
  const command = async (line: string) => {
    const [out, err]: string[][] = [[], []]
    const env = { OIDC_SECRET: SECRET, DATABASE_URL, SUDO_USER: 'ann', LOG_FORMAT: 'json' }
    const terminal = {
      env,
      cwd,
      out: (text: string) => void out?.push(text),
      err: (text: string) => void err?.push(text),
      stdin: async () => '',
    }
    const code = await run(line.split(' '), { serve: async () => 0 }, terminal)
    return { code, out: out?.join('') ?? '', err: err?.join('') ?? '' }
  }
  const json = async (line: string) => JSON.parse((await command(`${line} --json`)).out)
  const rows = () =>
    executor.query<{ type: string; outcome: string }>(
      `select type, outcome, sub, client_id from oidc_audit where type not like '%.created' order by audit_id`,
    )
  return { executor, command, json, rows, DATABASE_URL }
}

it('bootstrap makes the first administrator, with a link for one hour, and again when all are lost', async () => {
  const { command, json, rows, executor } = await commands()
  const first = await json('admin bootstrap ann')
  expect(first).toMatchObject({ username: 'ann', created: true, granted: true })
  expect(new URL(first.link).origin).toBe('http://localhost:4000')
  const [ticket] = await executor.query<{ lives: number; purpose: string }>(
    'select expires_at - created_at as lives, purpose from oidc_tickets',
  )
  // The account is new: the page welcomes its user.
  expect(ticket).toEqual({ lives: 3600, purpose: 'invite' })
  expect((await json('admin roles list')).roles).toEqual([
    { sub: first.sub, client_id: null, name: 'ann', role: 'owner', realms: ['*'] },
  ])
  expect(await rows()).toMatchObject([
    { type: 'user.create', outcome: 'done', sub: first.sub },
    { type: 'role.grant', outcome: 'done', sub: first.sub },
    { type: 'ticket.put', outcome: 'done', sub: first.sub },
  ])
  await executor.query('delete from oidc_roles')
  const again = await json('admin bootstrap ann')
  expect(again).toMatchObject({ sub: first.sub, created: false, granted: true })
  expect(again.link).not.toBe(first.link)
  expect(await json('admin bootstrap ann')).toMatchObject({ granted: false })
  await command('user disable ann')
  expect(await command('admin bootstrap ann')).toMatchObject({
    code: 1,
    err: expect.stringContaining('ostiary user enable comes first'),
  })
})

it('the page of the first link welcomes the user, and that of a later one lets the user back in', async () => {
  const { command, json, DATABASE_URL } = await commands()
  const server = await consoleServer({ config: CONFIG, env: { DATABASE_URL } })
  const titleAt = async ({ link }: { link: string }) =>
    /<h1>([^<]*)</.exec((await server.browser().send(link)).html)?.[1]
  const first = await json('admin bootstrap ann')
  expect(await titleAt(first)).toBe('Welcome')
  const second = await json('admin bootstrap ann')
  expect(await titleAt(first)).toBe('This link does not work')
  expect(await titleAt(second)).toBe('Welcome')
  await command('user set-password ann')
  expect(await titleAt(await json('admin bootstrap ann'))).toBe('Get back into your account')
})

it('a link that was made before a role does not work any more', async () => {
  const { command, json, executor } = await commands()
  const purposes = async () =>
    (await executor.query<{ purpose: string }>('select purpose from oidc_tickets')).map(
      ({ purpose }) => purpose,
    )
  const hashes = async () =>
    (await executor.query<{ ticket_hash: string }>('select ticket_hash from oidc_tickets')).map(
      ({ ticket_hash }) => ticket_hash,
    )
  await json('user invite bob@example.com --username bob')
  expect(await purposes()).toEqual(['invite'])
  const given = await command('admin roles grant bob support')
  expect([given.code, given.err]).toEqual([
    0,
    expect.stringContaining('To make another one: ostiary user invite'),
  ])
  expect(await purposes()).toEqual([])
  await json('user invite ann@example.com --username ann')
  await json('admin bootstrap ann')
  expect(await purposes()).toEqual(['invite'])
  // The invitation of an owner has ended, and the next link ends this one, too.
  const [first] = await hashes()
  await json('admin bootstrap ann')
  expect(await purposes()).toEqual(['invite'])
  expect(await hashes()).not.toEqual([first])
  await command('user set-password ann')
  await json('admin bootstrap ann')
  expect(await purposes()).toEqual(['recover'])
})

it('a role is given to a user and to a client, listed, and taken', async () => {
  const { command, json, rows } = await commands()
  await command('user create bob --sub bob-1')
  await command('client create --id deploy --redirect-uri https://app.example.com/cb')
  const given = await command('admin roles grant bob support')
  expect(given).toMatchObject({ code: 0, out: 'support in *: bob\n' })
  expect(given.err).toMatch(
    /"event":"command\.done".*"command":"admin roles grant".*"subject":\{"sub":"bob-1","username":"bob","role":"support"\}/,
  )
  const repeated = await command('admin roles grant bob support')
  expect(repeated).toMatchObject({ code: 0, out: 'Nothing changed\n', err: '' })
  expect(await json('admin roles grant deploy manager --client --in default')).toEqual({
    sub: null,
    client_id: 'deploy',
    role: 'manager',
    realms: ['default'],
    changed: true,
  })
  expect((await command('admin roles list')).out).toBe(
    [
      'HOLDER         NAME    ROLE     REALMS',
      'client:deploy  deploy  manager  default',
      'sub:bob-1      bob     support  *\n',
    ].join('\n'),
  )
  expect((await command('admin roles revoke bob-1 support --sub')).code).toBe(0)
  expect((await command('admin roles revoke bob support')).code).toBe(3)
  expect((await rows()).map(({ type, outcome }) => `${type} ${outcome}`)).toEqual([
    'user.create done',
    'client.create done',
    'role.grant done',
    'role.grant done',
    'role.revoke done',
  ])
})

it('what cannot be done says what to do', async () => {
  const { command, executor } = await commands()
  await command('admin bootstrap ann')
  const refused = async (line: string, code: number, text: string) =>
    expect(await command(line)).toMatchObject({ code, err: expect.stringContaining(text) })
  await refused(
    'admin roles revoke ann owner',
    1,
    'this is the last owner of all realms: give another user or client',
  )
  await refused(
    'admin roles grant ann admin',
    1,
    'there is no role "admin": give auditor, support, manager, owner',
  )
  await refused('admin roles grant ann support --in staff', 1, 'there is no realm "staff"')
  await refused('admin roles grant eve support', 3, 'There is no user "eve"')
  await refused('admin roles grant eve support --client', 3, 'There is no client "eve"')
  await refused('admin roles grant eve support --client --sub', 2, 'give --sub or --client, not both')
  // Of a user who was deleted, by sub.
  await executor.query(`insert into oidc_roles values ('default', 'sub:gone', 'support', '["*"]')`)
  await refused('admin roles grant gone support --sub', 3, 'There is no user with the sub "gone"')
  expect((await command('admin roles revoke gone support --sub')).code).toBe(0)
})

it('the roles are those of the admin realm', async () => {
  const oidc = { acr: 'require', routes: { realms: 'path' }, realms: { default: {}, staff: {} } }
  const { command, json } = await commands({ ...CONFIG, oidc, admin: { enabled: true, realm: 'staff' } })
  expect(await command('admin bootstrap ann')).toMatchObject({
    code: 1,
    err: expect.stringContaining('admin.realm is staff, so the administrators are there: give --realm staff'),
  })
  expect((await json('admin bootstrap ann --realm staff')).link).toContain('/realms/staff/')
  const granted = await json('admin roles grant ann support --in default --in staff --realm staff')
  expect(granted.realms).toEqual(['default', 'staff'])
})

it('before the admin API is on, the first administrator can be there', async () => {
  const { command, executor } = await commands({ app: CONFIG.app })
  const { code, err } = await command('admin bootstrap ann')
  expect(code).toBe(0)
  expect(err).toContain('The admin API is off: set admin.enabled in the configuration.')
  expect(await executor.query('select role from oidc_roles')).toEqual([{ role: 'owner' }])
})
