/** What a server loads at its start, and what only with the first request that needs it. */

import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { startSmtp } from '@ostiary/test-kit/mail/smtp'
import { type Page, person } from '@ostiary/test-kit/person'
import { freePort } from '@ostiary/test-kit/ports'
import {
  configFor,
  IN_MEMORY,
  PASSWORD,
  run,
  SECRET,
  startTestServer,
  USERNAME,
} from '@ostiary/test-kit/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SERVER } from '../../../scripts/build.mjs'

const PRELOAD = { NODE_OPTIONS: `--import ${new URL('loaded-modules.mjs', import.meta.url)}` }

const MAIL = { from: 'id@example.com' }
/** The program, and what verifies the hashes of other systems. */
const ALWAYS = /\/(?:apps\/node-server|packages\/password-hashes)\/dist\//
/** `@ostiary/core/common`, and the files that it has in common with the rest of core. */
const SHARED = /\/packages\/core\/dist\/(?:common\/index|chunk-\w+)\.js$/

/** Those of a server with records in memory. What sends mail, asks other providers or draws codes is not among them. */
const PACKAGES = ['@hono/node-server', 'fastest-levenshtein', 'ipaddr.js', 'jose', 'zod']

const configured = (identity: object) => (port: number) => ({
  ...configFor('http://localhost:8080/callback')(port),
  ...identity,
})

/** The URLs of the modules that a process has loaded until now. */
const urlsIn = async (file: string) => (await readFile(file, 'utf8')).split('\n')
const isOf = (name: string) => (url: string) => url.includes(`/node_modules/${name}/`)

/** A server, and the packages of which it has loaded something until now, sorted. The source map of a chunk names what is in it. */
async function started(identity: object, variables: Record<string, string> = {}) {
  const file = join(await temporaryFolder(), 'loaded')
  const env = { ...IN_MEMORY, ...PRELOAD, ...variables, LOADED_MODULES: file }
  const { issuer } = await startTestServer({ config: configured(identity), env })
  const builtIn = async (folder: string) =>
    (await urlsIn(file)).filter((url) => url.includes(`/${folder}/dist/`))
  const namesIn = async (folder: string) =>
    (await builtIn(folder)).map((url) => url.slice(url.lastIndexOf('/') + 1))
  /** Names in dist of what verifies the hashes of other systems. */
  const olderHashes = () => namesIn('password-hashes')
  const passwordRules = () => namesIn('password-rules')
  const signUp = () => namesIn('sign-up')
  const recovery = () => namesIn('recovery')
  const addresses = () => namesIn('addresses')
  const emailCodes = () => namesIn('email-codes')
  const terms = () => namesIn('terms')
  const audit = () => namesIn('audit')
  const auditSinks = () => namesIn('audit-sinks')
  const admin = () => namesIn('admin')
  const sourcesIn = async () => {
    const urls = await builtIn('node-server')
    const maps = await Promise.all(urls.map((url) => readFile(`${fileURLToPath(url)}.map`, 'utf8')))
    return maps.flatMap((map) => (JSON.parse(map) as { sources: string[] }).sources)
  }
  const upstream = async () => (await sourcesIn()).filter((source) => source.includes('packages/upstream/'))
  const packages = async () => {
    const sources = await sourcesIn()
    const names = sources.map((source) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1])
    return [...new Set(names)].filter((name) => name !== undefined).sort()
  }
  const own = { passwordRules, signUp, recovery, addresses, emailCodes, terms, audit, auditSinks, admin }
  return { issuer, packages, olderHashes, ...own, upstream, file }
}

/** The page, with only the form that adds an app. */
function appForm(page: Page): Page {
  const html = page.html.split(/(?=<form)/).find((part) => part.includes('name="method" value="totp"'))
  if (html === undefined) throw new Error(`No form for an app: ${page.html}`)
  return { ...page, html }
}

/** @param realm The path of a realm. */
async function signIn(issuer: string, realm = '') {
  const ann = person(issuer)
  const sign_in = await ann.open(`${issuer}${realm}/account`)
  return { ann, page: await ann.submit(sign_in, { username: USERNAME, password: PASSWORD }) }
}

/** Signs in, and opens the account page. */
async function account(issuer: string) {
  const { ann, page } = await signIn(issuer)
  expect([page.url.pathname, page.status]).toEqual(['/account', 200])
  return { ann, page }
}

