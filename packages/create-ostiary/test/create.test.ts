/** `npm create ostiary`: what it writes, what it refuses, and that each template compiles and signs a user in. */

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@ostiary/test-kit/ports'
import { afterAll, describe, expect, it } from 'vitest'
import { createProject, type TemplateName } from '../src/index.ts'
import { packageName } from '../src/project.ts'
import { run } from '../src/run.ts'
import { TEMPLATES } from '../src/templates.ts'
import { codeFlow, startProject, variable } from './_flow.ts'

const HERE = fileURLToPath(new URL('..', import.meta.url))
const ROOT = join(HERE, '../..')
const TSX = createRequire(join(ROOT, 'package.json')).resolve('tsx')
const SERVER = join(ROOT, 'apps/node-server/dist/main.js')
/** In this package, where the imports of the templates resolve. */
const folder = mkdtempSync(join(HERE, '.created-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string) => join(folder, name)
const read = (name: string, file: string) => readFileSync(join(at(name), file), 'utf8')

/** What the command prints, and its exit code. */
const command = (...args: string[]) => commandOn(process.versions.node, ...args)

function commandOn(node: string, ...args: string[]): { code: number; text: string } {
  let text = ''
  const add = (more: string) => {
    text += more
  }
  return { code: run(args, { cwd: folder, node, print: add, fail: add }), text }
}

describe('the command', () => {
  it('asks nothing, and prints what to do next', () => {
    const { code, text } = command('plain')
    expect([code, text]).toEqual([
      0,
      `Created ${at('plain')} from the template hono. Next:

  cd plain
  npm install
  npm start

The issuer is then http://localhost:3000. Your application is the client "app" without a secret (PKCE), with the redirect URI
http://localhost:8080/callback. Sign in as ann; the password is in .env (ANN_PASSWORD).`,
    ])
    expect(text).not.toContain(variable(at('plain'), 'ANN_PASSWORD'))
  })

  it.each<[string, string[], string]>([
    ['no folder', [], 'Name one folder for the project, as in npm create ostiary my-id.'],
    [
      'the value of an option that npm has kept',
      ['x', '3001'],
      'npm has kept an option: use npm create ostiary <folder> -- --port 3001',
    ],
    ['an unknown template', ['x', '--template', 'koa'], '--template: give server, hono, express, next'],
    [
      'a client URL with a path',
      ['x', '--client-url', 'http://localhost:1/app'],
      '--client-url: give an origin',
    ],
    [
      'a client URL of another scheme',
      ['x', '--client-url', 'javascript:alert(1)'],
      '--client-url: give an origin',
    ],
    ['a port that is none', ['x', '--port', '0'], '--port: give a number from 1 to 65535'],
    // npm passes only the values of options that stand before its --.
    [
      'the value of --template alone',
      ['server'],
      'npm has kept an option: use npm create ostiary <folder> -- --template server',
    ],
    [
      'a folder and the value of --template',
      ['x', 'next'],
      'npm has kept an option: use npm create ostiary <folder> -- --template next',
    ],
    ['an unknown option', ['x', '--tempalte', 'hono'], "Unknown option '--tempalte'"],
  ])('refuses %s, and writes nothing', (_fault, args, message) => {
    const { code, text } = command(...args)
    // The fault and where the help is: the whole help would scroll the fault away.
    const [fault = '', ...more] = text.split('\n\n')
    expect([code, fault.startsWith(message), fault.split('\n').length]).toEqual([2, true, 1])
    expect(more).toEqual(['npm create ostiary -- --help shows what it takes.'])
    expect(['x', 'server'].filter((name) => existsSync(at(name)))).toEqual([])
  })

  it.each(['18.20.8', '20.9.0', '20.18.3'])(
    'on Node %s it says which one is needed, and writes nothing',
    (node) => {
      expect(commandOn(node, 'old')).toEqual({
        code: 1,
        text: `Ostiary needs Node 20.19 or later. This is ${node}.`,
      })
      expect(existsSync(at('old'))).toBe(false)
    },
  )

  it.each(['20.19.0', '22.1.0', '26.0.0'])('Node %s is new enough, as a project of it says', (node) => {
    expect(commandOn(node, `new-${node}`).code).toBe(0)
    expect(JSON.parse(read(`new-${node}`, 'package.json')).engines).toEqual({ node: '>=20.19.0' })
  })

  it('ends well when its output is not read to the end', async () => {
    const args = ['--import', TSX, join(HERE, 'src/main.ts'), 'unread']
    const child = spawn(process.execPath, args, { cwd: folder })
    let errors = ''
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk
    })
    // Before it has begun: its first line cannot be written.
    child.stdout.destroy()
    const [code] = await once(child, 'close')
    expect([code, errors]).toEqual([0, ''])
    expect(existsSync(join(at('unread'), 'package.json'))).toBe(true)
  })

  it('--help shows the whole help, as what is asked for', () => {
    const { code, text } = command('--help')
    expect([code, text.startsWith('npm create ostiary <folder> -- [options]\n')]).toEqual([0, true])
    for (const option of ['--template', '--client-url', '--port']) expect(text).toContain(`  ${option} <`)
  })

  it('leaves a folder that is not empty as it is', () => {
    mkdirSync(at('taken'))
    writeFileSync(join(at('taken'), 'package.json'), 'mine')
    expect(command('taken')).toMatchObject({ code: 2, text: expect.stringContaining('is not empty') })
    expect([readdirSync(at('taken')), read('taken', 'package.json')]).toEqual([['package.json'], 'mine'])
    writeFileSync(at('file'), '')
    expect(command('file').text).toContain('is a file: name a folder')
  })

  it('a folder has the name of a template where the template is named', () => {
    expect(command('server', '--template', 'server').code).toBe(0)
  })

  it('writes into an empty repository', () => {
    mkdirSync(join(at('repository'), '.git'), { recursive: true })
    expect(command('repository').code).toBe(0)
  })

  it.each([
    ['my-id', 'my-id'],
    ['C:\\Users\\Ann\\My ID', 'my-id'],
    ['../Some Folder/', 'some-folder'],
    ['.hidden', 'xhidden'],
    ['/', 'my-id'],
  ])('a project in %s is named %s', (path, name) => {
    expect(packageName(path)).toBe(name)
  })
})

