/** A record as it was at a time, and what the audit cannot know of it. */

import { describe, expect, it } from 'vitest'
import type { AuditRow } from '../../../../audit/src/index.ts'
import { newRow, withPrivate } from '../../../../audit/src/row.ts'
import { CLIENT_STORE, MANAGEMENT, USERS } from '../../../../audit/src/rules.ts'
import { sealRows } from '../../../../audit/src/seals.ts'
import { RECORD_CHANGES } from '../../../src/audit/history/rows.ts'
import { auditPlace, commandsOf, NOW, REALM, userRecord } from '../_place.ts'

const CLIENT = { client_id: 'app', client_name: 'First', redirect_uris: ['https://app.example.com/cb'] }
const iso = (seconds: number) => new Date((NOW + seconds) * 1000).toISOString().replace('.000Z', 'Z')

/** A client that is made at 10, and renamed at 20 and at 30; a row of another one is older. */
async function renamed() {
  const place = auditPlace()
  const { clients } = await place.provider.manage(REALM)
  await clients.create({ ...CLIENT, client_id: 'older' })
  place.at(10)
  await clients.create({ ...CLIENT, token_endpoint_auth_method: 'client_secret_basic' })
  place.at(20)
  await clients.update('app', { client_name: 'Second', logo_uri: 'https://app.example.com/logo.png' })
  place.at(30)
  await clients.update('app', { client_name: 'Third' })
  await place.audit.flush()
  const commands = await commandsOf(place)
  const nameAt = async (seconds: number) => {
    const { json } = await commands.run('audit record', [], { client: 'app', at: iso(seconds) })
    return json as {
      exists: boolean | null
      record: Record<string, unknown> | null
      not_certain: object
      doubts: string[]
    }
  }
  return { place, clients, nameAt, ...commands }
}

/** Changes a client behind the back of the audit. */
const renameUnseen = async ({ bare }: ReturnType<typeof auditPlace>, client_name: string) =>
  (await bare.manage(REALM)).clients.update('app', { client_name })

