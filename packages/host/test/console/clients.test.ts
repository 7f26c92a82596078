/** The pages of clients: who may use one. */

import { clientRecord } from '@ostiary/test-kit/client-record'
import { describe, expect, it } from 'vitest'
import { type Answer, CONFIG, consoleServer } from './_console.ts'

const CLIENTS = '/admin/realms/default/clients'
const REPORTS = `${CLIENTS}/reports`

type Given = Partial<Parameters<typeof clientRecord>[0]>

async function withClient(more: Given = {}, config: object = CONFIG) {
  const server = await consoleServer({ config })
  const { clients } = server.storage.storage('default')
  await clients.create(
    clientRecord({ client_id: 'reports', redirect_uris: ['https://r.example.com/cb'], ...more }),
  )
  const { browser } = await server.signedIn(await server.administrator('ann'))
  return { server, browser, stored: () => clients.find('reports') }
}

/** The names and values of the facts of a page. */
const factsOf = ({ html }: Answer): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<dt>(.*?)<\/dt><dd>([\s\S]*?)<\/dd>/g)].map(([, name, value = '']) => [
      name,
      value
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    ]),
  )

const choicesOf = ({ html }: Answer, name: string): string[] => {
  const [, options = ''] = new RegExp(`<select id="${name}"[^>]*>(.*?)</select>`).exec(html) ?? []
  return [...options.matchAll(/<option value="([^"]*)"( selected)?>/g)].map(
    ([, value = '', chosen = '']) => value + chosen,
  )
}

const plain = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&amp;', '&')

/** What a browser would send of the form, if nothing was typed. */
function typedIn({ html }: Answer): Record<string, string> {
  const [, form = ''] = /<form method="post" class="act">([\s\S]*?)<\/form>/.exec(html) ?? []
  const texts = form.matchAll(/<input type="text" id="(\w+)"[^>]* value="([^"]*)">/g)
  const lines = form.matchAll(/<textarea id="(\w+)"[^>]*>\n([\s\S]*?)<\/textarea>/g)
  const chosen = [...form.matchAll(/<select id="(\w+)"[^>]*>(.*?)<\/select>/g)].map(
    ([select, name, options = '']) => [select, name, /value="([^"]*)" selected/.exec(options)?.[1]],
  )
  const checked = form.matchAll(/<input type="checkbox" id="(\w+)"[^>]* value="([^"]*)" checked>/g)
  const found = [...texts, ...lines, ...chosen, ...checked]
  return Object.fromEntries(found.map(([, name, value = '']) => [name, plain(value)]))
}

describe('the id of a new client', () => {
  const typed = { redirect_uris: 'https://r.example.com/cb' }

  it.each([
    ['Réports & Größen 2', 'reports-grossen-2'],
    ['reports', 'reports-2'],
    ['--', null],
    ['', null],
  ])('of the name %j is %j, where none is typed', async (client_name, id) => {
    const { browser } = await withClient()
    const form = await browser.send(`${CLIENTS}/new/spa`)
    expect(form.html.indexOf('id="client_name"')).toBeLessThan(form.html.indexOf('id="client_id"'))
    const made = await browser.post(form, { ...typed, client_name, client_id: ' ' })
    if (id === null) {
      expect(made.status).toBe(422)
      expect(made.html).toContain('Give a name, or an id.')
    } else expect(made.headers.get('location')).toBe(`${CLIENTS}/${id}?done=client_created`)
  })

  it('that is typed is the one, and is refused where a client has it', async () => {
    const { browser, stored } = await withClient()
    const form = await browser.send(`${CLIENTS}/new/spa`)
    const made = await browser.post(form, { ...typed, client_name: 'Reports', client_id: 'mine' })
    expect(made.headers.get('location')).toBe(`${CLIENTS}/mine?done=client_created`)
    const taken = await browser.post(form, { ...typed, client_name: 'Other', client_id: 'reports' })
    expect([taken.status, (await stored())?.client_name]).toEqual([412, 'The App'])
  })
})

it('the page with the secret of a new client says how it authenticates, and where it is called back', async () => {
  const { browser } = await withClient()
  const redirect_uris = 'https://r.example.com/cb\r\nhttps://r.example.com/<b>'
  const fields = { client_name: 'Web', client_id: 'mine', redirect_uris }
  const made = await browser.post(await browser.send(`${CLIENTS}/new/web`), fields)
  expect(made.html).toContain('id="once"')
  expect(factsOf(made)).toMatchObject({
    'Client ID': 'mine',
    Authentication: 'client_secret_post',
    'Redirect URIs': 'https://r.example.com/cb https://r.example.com/&lt;b&gt;',
  })
})

