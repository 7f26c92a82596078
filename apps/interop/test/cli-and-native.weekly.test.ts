/** docs/frameworks/cli-and-native.md: its command line, and its native application as far as the provider sees one. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { followButton, launchBrowser, signIn } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { PASSWORD, USERNAME } from '@ostiary/test-kit/server'
import * as openid from 'openid-client'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startExample } from './examples.ts'
import { type Change, type FrameworkPage, frameworkPage } from './framework-page.ts'
import { personAt, statusOf } from './framework-walk.ts'
import { readPage } from './shown-code.ts'
import { issued } from './walk-through.ts'

const PATH_OF_PAGE = 'docs/frameworks/cli-and-native.md'
const GRACE_SECONDS = 30
const CLI = 'notes-cli'
const APP = 'notes-app'
const LIBRARY = createRequire(import.meta.url).resolve('openid-client/package.json')

let browser: Browser
/** Its provider refuses a spent token at once; that of `patient` repeats it. */
let page: FrameworkPage
let patient: FrameworkPage

beforeAll(async () => {
  const expires: object = { access_token_lifetime: 1 }
  const start = (more: object) =>
    frameworkPage('cli-and-native', { client_id: CLI, changes: { [CLI]: { ...expires, ...more } } })
  page = await start({})
  patient = await start({ refresh_token_grace: GRACE_SECONDS })
  browser = await launchBrowser()
  for (const { api, world } of [page, patient]) {
    const example = { url: api, port: Number(new URL(api).port) }
    world.onStop(await startExample('hono-api', example, world.provider.issuer))
  }
})
afterAll(async () => {
  await browser.close()
  await patient.stop()
  await page.stop()
})

interface Terminal {
  /** Runs a command of the program. */
  run(command: string): Command
  home: string
}

interface Command {
  /** The part of the output that the pattern has in brackets, once it is there. */
  says(pattern: RegExp): Promise<string>
  /** The whole output, once it has ended. */
  ended: Promise<string>
  end(): void
}

/** The program in a new folder, with a home folder of its own. */
async function terminal(from: FrameworkPage, changes: Change[] = []): Promise<Terminal> {
  const cwd = await from.folder(['notes.mjs'], changes)
  await symlink(join(dirname(LIBRARY), '..'), join(cwd, 'node_modules'))
  const home = await temporaryFolder()
  return { home, run: (command) => runNotes(cwd, home, command) }
}

function runNotes(cwd: string, home: string, command: string): Command {
  const { PATH = '' } = process.env
  const child = spawn('node', ['notes.mjs', command], { cwd, env: { PATH, HOME: home } })
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const ended = once(child, 'close').then(() => {
    process.off('exit', end)
    return output
  })
  return {
    end,
    ended,
    says: (pattern) =>
      eventually(() => {
        const [, found] = pattern.exec(output) ?? []
        if (found === undefined) throw new Error(`${pattern} is not in: ${output}`)
        return found
      }),
  }
}

