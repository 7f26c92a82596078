/** `identity.password.rules` in a server and in its commands, and the refusals in a browser. */

import { inPage, launchBrowser, watch } from '@ostiary/test-kit/chromium'
import { person } from '@ostiary/test-kit/person'
import { configFor, IN_MEMORY, PASSWORD, run, startTestServer, USERNAME } from '@ostiary/test-kit/server'
import axe from 'axe-core'
import { describe, expect, it, vi } from 'vitest'
import { servePreview } from '../../../packages/identity/preview/serve.ts'
import { database, START } from './commands.ts'

vi.setConfig({ maxConcurrency: 2, testTimeout: 300_000 })

const RULES = { identity: { password: { rules: true } } }
const COMMON = 'qwerty123456789'
const GOOD = 'violet tram over lake'

it('a server with rules refuses a common password on its account page', async () => {
  const { issuer } = await startTestServer({
    config: (port: number) => ({
      ...configFor('http://localhost:8080/callback')(port),
      ...RULES,
      users: [{ username: USERNAME, password: PASSWORD, email: 'ann.example@example.com' }],
    }),
    env: IN_MEMORY,
  })
  const ann = person(issuer)
  const sign_in = await ann.open(`${issuer}/account`)
  const account = await ann.submit(sign_in, { username: USERNAME, password: PASSWORD })
  expect([account.url.pathname, account.status]).toEqual(['/account', 200])
  const change = { ...account, html: formOf(account.html, 'change_password') }
  const fields = (password: string) => ({
    current_password: PASSWORD,
    new_password: password,
    new_password_again: password,
  })
  const refused = await ann.submit(change, fields(COMMON))
  expect([refused.status, refused.html]).toEqual([422, expect.stringContaining('is a common one')])
  const accepted = await ann.submit(
    { ...refused, html: formOf(refused.html, 'change_password') },
    fields(GOOD),
  )
  expect([accepted.status, accepted.url.pathname]).toEqual([200, '/account'])
})

it('a server whose blocklist_file cannot be read says which key that is, without a stack', async () => {
  const blocklist_file = '/no/such/file'
  const identity = { password: { rules: true, blocklist_file } }
  const { code, stderr } = await run({ config: { ...START.config(3000), identity }, env: START.env })
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      'ostiary: the configuration has 1 fault\n  identity.password.blocklist_file: /no/such/file cannot be read (ENOENT): correct the path, or let the server read the file\n',
  })
})

/** The page, with only this form. */
const formOf = (html: string, action: string): string =>
  html.split(/(?=<form)/).find((part) => part.includes(`value="${action}"`)) ?? ''

describe('the commands that set a password', () => {
  const config = { ...START.config(3000), ...RULES }
  const REFUSED = (clause: string) => ({
    code: 1,
    stdout: '',
    stderr: `ostiary: ${clause}. Choose another one, or give --force\n`,
  })

  /** Each command, with the account that it is about. */
  const PLACES = ['user create bob', 'user set-password ann']

  it.concurrent.each(PLACES)('%s: the rules refuse what is given, unless it has --force', async (line) => {
    const cleanUps: (() => unknown)[] = []
    const { quick, users } = await database((cleanUp) => void cleanUps.push(cleanUp))
    await quick('user create ann --sub ann-1 --claim email=ann.smith@example.com')
    const before = (await users.find('ann-1'))?.password_hash
    const sets = (stdin: string, options = '') =>
      quick(`${line} --password-stdin${options}`, { config, stdin })
    const name = line.split(' ').at(-1)
    expect(await sets(COMMON)).toMatchObject(
      REFUSED('the password is a common one, which attackers try first'),
    )
    expect(await sets('fourteen chars')).toMatchObject(REFUSED('the password has fewer than 15 characters'))
    expect(await sets(`${name}${name}${name}${name}${name}`)).toMatchObject(
      REFUSED('the password has too few different characters'),
    )
    expect((await users.find('ann-1'))?.password_hash).toBe(before)
    expect(await users.findByUsername('bob')).toBeNull()
    const variable = await quick(`${line} --password-env CHOSEN`, { config, env: { CHOSEN: COMMON } })
    expect(variable.code).toBe(1)
    expect(JSON.stringify(variable)).not.toContain(COMMON)
    expect((await sets(COMMON, ' --force')).code).toBe(0)
    expect((await users.findByUsername(String(name)))?.password_hash).toMatch(/^\$argon2id/)
    await Promise.all(cleanUps.map((cleanUp) => cleanUp()))
  })

  it.concurrent('a generated password needs no --force, whatever the length', async ({ onTestFinished }) => {
    const { quick } = await database(onTestFinished)
    const longest = { ...config, identity: { password: { rules: true, min_length: 64 } } }
    expect((await quick('user create bob', { config: longest })).code).toBe(0)
    expect((await quick('user set-password bob', { config: longest })).code).toBe(0)
  })

  it.concurrent('without rules, they take what they took', async ({ onTestFinished }) => {
    const { quick } = await database(onTestFinished)
    expect((await quick('user create bob --password-stdin', { stdin: 'password' })).code).toBe(0)
    expect((await quick('user set-password bob --password-stdin', { stdin: 'password1' })).code).toBe(0)
  })
})