const NEXT_FILES = ['app/.well-known/[...path]/route.ts', 'app/oauth/[...path]/route.ts', 'storage.ts']

describe('the project', () => {
  it('of Next.js has its route handlers, the port in its scripts, and is started by npm run dev', () => {
    const { code, text } = command('routes', '--template', 'next', '--port', '4000')
    expect([code, text.includes('  npm install\n  npm run dev\n')]).toEqual([0, true])
    for (const file of NEXT_FILES) expect(existsSync(join(at('routes'), file)), file).toBe(true)
    const { scripts } = JSON.parse(read('routes', 'package.json'))
    expect(scripts.start).toBe('next start --hostname 127.0.0.1 --port 4000')
    expect(variable(at('routes'), 'PORT')).toBe('')
  })

  it('has secrets of its own, readable by the owner only, and ignored by Git', () => {
    const secrets = ['one', 'two'].map((name) => {
      createProject({ folder: at(name) })
      expect(statSync(join(at(name), '.env')).mode & 0o777).toBe(0o600)
      expect(read(name, '.gitignore').split('\n')).toContain('.env')
      const made = ['OIDC_SECRET', 'ANN_PASSWORD'].map((key) => variable(at(name), key))
      expect(made.map((secret) => secret.length)).toEqual([43, 20])
      for (const file of readdirSync(at(name)).filter((other) => other !== '.env'))
        for (const secret of made) expect(read(name, file), file).not.toContain(secret)
      return made
    })
    expect(new Set(secrets.flat()).size).toBe(4)
  })

  it('has the port, the client and the name that were given, in every file', () => {
    const options = { client_url: 'https://app.example.com', port: 4000 }
    for (const template of Object.keys(TEMPLATES) as TemplateName[]) {
      const name = `given-${template}`
      const { files } = createProject({ folder: at(name), template, ...options })
      expect(files).toContain('README.md')
      const text = files.map((file) => read(name, file)).join('\n')
      expect(text).toContain('https://app.example.com/callback')
      expect(text).toContain('http://localhost:4000')
      expect(text).toMatch(/PORT=4000|--port 4000/)
      expect(text).not.toMatch(/localhost:(?:3000|8080)|my-id/)
    }
  })

  it.each(Object.keys(TEMPLATES) as TemplateName[])(
    '%s names versions that this repository tests',
    (template) => {
      const { dependencies, devDependencies } = TEMPLATES[template]
      const own = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8')).devDependencies
      const { devDependencies: shared } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
      const catalog = readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8')
      const tested = (name: string): string => {
        const version = own[name] ?? shared[name]
        if (version !== 'catalog:') return version
        return new RegExp(`^  "?${name}"?: (.+)$`, 'm').exec(catalog)?.[1] ?? ''
      }
      for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies })) {
        if (template === 'next' && IN_REGISTRY_TESTS.includes(name)) continue
        const majors = [...range.matchAll(/\^(\d+)/g)].map(([, major]) => major)
        expect(majors, name).toContain(tested(name).split('.')[0])
      }
    },
  )
})

