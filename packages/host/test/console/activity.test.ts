/** Home, search, sign-ins, explanations and the audit: what they show to whom, and attacks on them. */

import { openAuditStore } from '@ostiary/audit'
import { createUser } from '@ostiary/identity'
import { withPasskey } from '@ostiary/test-kit/authenticators/passkey-person'
import { hiddenField } from '@ostiary/test-kit/browser'
import { eventually } from '@ostiary/test-kit/eventually'
import { describe, expect, it, vi } from 'vitest'
import { CONFIG as ON_DATABASE, type Place, place } from '../remote/_places.ts'
import { rowAt } from './_audit-row.ts'
import { type Answer, CONFIG, type ConsoleBrowser, consoleServer, ORIGIN } from './_console.ts'

vi.setConfig({ testTimeout: 300_000 })

const HOME = '/admin/realms/default'
const AUDIT = `${HOME}/audit`
const NAVIGATION = { accept: 'text/html', 'sec-fetch-mode': 'navigate' }
const MARKUP = `"><img src=x onerror=alert(1)><script>alert(1)</script>`

type Server = Awaited<ReturnType<typeof consoleServer>>

/** An owner, who has signed in. */
async function owner(server: Server, role: 'owner' | 'auditor' | 'support' | 'manager' = 'owner') {
  const passkey = await server.administrator('ann', role)
  return { passkey, ...(await server.signedIn(passkey)) }
}

async function onDatabase(before: (place: Place) => Promise<unknown> = async () => {}) {
  const config = { ...ON_DATABASE, admin: { ...ON_DATABASE.admin, console: true } }
  const here = await place({ config })
  await before(here)
  const env = { DATABASE_URL: here.url, GOOGLE_CLIENT_SECRET: 'x' }
  const server = await consoleServer({ config, env })
  return { here, server, ...(await owner(server)) }
}

/** Creates the client `made` by the form, and gives it another name. Returns the path of the row of the change. */
async function changedClient(browser: ConsoleBrowser, client_name = 'Second'): Promise<string> {
  const form = await browser.send(`${HOME}/clients/new/web`)
  const fields = { client_id: 'made', client_name: 'First', redirect_uris: 'https://made.example.com/cb' }
  expect((await browser.post(form, fields)).status).toBe(200)
  const edit = await browser.send(`${HOME}/clients/made/edit`)
  expect((await browser.post(edit, { ...fields, client_name })).status).toBe(303)
  return rowPath(browser, 'client.update')
}

const rowPath = (browser: ConsoleBrowser, type: string): Promise<string> =>
  eventually(async () => {
    const { html } = await browser.send(`${AUDIT}?type=${type}`)
    const [, path] = /<a href="(\/admin\/realms\/default\/audit\/[^"/]+)"/.exec(html) ?? []
    if (path === undefined) throw new Error(`There is no row ${type}`)
    return path
  })

/** Sends a request that is refused, and waits for its row. Returns the reference of its page. */
async function refused(server: Server, browser: ConsoleBrowser): Promise<string> {
  const page = await server.browser(NAVIGATION).send('/oauth/authorize?client_id=nope&response_type=code')
  const [, reference = ''] = /Reference: ([\dA-F-]{9})/.exec(page.html) ?? []
  await eventually(async () => {
    const { html } = await browser.send(`${HOME}/sign-ins?show=refused`)
    expect(html).toContain('unknown_client')
  })
  return reference
}

const nameOf = (server: Server) => server.storage.storage('default').clients.find('made')

const linksIn = ({ html }: Answer): string[] =>
  [...html.matchAll(/<li><a href="([^"]+)"/g)].map(([, href = '']) => href)

