/** Advice that names a command leads to the page that does the same, or says who may do it. */

import { type AuditRow, openAuditStore } from '@ostiary/audit'
import { expect, it, vi } from 'vitest'
import { CONFIG as ON_DATABASE, place } from '../remote/_places.ts'
import { rowAt } from './_audit-row.ts'
import { consoleServer } from './_console.ts'

vi.setConfig({ testTimeout: 300_000 })

const HOME = '/admin/realms/default'
const CONFIG = { ...ON_DATABASE, admin: { ...ON_DATABASE.admin, console: true } }

const refused = (number: number, more: Partial<AuditRow>) =>
  rowAt(number, { type: 'login.refused', outcome: 'refused', flow: String(number).repeat(16), ...more })

async function withRefusals(role: 'owner' | 'support' | 'auditor', language = 'en') {
  const here = await place({ config: CONFIG })
  await here.command('user create bob --sub bob-1 --no-password')
  await openAuditStore({ records: here.executor }).put([
    refused(1, { sub: 'bob-1', data: '{"reason":"wrong_password"}' }),
    refused(2, { type: 'request.refused', data: '{"reason":"unknown_client"}' }),
    refused(4, { type: 'request.refused', data: '{"reason":"missing_parameter"}' }),
  ])
  const env = { DATABASE_URL: here.url, GOOGLE_CLIENT_SECRET: 'x' }
  const server = await consoleServer({ config: CONFIG, env })
  const headers = { 'accept-language': language }
  const { browser } = await server.signedIn(await server.administrator('ann', role), '/admin', headers)
  const story = async (number: number) => {
    const { status, html } = await browser.send(`${HOME}/explain/${String(number).repeat(16)}`)
    expect(status).toBe(200)
    return html
  }
  return { browser, story }
}

const here = (path: string, title: string) =>
  `<small lang="en">In the console: <a href="${HOME}/${path}">${title}</a></small>`
const rolesOf = (roles: string) =>
  `<small lang="en">Who may do it: administrators with the role ${roles}.</small>`

it('an explanation leads to the user or the list', async () => {
  const { story, browser } = await withRefusals('owner')
  expect(await story(1)).toContain(here('users/bob-1', 'Users'))
  expect(await story(2)).toContain(here('clients', 'Clients'))
  const without = await story(4)
  expect(without).toContain('Send the missing parameter')
  expect(without).not.toMatch(/In the console|Who may do it/)
  const { html } = await browser.send(HOME)
  // It counts the refusals of all users.
  for (const link of [here('users', 'Users'), here('clients', 'Clients')]) expect(html).toContain(link)
})

it('who may not do it reads which roles may', async () => {
  const { story } = await withRefusals('support')
  expect(await story(1)).toContain(here('users/bob-1', 'Users'))
  expect(await story(2)).toContain(rolesOf('manager, owner'))
  const auditor = await withRefusals('auditor')
  expect(await auditor.story(1)).toContain(rolesOf('support, manager, owner'))
})

it('the link is in the language of the page, and the advice in English', async () => {
  const { story } = await withRefusals('owner', 'de')
  const html = await story(1)
  expect(html).toContain(
    `<small lang="de">In der Konsole: <a href="${HOME}/users/bob-1">Benutzer</a></small>`,
  )
  expect(html).toContain('user set-password')
})
