/** The programs of docs/embed-it.md, copied from the page, and an application that signs in to them. */

import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Page, person } from '@ostiary/test-kit/person'
import { freePort } from '@ostiary/test-kit/ports'
import { SECRET } from '@ostiary/test-kit/server'
import { expect, it, onTestFinished } from 'vitest'
import { section } from './embed-page.ts'
import { fence, ROOT } from './fences.ts'
import { type Environment, start, withPorts } from './shell.ts'

const SHARED = section('Your accounts and pages').files
export const ON_POSTGRES = { ...SHARED, ...section('Hono').files, ...section('PostgreSQL').files }
/** Their file is the whole program. */
export const ALONE = ['The built-in sign-in', 'Several realms']
export const PASSWORD = 'correct horse battery staple'

interface Program {
  files: Record<string, string>
  /** Of the page. */
  command: string
  env?: Environment
}

/** The program of this section: its own files, and those that it takes from others. */
export const program = (heading: string, shared: Record<string, string>, env: Environment = {}): Program => {
  const { files, commands } = section(heading)
  return { files: { ...shared, ...files }, command: commands.at(-1) ?? '', env }
}

const requireOf = (path: string) => createRequire(join(ROOT, path, 'package.json'))
const inPackage = (example: string, name: string, file: string) =>
  join(dirname(requireOf(example).resolve(`${name}/package.json`)), file)

/** The installed programs, which `npx` and a reader's machine have. */
const installed = (command: string): string =>
  command
    .replace(/^export .*\n/gm, '')
    .replace(/^npx tsx /, `exec '${process.execPath}' --import '${requireOf('.').resolve('tsx')}' `)
    .replace(/^bun /, `exec '${inPackage('examples/embed-bun', 'bun', 'bin/bun.exe')}' `)
    .replace(/^deno run /, `exec '${inPackage('examples/embed-deno', 'deno', 'deno')}' run --no-prompt `)

/** A folder in which the packages are found that the page installs; files of these names are in it. */
async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = mkdtempSync(join(fileURLToPath(new URL('..', import.meta.url)), '.embed-it-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, code] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), code)
  }
  return folder
}

/** The application of Getting started, with the client that the page tells, and the providers' issuer. */
export const application = (client: string, realm = ''): string =>
  fence('docs/getting-started.md', '// app.mjs')
    .replace("'my-app', undefined, client.None()", client)
    .replace("'http://localhost:3000'", `'http://localhost:3000${realm}'`)

/** What the page tells the reader to write in app.mjs. */
export const PUBLIC = "'notes', undefined, client.None()"
export const CONFIDENTIAL = "'notes', 'for-trying-out-only-not-for-anything-else', undefined"

interface Started {
  issuer: string
  stop(): Promise<unknown>
}

export async function startProgram({ files, command, env = {} }: Program, ports: Record<number, number>) {
  const named = Object.entries(files).map(([name, code]) => [name, withPorts(code, ports)])
  const cwd = await folderWith(Object.fromEntries(named))
  const settings = { OIDC_SECRET: SECRET, PORT: `${ports[3000]}`, DENO_NO_UPDATE_CHECK: '1', ...env }
  const server = start(installed(command), { cwd, env: settings })
  await server.says('Listening on')
  return { issuer: `http://localhost:${ports[3000]}`, stop: server.stop } satisfies Started
}

/** Opens the application, signs in with these fields, and allows. @returns What the application says then. */
export async function signIn(app: string, ports: Record<number, number>, fields: Record<string, string>) {
  const cwd = await folderWith({ 'app.mjs': withPorts(app, ports) })
  const url = `http://localhost:${ports[8080]}`
  const issuer = `http://localhost:${ports[3000]}`
  const client = start('exec node app.mjs', { cwd })
  await client.says(`Open ${url}`)
  const ann = person(issuer, { origin: issuer })
  const press = (page: Page, more = {}) => ann.submit(page, { ...buttonOf(page.html), ...more })
  const { url: authorize } = await ann.open(`${url}/login`)
  const consent = await press(await ann.open(authorize), fields)
  const { url: callback } = await press(consent)
  await ann.open(callback)
  const { html } = await ann.open(url)
  await client.stop()
  return html
}

/** What the first button of a page adds to its form. */
function buttonOf(html: string): Record<string, string> {
  const first = html.slice(html.indexOf('<button'))
  const [, name, value = ''] = /^<button name="([^"]+)" value="([^"]*)"/.exec(first) ?? []
  return name === undefined ? {} : { [name]: value }
}

export const ports = async () => ({ 3000: await freePort(), 8080: await freePort() })
export const FIELDS = { username: 'ann', password: PASSWORD }

/** Tests of the program of this section, beside the four files of the page. */
export const signsIn = (heading: string): void =>
  it.each<[string, Environment]>([
    ['', {}],
    [', and an empty PORT and ISSUER, which count as not set', { PORT: '', ISSUER: '' }],
  ])('with the four files%s: ann signs in to an application', async (_, env) => {
    const taken = await ports()
    await startProgram(program(heading, SHARED, env), taken)
    expect(await signIn(application(CONFIDENTIAL), taken, FIELDS)).toContain('Hello Ann Example!')
  })

/** A test of the program of this section with its databases. */
export const keepsRecords = (heading: string, databases: () => Promise<Environment>): void =>
  it(`${heading}: ann signs in, and the keys outlive a restart`, async () => {
    const stored = program(heading, ON_POSTGRES, await databases())
    const taken = await ports()
    const keys = async ({ issuer }: Started) => (await fetch(`${issuer}/.well-known/jwks.json`)).json()

    const first = await startProgram(stored, taken)
    expect(await signIn(application(CONFIDENTIAL), taken, FIELDS)).toContain('Hello Ann Example!')
    const before = await keys(first)
    await first.stop()
    expect(await keys(await startProgram(stored, taken))).toEqual(before)
    expect(await signIn(application(CONFIDENTIAL), taken, FIELDS)).toContain('Hello Ann Example!')
  })
