/** What the commands print. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { referenceOf } from '@ostiary/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newRow } from '../../../audit/src/row.ts'
import { sealRows } from '../../../audit/src/seals.ts'
import { printableTable } from '../../../host/src/cli/output.ts'
import { realmOf } from '../../../host/src/server/realm-of.ts'
import { auditCommands } from '../../src/audit/commands.ts'
import { RUNS } from '../../src/audit/runs.ts'
import { timeOf } from '../../src/audit/times.ts'
import { auditPlace, CORE, commandsOf, ERRORS, IDENTITY, NO_ENTRIES, NOW, REALM } from './_place.ts'

const LOGIN = { type: 'login.refused', reason: 'wrong_password', client_id: 'notes', sub: 'ann-1' }

/** A sign-in that fails once, and goes on to a code. */
async function signedIn() {
  const place = auditPlace()
  const { audit, emit } = place
  const step = (request_id: string, event: Record<string, unknown>) => {
    const request = new Request('https://id.example.com/login')
    return audit.during({ request, request_id, address: '192.0.2.7' }, async () => {
      audit.onFlow(request, 'abcdefghijklmnop')
      emit({ ...event, request_id, client_id: 'notes', sub: 'ann-1' })
    })
  }
  await step('r-1', LOGIN)
  await step('r-2', { type: 'session.started', sid: 's', amr: ['pwd'] })
  await step('r-3', { type: 'code.issued', grant_id: 'g-1' })
  emit({ type: 'code.replayed', grant_id: 'g-1', client_id: 'notes', sub: 'ann-1', request_id: 'r-4' })
  emit({ type: 'code.replayed', grant_id: 'g-2', client_id: 'notes', sub: 'ann-2', request_id: 'r-5' })
  await audit.flush()
  return place
}

describe('audit list', () => {
  it('has the newest first, and says where to continue', async () => {
    const { run } = await commandsOf(await signedIn())
    const all = await run('audit list')
    expect(all.text.split('\n')[0]).toMatch(/^ID +TIME +TYPE +OUTCOME +ACTOR +USER +CLIENT +ADDRESS +MORE$/)
    expect(all.text).toMatch(/login\.refused +refused +stranger +ann-1 +notes +192\.0\.2\.7 +wrong_password/)
    const { json, note } = await run('audit list', [], { limit: '2' })
    const { rows, next } = json as { rows: { audit_id: string }[]; next: string }
    expect(rows).toHaveLength(2)
    expect(note).toBe(`There are more: continue with --before ${next}`)
    const rest = await run('audit list', [], { before: next })
    expect((rest.json as { rows: object[]; next: null }).rows).toHaveLength(3)
    expect(rest.note).toBe(undefined)
  })

  it('is filtered', async () => {
    const { run } = await commandsOf(await signedIn())
    const count = async (options: Record<string, string>) =>
      ((await run('audit list', [], options)).json as { rows: object[] }).rows.length
    expect(await count({ sub: 'ann-1' })).toBe(4)
    expect(await count({ client: 'notes', type: 'code.' })).toBe(3)
    expect(await count({ actor: 'sub:ann-1' })).toBe(2)
    expect(await count({ since: '2020-01-01' })).toBe(5)
    expect(await count({ since: '2999-01-01' })).toBe(0)
  })

  it.each<[Record<string, string>]>([
    [{ limit: '0' }],
    [{ limit: '1001' }],
    [{ limit: 'x' }],
    [{ since: 'yesterday' }],
  ])('refuses %o', async (options) => {
    await expect((await commandsOf(auditPlace())).run('audit list', [], options)).rejects.toThrow('usage: --')
  })

  it('has up to 1000 rows', async () => {
    const place = auditPlace()
    await place.store.put(
      Array.from({ length: 1001 }, () =>
        newRow({ realm: REALM, time: NOW, type: 't', outcome: 'done', actor: 'system' }),
      ),
    )
    const { json } = await (await commandsOf(place)).run('audit list', [], { limit: '1000' })
    expect((json as { rows: object[] }).rows).toHaveLength(1000)
  })
})

