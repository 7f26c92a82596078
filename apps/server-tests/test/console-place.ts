/** A server with the console, and the browser of an administrator without JavaScript. */

import { personTag } from '@ostiary/core'
import { createUser } from '@ostiary/identity'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { eventually } from '@ostiary/test-kit/eventually'
import { linkRecord } from '@ostiary/test-kit/factors/link-rules'
import { factorRecord, passkeyRecord } from '@ostiary/test-kit/factors/record'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { inChromium } from './in-chromium.ts'
import { type RemotePlace, remotePlace } from './remote-server.ts'

export const REALM = '/admin/realms/default'

/** One has no document. Nothing listens at the other one. */
const UPSTREAMS = {
  github: { type: 'github', client_id: 'x', client_secret_env: 'UPSTREAM_SECRET', name: 'GitHub' },
  'the-provider-of-our-company': {
    type: 'oidc',
    issuer: 'http://127.0.0.1:1/tenants/of-our-company/oauth2/v2.0',
    client_id: '7b1cbd1c-0f5a-4f4e-9d3f-0e9f0a1b2c3d',
    client_secret_env: 'UPSTREAM_SECRET',
    name: 'The provider of our company',
    signup: true,
    domains: ['example.com', 'subsidiary.example.com'],
    link: 'verified_email',
    authoritative_domains: ['example.com'],
    groups: { claim: 'roles', map: { 'Directory.Administrators': 'staff' } },
  },
}
const CLIENTS = { registration: { enabled: true }, metadata_documents: { enabled: true } }

interface ConsoleOptions {
  /** Without other providers and registration. */
  is_bare?: boolean
  /** Keys of `oidc`, and other keys of the configuration. */
  oidc?: object
  more?: object
}

export async function consolePlace({
  is_bare = false,
  oidc = {},
  more = {},
}: ConsoleOptions = {}): Promise<RemotePlace> {
  const place = await remotePlace(
    { dpop: 'on', ...(!is_bare && { clients: CLIENTS }), ...oidc },
    { console: true },
    {
      audit: { enabled: true },
      ...more,
      ...(!is_bare && {
        identity: { upstreams: UPSTREAMS },
        env: { UPSTREAM_SECRET: 'a secret of this test' },
      }),
    },
  )
  if (!is_bare) await registered(place)
  const claims = { name: 'Bob Baker', email: 'bob@example.com', email_verified: true }
  await createUser(place.users, { username: 'bob', sub: 'bob-1', groups: ['staff', 'on call'], ...claims })
  if (!is_bare) await givesWays(place)
  return place
}

/** A passkey, an app, a linked account and a session of bob. */
async function givesWays({ factors, links, storage, server }: RemotePlace): Promise<void> {
  const sub = 'bob-1'
  const now = Math.floor(Date.now() / 1000)
  const add = [
    passkeyRecord('key', sub, new URL(server.issuer).hostname),
    factorRecord('app', sub, { label: 'The telephone of the company, in the drawer of the front desk' }),
    factorRecord('codes', sub, { kind: 'recovery', state: '["a","b"]', label: '' }),
  ]
  await factors.change({ sub, add, second_step: true }, { credential_version: 0, now })
  await links.add(linkRecord(sub, { upstream: 'github' }), { credential_version: 1, now })
  await storage.sessions.create({
    sid: `s-${personTag(sub)}`,
    session_hash: `hash-${personTag(sub)}`,
    sub,
    client_ids: ['notes'],
    auth_time: now,
    amr: ['pwd'],
    acr: '1',
    created_at: now,
    expires_at: now + 86_400,
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    last_used_at: now,
    raised_at: null,
  })
}

/** A client that registered itself, and one that has a metadata document. */
async function registered({ storage }: RemotePlace): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  await storage.clients.create(
    clientRecord({
      client_id: '4fJ2cM0fYq8vS1xT6zR3wA',
      client_name: 'Cursor (an application that registered itself)',
      origin: 'registered',
      client_id_issued_at: now - 60,
      redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback', 'http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'none',
    }),
  )
  const client_id = 'https://app.example.com/.well-known/oauth/client-metadata.json'
  const redirect_uris = ['https://app.example.com/callback']
  await storage.client_documents.put({
    client_id,
    document: JSON.stringify({ client_id, client_name: 'An application', redirect_uris }, null, 2),
    etag: null,
    last_modified: null,
    fetched_at: now,
    fresh_until: now + 3600,
    changed_at: now - 86_400,
    expires_at: now + 86_400 * 30,
  })
}

/** Creates a client, changes it, and sends requests that are refused. Returns the path of the change, and the reference of the last refusal. */
export async function activity(
  page: Page,
  { server }: RemotePlace,
): Promise<{ row: string; reference: string }> {
  const { issuer } = server
  await page.goto(`${issuer}${REALM}/clients/new/web`)
  await page.locator('#client_id').fill('notes')
  await page.locator('#client_name').fill('Notes')
  await page.locator('#redirect_uris').fill('https://notes.example.com/callback')
  await page.locator('form.act button:not([name])').click()
  await page.waitForLoadState()
  await page.goto(`${issuer}${REALM}/clients/notes/edit`)
  await page.locator('#client_name').fill('Notes for teams')
  await page
    .locator('#redirect_uris')
    .fill('https://notes.example.com/callback\nhttps://notes.example.com/other')
  await page.locator('form.act button:not([name])').click()
  await page.waitForLoadState()
  for (const client_id of ['nope', 'nope', 'notes'])
    await page.goto(
      `${issuer}/oauth/authorize?response_type=code&client_id=${client_id}&redirect_uri=https://x.example.com`,
    )
  const [reference = ''] =
    /[\dA-F]{4}-[\dA-F]{4}/.exec((await page.locator('main').textContent()) ?? '') ?? []
  const row = await eventually(async () => {
    await page.goto(`${issuer}${REALM}/find?q=${reference}`)
    expect(page.url()).toContain('/explain/')
    await page.goto(`${issuer}${REALM}/audit?type=client.update`)
    return (await page.locator('.list tbody a').first().getAttribute('href')) ?? ''
  })
  return { row, reference }
}

type Chromium = ReturnType<typeof inChromium>

/** A browser without JavaScript, in which ann has signed in to the console. */
export async function administrator(
  chromium: Chromium,
  place: RemotePlace,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const { issuer } = place.server
  const person = place.browser()
  await place.signIn(person, await person.open(`${issuer}/admin`))
  const page = await chromium.device({ javaScriptEnabled: false, ...options })
  const cookies = [...person.cookies].map(([name, value]) => ({ name, value, url: issuer }))
  await page.context().addCookies(cookies)
  return page
}