describe('audit record', () => {
  it('is the record as it was before, between and after its changes', async () => {
    const { nameAt } = await renamed()
    const found = [9, 10, 19, 20, 29, 30, 40].map(async (seconds) => {
      const { exists, record, doubts } = await nameAt(seconds)
      expect(doubts).toEqual([])
      return [seconds, exists, record?.client_name, record?.logo_uri !== undefined]
    })
    expect(await Promise.all(found)).toEqual([
      [9, false, undefined, false],
      [10, true, 'First', false],
      [19, true, 'First', false],
      [20, true, 'Second', true],
      [29, true, 'Second', true],
      [30, true, 'Third', true],
      [40, true, 'Third', true],
    ])
  })

  it('has the record that was deleted, and of a secret only that it is not kept', async () => {
    const { place, clients, nameAt, run } = await renamed()
    place.at(35)
    await clients.rotateSecret('app')
    place.at(40)
    await clients.delete('app')
    expect(await nameAt(36)).toMatchObject({
      exists: true,
      record: { client_name: 'Third' },
      not_kept: ['client_secret'],
    })
    expect(await nameAt(40)).toMatchObject({ exists: false, record: null, doubts: [] })
    const { text } = await run('audit record', [], { client: 'app', at: iso(32) })
    expect(text).toMatch(/^client app as it was at \S+Z\n/)
    expect(text).toMatch(/\nclient_secret +\(not kept; row \w+ tells of another one since\)/)
    expect(text).not.toContain('hash')
    expect((await run('audit record', [], { client: 'app', at: iso(5) })).text).toMatch(
      /^client app did not exist at/,
    )
  })

  it('a change that the audit did not see makes the value before it uncertain, and no other', async () => {
    const { place, clients, nameAt, run } = await renamed()
    await renameUnseen(place, 'Unseen')
    place.at(50)
    await clients.update('app', { client_name: 'Fifth' })
    const found = await nameAt(40)
    expect(found).toMatchObject({
      record: { client_name: 'Unseen' },
      not_certain: {
        client_name: expect.stringMatching(/^Row \w+ \(client\.update, .*\) left it as Third, and no row/),
      },
    })
    expect(Object.keys(found.not_certain)).toEqual(['client_name'])
    expect((await nameAt(25)).doubts).toEqual([])
    const { text } = await run('audit record', [], { client: 'app', at: iso(40) })
    expect(text).toMatch(/\nclient_name +Unseen \(not certain\)/)
    expect(text).toMatch(/\nNot certain: client_name: Row /)
  })

  it('a member that was set unseen since the creation is uncertain too', async () => {
    const { place, nameAt } = await renamed()
    await (await place.bare.manage(REALM)).clients.update('app', { tos_uri: 'https://app.example.com/tos' })
    expect((await nameAt(40)).not_certain).toHaveProperty('tos_uri')
  })

  it('a row that stayed begun makes uncertain what no other row tells of', async () => {
    const { place, nameAt } = await renamed()
    const begun = newRow({
      realm: REALM,
      time: NOW + 25,
      type: 'client.update',
      outcome: 'begun',
      actor: 'system',
      client_id: 'app',
    })
    const rows = await place.rows()
    const third = rows.findLast(({ type }) => type === 'client.update')
    await place.store.put([{ ...begun, audit_id: `${third?.audit_id.slice(0, -1)}!` }])
    // The creation is known: what was the same before and after the begun change has not changed.
    expect((await nameAt(22)).doubts).toEqual([])
    const known = rows.filter(({ type }) => type === 'client.create')
    for (const row of known)
      Object.assign((await place.store.find(REALM, row.audit_id)) ?? {}, { client_id: 'none' })
    const { not_certain, doubts } = await nameAt(22)
    expect(doubts).toEqual([expect.stringMatching(/^Row .* has not reported its end/)])
    expect(not_certain).toHaveProperty('redirect_uris')
    expect(not_certain).not.toHaveProperty('client_name')
    // The row between the time and the begun one tells of the name.
    const earlier = await nameAt(15)
    expect(earlier.not_certain).toHaveProperty('redirect_uris')
    expect(earlier.not_certain).not.toHaveProperty('client_name')
    expect((await nameAt(28)).doubts).toEqual([])
  })

  it('a change that was not made is none', async () => {
    const { place, clients, nameAt } = await renamed()
    place.at(40)
    await expect(clients.update('app', { client_name: '' })).rejects.toThrow()
    await expect(clients.create(CLIENT)).rejects.toThrow('taken')
    expect(await nameAt(35)).toMatchObject({ record: { client_name: 'Third' }, doubts: [] })
  })

  it('a client that vanished without a row may have existed', async () => {
    const { place, nameAt } = await renamed()
    await (await place.bare.manage(REALM)).clients.delete('app')
    expect(await nameAt(40)).toMatchObject({
      exists: null,
      record: null,
      doubts: [expect.stringContaining('no row tells how it ended')],
    })
    expect(await nameAt(5)).toMatchObject({ exists: false })
  })

  it('a deletion that stayed begun leaves open whether it existed', async () => {
    const { place, nameAt } = await renamed()
    await (await place.bare.manage(REALM)).clients.delete('app')
    await place.store.put([
      newRow({
        realm: REALM,
        time: NOW + 60,
        type: 'client.delete',
        outcome: 'begun',
        actor: 'system',
        client_id: 'app',
      }),
    ])
    expect(await nameAt(40)).toMatchObject({
      exists: null,
      doubts: [expect.stringContaining('has not reported its end')],
    })
  })

  it('a client without a row of its creation did not exist before it was made', async () => {
    const { place, run } = await renamed()
    place.at(60)
    await (await place.bare.manage(REALM)).clients.create({ ...CLIENT, client_id: 'unseen' })
    const at = async (seconds: number) =>
      (await run('audit record', [], { client: 'unseen', at: iso(seconds) })).json
    expect(await at(59)).toMatchObject({ exists: false })
    expect(await at(60)).toMatchObject({ exists: true, doubts: [] })
    await place.store.put([
      newRow({ realm: REALM, time: NOW + 70, type: 'realm.import', outcome: 'failed', actor: 'system' }),
    ])
    expect(await at(60)).toMatchObject({ exists: true, doubts: [] })
    await place.store.put([
      newRow({ realm: REALM, time: NOW + 70, type: 'realm.import', outcome: 'done', actor: 'system' }),
    ])
    expect(await at(65)).toMatchObject({
      exists: true,
      doubts: [expect.stringContaining('has stored records')],
    })
  })

  it('a client whose second begins after that of its row existed from the row on', async () => {
    const place = auditPlace()
    const { put } = place.store
    place.store.put = async (rows) => {
      await put(rows)
      place.at(1)
    }
    const { clients } = await place.provider.manage(REALM)
    await clients.create(CLIENT)
    await place.audit.flush()
    const { run } = await commandsOf(place)
    for (const seconds of [0, 1])
      expect((await run('audit record', [], { client: 'app', at: iso(seconds) })).json).toMatchObject({
        exists: true,
        doubts: [],
      })
  })

  it('a row whose record could not be read after the change tells how it was before', async () => {
    const { place, nameAt } = await renamed()
    const row = (await place.rows()).findLast(({ type }) => type === 'client.update')
    const stored = (await place.store.find(REALM, row?.audit_id ?? '')) as AuditRow
    const data = JSON.stringify({ fields: ['client_id', 'client_name'] })
    Object.assign(
      stored,
      withPrivate({ ...stored, data }, { before: { client_id: 'app', client_name: 'Read' } }),
    )
    expect(await nameAt(25)).toMatchObject({ exists: true, record: { client_name: 'Read' } })
    expect((await nameAt(40)).record).toMatchObject({ client_name: 'Third' })
  })

  it('a user, by the username of now or by sub; a claim has its own line', async () => {
    const place = auditPlace()
    await place.users.create(userRecord())
    place.at(10)
    await place.users.update(
      userRecord({
        username: 'Anna',
        username_key: 'anna',
        claims: { email: 'a@example.com', name: 'A' },
        updated_at: 2,
      }),
      1,
    )
    const { run } = await commandsOf(place)
    for (const options of [{ user: 'ANNA' }, { sub: 'ann-1' }])
      expect((await run('audit record', [], { ...options, at: iso(5) } as never)).json).toMatchObject({
        sub: 'ann-1',
        record: { username: 'ann', claims: { email: 'ann@example.com' } },
        not_kept: ['password'],
      })
    const { text } = await run('audit record', [], { sub: 'ann-1', at: iso(10) })
    expect(text).toMatch(/\nclaims\.name +A/)
    expect(text).not.toMatch(/credential_version|second_step|argon2/)
  })

  it('of a user who was deleted nothing is left but that', async () => {
    const place = auditPlace()
    await place.users.create(userRecord())
    place.at(10)
    await place.users.update(userRecord({ username: 'anna', updated_at: 2 }), 1)
    place.at(20)
    await place.users.delete('ann-1')
    const { run } = await commandsOf(place)
    const at = async (seconds: number) =>
      (await run('audit record', [], { sub: 'ann-1', at: iso(seconds) })).json
    for (const seconds of [5, 15])
      expect(await at(seconds)).toMatchObject({
        exists: true,
        record: {},
        doubts: [expect.stringContaining('was erased with the user')],
      })
    expect(await at(20)).toMatchObject({ exists: false })
    await expect(run('audit record', [], { user: 'anna', at: '0m' })).rejects.toThrow(
      'not found: There is no user "anna" now',
    )
  })

  it('knows nothing of the time before its first row, or of rows that are deleted', async () => {
    const { place, nameAt } = await renamed()
    expect(await nameAt(-1)).toMatchObject({
      exists: null,
      doubts: [expect.stringContaining('It is not known how client app was')],
    })
    const keys = () => place.keysOf(REALM)
    await sealRows({ store: place.store, realm: REALM, now: NOW + 149, keys })
    place.at(400)
    await (await place.provider.manage(REALM)).clients.update('app', { client_name: 'Later' })
    await sealRows({ store: place.store, realm: REALM, now: NOW + 900, keys })
    // Sealed with the newer rows, though it is older than they are.
    const late = newRow({ realm: REALM, time: NOW + 25, type: 't', outcome: 'done', actor: 'system' })
    await place.store.put([{ ...late, seal: 2, audit_id: '0' }])
    expect((await nameAt(29)).exists).toBe(true)
    await place.store.purge(NOW + 100, 9)
    expect((await nameAt(29)).exists).toBe(null)
    expect((await nameAt(399)).exists).toBe(null)
    expect((await nameAt(400)).exists).toBe(true)
  })

  it('says when nothing is kept any more', async () => {
    const { place, nameAt } = await renamed()
    const off = await commandsOf(place, { audit: null })
    const { text } = await off.run('audit record', [], { client: 'app', at: iso(20) })
    expect(text).toContain('Not certain: audit.enabled is off')
    expect((await nameAt(20)).doubts).toEqual([])
    const empty = await (await commandsOf(auditPlace())).run('audit record', [], { client: 'app', at: '1h' })
    expect(empty).toMatchObject({ code: 1, text: expect.stringContaining('the audit has no rows') })
  })

  it.each<[Record<string, string>, string]>([
    [{ at: '1h' }, 'usage: name one record'],
    [{ client: 'app', sub: 'ann-1', at: '1h' }, 'usage: name one record'],
    [{ client: 'app' }, 'usage: --at: give a time'],
    [{ client: 'app', at: 'noon' }, 'usage: --at: give a time'],
    [{ client: 'app', at: '2999-01-01' }, 'usage: --at: it is in the future'],
    [{ client: 'nothing', at: iso(20) }, 'not found: There is no client nothing'],
    [{ user: '\u0000', at: iso(20) }, 'not found: There is no user'],
  ])('refuses %o', async (options, message) => {
    const { run } = await renamed()
    await expect(run('audit record', [], options)).rejects.toThrow(message)
  })

  it('says that changes of metadata documents have no rows', async () => {
    const { opened } = await renamed()
    const find = async () => ({ origin: 'metadata_document' })
    const { run } = await commandsOf(auditPlace(), {
      management: { ...opened.management, clients: { ...opened.management.clients, find } } as never,
    })
    await expect(run('audit record', [], { client: 'https://a.example.com/c', at: '1h' })).rejects.toThrow(
      'failed: https://a.example.com/c describes itself',
    )
  })

  it('reads more than a thousand rows of a record', async () => {
    const { place, nameAt } = await renamed()
    await place.store.put(
      Array.from({ length: 2001 }, () =>
        newRow({
          realm: REALM,
          time: NOW + 90,
          type: 'client.updated',
          outcome: 'done',
          actor: 'system',
          client_id: 'app',
        }),
      ),
    )
    expect(await nameAt(15)).toMatchObject({ record: { client_name: 'First' }, doubts: [] })
  })

  it('each change whose row has the members of a client or a user is looked at', () => {
    const types = [MANAGEMENT.clients, CLIENT_STORE, USERS]
      .flatMap((rules) => Object.values(rules))
      .flatMap((rule) => (typeof rule === 'object' && 'record' in rule && rule.record ? [rule.type] : []))
    expect([...new Set([...types, 'user.delete'])].sort()).toEqual(
      Object.values(RECORD_CHANGES).flat().sort(),
    )
  })
})

