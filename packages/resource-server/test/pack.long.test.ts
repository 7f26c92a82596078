/**
 * The package as it is published: packed by npm, installed by each package manager, used on each runtime. Needs the npm
 * registry. apps/package-tests checks its contents.
 */

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const here = fileURLToPath(new URL('..', import.meta.url))
const own = (name: string) => join(here, 'node_modules/.bin', name)
const shared = (name: string) => join(here, '../../node_modules/.bin', name)
const SECONDS = 1000

/** The environment without the variables of a script runner, which an empty project would not have. */
const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^pnpm_/i.test(name)))

let folder = ''
let tarball = ''
let registry = ''
let authorities = ''

async function sh(cwd: string, [command = '', ...args]: string[], env: object = {}): Promise<string> {
  const options = { cwd, env: { ...clean, ...env }, timeout: 120 * SECONDS, maxBuffer: 8 * 1024 * 1024 }
  return run(command, args, options).then(
    ({ stdout }) => stdout,
    ({ code, killed, stdout, stderr }: { code: number; killed: boolean; stdout: string; stderr: string }) => {
      const end = killed ? 'did not end within 120 s' : `ended with ${code}`
      throw new Error(
        `${command} ${args.join(' ')} ${end} (the registry is ${registry})\n${stdout}\n${stderr}`,
      )
    },
  )
}

/** Empty for a key that is not set. */
const npmConfig = async (key: string) =>
  (await sh(here, ['npm', 'config', 'get', key])).trim().replace(/^(?:null|undefined)$/, '')

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ostiary-pack-'))
  registry = await npmConfig('registry')
  authorities = await npmConfig('cafile')
  const [report] = JSON.parse(await sh(here, ['npm', 'pack', '--json', '--pack-destination', folder]))
  tarball = join(folder, report.filename)
}, 180 * SECONDS)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Tests a valid and an invalid token of an issuer in the same script. Web APIs only. */
const USE = `
async function use({ createResourceServer }, ...adapters) {
  const issuer = 'https://id.example.com', resource = 'https://api.example.com'
  const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const { publicKey, privateKey } = await crypto.subtle.generateKey(
    { ...rsa, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }, true, ['sign', 'verify'])
  const { kty, n, e } = await crypto.subtle.exportKey('jwk', publicKey)
  const documents = {
    [issuer + '/.well-known/openid-configuration']: { issuer, jwks_uri: issuer + '/jwks' },
    [issuer + '/jwks']: { keys: [{ kty, n, e, kid: 'k1' }] },
  }
  const encode = (text) => btoa(text).replace(/[+]/g, '-').replace(/[/]/g, '_').replace(/=/g, '')
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: issuer, aud: resource, sub: 'alice', client_id: 'app', jti: 'j', iat: now, exp: now + 60 }
  const input = encode(JSON.stringify({ alg: 'RS256', typ: 'at+jwt', kid: 'k1' })) + '.' + encode(JSON.stringify(claims))
  const signed = await crypto.subtle.sign(rsa.name, privateKey, new TextEncoder().encode(input))
  const token = input + '.' + encode(String.fromCharCode(...new Uint8Array(signed)))
  const api = createResourceServer({ issuer, resource, fetch: async (url) => Response.json(documents[url]) })
  const ask = (token) => api.authenticate(new Request(resource, { headers: { authorization: 'Bearer ' + token } }))
  const good = await ask(token)
  const bad = await ask(input + '.' + encode('x'.repeat(256)))
  const made = adapters.map(({ protect }) => typeof protect(api).authenticate)
  console.log([good.getAuthIdentifier(), bad.status, await bad.text(), ...made].join(' '))
}`
const SAYS = 'alice 401 {"error":"invalid_token"} function function function'
const NAMES = ['', '/hono', '/express', '/fastify'].map((entry) => `@ostiary/resource-server${entry}`)
const ESM = `${NAMES.map((name, i) => `import * as m${i} from '${name}'`).join('\n')}${USE}\nuse(m0, m1, m2, m3)\n`
const CJS = `${USE}\nuse(${NAMES.map((name) => `require('${name}')`).join(', ')})\n`