describe('home', () => {
  it('says that all is well, and what each part is for where nothing has happened', async () => {
    const server = await consoleServer()
    const { page } = await owner(server)
    expect(page.url.pathname).toBe(HOME)
    for (const text of [
      'Is it healthy?',
      'works</span>',
      'ES256',
      'Client configured',
      'Nothing was refused today',
    ])
      expect(page.html).toContain(text)
  })

  it('shows the changes of the day, and the refusals with what to do', async () => {
    const server = await consoleServer()
    const { browser } = await owner(server)
    await changedClient(browser)
    await refused(server, browser)
    const { html } = await browser.send(HOME)
    expect(html).toContain('Client changed')
    expect(html).toContain('Client created')
    expect(html).toMatch(/unknown_client<\/code>[\s\S]*?<p lang="en">[A-Z]/)
    expect(html).toContain(`href="${HOME}/sign-ins?reason=unknown_client"`)
    // The next day has other ones.
    server.clock.ahead = 86_400
    const next = await server.signedIn(await server.administrator('eva'))
    for (const text of ['No change today', 'Nothing was refused today'])
      expect(next.page.html).toContain(text)
  })

  it('says in words which command line on which machine has changed something', async () => {
    const { browser } = await onDatabase((here) => here.command('user create bob --sub bob-1 --no-password'))
    const { html } = await browser.send(HOME)
    const [, actor = '', shown] = /<span title="(cli:[^"]+)">([^<]*)</.exec(html) ?? []
    const at = actor.lastIndexOf('@')
    expect(shown).toBe(`the command line on ${actor.slice(at + 1)}, by ${actor.slice(4, at)}`)
    expect(html).not.toContain('<code>cli:')
  })

  it('shows that access ended where a session or a grant has ended', async () => {
    const server = await consoleServer()
    const { browser } = await owner(server)
    await createUser(server.users, { username: 'bob', sub: 'bob-1' })
    const BOB = `${HOME}/users/bob-1`
    const ended = async (path: string) =>
      expect((await browser.post(await browser.send(`${path}/end-access`))).status).toBe(303)
    await ended(BOB)
    await rowPath(browser, 'user.end_access')
    expect((await browser.send(HOME)).html).not.toContain('Access ended')
    const eva = await server.signedIn(await server.administrator('eva'))
    expect(eva.page.status).toBe(200)
    await ended(`${HOME}/users/eva-1`)
    expect((await browser.send(HOME)).html).toContain('Access ended')
  })

  it('shows ten changes, and five reasons with how often, the newest and the most frequent first', async () => {
    const { here, browser, server } = await onDatabase()
    const now = server.now()
    const change = (place: number) =>
      rowAt(place, { type: 'client.update', time: now, client_id: `c-${place}` })
    const refusal = (place: number, reason: string, count = 1) =>
      rowAt(place, { type: 'login.refused', time: now, count, data: JSON.stringify({ reason }) })
    // There are eleven changes, of the configuration and of these, and six reasons.
    const changes = Array.from({ length: 11 }, (_, place) => change(place))
    const reasons = ['password', 'totp', 'passkey', 'disabled', 'limit', 'expired'].map((reason, place) =>
      refusal(place + 20, reason, 1234 - place),
    )
    await openAuditStore({ records: here.executor }).put([
      ...changes,
      ...reasons,
      refusal(40, 'expired', 9999),
    ])
    const { html } = await browser.send(HOME)
    const shown = [...html.matchAll(/clients\/(c-\d+)"/g)].map(([, id]) => id)
    expect(shown).toEqual(Array.from({ length: 10 }, (_, place) => `c-${10 - place}`))
    const counted = [...html.matchAll(/reason=(\w+)"[\s\S]*?<span class="number">([^<]+)</g)]
    expect(counted.map(([, reason, count]) => [reason, count])).toEqual([
      ['expired', '11,228'],
      ['password', '1,234'],
      ['totp', '1,233'],
      ['passkey', '1,232'],
      ['disabled', '1,231'],
    ])
  })

  it('what has waited for ten minutes is late', async () => {
    const { here, browser, server } = await onDatabase()
    const now = server.now()
    const state = async (created_at: number) => {
      await here.executor.query('delete from oidc_mails')
      await here.executor.query(
        `insert into oidc_mails (realm, mail_id, data, attempts, created_at, next_attempt_at, expires_at)
          values ('default', 'm-1', 'x', 1, $1, $2, $2)`,
        [created_at, now + 3600],
      )
      const { html } = await browser.send(HOME)
      return /Emails<\/td>[\s\S]*?<span class="pill[^>]*>([^<]+)</.exec(html)?.[1]
    }
    expect(await state(now - 60)).toBe('waits')
    expect(await state(now - 601)).toBe('late')
  })

  it('without an audit, there is no audit to show', async () => {
    const server = await consoleServer({ config: { ...CONFIG, audit: undefined } })
    const { browser, page } = await owner(server)
    expect(page.html).toContain('No change today')
    for (const area of ['audit', 'sign-ins']) {
      const answer = await browser.send(`${HOME}/${area}`)
      expect([answer.status, answer.html.includes('The audit is off')]).toEqual([200, true])
    }
  })
})

describe('what a role sees', () => {
  it('support has neither the audit nor the state of the server, and finds nothing of them', async () => {
    const server = await consoleServer()
    const { browser, page } = await owner(server, 'support')
    expect(linksIn(page)).toEqual([HOME, `${HOME}/users`, `${HOME}/mail`])
    expect(page.html).toContain('Emails')
    expect(page.html).not.toContain('Signing keys')
    for (const path of ['audit', 'sign-ins', 'audit/0mx0wloq77q77jt0isse'])
      expect((await browser.send(`${HOME}/${path}`)).status, path).toBe(404)
    const found = await browser.send(`${HOME}/find?q=app`)
    expect([found.status, found.html.includes('Nothing found')]).toEqual([200, true])
    expect((await browser.send(`${HOME}/find?q=ann`)).status).toBe(303)
  })

  it('support finds by a reference why a user could not sign in, and no row of the audit', async () => {
    const { server, browser } = await onDatabase()
    await changedClient(browser)
    const reference = await refused(server, browser)
    const sue = await server.signedIn(await server.administrator('sue', 'support'))
    const found = await sue.browser.send(`${HOME}/find?q=${reference}`)
    expect(found.headers.get('location')).toBe(`${HOME}/explain/${reference}`)
    const { status, html } = await sue.browser.open(`${HOME}/explain/${reference}`)
    expect([status, html.includes('What to do')]).toEqual([200, true])
    expect(html).not.toMatch(/href="[^"]*\/(?:audit|clients)\b/)
    const own = await browser.open(`${HOME}/explain/${reference}`)
    expect(own.html).toMatch(/href="[^"]*\/audit\//)
  })

  it('an auditor reads a change, and is not offered to undo it', async () => {
    const server = await consoleServer()
    const { browser } = await owner(server)
    const path = await changedClient(browser)
    const auditor = await server.signedIn(await server.administrator('eva', 'auditor'))
    const row = await auditor.browser.send(path)
    expect([row.status, row.html.includes('/undo"')]).toEqual([200, false])
    const csrf_token = hiddenField(row.html, 'csrf_token')
    expect((await auditor.browser.send(`${path}/undo`)).status).toBe(403)
    const body = new URLSearchParams({ csrf_token, confirm: 'made' })
    const headers = { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' }
    expect((await auditor.browser.send(`${path}/undo`, { method: 'POST', body, headers })).status).toBe(403)
    expect(await nameOf(server)).toMatchObject({ client_name: 'Second' })
  })

  it('an administrator of one realm sees nothing of another one', async () => {
    const oidc = { acr: 'require', routes: { realms: 'path' }, realms: { default: {}, staff: {} } }
    const server = await consoleServer({ config: { ...CONFIG, clients: [], oidc } })
    const all = await server.signedIn(await server.administrator('ann'))
    const path = await changedClient(all.browser)
    const id = path.slice(AUDIT.length + 1)
    const { browser } = await server.signedIn(await server.administrator('bob', 'owner', ['staff']))
    for (const foreign of [HOME, AUDIT, path, `${path}/undo`, `${HOME}/find?q=ann`, `${HOME}/sign-ins`])
      expect((await browser.send(foreign)).status, foreign).toBe(404)
    const staff = '/admin/realms/staff'
    for (const own of [`audit/${id}`, `audit/${id}/undo`])
      expect((await browser.send(`${staff}/${own}`)).status, own).toBe(404)
    for (const wanted of ['ann', 'ann-1', 'made', id])
      expect((await browser.send(`${staff}/find?q=${wanted}`)).html).toContain('Nothing found')
    // There is one in the realm of the others.
    expect((await all.browser.send(`${HOME}/find?q=made`)).status).toBe(303)
  })
})

describe('find', () => {
  it('leads to the thing itself, or lists the few that match', async () => {
    const { here, server, browser } = await onDatabase(async ({ command }) => {
      await command('user create bob --sub bob-1 --no-password --claim email=bob@example.com')
      await command('user create bobby --sub bob-2 --no-password --claim name=Bobby')
    })
    const [key] = await here.storage.keys.list()
    const reference = await refused(server, browser)
    const row = await changedClient(browser)
    const id = row.slice(AUDIT.length + 1)
    const open = (wanted: string) => browser.send(`${HOME}/find?q=${encodeURIComponent(wanted)}`)
    const targets = {
      BOB: `${HOME}/users/bob-1`,
      bobb: `${HOME}/users/bob-2`,
      'bob-2': `${HOME}/users/bob-2`,
      ' made ': `${HOME}/clients/made`,
      [id]: row,
      [reference]: `${HOME}/explain/${reference}`,
      [reference
        .replace('-', '')
        .toLowerCase()]: `${HOME}/explain/${reference.replace('-', '').toLowerCase()}`,
      // As it is read out.
      [reference
        .replace('-', ' ')
        .toLowerCase()]: `${HOME}/explain/${reference.replace('-', '%20').toLowerCase()}`,
    }
    for (const [wanted, path] of Object.entries(targets))
      expect((await open(wanted)).headers.get('location'), wanted).toBe(path)
    const several = await open('bo')
    expect(several.status).toBe(200)
    for (const sub of ['bob-1', 'bob-2']) expect(several.html).toContain(`href="${HOME}/users/${sub}"`)
    const found = await open(key?.kid ?? '')
    expect(found.status === 303 || found.html.includes(`<code>${key?.kid}</code>`)).toBe(true)
    const flow = await flowOf(server, browser)
    expect((await open(flow)).headers.get('location')).toBe(`${HOME}/explain/${flow}`)
  })

  it('lists ten users at most, and says that there are more', async () => {
    const server = await consoleServer()
    const { browser } = await owner(server)
    const listed = async () => {
      const { html } = await browser.send(`${HOME}/find?q=eva`)
      return [html.match(/<code>eva-/g)?.length, html.includes('There are more')]
    }
    for (let number = 10; number < 20; number++)
      await createUser(server.users, { username: `eva-${number}`, sub: `eva-${number}` })
    expect(await listed()).toEqual([10, false])
    // With this one, they are eleven users.
    await createUser(server.users, { username: 'eva-20', sub: 'eva-20' })
    expect(await listed()).toEqual([10, true])
  })

  it('says what can be found, where nothing is', async () => {
    const server = await consoleServer()
    const { browser } = await owner(server)
    for (const [query, title] of [
      ['', 'What are you looking for?'],
      ['?q=', 'What are you looking for?'],
      ['?q=nobody', 'Nothing found'],
    ] as const) {
      const { status, html } = await browser.send(`${HOME}/find${query}`)
      expect([status, html.includes(title), html.includes('7F3A-2C1D')], query).toEqual([200, true, true])
    }
  })

  it.each([
    ['10,000 characters', 'a'.repeat(10_000)],
    ['10,000 characters outside of the first plane', '😀'.repeat(5000)],
    ['control characters', 'a\u0000b\u001b[2J'],
    ['line breaks', 'ann\r\nSet-Cookie: a=b'],
    ['half a character', '\ud800'],
    ['SQL', "' or 1=1; drop table oidc_users; --"],
    ['wildcards', '%_%'],
    ['markup', MARKUP],
    ['a path upwards', '../../../login'],
    ['one dot', '.'],
    ['two dots', '..'],
    ['an encoded path', '%2e%2e%2f'],
    ['another site', 'https://evil.example.com/'],
    ['another host', '//evil.example.com'],
    ['a backslash', '/\\evil.example.com'],
    ['a scheme', 'javascript:alert(1)'],
    ['an address of nobody', `${'a'.repeat(300)}@example.com`],
    ['a reference of nothing', 'FFFF-FFFF'],
    ['a row of nothing', 'zzzzzzzzzzzzzzzzzzzz'],
    ['as long as it may be', 'a'.repeat(1024)],
    ['longer than that', 'a'.repeat(1025)],
    ['longer than a name', 'a'.repeat(256)],
  ])('%s: nothing is found, and nothing breaks', async (_name, wanted) => {
    const server = await consoleServer()
    const { browser } = await owner(server)
    const query = [...wanted].some((each) => each === '\ud800') ? '%ED%A0%80' : encodeURIComponent(wanted)
    const answer = await browser.send(`${HOME}/find?q=${query}`)
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
    expect(answer.html).toContain('Nothing found')
    expect(answer.html).not.toContain('<img src=x')
    for (const path of ['explain', 'audit', 'sign-ins']) {
      const { status } = await browser.send(
        `${HOME}/${path}?name=${query}&actor=${query}&reason=${query}&client=${query}&cursor=${query}`,
      )
      expect(status, path).toBeLessThan(500)
    }
    expect(server.lines.filter((line) => line.includes('"error"'))).toEqual([])
  })

  it('each page has the field, and what was typed stays there', async () => {
    const server = await consoleServer()
    const { browser } = await owner(server)
    for (const path of [HOME, AUDIT, `${HOME}/users`, `${HOME}/clients`, `${HOME}/nothing`])
      expect((await browser.send(path)).html, path).toContain(`action="${HOME}/find"`)
    expect((await browser.send(`${HOME}/find?q=no%22body`)).html).toContain('value="no&quot;body"')
  })
})

/** The flow of a sign-in to the console. */
const flowOf = (server: Server, browser: ConsoleBrowser): Promise<string> =>
  eventually(async () => {
    const { html } = await browser.send(`${HOME}/sign-ins?show=done`)
    const [, flow] = /\/explain\/([\w-]{16})"/.exec(html) ?? []
    if (flow === undefined) throw new Error(`No row of ${server.lines.length} lines has a flow`)
    return flow
  })

describe('sign-ins and explanations', () => {
  it('a refusal is explained step by step, with what to do', async () => {
    const { server, browser } = await onDatabase()
    const reference = await refused(server, browser)
    const list = await browser.send(`${HOME}/sign-ins?reason=unknown_client`)
    expect(list.html).toContain(`href="${HOME}/explain/${reference}"`)
    const told = await browser.send(`${HOME}/explain/${reference}`)
    expect(told.status).toBe(200)
    expect(told.html).toMatch(/<li class="bad">[\s\S]*unknown_client[\s\S]*What to do[\s\S]*client_id/)
    expect(told.html).toMatch(
      /<p class="aside" lang="en">In the log: what was sent of client_id is in the line with request_id [\w-]+<\/p>/,
    )
    const flow = await flowOf(server, browser)
    const story = await browser.send(`${HOME}/explain/${flow}`)
    expect(story.html).toContain('The user signed in')
    expect(story.html).toContain('<code>ostiary-console</code>')
    const typed = await browser.send(`${HOME}/explain?name=${reference}`)
    expect([typed.status, typed.headers.get('location')]).toEqual([303, `${HOME}/explain/${reference}`])
    const read_out = await browser.send(`${HOME}/explain/${reference.replace('-', '%20').toLowerCase()}`)
    expect([read_out.status, read_out.html.includes('unknown_client')]).toEqual([200, true])
    const none = await browser.send(`${HOME}/explain/FFFF-FFFF`)
    expect([none.status, none.html.includes('The audit has nothing of it')]).toEqual([404, true])
  })

  it('rows are filtered by outcome, reason and client', async () => {
    const server = await consoleServer()
    const { browser } = await owner(server)
    await refused(server, browser)
    const rows = async (query: string) => {
      const { html } = await browser.send(`${HOME}/sign-ins?${query}`)
      return [html.includes('Signed in</span>'), html.includes('unknown_client</code>')]
    }
    await eventually(async () => expect(await rows('')).toEqual([true, true]))
    expect(await rows('show=done')).toEqual([true, false])
    expect(await rows('show=refused')).toEqual([false, true])
    expect(await rows('reason=unknown_client')).toEqual([false, true])
    expect(await rows('client=ostiary-console')).toEqual([true, false])
    expect(await rows('client=app')).toEqual([false, false])
    expect(await rows('show=hasOwnProperty')).toEqual([true, true])
  })

  it('a filter that is longer than the API takes is refused in words, and not shortened to another one', async () => {
    const server = await consoleServer()
    const { browser } = await owner(server)
    const statuses = async (length: number) => {
      const text = 'a'.repeat(length)
      const paths = [`sign-ins?client=${text}`, `audit?client=${text}`, `audit?actor=${text}`]
      const answers = await Promise.all(paths.map((path) => browser.send(`${HOME}/${path}`)))
      return answers.map(({ status, html }) => [status, html.includes('role="alert"')])
    }
    expect(await statuses(255)).toEqual(Array(3).fill([200, false]))
    expect(await statuses(256)).toEqual(Array(3).fill([400, true]))
  })

  it('older rows are on the next page, each once and in order, also those of a rare reason', async () => {
    const { here, browser } = await onDatabase()
    const { rows, ids, rare } = manyRows(450)
    await openAuditStore({ records: here.executor }).put(rows)
    const read = async (query: string) => {
      const seen: string[] = []
      for (let path: string | undefined = `${HOME}/sign-ins?client=app${query}`; path !== undefined; ) {
        const { html }: Answer = await browser.send(path)
        seen.push(...[...html.matchAll(/\/explain\/([\w-]{16})"/g)].map(([, flow = '']) => flow))
        const next = /<p class="more"><a class="button quiet" href="([^"]+)"/.exec(html)?.[1]
        path = next?.replaceAll('&amp;', '&')
      }
      return seen
    }
    expect(await read('')).toEqual(ids.toReversed())
    expect(await read('&reason=limit')).toEqual(rare.toReversed())
  })
})

/** Epoch seconds: the server deletes rows that are older than it keeps them. */
const RECENT = Math.floor(Date.now() / 1000) - 1000

/** Sign-ins, one a second, and now and then a refusal; the flow of each tells its place. */
function manyRows(count: number) {
  const ids = Array.from({ length: count }, (_, place) => `flow-${String(place).padStart(11, '0')}`)
  const isRare = (place: number) => place % 30 === 0
  const rows = ids.map((flow, place) => {
    const refusal = { type: 'login.refused', outcome: 'refused' as const, data: '{"reason":"limit"}' }
    return rowAt(place, {
      flow,
      client_id: 'app',
      time: RECENT + place,
      ...(isRare(place) && refusal),
    })
  })
  return { rows, ids, rare: ids.filter((_, place) => isRare(place)) }
}

describe('undo', () => {
  it('shows what is set back, asks for the name and a recent sign-in, and sets it back', async () => {
    const server = await consoleServer()
    const { browser, passkey } = await owner(server)
    const path = await changedClient(browser)
    const row = await browser.send(path)
    expect(row.html).toMatch(/<del>First<\/del>[\s\S]*<ins>Second<\/ins>/)
    expect(row.html).toContain(`href="${path}/undo"`)
    server.clock.ahead = 241
    const stale = await browser.send(`${path}/undo`)
    expect([stale.status, stale.html.includes('Confirm that it is you')]).toEqual([401, true])
    const begun = await browser.post(stale)
    const sign_in = await browser.open(begun.headers.get('location') ?? '')
    await withPasskey(browser, sign_in, { passkey, origin: ORIGIN })
    const form = await browser.send(`${path}/undo`)
    expect(form.html).toMatch(/<del>Second<\/del>[\s\S]*<ins>First<\/ins>/)
    expect((await browser.post(form, { confirm: 'mad' })).status).toBe(422)
    expect(await nameOf(server)).toMatchObject({ client_name: 'Second' })
    const done = await browser.post(form, { confirm: 'made' })
    expect([done.status, done.headers.get('location')]).toEqual([303, `${AUDIT}?done=undone`])
    expect((await browser.send(`${AUDIT}?done=undone`)).html).toContain('The change is undone')
    expect(await nameOf(server)).toMatchObject({ client_name: 'First' })
    const undone = await browser.send(await rowPath(browser, 'audit.undo'))
    expect(undone.html).toContain(`href="${path}"`)
    // Nothing is left to set back.
    expect((await browser.send(`${path}/undo`)).status).toBe(200)
  })

  it('one that came from another site, without its token, or from an earlier sign-in is refused', async () => {
    const server = await consoleServer()
    const { browser, passkey } = await owner(server)
    const path = await changedClient(browser)
    const form = await browser.send(`${path}/undo`)
    const typed = { confirm: 'made' }
    for (const headers of [{ origin: 'https://evil.example.com' }, { 'sec-fetch-site': 'cross-site' }])
      expect((await browser.post(form, typed, headers)).status).toBe(403)
    expect((await browser.post(form, { ...typed, csrf_token: '' })).status).toBe(403)
    browser.cookies.clear()
    await withPasskey(browser, await browser.open('/admin'), { passkey, origin: ORIGIN })
    expect((await browser.post(form, typed)).status).toBe(403)
    expect(await nameOf(server)).toMatchObject({ client_name: 'Second' })
    expect((await browser.post(await browser.send(`${path}/undo`), typed)).status).toBe(303)
  })

  it('a member that has changed again is named, and nothing is undone', async () => {
    const server = await consoleServer()
    const { browser } = await owner(server)
    const path = await changedClient(browser)
    const form = await browser.send(`${path}/undo`)
    const edit = await browser.send(`${HOME}/clients/made/edit`)
    await browser.post(edit, { client_name: 'Third', redirect_uris: 'https://made.example.com/cb' })
    const late = await browser.post(form, { confirm: 'made' })
    expect([late.status, late.html.includes('client_name')]).toEqual([409, true])
    const shown = await browser.send(`${path}/undo`)
    expect([shown.status, shown.html.includes('<form method="post" class="act"')]).toEqual([409, false])
    expect(await nameOf(server)).toMatchObject({ client_name: 'Third' })
    // What made the client cannot be undone at all.
    const created = await rowPath(browser, 'client.create')
    expect((await browser.send(created)).html).not.toContain('/undo"')
    expect((await browser.send(`${created}/undo`)).status).toBe(409)
  })

  it('pages that only show something take no form, and other paths are no pages', async () => {
    const server = await consoleServer()
    const { browser, page } = await owner(server)
    const csrf_token = hiddenField(page.html, 'csrf_token')
    const headers = { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' }
    const post = (path: string) =>
      browser.send(path, { method: 'POST', body: new URLSearchParams({ csrf_token }), headers })
    for (const path of [HOME, AUDIT, `${AUDIT}/x`, `${HOME}/find`, `${HOME}/sign-ins`, `${HOME}/explain/x`])
      expect((await post(path)).status, path).toBe(405)
    for (const path of [
      'audit/x',
      'audit/x/undo',
      'audit/x/other',
      'audit/x/undo/y',
      'find/x',
      'sign-ins/x',
      'explain/x/y',
    ])
      expect((await browser.send(`${HOME}/${path}`)).status, path).toBe(404)
    expect((await browser.send(`${AUDIT}?cursor=changed`)).status).toBe(400)
    expect((await browser.send(`${AUDIT}?since=2026-99-99T00:00`)).status).toBe(200)
  })
})

it('stored markup stays text on each page that shows it', async () => {
  const { browser, server } = await onDatabase(({ command }) =>
    command(['user', 'create', MARKUP, '--sub=bob-1', '--no-password', `--claim=name=${MARKUP}`]),
  )
  const path = await changedClient(browser, MARKUP)
  const edit = await browser.send(`${HOME}/users/bob-1/edit`)
  await browser.post(edit, { username: `${MARKUP}2`, name: `${MARKUP}3`, groups: MARKUP })
  const user = await rowPath(browser, 'user.update')
  await refused(server, browser)
  const wanted = encodeURIComponent('"><')
  const flow = await flowOf(server, browser)
  for (const page of [
    HOME,
    AUDIT,
    path,
    `${path}/undo`,
    user,
    `${user}/undo`,
    `${HOME}/find?q=${wanted}`,
    `${HOME}/find?q=${encodeURIComponent(MARKUP)}`,
    `${HOME}/sign-ins?reason=${encodeURIComponent(MARKUP)}&client=${encodeURIComponent(MARKUP)}`,
    `${AUDIT}?actor=${encodeURIComponent(MARKUP)}&since=${encodeURIComponent(MARKUP)}`,
    `${HOME}/explain/${flow}`,
    `${HOME}/explain/${encodeURIComponent('"><b>')}`,
  ]) {
    const answer = await browser.send(page)
    expect(answer.status, page).toBeLessThan(500)
    expect(answer.html, page).not.toMatch(/<img src=x|<script|<b>/)
  }
  const shown = await browser.send(path)
  expect(shown.html).toContain('&lt;img src=x')
  expect(shown.html).toContain('stored words of operators, users and applications')
})