/** Opens the address in a new browser, and does something there. */
async function inBrowser(url: string, use: (tab: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext()
  const tab = await context.newPage()
  await tab.goto(url)
  await use(tab).finally(() => context.close())
}

async function login(notes: Terminal, answer = 'Allow'): Promise<string> {
  const command = notes.run('login')
  await inBrowser(await command.says(/Open (\S+)/), async (tab) => {
    await signIn(tab)
    const button = tab.getByRole('button', { name: answer })
    const end = tab.getByText('Go back to the terminal')
    // A consent of before counts.
    await button.or(end).waitFor()
    if (await button.isVisible()) await button.click()
    await end.waitFor()
  })
  return command.ended
}

async function answerDevice(notes: Terminal, answer: string): Promise<string> {
  const command = notes.run('device')
  const [address = '', code = ''] = (await command.says(/Open (\S+ in a browser and enter \S+)/)).split(
    ' in a browser and enter ',
  )
  await inBrowser(address, async (tab) => {
    await tab.getByLabel('Code').fill(code)
    await followButton(tab, 'Continue')
    await signIn(tab)
    await followButton(tab, 'Continue')
    await followButton(tab, answer)
  })
  return command.ended
}

it('the page names the version of the library', () => {
  const { version } = createRequire(import.meta.url)(LIBRARY)
  expect(page.command('npm install').trim()).toBe(`npm install openid-client@${version}`)
})

it('login: greets the user, calls the API with fresh tokens, and signs out', async () => {
  const notes = await terminal(page)
  expect(await login(notes)).toContain('Hello Ann Example!')
  expect((await stat(join(notes.home, '.config/notes/tokens.json'))).mode & 0o777).toBe(0o600)
  await eventually(async () => {
    expect(await notes.run('list').ended).toContain('Buy milk')
    expect(issued(page.world, CLI)).toContain('refresh_token')
  })
  const kept = await terminal(page)
  await cp(notes.home, kept.home, { recursive: true })
  const out = await notes.run('logout').ended
  expect(out).toContain('Signed out here')
  expect(await notes.run('list').ended).toContain('ENOENT')
  // A copy of the tokens is of no use.
  await eventually(async () => expect(await kept.run('list').ended).toContain('invalid_grant'))
})
it('device: greets the user who has entered the code, and calls the API', async () => {
  const notes = await terminal(page)
  expect(await answerDevice(notes, 'Connect')).toContain('Hello Ann Example!')
  expect(await notes.run('list').ended).toContain('Buy milk')
})

/** Two copies of the tokens, with which the program refreshes twice. */
async function refreshedTwice(from: FrameworkPage): Promise<string> {
  const first = await terminal(from)
  await login(first)
  const second = await terminal(from)
  await cp(first.home, second.home, { recursive: true })
  const before = issued(from.world, CLI).length
  await eventually(async () => {
    expect(await first.run('list').ended).toContain('Buy milk')
    expect(issued(from.world, CLI).slice(before)).toContain('refresh_token')
  })
  return second.run('list').ended
}

/** The consent page comes, also when the user has allowed the same before. */
const ASK: Change = ['parameters = { ...request,', "parameters = { ...request, prompt: 'consent',"]

interface Trial {
  symptom: string
  shown(): Promise<string>
}

const TRIALS: Trial[] = [
  {
    symptom: 'not registered',
    async shown() {
      const notes = await terminal(page, [['http://127.0.0.1:${', 'http://localhost:${']])
      const command = notes.run('login')
      const { html } = await personAt(page).open(await command.says(/Open (\S+)/))
      command.end()
      return html
    },
  },
  {
    symptom: 'unauthorized_client',
    shown: async () => (await terminal(page, [["'notes-cli'", "'notes-app'"]])).run('device').ended,
  },
  { symptom: 'invalid_grant', shown: () => refreshedTwice(page) },
  { symptom: 'access_denied', shown: async () => login(await terminal(page, [ASK]), 'Deny') },
  { symptom: 'ENOENT', shown: async () => (await terminal(page)).run('list').ended },
]

it('each line under "What goes wrong" is tried', () => {
  expect(TRIALS.map(({ symptom }) => symptom)).toEqual(page.symptoms)
})

it.each(TRIALS)('shows what the page says of $symptom', async ({ symptom, shown }) => {
  expect(await shown()).toContain(symptom)
})

it('shows access_denied when the user refuses the device', async () => {
  expect(await answerDevice(await terminal(page), 'Refuse')).toContain('access_denied')
})

it('refreshes twice with one token, where the entry has the setting of the page', async () => {
  expect(readPage(PATH_OF_PAGE)).toContain(`"refresh_token_grace": ${GRACE_SECONDS}`)
  expect(await refreshedTwice(patient)).toContain('Buy milk')
})

it.each(['https://app.example.com/callback', 'com.example.app:/callback'])(
  'a native application signs in with %s, refreshes and signs out',
  async (redirect_uri) => {
    const { issuer } = page.world.provider
    const config = await openid.discovery(new URL(issuer), APP, undefined, openid.None(), {
      execute: [openid.allowInsecureRequests],
    })
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const request = {
      redirect_uri,
      scope: 'openid profile notes.read',
      resource: page.api,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    }
    const user = personAt(page)
    const signInPage = await user.open(openid.buildAuthorizationUrl(config, request))
    let shown = await user.submit(signInPage, { username: USERNAME, password: PASSWORD })
    if (shown.html.includes('<form')) shown = await user.submit(shown)
    const tokens = await openid.authorizationCodeGrant(config, shown.url, { pkceCodeVerifier })
    const fresh = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(await statusOf(page, fresh.access_token)).toBe(200)
    const post_logout_redirect_uri = 'com.example.app:/signed-out'
    const signOut = { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri }
    const end = await user.open(openid.buildEndSessionUrl(config, signOut))
    expect(end.url.href).toBe(post_logout_redirect_uri)
    await expect(openid.refreshTokenGrant(config, fresh.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  },
)