const RUNTIMES: [string, (file: string) => string[]][] = [
  ['Node', (file) => [process.versions.bun ? 'node' : process.execPath, file]],
  ['Bun', (file) => [shared('bun'), file]],
  ['Deno', (file) => [own('deno'), 'run', '--no-remote', '--no-prompt', '--allow-read', '--allow-env', file]],
]

const { packageManager } = JSON.parse(readFileSync(join(here, '../../package.json'), 'utf8'))
const MANAGERS: [string, string[], (cwd: string) => object][] = [
  ['npm', ['npm', 'install', '--no-audit', '--no-fund'], () => ({})],
  ['pnpm', ['npx', '-y', packageManager, 'install'], () => ({ npm_config_registry: registry, CI: 'true' })],
  [
    'yarn',
    [own('yarn'), 'install'],
    (cwd) => ({
      YARN_NPM_REGISTRY_SERVER: registry,
      // Yarn does not read npm's configuration of a private certificate authority.
      ...(authorities !== '' && { YARN_HTTPS_CA_FILE_PATH: authorities }),
      YARN_NODE_LINKER: 'node-modules',
      YARN_GLOBAL_FOLDER: join(cwd, '.yarn-global'),
      YARN_ENABLE_TELEMETRY: '0',
      YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
    }),
  ],
  [
    'bun',
    [shared('bun'), 'install'],
    (cwd) => ({ BUN_CONFIG_REGISTRY: registry, BUN_INSTALL_CACHE_DIR: join(cwd, '.bun-cache') }),
  ],
]

describe.each(MANAGERS)('Installed by %s in an empty project', (name, install, env) => {
  let project = ''
  beforeAll(async () => {
    project = join(folder, name)
    mkdirSync(project)
    const dependencies = { '@ostiary/resource-server': `file:${tarball}` }
    writeFileSync(
      join(project, 'package.json'),
      JSON.stringify({ name: 'empty', private: true, dependencies }),
    )
    // Marks the folder as a separate project for yarn.
    if (name === 'yarn') writeFileSync(join(project, 'yarn.lock'), '')
    writeFileSync(join(project, 'use.mjs'), ESM)
    writeFileSync(join(project, 'use.cjs'), CJS)
    await sh(project, install, env(project))
  }, 180 * SECONDS)

  it.each(RUNTIMES)(
    'is imported and required on %s',
    async (_, command) => {
      const quiet = { DENO_NO_UPDATE_CHECK: '1', DENO_DIR: join(folder, '.deno') }
      expect((await sh(project, command('use.mjs'), quiet)).trim()).toBe(SAYS)
      expect((await sh(project, command('use.cjs'), quiet)).trim()).toBe(SAYS)
    },
    300 * SECONDS,
  )

  if (name === 'npm')
    it('has types for ESM, for CommonJS and for a bundler, without those of a framework', async () => {
      const main = `const api = createResourceServer({ issuer: 'https://i.example', resource: 'https://r.example' })
export const handler = async (request: Request): Promise<Response> => {
  const principal = await api.authenticate(request, ['read'])
  if (principal instanceof Response) return principal
  return Response.json(principal.kind === 'user' ? principal.user.sub : principal.client.client_id)
}
export const express = protect(api).authenticate
// @ts-expect-error: an unknown mode
createResourceServer({ issuer: 'https://i.example', resource: 'https://r.example', mode: 'opaque' })
`
      const imports = `import { createResourceServer } from '@ostiary/resource-server'
import { protect } from '@ostiary/resource-server/express'
`
      writeFileSync(join(project, 'use.mts'), imports + main)
      writeFileSync(join(project, 'use.cts'), imports + main)
      const options = [
        '--noEmit',
        '--strict',
        '--target',
        'es2022',
        '--lib',
        'es2022,dom,dom.iterable',
        '--types',
        '',
      ]
      for (const [module, ...files] of [
        ['nodenext', 'use.mts', 'use.cts'],
        ['preserve', 'use.mts'],
      ] as const)
        await sh(project, [shared('tsc'), ...options, '--module', module, ...files])
    })
})