describe('audit diff', () => {
  it('has what differs between two times, and until now', async () => {
    const { run } = await renamed()
    const changed = async (options: Record<string, string>) =>
      (await run('audit diff', [], { client: 'app', ...options })).json
    expect(await changed({ from: iso(15), to: iso(25) })).toMatchObject({
      exists: { from: true, to: true },
      changed: [
        { member: 'client_name', from: 'First', to: 'Second' },
        { member: 'logo_uri', from: null, to: 'https://app.example.com/logo.png' },
      ],
    })
    expect(await changed({ from: iso(25) })).toMatchObject({
      changed: [{ member: 'client_name', from: 'Second', to: 'Third' }],
    })
    const { text } = await run('audit diff', [], { client: 'app', from: iso(15), to: iso(25) })
    expect(text).toMatch(/\nMEMBER +FROM +TO\nclient_name +First +Second\nlogo_uri +- +https/)
    expect((await run('audit diff', [], { client: 'app', from: iso(30) })).text).toMatch(/\nNothing differs$/)
    expect(await changed({ from: iso(5), to: iso(25) })).toMatchObject({ exists: { from: false, to: true } })
  })

  it('says that a secret is another one, without it', async () => {
    const { place, clients, run } = await renamed()
    place.at(40)
    await clients.rotateSecret('app')
    const { json } = await run('audit diff', [], { client: 'app', from: iso(35) })
    expect(json).toMatchObject({ changed: [{ member: 'client_secret', from: null, to: null }] })
  })

  it('has a claim and a group by itself', async () => {
    const place = auditPlace()
    await place.users.create(userRecord({ groups: ['a', 'b'] }))
    place.at(10)
    await place.users.update(
      userRecord({ groups: ['a', 'c'], claims: { email: 'b@example.com' }, disabled_at: NOW, updated_at: 2 }),
      1,
    )
    const { run } = await commandsOf(place)
    const { text } = await run('audit diff', [], { user: 'ann', from: iso(5) })
    expect(text).toMatch(/\ngroups\.b +true +-/)
    expect(text).toMatch(/\ngroups\.c +- +true/)
    expect(text).toMatch(/\nclaims\.email +ann@example\.com +b@example\.com/)
    expect(text).toMatch(/\ndisabled_at +- +2\d{3}-\d\d-\d\dT/)
    expect(text).not.toMatch(/groups\.a/)
  })

  it.each<[Record<string, string>, string]>([
    [{ client: 'app' }, 'usage: --from: give a time'],
    [{ client: 'app', from: iso(20), to: iso(10) }, 'usage: --to is before --from'],
    [{ client: 'app', from: iso(20), to: '2999-01-01' }, 'usage: --to: it is in the future'],
    [{ client: 'nothing', from: iso(20) }, 'not found: '],
  ])('refuses %o', async (options, message) => {
    const { run } = await renamed()
    await expect(run('audit diff', [], options)).rejects.toThrow(message)
  })

  it('does not know what was before the audit', async () => {
    const { run } = await renamed()
    expect(await run('audit diff', [], { client: 'app', from: iso(-1) })).toMatchObject({ code: 1 })
  })
})
