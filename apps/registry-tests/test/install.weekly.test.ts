/** `npx @ostiary/server` and `npm install @ostiary/resource-server` from a registry, on a machine without anything. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signIn } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import { freePort } from '@ostiary/test-kit/ports'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { created } from './project.ts'
import { ROOT } from './release.ts'
import { authorize, newUser, openBrowser, redeemed } from './walk.ts'

it('npx @ostiary/server serve, in an empty folder: the demo signs in, and does after a restart', async () => {
  const [user, { page, faults }] = [await newUser(), await openBrowser()]
  const port = await freePort()
  user.place.env.PORT = `${port}`
  const serve = ['npx', '@ostiary/server', 'serve']
  const begun = performance.now()

  const first = await user.start(serve, `http://localhost:${port}/readyz`)
  const shown = (text: RegExp) => eventually(() => text.exec(first.output())?.[1] ?? false)
  const password = await shown(/Password +(\S+) +\(/)
  const address = await shown(/(http:\/\/localhost:\d+\/demo)\n/)
  const demo = async (tab: Page) => {
    await tab.goto(address)
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  const welcome = (tab: Page) => tab.getByRole('heading', { name: 'Signed in as Demo User' }).waitFor()
  await demo(page)
  await signIn(page, password, 'demo')
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await welcome(page)
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(`npx @ostiary/server, Node ${process.versions.node}: 2 steps, ${seconds} s`)
  // npx says that it installs the package: without a terminal it does not ask.
  expect(first.output()).not.toMatch(/^npm warn (?!exec)|"level":"warn"/m)

  await first.stop()
  await user.start(serve, `http://localhost:${port}/readyz`)
  // The demo keeps its tokens for a tab.
  const tab = await page.context().newPage()
  await demo(tab)
  await welcome(tab)
  expect(faults).toEqual([])
})

it('npm install @ostiary/resource-server: an API, as docs/protect-an-api.md writes it, knows who has signed in', async () => {
  const { page, request, file, start, first, command } = await created('server')
  await first.stop()
  const config = JSON.parse(readFileSync(file('ostiary.config.json'), 'utf8'))
  const scope = 'notes.read'
  config.oidc.resources = { [API]: { scopes: [scope] } }
  config.oidc.scopes[scope] = { description: 'Read your notes' }
  writeFileSync(file('ostiary.config.json'), JSON.stringify(config))
  await start(command)

  const user = await newUser()
  const port = await freePort()
  const own = (name: string, text: string) => writeFileSync(join(user.place.cwd, name), text)
  await user.run('npm', 'init', '-y')
  await user.run('npm', 'install', '@ostiary/resource-server', 'hono', '@hono/node-server', 'tsx')
  own('hono.ts', guardOf('hono').replace('https://id.example.com', request.issuer))
  own('server.mts', `${SERVE}serve({ fetch: app.fetch, port: ${port}, hostname: '127.0.0.1' })\n`)
  const metadata = `http://127.0.0.1:${port}/.well-known/oauth-protected-resource/notes`
  await user.start(['npx', 'tsx', 'server.mts'], metadata)

  const asks = { ...request, resource: API, scope: `openid ${scope}` }
  await authorize(page, asks)
  // The session has outlived the restart.
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  const { access_token, claims } = await redeemed(page, asks)
  const mine = (authorization: string) =>
    fetch(`http://127.0.0.1:${port}/notes/mine`, { headers: { authorization } })
  expect(await (await mine(`Bearer ${access_token}`)).json()).toEqual({ notes_of: claims.sub })
  expect((await mine('Bearer of-another-issuer')).status).toBe(401)
})

const API = 'https://api.example.com/notes'
const SERVE = `import { serve } from '@hono/node-server'
import { app } from './hono.ts'
`

/** The file of this framework in the documentation. */
function guardOf(framework: string): string {
  const page = readFileSync(join(ROOT, 'docs/protect-an-api.md'), 'utf8')
  const begins = page.indexOf(`// ${framework}.ts\n`)
  return page.slice(begins, page.indexOf('```', begins))
}