it('the README of the template server names scripts of the project, and commands that exist', async () => {
  createProject({ folder: at('scripts'), template: 'server' })
  const { scripts } = JSON.parse(read('scripts', 'package.json'))
  const readme = read('scripts', 'README.md')
  const named = [...readme.matchAll(/npm run ([\w-]+)/g)].map(([, script = '']) => script)
  expect(named.filter((script) => !(script in scripts))).toEqual([])
  expect(scripts.ostiary).toBe(scripts.start.replace(/ serve$/, ''))
  const commands = [...readme.matchAll(/npm run ostiary -- ([a-z][a-z -]*[a-z])/g)].map(
    ([, name = '']) => name,
  )
  expect(commands).toHaveLength(2)
  for (const name of commands) {
    const args = ['--env-file=.env', SERVER, ...name.split(' '), '--help']
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: at('scripts') })
    expect(stdout, name).toMatch(/^Usage: ostiary /)
  }
})

/** Next.js takes 370 MB and is not installed here: apps/registry-tests installs the newest versions that the ranges allow. */
const IN_REGISTRY_TESTS = ['next', 'react', 'react-dom', '@types/react', 'typescript']

describe.each(['hono', 'express', 'next'] as const)('the template %s', (template) => {
  it('compiles under strict', async () => {
    createProject({ folder: at(`strict-${template}`), template })
    const tsc = join(ROOT, 'node_modules/.bin/tsc')
    const result = await promisify(execFile)(tsc, ['-p', at(`strict-${template}`)]).catch(({ stdout }) => ({
      stdout,
    }))
    expect(result.stdout).toBe('')
  })
})

it('hono and express have the same files that read the settings', () => {
  for (const template of ['hono', 'express'] as const)
    createProject({ folder: at(`settings-${template}`), template })
  for (const file of ['provider.ts', 'settings.ts', 'accounts.ts', 'storage.ts'])
    expect(read('settings-express', file), file).toBe(read('settings-hono', file))
})

it('the template hono starts, and ann signs in', async () => {
  const args = [process.execPath, '--env-file=.env', '--import', TSX, 'server.ts']
  const port = await freePort()
  const { folder: path, issuer, redirect_uri } = createProject({ folder: at('run'), template: 'hono', port })
  const stop = await startProject(path, args, issuer)
  try {
    const claims = await codeFlow({ issuer, redirect_uri, password: variable(path, 'ANN_PASSWORD') })
    expect(claims).toMatchObject({ iss: issuer, aud: 'app', name: 'Ann Example' })
    expect(await (await fetch(`${issuer}/login`)).text()).toContain('No sign-in waits here. Start it in')
    // Clients such as the MCP SDKs for Go and Python ask for it only where it is advertised.
    const discovery = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()
    expect(discovery).toMatchObject({ scopes_supported: expect.arrayContaining(['offline_access']) })
  } finally {
    await stop()
  }
})
