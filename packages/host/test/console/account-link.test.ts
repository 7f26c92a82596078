/** The account page of an administrator leads to the console. */

import { openRoleStore } from '@ostiary/admin'
import { createUser } from '@ostiary/identity'
import { givePasskey, withPasskey } from '@ostiary/test-kit/authenticators/passkey-person'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { expect, it } from 'vitest'
import { inMemory } from '../support.ts'
import { CONFIG, consoleServer, ORIGIN } from './_console.ts'

const LINK = '<a href="/admin">Open the console</a>'

type Server = Awaited<ReturnType<typeof consoleServer>>
type Passkey = Awaited<ReturnType<Server['administrator']>>

async function account(server: Server, passkey: Passkey, language = 'en') {
  const browser = server.browser({ 'accept-language': language })
  const page = await withPasskey(browser, await browser.open('/account'), { passkey, origin: ORIGIN })
  return { browser, page }
}

it('a user with any role has the link, and one without a role has none', async () => {
  const server = await consoleServer()
  const ann = await account(server, await server.administrator('ann', 'auditor'))
  expect(ann.page.html).toContain(LINK)
  const bob = await account(server, await server.administrator('bob', null))
  expect(bob.page.html).toContain('This device')
  expect(bob.page.html).not.toContain('/admin')
  // A role is read at each request.
  const roles = openRoleStore(server.storage)
  await roles.change('default', () => ({ remove: { holder: 'sub:ann-1', role: 'auditor' } }))
  expect((await ann.browser.open('/account')).html).not.toContain('/admin')
})

it.each([
  ['de-AT', 'Konsole öffnen'],
  ['fr', 'Ouvrir la console'],
])('it is in the language of the page: %s', async (language, text) => {
  const server = await consoleServer()
  const { page } = await account(server, await server.administrator('ann'), language)
  expect(page.html).toContain(`<a href="/admin">${text}</a>`)
})

it('without the console there is no link', async () => {
  const server = await consoleServer({ config: { ...CONFIG, admin: { enabled: true, console: false } } })
  const { page } = await account(server, await server.administrator('ann'))
  expect(page.html).toContain('This device')
  expect(page.html).not.toContain('/admin')
})

it('a user of another realm with the same sub has none', async () => {
  const oidc = { acr: 'require', routes: { realms: 'path' }, realms: { default: {}, staff: {} } }
  const server = await consoleServer({ config: { ...CONFIG, clients: [], oidc } })
  await server.administrator('ann')
  const users = server.storage.users('staff')
  const factors = server.storage.factors('staff')
  await createUser(users, { username: 'ann', sub: 'ann-1' })
  const passkey = await givePasskey({ users, factors }, 'ann-1')
  const browser = server.browser()
  const asked = await browser.open('/realms/staff/account')
  const page = await withPasskey(browser, asked, { passkey, origin: ORIGIN })
  expect([page.url.pathname, page.html.includes('This device')]).toEqual(['/realms/staff/account', true])
  expect(page.html).not.toContain('/admin')
})

it('a start that leaves the client of the console out leaves the link out, too', async () => {
  const storage = inMemory()
  const redirect_uris = ['https://app.example.com/cb']
  await storage
    .storage('default')
    .clients.create(clientRecord({ client_id: 'ostiary-console', redirect_uris }))
  const server = await consoleServer({
    config: { ...CONFIG, clients: [], admin: { enabled: true } },
    storage,
  })
  const { page, browser } = await account(server, await server.administrator('ann'))
  expect((await browser.send('/admin')).status).toBe(404)
  expect(page.html).toContain('This device')
  expect(page.html).not.toContain('/admin')
})