describe('audit show', () => {
  it('has the changed members, as they were and as they are', async () => {
    const place = auditPlace()
    const { clients } = await place.provider.manage(REALM)
    await clients.create({
      client_id: 'app',
      client_name: 'App',
      redirect_uris: ['https://app.example.com/cb'],
    })
    await clients.update('app', { client_name: 'Notes' })
    const row = (await place.rows()).find(({ type }) => type === 'client.update')
    const { text, json } = await (await commandsOf(place)).run('audit show', [row?.audit_id ?? ''])
    expect(text).toMatch(/\nMEMBER +BEFORE +AFTER\nclient_name +App +Notes$/)
    expect(json).toMatchObject({
      type: 'client.update',
      data: { fields: ['client_name'] },
      before: { client_name: 'App' },
    })
    expect(json).not.toHaveProperty('salt')
  })

  it('of a row that does not exist', async () => {
    await expect((await commandsOf(auditPlace())).run('audit show', ['none'])).rejects.toThrow(
      'not found: There is no row "none"',
    )
  })

  it('says what was erased', async () => {
    const place = await signedIn()
    await place.store.erase(REALM, 'ann-1')
    const [row] = await place.rows()
    const { json } = await (await commandsOf(place)).run('audit show', [row?.audit_id ?? ''])
    expect(json).toMatchObject({ erased: true })
    expect(json).not.toHaveProperty('address')
  })
})

describe('explain', () => {
  it.each([
    [referenceOf('r-1')],
    [referenceOf('r-1').toLowerCase().replace('-', '')],
    ['r-1'],
    ['abcdefghijklmnop'],
    ['r-3'],
  ])('tells the story of a sign-in by %s, with what its grant did later', async (name) => {
    const { run } = await commandsOf(await signedIn())
    const { text, json } = await run('explain', [name])
    expect(
      text
        .split('\n')
        .filter((line) => /^\d/.test(line))
        .map((line) => line.slice(25)),
    ).toEqual([
      'A sign-in was refused (wrong_password)',
      'The user signed in',
      'The application got a code',
      'A used code was sent again: its tokens are revoked',
    ])
    expect(text).toMatch(/^Client notes, user ann-1, flow abcdefghijklmnop\n/)
    expect(text).toContain('   What to do: ')
    expect((json as { stories: object[] }).stories).toHaveLength(1)
  })

  it('of a refusal without a flow: what failed, and what to do', async () => {
    const place = auditPlace()
    place.emit({
      type: 'request.refused',
      route: 'oidc.token',
      client_id: 'notes',
      error: 'invalid_grant',
      reason: 'expired_code',
      request_id: 'r-9',
    })
    await place.audit.flush()
    const { text } = await (await commandsOf(place)).run('explain', [referenceOf('r-9')])
    expect(text).toMatch(
      /^Client notes\n1\. \S+ {2}The request was refused \(expired_code\) at oidc\.token\n {3}What to do: /,
    )
  })

  it('names a change that is begun, and one that was not made', async () => {
    const place = auditPlace()
    for (const outcome of ['begun', 'failed'] as const)
      await place.store.put([
        newRow({
          realm: REALM,
          time: NOW,
          type: 'user.update',
          outcome,
          actor: 'system',
          refs: [referenceOf('r')],
          data: { request_id: 'r' },
        }),
      ])
    const { text } = await (await commandsOf(place)).run('explain', ['r'])
    expect(text).toContain('A change of the user, and it is not known whether that was done')
    expect(text).toContain('A change of the user, and was not done')
  })

  it('has at most 200 steps', async () => {
    const place = auditPlace()
    const row = () =>
      newRow({
        realm: REALM,
        time: NOW,
        type: 't',
        outcome: 'done',
        actor: 'system',
        flow: 'abcdefghijklmnop',
      })
    await place.store.put(Array.from({ length: 201 }, row))
    const { json } = await (await commandsOf(place)).run('explain', ['abcdefghijklmnop'])
    expect((json as { stories: { steps: object[] }[] }).stories[0]?.steps).toHaveLength(200)
  })

  it('prints no control character of a row', async () => {
    const place = auditPlace()
    const row = newRow({
      realm: REALM,
      time: NOW,
      type: 'a\u001b[2Jb',
      outcome: 'done',
      actor: 'system',
      refs: [referenceOf('r')],
    })
    await place.store.put([row])
    for (const [name, arg] of [
      ['explain', 'r'],
      ['audit show', row.audit_id],
      ['audit list', ''],
    ] as const)
      expect((await (await commandsOf(place)).run(name, [arg])).text).toContain('a?[2Jb')
  })

  it('of what the audit does not have', async () => {
    await expect((await commandsOf(auditPlace())).run('explain', ['0000-0000'])).rejects.toThrow(
      'not found: The audit has nothing of',
    )
  })
})