it('rules of passwords are loaded where a realm has them, and the list with the first password that it decides about', async () => {
  const without = await started({})
  await account(without.issuer)
  expect(await without.passwordRules()).toEqual([])
  // The user of the configuration gets a password at the start.
  const { passwordRules } = await started({ identity: { password: { rules: true } } })
  expect(await passwordRules()).toContainEqual(expect.stringMatching(/^common-passwords-/))
})

it('neither the start nor a sign-in with a password loads what only factors need', async () => {
  const { issuer, packages, olderHashes, signUp } = await started({})
  expect(await packages()).toEqual(PACKAGES)
  await account(issuer)
  expect(await signUp()).toEqual([])
  expect(await packages()).toEqual(PACKAGES)
  expect(await olderHashes()).toEqual(['index.js', expect.stringMatching(/^chunk-/)])
})

it('uqr is loaded with the first page that shows a QR code', async () => {
  const { issuer, packages, file } = await started({ identity: { second_factor: 'optional' } })
  const { ann, page } = await account(issuer)
  expect(await packages()).toEqual(PACKAGES)
  expect((await urlsIn(file)).filter(isOf('uqr'))).toEqual([])
  const enrolment = await ann.submit(appForm(page))
  expect(enrolment.html).toContain('<svg')
  expect((await urlsIn(file)).filter(isOf('uqr'))).toHaveLength(1)
})

it('openid-client is loaded with the first sign-in at another provider, and nothing of that without identity.upstreams', async () => {
  const without = await started({})
  await account(without.issuer)
  expect(await without.upstream()).toEqual([])
  const corp = {
    type: 'oidc',
    // Nothing listens there.
    issuer: `http://127.0.0.1:${await freePort()}`,
    client_id: 'ostiary',
    client_secret_env: 'CORP_SECRET',
    name: 'Corp',
  }
  const { issuer, upstream, file } = await started(
    { identity: { upstreams: { corp } } },
    { CORP_SECRET: 'a secret of the client' },
  )
  const { page } = await account(issuer)
  expect(page.html).toContain('Linked accounts')
  expect(await upstream()).not.toEqual([])
  expect((await urlsIn(file)).filter(isOf('openid-client'))).toEqual([])
  const eve = person(issuer)
  const sign_in = await eve.open(`${issuer}/account`)
  const form = sign_in.html.split(/(?=<form)/).find((part) => part.includes('Sign in with Corp')) ?? ''
  const refused = await eve.submit({ ...sign_in, html: form })
  expect(refused.html).toContain('Corp cannot be reached')
  expect((await urlsIn(file)).filter(isOf('openid-client'))).not.toEqual([])
})

it('the audit is loaded with audit.enabled alone, and its deliveries with audit.sinks', async () => {
  const without = await started({ audit: { enabled: false } })
  await account(without.issuer)
  expect(await without.audit()).toEqual([])
  const { issuer, audit, auditSinks } = await started({ audit: { enabled: true } })
  await account(issuer)
  expect(await audit()).toContain('index.js')
  expect(await auditSinks()).toEqual([])
  const sinks = [{ url: 'https://siem.example.com/', format: 'set' }]
  const sending = await started({ audit: { enabled: true, sinks } })
  expect(await sending.auditSinks()).toContain('index.js')
})

it('the admin API is loaded with admin.enabled alone', async () => {
  const without = await started({ admin: { enabled: false } })
  await account(without.issuer)
  expect(await without.admin()).toEqual([])
  const { admin } = await started({ oidc: { acr: 'require' }, admin: { enabled: true } })
  expect(await admin()).toContain('index.js')
})

