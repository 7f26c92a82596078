/** The list of the account page. */

import type { Client } from '@ostiary/core'
import { expect, it } from 'vitest'
import { browserOf, follow, ORIGIN, open, place, signIn } from './_place.js'

const app = (client_id: string, changes: Partial<Client> = {}): Partial<Client> => ({
  client_id,
  client_name: `The ${client_id}`,
  client_uri: `https://${client_id}.example/`,
  ...changes,
})
const numbered = (count: number, changes: Partial<Client> = {}) =>
  Array.from({ length: count }, (_, n) => app(`app-${String(n).padStart(4, '0')}`, changes))

async function start(clients: readonly Partial<Client>[], realms = ['default']) {
  const w = await place({ clients, realms })
  const browsers = new Map<string, ReturnType<typeof browserOf>>()
  /** The account page of a user. */
  const account = async (username: string): Promise<string> => {
    const b = browsers.get(username) ?? browserOf(w)
    const page = await follow(b, await open(b, `${ORIGIN}/account`))
    const signed_in = browsers.has(username) ? page : await signIn(b, page, username)
    browsers.set(username, b)
    return signed_in.text()
  }
  return { ...w, account }
}
const LINK = /<bdi><a href="([^"]+)" rel="noopener noreferrer">([^<]*)<\/a><\/bdi>/g
const shown = (html: string) => [...html.matchAll(LINK)].map(([, href, name]) => [href, name])

it('has those without a rule, and those with one of the groups of the user, by name', async () => {
  const w = await start([
    app('wiki'),
    app('payroll', { allowed_groups: ['staff', 'board'] }),
    app('crm', { allowed_groups: ['sales'] }),
    app('mail', { required_acr: '2' }),
  ])
  const wiki = ['https://wiki.example/', 'The wiki']
  const mail = ['https://mail.example/', 'The mail']
  const html = await w.account('ann')
  expect(shown(html)).toEqual([mail, ['https://payroll.example/', 'The payroll'], wiki])
  expect(html).toContain('Applications you may use')
  expect(shown(await w.account('ben'))).toEqual([['https://crm.example/', 'The crm'], mail, wiki])
})

it('has none that is revoked, or without a page, and nothing without any', async () => {
  const w = await start([app('gone', { revoked_at: 1 }), app('machine', { client_uri: null })])
  const html = await w.account('ann')
  expect(html).toContain('<h1>')
  expect(html).not.toContain('id="applications"')
})

it('escapes the name and the address', async () => {
  const w = await start([
    app('odd', { client_name: '<b>"Odd"</b>', client_uri: 'https://odd.example/?a="><script>&b' }),
  ])
  const html = await w.account('ann')
  expect(html).not.toMatch(/<script>|<b>"/)
  expect(html).toContain('&lt;b&gt;')
})

it('counts a group at once, and a new application within 30 seconds', async () => {
  const w = await start([app('crm', { allowed_groups: ['sales'] })])
  expect(shown(await w.account('ann'))).toEqual([])
  const { users } = w
  const ann = await users('default').findByUsername('ann')
  if (!ann) throw new Error('There is no ann')
  await users('default').update({ ...ann, groups: ['sales'], updated_at: ann.updated_at + 1 }, ann.updated_at)
  expect(shown(await w.account('ann'))).toHaveLength(1)
  const { clients } = await w.provider.manage()
  await clients.update('crm', { client_uri: null })
  w.clock.now += 29
  expect(shown(await w.account('ann'))).toHaveLength(1)
  w.clock.now += 1
  expect(shown(await w.account('ann'))).toEqual([])
})

it('reads the clients once for all users', async () => {
  const w = await start(numbered(3))
  await w.account('ann')
  await w.account('ben')
  await w.account('ann')
  expect(w.counted.lists).toBe(1)
})

it('shows 100 applications, of a realm with more', async () => {
  expect(shown(await (await start(numbered(100))).account('ann'))).toHaveLength(100)
  expect(shown(await (await start(numbered(101))).account('ann'))).toHaveLength(100)
})

it('reads 2,000 clients, 200 at a time', async () => {
  const others = numbered(2_000, { client_uri: null })
  const last = await start([...others.slice(1), app('zz')])
  expect(shown(await last.account('ann'))).toHaveLength(1)
  expect(last.counted.lists).toBe(10)
  const beyond = await start([...others, app('zz')])
  expect(shown(await beyond.account('ann'))).toEqual([])
  expect(beyond.counted.lists).toBe(10)
})

it('is not on the account page of another realm, for which nothing is read', async () => {
  const w = await start([app('wiki')], ['other'])
  expect(shown(await w.account('ann'))).toEqual([])
  expect(w.counted.lists).toBe(0)
})
