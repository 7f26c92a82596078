/** docs/embed-it.md: the files of each section, copied from the page, are a program that starts and signs a user in. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startRedis } from '@ostiary/local-services/redis'
import { ownDatabase } from '@ostiary/test-kit/database'
import { type Page, person } from '@ostiary/test-kit/person'
import { freePort } from '@ostiary/test-kit/ports'
import { SECRET } from '@ostiary/test-kit/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PAGE, parts, SECTIONS, section } from './embed-page.ts'
import { fence, ROOT } from './fences.ts'
import { type Environment, start, withPorts } from './shell.ts'
import { compile } from './snippets.ts'

const SHARED = section('Your accounts and pages').files
const ON_POSTGRES = { ...SHARED, ...section('Hono').files, ...section('PostgreSQL').files }
/** Their file is the whole program. */
const ALONE = ['The built-in sign-in', 'Several realms']
const PASSWORD = 'correct horse battery staple'

interface Program {
  files: Record<string, string>
  /** Of the page. */
  command: string
  env?: Environment
}

/** The program of this section: its own files, and those that it takes from others. */
const program = (heading: string, shared: Record<string, string>, env: Environment = {}): Program => {
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
const application = (client: string, realm = ''): string =>
  fence('docs/getting-started.md', '// app.mjs')
    .replace("'my-app', undefined, client.None()", client)
    .replace("'http://localhost:3000'", `'http://localhost:3000${realm}'`)

/** What the page tells the reader to write in app.mjs. */
const PUBLIC = "'notes', undefined, client.None()"
const CONFIDENTIAL = "'notes', 'for-trying-out-only-not-for-anything-else', undefined"

interface Started {
  issuer: string
  stop(): Promise<unknown>
}

async function startProgram({ files, command, env = {} }: Program, ports: Record<number, number>) {
  const named = Object.entries(files).map(([name, code]) => [name, withPorts(code, ports)])
  const cwd = await folderWith(Object.fromEntries(named))
  const settings = { OIDC_SECRET: SECRET, PORT: `${ports[3000]}`, DENO_NO_UPDATE_CHECK: '1', ...env }
  const server = start(installed(command), { cwd, env: settings })
  await server.says('Listening on')
  return { issuer: `http://localhost:${ports[3000]}`, stop: server.stop } satisfies Started
}

/** Opens the application, signs in with these fields, and allows. @returns What the application says then. */
async function signIn(app: string, ports: Record<number, number>, fields: Record<string, string>) {
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

async function ownRedis(): Promise<string> {
  const { url, stop } = await startRedis()
  onTestFinished(stop)
  return url
}

const ports = async () => ({ 3000: await freePort(), 8080: await freePort() })
const FIELDS = { username: 'ann', password: PASSWORD }

describe('a first token', () => {
  const { files, commands } = section('A first token')
  it.each([
    { name: 'development.ts', fields: { sub: 'ann' } },
    { name: 'server.ts', fields: { password: 'correct horse' } },
  ])('$name', async ({ name, fields }) => {
    const command = commands.find((each) => each.endsWith(` ${name}`)) ?? ''
    const taken = await ports()
    await startProgram({ files: { [name]: files[name] ?? '' }, command }, taken)
    expect(await signIn(application(PUBLIC), taken, fields)).toContain('Hello Ann Example!')
  })
})

describe.each(['Hono', 'Express', 'Bun', 'Deno'])('%s', (heading) => {
  it.each<[string, Environment]>([
    ['', {}],
    [', and an empty PORT and ISSUER, which count as not set', { PORT: '', ISSUER: '' }],
  ])('with the four files%s: ann signs in to an application', async (_, env) => {
    const taken = await ports()
    await startProgram(program(heading, SHARED, env), taken)
    expect(await signIn(application(CONFIDENTIAL), taken, FIELDS)).toContain('Hello Ann Example!')
  })
})

describe('the records', () => {
  it.each([
    ['PostgreSQL', async () => ({ DATABASE_URL: await ownDatabase() })],
    ['Your users in a table', async () => ({ DATABASE_URL: await ownDatabase() })],
    ['Redis', async () => ({ DATABASE_URL: await ownDatabase(), REDIS_URL: await ownRedis() })],
  ])('%s: ann signs in, and the keys outlive a restart', async (heading, databases) => {
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
})

describe('the built-in sign-in', () => {
  it('is one file: ann signs in to an application', async () => {
    const taken = await ports()
    await startProgram(program('The built-in sign-in', {}), taken)
    expect(await signIn(application(CONFIDENTIAL), taken, FIELDS)).toContain('Hello Ann Example!')
  })

  it('serves several realms, and each has an ann of its own', async () => {
    const taken = await ports()
    await startProgram(program('Several realms', {}), taken)
    for (const realm of ['acme', 'globex']) {
      const app = application(CONFIDENTIAL, `/realms/${realm}`)
      expect(await signIn(app, taken, FIELDS)).toContain(`Hello Ann of ${realm}!`)
    }
  })
})

describe('the page', () => {
  const text = [...SECTIONS.values()].flatMap(({ commands }) => commands)

  it('tells what to write in app.mjs', () => {
    const words = readFileSync(join(ROOT, PAGE), 'utf8').replaceAll(/\s+/g, ' ')
    expect(words).toContain(`\`${CONFIDENTIAL}\` in place of \`'my-app', undefined, client.None()\``)
    expect(words).toContain("with `'notes'` in place of `'my-app'`")
    expect(words).toContain(`password \`${PASSWORD}\``)
  })

  it('makes a package of modules before it installs, and installs what runs TypeScript', () => {
    const first = text.filter((command) => command.startsWith('npm init -y'))
    expect(first.map((command) => [command.split('\n')[1], command.split('\n').at(-1)])).toEqual(
      Array(3).fill(['npm pkg set type=module', 'npm install -D tsx']),
    )
  })

  it('installs what the files of a section import', () => {
    const before = /^npm install (.+)$/m
    for (const [heading, { files, commands }] of SECTIONS) {
      const all = heading === 'Several realms' ? section('The built-in sign-in').commands : commands
      const own = all.flatMap((command) => before.exec(command)?.[1]?.split(' ') ?? [])
      const known = new Set([...own, '@ostiary/core', 'bun'])
      const imported = Object.values(files).flatMap((code) =>
        [...code.matchAll(/ from '(?!node:)([^.'][^']*)'/g)].map(([, name = '']) => packageOf(name)),
      )
      expect(
        imported.filter((name) => !known.has(name)),
        heading,
      ).toEqual([])
    }
  })

  it('shows, behind the sections, parts of their files alone', () => {
    const all = [...SECTIONS.values()].map(({ files }) => files)
    const lines = (code: string) => code.split('\n').map((line) => line.trim())
    const inOne = ({ name, lines: wanted }: { name: string; lines: string[] }) =>
      all.some(({ [name]: file = '' }) =>
        wanted.every((part) => lines(file).join('\n').includes(lines(part).join('\n').trim())),
      )
    expect(parts().length).toBeGreaterThan(5)
    expect(parts().filter((part) => !inOne(part))).toEqual([])
  })

  it.each(['PostgreSQL', 'Your users in a table', 'Redis', 'The built-in sign-in', 'Several realms'])(
    '%s compiles',
    async (heading) => {
      const files = {
        ...(ALONE.includes(heading) ? {} : ON_POSTGRES),
        ...section(heading).files,
      }
      const { remove } = await compile(
        Object.entries(files).map(([name, code]) => ({ name, code })),
        {
          allowImportingTsExtensions: true,
        },
      )
      remove()
    },
  )
})

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