it('the console is loaded with the first request to one of its pages: a start needs its client alone', async () => {
  const { issuer, file } = await started({ oidc: { acr: 'require' }, admin: { enabled: true } })
  await account(issuer)
  const loaded = async () =>
    (await urlsIn(file)).filter((url) => /\/packages\/console[\w-]*\/dist\//.test(url))
  const before = await loaded()
  const names = before.map((url) => url.slice(url.lastIndexOf('/') + 1))
  expect(names.sort()).toEqual([expect.stringMatching(/^chunk-/), 'client.js'])
  const sizes = await Promise.all(before.map(async (url) => (await stat(fileURLToPath(url))).size))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(3000)
  await fetch(`${issuer}/admin`, { redirect: 'manual' })
  expect(await loaded()).toContainEqual(expect.stringContaining('/packages/console/dist/index.js'))
})

it('the terms of service are loaded where a realm has some', async () => {
  const without = await started({})
  await account(without.issuer)
  expect(await without.terms()).toEqual([])
  const { terms } = await started({ identity: { terms: { version: '1', url: '/terms' } } })
  expect(await terms()).not.toEqual([])
})

it('sign-in by address is loaded where a realm has it', async () => {
  const without = await started({})
  await account(without.issuer)
  const isOfAddress = (url: string) => url.includes('email-sign-in')
  expect((await urlsIn(without.file)).filter(isOfAddress)).toEqual([])
  const { file } = await started({ identity: { sign_in_with: ['username', 'email'] } })
  expect((await urlsIn(file)).filter(isOfAddress)).not.toEqual([])
})

it('nodemailer is loaded with the first mail, and not by a server that has sent none', async () => {
  const mail_server = await startSmtp()
  onTestFinished(() => mail_server.close())
  const identity = { mail: { from: 'id@example.com' } }
  const variables = { SMTP_URL: mail_server.url }
  const off = await started({ identity }, variables)
  const { issuer, packages, signUp, recovery, addresses, emailCodes, file } = off
  await account(issuer)
  expect(await packages()).toEqual(PACKAGES)
  expect([await signUp(), await recovery(), await addresses(), await emailCodes()]).toEqual([[], [], [], []])
  const signing_up = await started({ identity: { ...identity, signup: 'open' } }, variables)
  expect(await signing_up.signUp()).not.toEqual([])
  const recovering = await started({ identity: { ...identity, recovery: { mail: true } } }, variables)
  expect(await recovering.recovery()).not.toEqual([])
  const changing = await started({ identity: { ...identity, email_change: true } }, variables)
  expect(await changing.addresses()).not.toEqual([])
  const with_codes = await started({ identity: { ...identity, email_codes: true } }, variables)
  expect(await with_codes.emailCodes()).not.toEqual([])
  expect((await urlsIn(file)).filter(isOf('nodemailer'))).toEqual([])

  const loaded = join(await temporaryFolder(), 'loaded')
  const sent = await run({
    config: configured({ identity })(3000),
    env: { ...IN_MEMORY, ...PRELOAD, ...variables, OIDC_SECRET: SECRET, LOADED_MODULES: loaded },
    args: ['mail', 'test', 'ann@example.org'],
  })
  expect([sent.code, mail_server.mails]).toEqual([0, [expect.anything()]])
  expect((await urlsIn(loaded)).filter(isOf('nodemailer'))).not.toEqual([])
})

/** Of the copy of core that the admin API has. */
const CORE = ['core', 'resource-server', '@noble/hashes', 'fastest-levenshtein', 'jose', 'zod']

interface Loading {
  config: object
  env?: Record<string, string>
  /** What it may load beside its own files. */
  more?: string[]
  /** The page with which it is loaded; the start, or a sign-in, when absent. */
  opens?: string
  /** The path of the realm in which a user signs in. */
  signs_in?: string
  /** A command loads it, and no server. */
  by_command?: true
}

/** What turns on each of our packages that is not in the program of a server. */
const OPTIONAL: Readonly<Record<string, Loading>> = {
  'access-rules': { config: { identity: { access: { applications: true } } } },
  'account-deletion': { config: { identity: { account_deletion: true } } },
  addresses: { config: { identity: { mail: MAIL, email_change: true } } },
  admin: {
    config: { oidc: { acr: 'require' }, admin: { enabled: true } },
    // It checks what is sent by the schemas of core.
    more: ['console', 'admin-client', 'admin-commands', 'realm-operations', 'simulation', ...CORE],
  },
  // The client of the command line.
  'admin-client': {
    config: { oidc: { acr: 'require' }, admin: { enabled: true } },
    more: ['console', 'admin', 'admin-commands', 'realm-operations', 'simulation', ...CORE],
  },
  // Its operations.
  'admin-commands': {
    config: { oidc: { acr: 'require' }, admin: { enabled: true } },
    more: ['console', 'admin', 'admin-client', 'realm-operations', 'simulation', ...CORE],
  },
  audit: { config: { audit: { enabled: true } } },
  'audit-sinks': {
    config: {
      audit: { enabled: true, sinks: [{ url: 'https://siem.example.com/ostiary', format: 'set' }] },
    },
    more: ['audit'],
  },
  console: {
    config: { oidc: { acr: 'require' }, admin: { enabled: true } },
    more: ['admin-commands', 'realm-operations', 'admin', 'admin-client', 'simulation', ...CORE],
  },
  'console-activity': {
    config: { oidc: { acr: 'require' }, admin: { enabled: true } },
    opens: '/admin',
    more: [
      'console',
      'console-clients',
      'console-settings',
      'console-setup',
      'oauth4webapi',
      'admin-commands',
      'realm-operations',
      'admin',
      'admin-client',
      'simulation',
      ...CORE,
    ],
  },
  'console-clients': {
    config: { oidc: { acr: 'require' }, admin: { enabled: true } },
    opens: '/admin',
    more: [
      'console',
      'console-activity',
      'console-settings',
      'console-setup',
      'oauth4webapi',
      'admin-commands',
      'realm-operations',
      'admin',
      'admin-client',
      'simulation',
      ...CORE,
    ],
  },
  'console-settings': {
    config: { oidc: { acr: 'require' }, admin: { enabled: true } },
    opens: '/admin',
    more: [
      'console',
      'console-activity',
      'console-clients',
      'console-setup',
      'oauth4webapi',
      'admin-commands',
      'realm-operations',
      'admin',
      'admin-client',
      'simulation',
      ...CORE,
    ],
  },
  'console-setup': {
    config: { oidc: { acr: 'require' }, admin: { enabled: true } },
    opens: '/admin',
    more: [
      'console',
      'console-activity',
      'console-clients',
      'console-settings',
      'oauth4webapi',
      'admin-commands',
      'realm-operations',
      'admin',
      'admin-client',
      'simulation',
      ...CORE,
    ],
  },
  'email-codes': { config: { identity: { mail: MAIL, email_codes: true } } },
  'email-sign-in': { config: { identity: { sign_in_with: ['username', 'email'] } } },
  explain: { config: {}, by_command: true },
  'password-hashes': { config: {} },
  'password-rules': { config: { identity: { password: { rules: true } } } },
  'personal-data': { config: {}, by_command: true },
  'realm-operations': {
    config: { oidc: { acr: 'require' }, admin: { enabled: true } },
    more: ['console', 'admin-commands', 'admin', 'admin-client', 'simulation', ...CORE],
  },
  realms: {
    config: { oidc: { routes: { realms: 'path' }, realms: { default: {} } }, realms_at_run_time: true },
    env: { OSTIARY_STORAGE: '' },
    signs_in: '/realms/default',
    more: ['storage-pglite', '@electric-sql/pglite'],
  },
  recovery: { config: { identity: { mail: MAIL, recovery: { mail: true } } } },
  'sign-up': { config: { identity: { mail: MAIL, signup: 'open' } } },
  simulation: {
    config: { oidc: { acr: 'require' }, admin: { enabled: true } },
    more: ['console', 'admin', 'admin-client', 'admin-commands', 'realm-operations', ...CORE],
  },
  'storage-pglite': { config: {}, env: { OSTIARY_STORAGE: '' }, more: ['@electric-sql/pglite'] },
  terms: { config: { identity: { terms: { version: '1', url: '/terms' } } } },
}
/** Bytes of the functions of core that such a package shares with a server, which has a copy of them. */
const MAX_SHARED_BYTES = 8_000

describe('what a server loads with a package that it does not always load', () => {
  it('each has a row', () => {
    const names = SERVER.external.filter((name) => name.startsWith('@ostiary/'))
    expect(Object.keys(OPTIONAL).map((name) => `@ostiary/${name}`)).toEqual(names)
  })

  it.each(Object.entries(OPTIONAL))(
    '%s: its own files, and no copy of what the server has',
    async (name, row) => {
      const { config, env = {}, opens, signs_in, more = [], by_command = false } = row
      const { issuer, file } = await started(config, { SMTP_URL: 'smtp://127.0.0.1:1', ...env })
      await signIn(issuer, signs_in)
      if (opens !== undefined) await fetch(issuer + opens, { redirect: 'manual' })
      const urls = (await urlsIn(file)).filter((url) => url.startsWith('file:'))
      const isOwn = (url: string) => url.includes(`/packages/${name}/dist/`)
      expect(urls.some(isOwn)).toBe(!by_command)
      const isMore = (url: string) =>
        more.some((each) => isOf(each)(url) || url.includes(`/packages/${each}/dist/`))
      const isKnown = (url: string) => isOwn(url) || ALWAYS.test(url) || isMore(url)
      const others = urls.filter((url) => !isKnown(url))
      expect(others.filter((url) => !SHARED.test(url))).toEqual([])
      const sizes = await Promise.all(others.map(async (url) => (await stat(fileURLToPath(url))).size))
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_SHARED_BYTES)
    },
  )
})
