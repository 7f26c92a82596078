/** The page of realms: what it shows, what a role may not do, and the attacks on its forms. */

import { databaseRealms, type RealmStore } from '@ostiary/realms'
import { postgresExecutor, postgresStores } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inMemory } from '../support.ts'
import { CONFIG, consoleServer, ORIGIN } from './_console.ts'

const REALMS = '/admin/realms/default/realms'
const WITH_REALMS = {
  ...CONFIG,
  oidc: { ...CONFIG.oidc, routes: { realms: 'path' }, realms: { default: {}, fixed: {} } },
  realms_at_run_time: true,
}
const SHORT = '{ "oidc": { "tokens": { "access_token": 300 } } }'

async function opened(ids: readonly string[] = [], role: 'owner' | 'auditor' = 'owner', realms = ['*']) {
  const records = postgresExecutor(await migratedDatabase(), UNLIMITED)
  onTestFinished(() => records.close())
  const store = databaseRealms(records)
  for (const id of ids) await store.create({ id, settings: {} }, 1_800_000_000)
  const storage = { ...inMemory(), ...postgresStores(records), records }
  const env = { DATABASE_URL: 'postgres://unused.example.com' }
  const server = await consoleServer({ config: WITH_REALMS, env, storage })
  const ann = await server.administrator('ann', role, realms)
  return { server, store, ...(await server.signedIn(ann)) }
}

const idsOf = async (store: RealmStore) => (await store.list({ limit: 100 })).map(({ id }) => id)

describe('realms', () => {
  it('are listed with those of the configuration, made, changed and deleted', async () => {
    const { browser, store } = await opened()
    const { html } = await browser.send(REALMS)
    expect(html).toMatch(/>fixed<\/a>[\s\S]*configuration/)
    expect((await browser.send(`${REALMS}/fixed`)).html).toContain('oidc.realms.fixed')
    const form = await browser.send(`${REALMS}/new`)
    const made = await browser.post(form, { id: 'acme', settings: SHORT })
    expect([made.status, made.headers.get('location')]).toEqual([303, `${REALMS}/acme?done=realm_created`])
    const one = await browser.send(`${REALMS}/acme?done=realm_created`)
    expect(one.html).toMatch(/role="status">The realm is made[\s\S]*access_token&quot;: 300/)
    expect(one.html).toContain('href="/admin/realms/acme"')
    const edit = await browser.send(`${REALMS}/acme/edit`)
    const changed = await browser.post(edit, { settings: '{"identity":{"second_factor":"required"}}' })
    expect([changed.status, changed.headers.get('location')]).toEqual([
      303,
      `${REALMS}/acme?done=realm_changed`,
    ])
    expect(await store.find('acme')).toMatchObject({
      settings: { identity: { second_factor: 'required' } },
      version: 2,
    })
    const remove = await browser.send(`${REALMS}/acme/delete`)
    expect((await browser.post(remove, { confirm: 'acm' })).status).toBe(422)
    expect(await idsOf(store)).toEqual(['acme'])
    expect((await browser.post(remove, { confirm: 'acme' })).headers.get('location')).toBe(
      `${REALMS}?done=realm_deleted`,
    )
    expect(await idsOf(store)).toEqual([])
    expect((await browser.send(`${REALMS}/acme`)).status).toBe(404)
  })

  it('faults are at the field, each with its setting; a text that is no JSON names its line', async () => {
    const { browser, store } = await opened(['acme'])
    const form = await browser.send(`${REALMS}/acme/edit`)
    for (const [settings, said] of [
      ['{"oidc":{"tokens":{"acess_token":300}}}', '/oidc/tokens/acess_token: '],
      ['{"oidc":{"tokens":{"acess_token":300}}}', 'did you mean access_token?'],
      ['{"odic":{}}', '/odic: there is no such'],
      ['{\n"oidc": {\n x }}', 'This is not JSON: look at line 3'],
      ['[1]', 'Type a JSON object'],
      ['"<b>x</b>"', 'Type a JSON object'],
    ] as const) {
      const answer = await browser.post(form, { settings })
      expect([settings, answer.status]).toEqual([settings, 400])
      const fault = /id="settings-error"[^>]*>([^<]*)</.exec(answer.html)?.[1] ?? ''
      expect(fault).toContain(said)
      expect(answer.html).not.toContain('<b>x')
    }
    expect(await store.find('acme')).toMatchObject({ settings: {}, version: 1 })
  })

  it('a form that is older than the realm changes nothing', async () => {
    const { browser, store } = await opened(['acme'])
    const form = await browser.send(`${REALMS}/acme/edit`)
    await store.replace('acme', { settings: { identity: {} }, version: 1 }, 1_800_000_001)
    expect((await browser.post(form, { settings: SHORT })).status).toBe(412)
    expect(await store.find('acme')).toMatchObject({ settings: { identity: {} }, version: 2 })
  })

  it('an owner of one realm sees no other, and makes none', async () => {
    const { browser, store } = await opened(['acme', 'secret'], 'owner', ['acme'])
    const own = '/admin/realms/acme/realms'
    const { html } = await browser.send(own)
    expect(html).toContain('>acme</a>')
    expect(html).not.toContain('secret')
    expect(html).not.toContain('fixed')
    for (const path of ['secret', 'secret/edit', 'secret/delete', 'nowhere'])
      expect([path, (await browser.send(`${own}/${path}`)).status]).toEqual([path, 404])
    const form = { ...(await browser.send(`${own}/acme/edit`)), url: new URL(`${own}/new`, ORIGIN) }
    expect((await browser.post(form, { id: 'more', settings: '{}' })).status).toBe(403)
    expect(await idsOf(store)).toEqual(['acme', 'secret'])
  })

  it('an auditor sees them, and has no form', async () => {
    const { browser } = await opened(['acme'], 'auditor')
    const { html } = await browser.send(`${REALMS}/acme`)
    expect(html).not.toContain(`${REALMS}/acme/edit`)
    for (const path of ['new', 'acme/edit', 'acme/delete'])
      expect([path, (await browser.send(`${REALMS}/${path}`)).status]).toEqual([path, 403])
  })

  it('every page lists at most a hundred of them, and leads to each', async () => {
    const ids = Array.from({ length: 120 }, (_, n) => `r-${String(n).padStart(3, '0')}`)
    const { browser } = await opened(ids)
    const { html } = await browser.send(REALMS)
    const listed = /<details class="realm">[\s\S]*?<\/details>/.exec(html)?.[0] ?? ''
    expect(listed.match(/<li>/g)).toHaveLength(100)
    expect((await browser.send('/admin/realms/r-119/users')).status).toBe(200)
    expect((await browser.send('/admin/realms/r-120/users')).status).toBe(404)
  })
})

it('without realms_at_run_time there is no such page', async () => {
  const { realms_at_run_time: _, ...without } = WITH_REALMS
  const server = await consoleServer({ config: without })
  const { browser, page } = await server.signedIn(await server.administrator('ann'))
  expect(page.html).not.toContain(REALMS)
  expect((await browser.send(REALMS)).status).toBe(404)
})