describe('audit export, seals and verify', () => {
  async function sealed() {
    const place = await signedIn()
    await sealRows({ store: place.store, realm: REALM, now: NOW + 180, keys: () => place.keysOf(REALM) })
    return { place, ...(await commandsOf(place)) }
  }

  it('export prints each row, the oldest first, and the seals', async () => {
    const { run, printed } = await sealed()
    expect(await run('audit export')).toEqual({ text: '', json: undefined })
    const lines = printed
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ kind, type }) => type ?? kind).slice(0, 3)).toEqual([
      'login.refused',
      'session.started',
      'code.issued',
    ])
    expect(lines.at(-1)).toMatchObject({ kind: 'seal', number: 1 })
    printed.length = 0
    await run('audit export', [], { from: '2999-01-01' })
    expect(printed.join('')).not.toContain('"row"')
    printed.length = 0
    await run('audit export', [], { to: '2000-01-01' })
    expect(printed.join('')).not.toContain('"row"')
  })

  it('verify compares with the rows, and with seals that were kept elsewhere', async () => {
    const { run, printed, place } = await sealed()
    const folder = await mkdtemp(join(tmpdir(), 'ostiary-audit-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await run('audit seals')
    await writeFile(join(folder, 'seals.jsonl'), printed.join(''))
    expect(await run('audit verify', [], { seals: 'seals.jsonl', cwd: folder })).toMatchObject({
      text: expect.stringMatching(/^Checked: seals 1, rows \d+, .*\nNothing was changed$/),
      code: 0,
    })
    await writeFile(join(folder, 'other.jsonl'), printed.join('').replace('"jws":"', '"jws":"x'))
    expect(await run('audit verify', [], { seals: 'other.jsonl', cwd: folder })).toMatchObject({ code: 1 })
    await expect(run('audit verify', [], { seals: 'none.jsonl', cwd: folder })).rejects.toThrow(
      'usage: --seals: ',
    )
    const [row] = await place.rows()
    Object.assign((await place.store.find(REALM, row?.audit_id ?? '')) ?? {}, { actor: 'system' })
    const { text, code } = await run('audit verify')
    expect([text.split('\n')[1], code]).toEqual([`changed: row ${row?.audit_id} was changed`, 1])
  })

  it('seals prints those after a number', async () => {
    const { run, printed } = await sealed()
    await run('audit seals', [], { since: '1' })
    expect(printed.join('')).toBe('')
    await expect(run('audit seals', [], { since: '-1' })).rejects.toThrow('usage: --since')
  })
})

it('a time of the command line', () => {
  const now = Date.UTC(2026, 10, 20)
  for (const [text, expected] of [
    ['2026-11-20', '2026-11-20T00:00:00Z'],
    ['2026-11-20T14:00', '2026-11-20T14:00:00Z'],
    ['2026-11-20T14:00:30+01:00', '2026-11-20T13:00:30Z'],
    ['90m', '2026-11-19T22:30:00Z'],
    ['24h', '2026-11-19T00:00:00Z'],
    ['7d', '2026-11-13T00:00:00Z'],
  ] as const)
    expect(timeOf(text, now)).toBe(Date.parse(expected) / 1000)
  for (const text of ['', 'yesterday', '2026-13-40', '7w', '1234567d', '20 November'])
    expect(timeOf(text, now)).toBe(null)
})

it('each command has what it does, and opens its realm', async () => {
  const place = await signedIn()
  const { management, users, audit } = (await commandsOf(place)).opened
  const realm = await realmOf(place.bare, REALM)
  const commands = auditCommands(
    async (_input, _output, run) =>
      run({
        realm,
        records: undefined,
        config: {},
        provider: place.bare,
        management,
        users,
        entries: NO_ENTRIES,
        audit,
      }),
    { ...ERRORS, table: printableTable, identity: IDENTITY, core: CORE, confirm: async () => {} },
    async () => {
      throw new Error('no server is named')
    },
  )
  expect(commands.map(({ name }) => name).sort()).toEqual(Object.keys(RUNS).sort())
  const [list] = commands
  const input = { args: [], text: () => undefined, flag: () => false }
  expect((await list?.run(input, { cwd: '', out: () => {} }))?.json).toEqual({ rows: [], next: null })
})