describe('in Chromium', () => {
  it.each([
    ['en', 'The new password is a common one, which attackers try first. Choose another.'],
    ['de', 'Das neue Passwort ist häufig, und Angreifer probieren es zuerst. Bitte wählen Sie ein anderes.'],
    [
      'fr',
      'Le nouveau mot de passe est courant, et les attaquants l’essaient en premier. Veuillez en choisir un autre.',
    ],
  ])('in %s, the refusal describes the field, which has the focus', async (language, sentence) => {
    const browser = await launchBrowser()
    const url = await servePreview({}, 0)
    const page = await browser.newPage({ viewport: { width: 320, height: 800 } })
    const errors = watch(page)
    const state = encodeURIComponent('Account, refused: new password: common')
    await page.goto(`${url}${language}/light/${state}`)
    const field = page.locator('#new_password')
    expect(await page.getByRole('alert').textContent()).toBe(sentence)
    expect(await field.getAttribute('aria-describedby')).toBe('password-error new_password_hint')
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
    // Paste is not prevented.
    await field.evaluate((element) => {
      const data = new DataTransfer()
      data.setData('text/plain', 'pasted')
      const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
      ;(element as HTMLInputElement).dataset.prevented = String(!element.dispatchEvent(event))
    })
    expect(await field.getAttribute('data-prevented')).toBe('false')
    await inPage(page, axe.source)
    const { violations } = await inPage(page, () =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
    )
    expect(violations.map(({ id }) => id)).toEqual([])
    expect(errors).toEqual([])
    await browser.close()
  })

  it('a button shows what was typed, until the form is sent', async () => {
    const { issuer } = await startTestServer({
      config: (port: number) => ({
        ...configFor('http://localhost:8080/callback')(port),
        ...RULES,
        users: [{ username: USERNAME, password: PASSWORD }],
      }),
      env: IN_MEMORY,
    })
    const browser = await launchBrowser()
    const page = await browser.newPage({ viewport: { width: 320, height: 800 } })
    const errors = watch(page)
    await page.goto(`${issuer}/account`)
    await page.fill('#username', USERNAME)
    await page.fill('#password', PASSWORD)
    await page.keyboard.press('Enter')
    await page.locator('section[aria-labelledby=password] summary').first().click()
    const types = () =>
      inPage(page, () =>
        ['new_password', 'new_password_again', 'current_password'].map(
          (id) => (document.getElementById(id) as HTMLInputElement).type,
        ),
      )
    expect(await types()).toEqual(['password', 'password', 'password'])
    await page.getByRole('button', { name: 'Show password', pressed: false }).click()
    await page.getByRole('button', { name: 'Show password', pressed: true }).waitFor()
    // Not the current one: it is not chosen now.
    expect(await types()).toEqual(['text', 'text', 'password'])
    if (process.env.OSTIARY_SHOT) await page.screenshot({ path: process.env.OSTIARY_SHOT, fullPage: true })
    await page.fill('#current_password', PASSWORD)
    await page.fill('#new_password', GOOD)
    await page.fill('#new_password_again', GOOD)
    await page.keyboard.press('Enter')
    await page.getByRole('status').waitFor()
    expect(errors).toEqual([])
    await browser.close()
  })

  it('without rules there is no such button, and no script for it', async () => {
    const { issuer } = await startTestServer({
      config: (port: number) => ({
        ...configFor('http://localhost:8080/callback')(port),
        users: [{ username: USERNAME, password: PASSWORD }],
      }),
      env: IN_MEMORY,
    })
    const ann = person(issuer)
    const account = await ann.submit(await ann.open(`${issuer}/account`), {
      username: USERNAME,
      password: PASSWORD,
    })
    expect(account.html).toContain('name="new_password"')
    expect(account.html).not.toContain('data-show')
    expect(account.html).not.toContain('<script')
  })
})
