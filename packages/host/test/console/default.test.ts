/** The console where the configuration does not say whether there is one: it is there, and keeps no server from starting. */

import { createUser } from '@ostiary/identity'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { describe, expect, it } from 'vitest'
import { checkConfiguration } from '../../src/doctor/configuration.ts'
import { configuredLog, createApp, type HostConfig } from '../../src/index.ts'
import { logSync } from '../../src/process/start-up.ts'
import { configure, FILE, faults, inMemory } from '../support.ts'
import { CONFIG, consoleServer } from './_console.ts'

const ADMIN = { enabled: true }
const UNSAID = { ...CONFIG, admin: ADMIN }
const FAPI2 = { ...FILE, clients: [], oidc: { acr: 'require', profile: 'fapi2' } }
const OWN = { client_id: 'ostiary-console', redirect_uris: ['https://app.example.com/cb'] }
const STAFF = {
  ...FILE,
  clients: [],
  users: [],
  oidc: { acr: 'require', routes: { realms: 'path' }, realms: { default: {}, staff: { profile: 'fapi2' } } },
}

const clientIn = ({ realms }: HostConfig, realm = 'default') =>
  realms[realm]?.clients.find(({ metadata }) => metadata.client_id === 'ostiary-console')

/** What a start logs of these records, and its answer at the console. */
async function startedWith(config: HostConfig, storage = inMemory()) {
  const lines: string[] = []
  const log = configuredLog(config, (line) => void lines.push(line))
  const app = await createApp(config, { log, storage })
  const synced = await app.start()
  logSync(config, { log, synced })
  const answer = await app.fetch(new Request('http://localhost:4000/admin'), { address: '192.0.2.7' })
  await app.stop()
  const said = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes('admin.console'))
  return { status: answer.status, said, storage }
}

it('is there with admin.enabled, and not where admin.console is false', async () => {
  const server = await consoleServer({ config: UNSAID })
  expect((await server.browser().send('/admin')).status).toBe(303)
  expect(clientIn(await configure(UNSAID))?.path).toBe('admin.console')
  for (const admin of [{ enabled: true, console: false }, { enabled: false }, { console: true }]) {
    const off = await configure({ ...CONFIG, admin })
    expect([off.admin_console, off.admin_console_fault, clientIn(off)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  }
})

it.each<[string, object, string]>([
  ['a client of the configuration has its id', { ...UNSAID, clients: [OWN] }, 'clients.0.client_id: '],
  [
    'a user of the configuration has its id',
    { ...UNSAID, users: [{ ...FILE.users[0], sub: 'ostiary-console' }] },
    'users.0.sub: ',
  ],
  [
    'the realm has confidential clients alone',
    { ...FAPI2, admin: ADMIN },
    'admin.console: a realm with oidc.profile',
  ],
  [
    'the realm of the administrators has',
    { ...STAFF, admin: { ...ADMIN, realm: 'staff' } },
    'admin.console: a realm with oidc.profile',
  ],
])(
  'where %s, there is none, the log says so, and it is a fault when it is asked for',
  async (_, file, text) => {
    const config = await configure(file)
    expect(config.admin_console).toBeUndefined()
    const entries = Object.values(config.realms).flatMap(({ clients }) => clients)
    expect(entries.filter(({ path }) => path === 'admin.console')).toEqual([])
    const { status, said } = await startedWith(config)
    expect(status).toBe(404)
    expect(said).toMatchObject([
      { msg: expect.stringContaining('set admin.console to false'), fault: expect.stringContaining(text) },
    ])
    expect(checkConfiguration(config)).toContainEqual({
      check: 'configuration',
      status: 'note',
      message: expect.stringContaining(text),
      advice: expect.stringContaining('admin.console'),
    })
    const { admin } = file as { admin: object }
    expect(await faults({ ...file, admin: { ...admin, console: true } })).toEqual([
      expect.stringContaining(text),
    ])
    const quiet = await configure({ ...file, admin: { ...admin, console: false } })
    expect((await startedWith(quiet)).said).toEqual([])
  },
)

describe('a stored record with its id', () => {
  const asked = { ...CONFIG, clients: [] }
  const unsaid = { ...UNSAID, clients: [] }

  it('that is a client of yours stays as it is, and is none of the configuration', async () => {
    const storage = inMemory()
    const { clients } = storage.storage('default')
    const other = clientRecord(OWN)
    await clients.create(other)
    const config = await configure(unsaid)
    const { status, said } = await startedWith(config, storage)
    expect([status, said.length, said[0]?.fault]).toEqual([
      404,
      1,
      expect.stringContaining('another one with this id is stored'),
    ])
    expect(await clients.find('ostiary-console')).toEqual(other)
    expect(clientIn(config)).toBeUndefined()
    await expect(startedWith(await configure(asked), storage)).rejects.toThrow(
      'admin.console: it adds the client',
    )
  })

  it('that is a user stays the only one', async () => {
    const storage = inMemory()
    await createUser(storage.users('default'), { username: 'odd', sub: 'ostiary-console' })
    const { status, said } = await startedWith(await configure(unsaid), storage)
    expect([status, said[0]?.fault]).toEqual([404, expect.stringContaining('it is the sub of a stored user')])
    expect(await storage.storage('default').clients.find('ostiary-console')).toBeNull()
    await expect(startedWith(await configure(asked), storage)).rejects.toThrow(
      'it is the sub of a stored user',
    )
  })

  it('that is the client of an earlier start is its client', async () => {
    const { storage, said } = await startedWith(await configure(unsaid))
    expect(said).toEqual([])
    const moved = await configure({ ...unsaid, app: { url: 'http://localhost:4000' } })
    const again = await startedWith(moved, storage)
    expect([again.status, again.said]).toEqual([303, []])
  })
})
