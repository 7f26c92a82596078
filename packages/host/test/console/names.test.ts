/** Pages that have ids of users and clients show their names. */

import { openAuditStore } from '@ostiary/audit'
import { expect, it, vi } from 'vitest'
import { CONFIG as ON_DATABASE, place } from '../remote/_places.ts'
import { rowAt } from './_audit-row.ts'
import { consoleServer } from './_console.ts'

vi.setConfig({ testTimeout: 300_000 })

const HOME = '/admin/realms/default'
const CONFIG = { ...ON_DATABASE, admin: { ...ON_DATABASE.admin, console: true } }
const FLOW = 'f'.repeat(16)
const OTHER_FLOW = 'g'.repeat(16)
const MARKUP = '<img src=x> "bob"'

/** Rows of bob, of a user who was deleted, and of a client with a name. */
async function withRows(role: 'owner' | 'support' = 'owner') {
  const here = await place({ config: CONFIG })
  await here.command(['user', 'create', MARKUP, '--sub=bob-1', '--no-password'])
  const made = await here.command([
    'client',
    'create',
    '--id=made',
    '--name=The <b>made</b> one',
    '--redirect-uri=https://a.example/cb',
  ])
  expect(made.code).toBe(0)
  const by_bob = { type: 'client.update', actor: 'sub:bob-1', client_id: 'made' }
  await openAuditStore({ records: here.executor }).put([
    rowAt(1, by_bob),
    rowAt(2, { type: 'user.update', actor: 'client:made', sub: 'gone-1' }),
    rowAt(3, { type: 'session.started', sub: 'bob-1', client_id: 'made', flow: FLOW }),
    rowAt(4, { type: 'session.started', sub: 'gone-1', client_id: 'gone', flow: OTHER_FLOW }),
  ])
  const server = await consoleServer({
    config: CONFIG,
    env: { DATABASE_URL: here.url, GOOGLE_CLIENT_SECRET: 'x' },
  })
  const passkey = await server.administrator('ann', role)
  return { here, server, ...(await server.signedIn(passkey)) }
}

const BOB = `<a href="${HOME}/users/bob-1"><bdi title="bob-1">&lt;img src=x&gt; &quot;bob&quot;</bdi></a>`
const MADE = `<a href="${HOME}/clients/made"><code>made</code></a> <small><bdi>The &lt;b&gt;made&lt;/b&gt; one</bdi></small>`
const GONE = `<a href="${HOME}/users/gone-1"><code>gone-1</code></a>`
const NO_CLIENT = `<a href="${HOME}/clients/gone"><code>gone</code></a>`

it('the username stands for the sub, and the name of a client beside its id', async () => {
  const { browser } = await withRows()
  const PAGES: [path: string, shown: string[]][] = [
    ['', [BOB, MADE, GONE]],
    ['/audit', [BOB, MADE, GONE]],
    ['/audit/zzzzzzz0000000000001', [BOB, MADE]],
    ['/sign-ins', [BOB, MADE, GONE, NO_CLIENT]],
    [`/explain/${FLOW}`, [BOB, MADE]],
    [`/explain/${OTHER_FLOW}`, [GONE, NO_CLIENT]],
  ]
  for (const [path, texts] of PAGES) {
    const { status, html } = await browser.send(HOME + path)
    expect([path, status]).toEqual([path, 200])
    for (const shown of texts) expect(html, path).toContain(shown)
    expect(html).not.toMatch(/<img src=x|<b>made/)
  }
})

it('the name of a user who is deleted meanwhile is shown no more', async () => {
  const { browser, here } = await withRows()
  expect((await browser.send(`${HOME}/sign-ins`)).html).toContain(BOB)
  await here.command('user delete bob-1 --sub --yes')
  const { html } = await browser.send(`${HOME}/sign-ins`)
  expect(html).not.toContain('title="bob-1"')
  expect(html).toContain(`<a href="${HOME}/users/bob-1"><code>bob-1</code></a>`)
})

it('who reads no clients gets no name of one', async () => {
  const { browser } = await withRows('support')
  const { html } = await browser.send(`${HOME}/explain/${FLOW}`)
  expect(html).toContain(BOB)
  expect(html).toContain('<code>made</code>')
  expect(html).not.toContain('one</bdi>')
})
