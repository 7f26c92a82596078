/** A server with the admin API, an administrator with a passkey, and the command line on another computer. */

import { chmod, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AdminApiError, openConnection } from '@ostiary/admin-client'
import { createUser } from '@ostiary/identity'
import { givePasskey, withPasskey } from '@ostiary/test-kit/authenticators/passkey-person'
import type { CleanUp } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { type Page, type Person, person } from '@ostiary/test-kit/person'
import { type Exit, launch, type ServerProcess, startServer } from '@ostiary/test-kit/server'
import { onTestFinished } from 'vitest'
import { database } from './commands.ts'

const SUB = 'ann-1'
const REQUEST = fileURLToPath(new URL('admin-request.mjs', import.meta.url))

/** The configuration of a server with the admin API. */
export const adminConfig =
  (oidc: object = {}, admin: object = {}, more: object = {}) =>
  (port: number) => ({
    app: { url: `http://localhost:${port}` },
    oidc: { keys: { algorithms: ['ES256'] }, acr: 'require', ...oidc },
    admin: { enabled: true, ...admin },
    ...more,
  })

export type Stored = Awaited<ReturnType<typeof database>>

export interface RemotePlace extends Stored {
  server: ServerProcess
  /** Signs in on the page, as the user with the passkey, and answers the question that follows. */
  signIn(browser: Person, page: Page, answer?: 'allow' | 'deny'): Promise<Page>
  browser(): Person
}

interface More {
  /** Variables that the configuration names. */
  env?: Record<string, string>
  /** For several tests: called with what ends the place after the last one. */
  addCleanup?: CleanUp
  [key: string]: unknown
}

/** A server on PostgreSQL, and ann, who is an owner and has a passkey. */
export async function remotePlace(
  oidc: object = {},
  admin: object = {},
  { env = {}, addCleanup = onTestFinished, ...more }: More = {},
): Promise<RemotePlace> {
  const stored = await database(addCleanup)
  const config = adminConfig(oidc, admin, more)
  const server = await startServer({ config, env: { ...stored.env, ...env } })
  addCleanup(() => void server.child.kill('SIGKILL'))
  await createUser(stored.users, { username: 'ann', sub: SUB, claims: { preferred_username: 'ann' } })
  const made = await stored.quick('admin bootstrap ann', { config: config(server.port) })
  if (made.code !== 0) throw new Error(made.stderr)
  const passkey = await givePasskey(stored, SUB)
  return {
    ...stored,
    server,
    browser: () => person(server.issuer, { accept: 'text/html' }),
    signIn: async (browser, page, answer = 'allow') => {
      const next = await withPasskey(browser, page, { passkey, origin: server.issuer })
      // What was allowed before is not asked.
      if (!next.html.includes('auth_token')) return next
      return browser.submit(next, answer === 'deny' ? { _method: 'DELETE' } : {})
    },
  }
}

/** What has come of a request: an answer, or an error. */
export interface RequestEnd {
  status?: number
  body?: unknown
  name?: string
  message?: string
  problem?: { type: string; detail?: string }
}

/** The command line of a user, with a folder of settings of its own. */
export interface Computer {
  /** The file of the sign-ins. */
  file: string
  env: Record<string, string>
  /** Runs a command to its end. */
  run(line: string): Promise<Exit>
  /** Starts `ostiary login`, and resolves when it shows where the user signs in. */
  login(line: string): Promise<{ url: URL; end: Promise<Exit> }>
  /** The same with `--device`. */
  device(issuer: string): Promise<{ url: URL; code: string; end: Promise<Exit> }>
  /** Sends a request to the admin API. */
  request(issuer: string, line: string, body?: object): Promise<RequestEnd>
  /** The same in a process of its own, as commands that run at the same time do. */
  requestAlone(issuer: string, line: string): Promise<RequestEnd>
  /** What the file has of the server. */
  stored(issuer: string): Promise<Record<string, unknown>>
  modes(): Promise<string[]>
  allow(mode: number): Promise<void>
}

export async function computer(): Promise<Computer> {
  const folder = await temporaryFolder(onTestFinished)
  const env = { XDG_CONFIG_HOME: folder }
  const file = join(folder, 'ostiary', 'sign-ins.json')
  const start = (line: string) => launch({ args: line.split(' '), env })
  const shownBy = async (line: string, pattern: RegExp) => {
    const { child, output, exited } = await start(line)
    onTestFinished(() => void child.kill('SIGKILL'))
    await eventually(() => pattern.test(output.stderr) || child.exitCode !== null)
    const found = pattern.exec(output.stderr)
    if (found === null) throw new Error(`Nothing is shown: ${output.stderr}`)
    return { found, end: exited }
  }
  return {
    file,
    env,
    run: async (line) => (await start(line)).exited,
    async login(line) {
      const { found, end } = await shownBy(`login ${line} --no-browser`, /^(http\S+)$/m)
      return { url: new URL(found[1] ?? ''), end }
    },
    async device(issuer) {
      const { found, end } = await shownBy(`login ${issuer} --device`, /^Enter the code (\S+) at (\S+)$/m)
      return { url: new URL(found[2] ?? ''), code: found[1] ?? '', end }
    },
    async request(issuer, line, body) {
      const [method = '', path = ''] = line.split(' ')
      try {
        const connection = await openConnection(issuer, { env })
        return await connection.request({ method, path, ...(body && { body }) })
      } catch (error) {
        const { name, message } = error as Error
        return { name, message, ...(error instanceof AdminApiError && { problem: error.problem }) }
      }
    },
    async requestAlone(issuer, line) {
      const [method = '', path = ''] = line.split(' ')
      const call = JSON.stringify({ method, path })
      const { exited } = await launch({ main: REQUEST, args: [issuer, call], env })
      const { stdout, stderr } = await exited
      if (stdout === '') throw new Error(stderr)
      return JSON.parse(stdout)
    },
    stored: async (issuer) => JSON.parse(await readFile(file, 'utf8')).servers[issuer],
    modes: () =>
      Promise.all(
        [join(folder, 'ostiary'), file].map(async (path) => ((await stat(path)).mode & 0o777).toString(8)),
      ),
    allow: (mode) => chmod(file, mode),
  }
}

/** Goes through a sign-in that waits, as ann in this browser. */
export async function signInByBrowser(
  place: RemotePlace,
  own: Computer,
  { browser = place.browser(), more = '' } = {},
): Promise<Exit & { page: string }> {
  const { url, end } = await own.login(`${place.server.issuer}${more}`)
  const back = await place.signIn(browser, await browser.open(url))
  const page = await (await fetch(back.url)).text()
  return { ...(await end), page }
}
