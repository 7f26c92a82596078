/** The keys `audit.*`, what a server keeps, and that no event is forgotten. */

import type { AuditRow, AuditStore } from '@ostiary/audit'
import { KEPT, openAuditStore } from '@ostiary/audit'
import { cookieJar, filled, formOf } from '@ostiary/test-kit/browser'
import { describe, expect, it, onTestFinished } from 'vitest'
import { configuredLog, createApp } from '../src/index.ts'
import { EVENT_TYPES, LOGGED_FIELDS } from '../src/log/log-events.ts'
import { configure, FILE, faults, inMemory, PASSWORD } from './support.ts'

const ON = { ...FILE, audit: { enabled: true } }
const AUTHORIZE = `/oauth/authorize?${new URLSearchParams({
  client_id: 'app',
  redirect_uri: 'http://localhost:8080/callback',
  response_type: 'code',
  scope: 'openid',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
})}`

describe('audit', () => {
  it('is off without the key, and has defaults', async () => {
    expect(await configure(FILE)).not.toHaveProperty('audit')
    expect(await configure({ ...FILE, audit: { enabled: false, keep_days: 30 } })).not.toHaveProperty('audit')
    expect((await configure(ON)).audit).toEqual({ keep_days: 365, events: 'security' })
  })

  it('keep_days is from 1 to 3650', async () => {
    const with_days = (keep_days: number) => faults({ ...FILE, audit: { enabled: true, keep_days } })
    for (const days of [1, 3650]) expect(await with_days(days)).toEqual([])
    for (const days of [0, 3651])
      expect(await with_days(days)).toEqual([expect.stringContaining('audit.keep_days')])
  })
})

describe('the table of events', () => {
  it('has each event of the log', () => {
    // Those of sinks are about deliveries of rows: a row of each would be one more to deliver.
    const kept = EVENT_TYPES.filter((type) => !type.startsWith('audit.'))
    expect(Object.keys(KEPT).sort()).toEqual(kept.sort())
    expect(EVENT_TYPES.length - kept.length).toBe(2)
  })

  it('keeps fields that the log has, and none whose text a client or a browser chose', () => {
    const chosen = [
      'sent',
      'redirect_uri',
      'post_logout_redirect_uri',
      'user_agent',
      'description',
      'client_name',
    ]
    const columns = ['sub', 'client_id', 'address', 'username']
    for (const [type, { fields }] of Object.entries(KEPT)) {
      const logged = LOGGED_FIELDS[type as keyof typeof LOGGED_FIELDS]
      const allowed = logged.filter((name) => ![...chosen, ...columns].includes(name))
      expect({ type, unknown: fields.filter((name) => !allowed.includes(name)) }).toEqual({
        type,
        unknown: [],
      })
    }
  })
})

/** A server in this process, a browser, and the rows. */
async function started(file: object = ON) {
  const config = await configure(file)
  const storage = inMemory()
  const broken = { is: false }
  const store: AuditStore = openAuditStore(storage)
  const { put } = store
  store.put = async (rows) => {
    if (broken.is && rows.length > 0) throw new Error('no database')
    await put(rows)
  }
  const app = await createApp(config, { log: configuredLog(config, () => {}), storage })
  onTestFinished(() => app.stop())
  await app.start()
  const jar = cookieJar()
  const send = async (url: URL | string, init: RequestInit = {}) => {
    const headers = { cookie: jar.header(), accept: 'text/html', ...init.headers }
    const request = new Request(new URL(url, config.issuer), { ...init, headers })
    const response = await app.fetch(request, { address: '192.0.2.77' })
    jar.keep(response)
    return response
  }
  async function follow(response: Response): Promise<Response> {
    const location = response.headers.get('location')
    if (location === null || !location.startsWith('/') === !location.startsWith(config.issuer))
      return response
    return follow(await send(location))
  }
  const submit = async (html: string, fields: Record<string, string>) => {
    const form = formOf(html)
    return follow(await send(form.action, { method: 'POST', body: filled(form, fields) }))
  }
  const rows = async (): Promise<AuditRow[]> => {
    await app.stop()
    return store.page('default', { limit: 1000 })
  }
  return { app, store, storage, broken, send, follow, submit, rows }
}

const dataOf = ({ data }: AuditRow): Record<string, unknown> => JSON.parse(data)

describe('a server', () => {
  it('keeps a sign-in and its refusals, with address and flow, from the sign-in to the code', async () => {
    const { send, follow, submit, rows } = await started()
    const page = await (await follow(await send(AUTHORIZE))).text()
    const again = await (await submit(page, { username: 'ann', password: 'wrong password' })).text()
    const consent = await (await submit(again, { username: 'ann', password: PASSWORD })).text()
    await submit(consent, {})
    const kept = await rows()
    const of = (type: string) => kept.find((row) => row.type === type)
    const story = ['login.refused', 'session.started', 'consent.approved', 'code.issued'].map(of)
    const flow = story[0]?.flow
    expect(flow).toMatch(/^[\w-]{16}$/)
    for (const row of story) expect(row).toMatchObject({ flow, client_id: 'app', sub: expect.any(String) })
    for (const row of story) expect(row?.private).toBe('{"address":"192.0.2.0/24"}')
    expect(story.map((row) => row?.actor)).toEqual([
      'stranger',
      ...Array(3).fill(`sub:${of('code.issued')?.sub}`),
    ])
  })

  it('keeps what the configuration has created', async () => {
    const { rows } = await started()
    const created = (await rows()).filter(({ actor }) => actor === 'configuration')
    expect(created.map(({ type, outcome, client_id }) => [type, outcome, client_id])).toEqual([
      ['client.store', 'done', 'app'],
      ['user.create', 'done', null],
    ])
  })

  it('answers 503 to a change whose row cannot be written, and changes nothing', async () => {
    const { send, follow, submit, broken, storage } = await started()
    const page = await (await follow(await send('/account'))).text()
    const account = await (await submit(page, { username: 'ann', password: PASSWORD })).text()
    const ann = await storage.users('default').findByUsername('ann')
    broken.is = true
    const form = account.split(/(?=<form)/).find((part) => part.includes('name="new_password"')) ?? ''
    const changed = {
      current_password: PASSWORD,
      new_password: 'another good password',
      new_password_again: 'another good password',
    }
    expect((await submit(form, changed)).status).toBe(503)
    expect(await storage.users('default').findByUsername('ann')).toEqual(ann)
    broken.is = false
    expect((await submit(form, changed)).status).toBe(200)
    expect((await storage.users('default').findByUsername('ann'))?.password_hash).not.toBe(ann?.password_hash)
  })
})

describe('a server without audit', () => {
  it('keeps nothing', async () => {
    const { send, follow, submit, rows } = await started(FILE)
    const page = await (await follow(await send('/account'))).text()
    await submit(page, { username: 'ann', password: PASSWORD })
    expect(await rows()).toEqual([])
  })
})

it('a change has the ids of its subject and no secret', async () => {
  const { rows } = await started()
  const text = JSON.stringify((await rows()).map((row) => [dataOf(row), row.private]))
  expect(text).toContain('"fields"')
  expect(text).not.toContain('$argon2')
})