describe('who may use a client', () => {
  it('is on its page', async () => {
    const { browser } = await withClient({ allowed_groups: ['finance', '<b>'], required_acr: '2' })
    const page = await browser.send(REPORTS)
    expect(factsOf(page)).toMatchObject({
      'Allowed groups': 'finance &lt;b&gt;',
      'Sign-in at least': '2',
      'Users are asked for consent': 'yes',
    })
  })

  it('is every user without a rule', async () => {
    const { browser } = await withClient({ consent_required: false })
    expect(factsOf(await browser.send(REPORTS))).toMatchObject({
      'Allowed groups': 'all users',
      'Sign-in at least': 'any',
      'Users are asked for consent': 'no',
    })
  })

  it('is set by the form, and removed', async () => {
    const { browser, stored } = await withClient()
    const form = await browser.send(`${REPORTS}/edit`)
    expect(choicesOf(form, 'required_acr')).toEqual([' selected', '1', '2'])
    const fields = { allowed_groups: 'finance\r\n board ', required_acr: '2', consent_required: '' }
    expect((await browser.post(form, { ...typedIn(form), ...fields })).status).toBe(303)
    const rules = { allowed_groups: ['finance', 'board'], required_acr: '2', consent_required: false }
    expect(await stored()).toMatchObject(rules)
    const again = await browser.send(`${REPORTS}/edit`)
    expect(again.html).toContain('>\nfinance\nboard</textarea>')
    expect(choicesOf(again, 'required_acr')).toEqual(['', '1', '2 selected'])
    const none = { allowed_groups: '', required_acr: '', consent_required: '1', confirm: 'reports' }
    expect((await browser.post(again, { ...typedIn(again), ...none })).status).toBe(303)
    expect(await stored()).toMatchObject({ allowed_groups: null, required_acr: null, consent_required: true })
  })

  it('is asked for before every user may, with how it is and how it will be', async () => {
    const { browser, stored } = await withClient({ allowed_groups: ['finance', 'board'] })
    const form = await browser.send(`${REPORTS}/edit`)
    expect(form.html).not.toContain('id="confirm"')
    const open = { ...typedIn(form), client_name: 'Reports', allowed_groups: ' \r\n' }
    const asked = await browser.post(form, open)
    expect(asked.html).toContain('Now, only users in finance, board may use it. Afterwards, every user may.')
    expect(asked.html).toContain('To confirm, type reports')
    expect(asked.html).not.toContain('id="confirm-error"')
    expect(asked.html).toContain('name="client_name" aria-describedby="client_name-hint"')
    expect(typedIn(asked)).toMatchObject({ client_name: 'Reports', allowed_groups: open.allowed_groups })
    const wrong = await browser.post(asked, { ...open, confirm: 'report' })
    expect([wrong.status, wrong.html.includes('id="confirm-error"')]).toEqual([422, true])
    expect(await stored()).toMatchObject({ allowed_groups: ['finance', 'board'] })
    // Who thinks better of it keeps a group, and is not asked.
    const kept = await browser.post(wrong, { ...open, allowed_groups: 'board' })
    expect(kept.status).toBe(303)
    expect(await stored()).toMatchObject({ allowed_groups: ['board'], client_name: 'Reports' })
    const again = await browser.send(`${REPORTS}/edit`)
    const done = await browser.post(again, { ...typedIn(again), allowed_groups: '', confirm: 'reports' })
    expect([done.status, (await stored())?.allowed_groups]).toEqual([303, null])
  })

  it('a refused value stays in the form, with what is wrong next to it', async () => {
    const { browser, stored } = await withClient({ allowed_groups: ['finance'] })
    const form = await browser.send(`${REPORTS}/edit`)
    const typed = typedIn(form)
    const page = await browser.post(form, { ...typed, allowed_groups: 'x'.repeat(256) })
    expect(page.status).toBe(400)
    expect(page.html).toContain(`>\n${'x'.repeat(256)}</textarea>`)
    expect(page.html).toContain('id="allowed_groups-error"')
    expect(await stored()).toMatchObject({ allowed_groups: ['finance'] })
    const acr = await browser.post(form, { ...typed, required_acr: '3' })
    expect(acr.status).toBe(400)
    expect(acr.html).toContain('id="required_acr-error"')
  })

  it('a form without the fields, as a page of an older release has it, changes no rule', async () => {
    const rules = { allowed_groups: ['finance'], required_acr: '2', consent_required: true }
    const { browser, stored } = await withClient(rules)
    const form = await browser.send(`${REPORTS}/edit`)
    const html = form.html
      .replace(/<textarea id="allowed_groups"[\s\S]*?<\/textarea>/, '')
      .replace(/<select[\s\S]*?<\/select>/, '')
      .replace(/<input type="checkbox"[^>]*>/, '')
    expect(html).not.toContain('name="allowed_groups"')
    expect(
      (await browser.post({ ...form, html }, { ...typedIn({ ...form, html }), client_name: 'Reports' }))
        .status,
    ).toBe(303)
    expect(await stored()).toMatchObject({ ...rules, client_name: 'Reports' })
  })

  it('a level that is not supported any more, and a group with spaces, stay when something else changes', async () => {
    const rules = { allowed_groups: [' finance '], required_acr: 'old' }
    const { browser, stored } = await withClient(rules)
    const form = await browser.send(`${REPORTS}/edit`)
    expect(choicesOf(form, 'required_acr')).toEqual(['', '1', '2', 'old selected'])
    const fields = { ...typedIn(form), client_name: 'Reports' }
    const shown = await browser.post(form, { ...fields, show_command: '1' })
    expect(shown.html).toContain('ostiary client update --name=Reports --server')
    // The API checks the whole record.
    const refused = await browser.post(form, fields)
    expect([refused.status, refused.html]).toEqual([400, expect.stringContaining('required_acr-error')])
    expect((await browser.post(form, { ...fields, required_acr: '2' })).status).toBe(303)
    expect(await stored()).toMatchObject({ allowed_groups: [' finance '], required_acr: '2' })
  })

  it('the levels are those of the realm', async () => {
    const oidc = { ...CONFIG.oidc, acr_values_supported: ['low', 'high'] }
    const { browser } = await withClient({}, { ...CONFIG, oidc })
    const form = await browser.send(`${REPORTS}/edit`)
    expect(choicesOf(form, 'required_acr')).toEqual([' selected', 'low', 'high'])
  })

  it('a client without users has no such rules', async () => {
    const { browser } = await withClient({
      grant_types: ['client_credentials'],
      redirect_uris: [],
      token_endpoint_auth_method: 'client_secret_post',
      client_secret_hash: 'x',
    })
    expect((await browser.send(`${REPORTS}/edit`)).html).not.toMatch(/allowed_groups|required_acr|consent/)
    expect(factsOf(await browser.send(REPORTS))).not.toHaveProperty('Allowed groups')
  })
})
