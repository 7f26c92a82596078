/** The built server as a process, in a new folder, on a free port. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject, onTestFinished } from 'vitest'
import { freePort } from './ports.ts'

declare module 'vitest' {
  interface ProvidedContext {
    server: 'node' | 'bun' | undefined
  }
}

const built = (path: string) => fileURLToPath(new URL(`../../../apps/${path}`, import.meta.url))

export const builtMain = (): string =>
  built(inject('server') === 'bun' ? 'bun-server/dist/main.js' : 'node-server/dist/main.js')

/** Bun's package has a wrapper that does not forward signals to the server. */
export function runtimeProgram(): string {
  if (inject('server') !== 'bun') return process.execPath
  const bun = dirname(createRequire(import.meta.url).resolve('bun/package.json'))
  return join(bun, 'bin/bun.exe')
}

/**
 * V8's optimizing compiler takes a third of the processor time in which the embedded database starts (`--liftoff-only`), and a tenth of
 * any start (`--no-opt`). It pays off in a server that runs for longer than a test.
 */
const runtimeFlags = (): string[] => (inject('server') === 'bun' ? [] : ['--liftoff-only', '--no-opt'])

export interface ServerProcess {
  issuer: string
  port: number
  cwd: string
  child: ChildProcess
  stdout(): string
  stderr(): string
  /** The log lines with this message. */
  logged(msg: string): Record<string, unknown>[]
  /** Sends SIGTERM; resolves with exit code and signal. */
  stop(): Promise<Exit>
}

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface StartOptions {
  /** `ostiary.config.json`, or a function of the port. Without it the server is in try-out mode. */
  config?: unknown
  env?: Record<string, string>
  args?: string[]
  port?: number
  /** Standard input; empty by default. */
  stdin?: string
  /** The main file of the server's program; the built one by default. */
  main?: string
}

/** Starts the process, without waiting until it serves. */
export async function launch(start: StartOptions = {}) {
  const { config, env = {}, args = ['serve'], port: given, stdin, main = builtMain() } = start
  const port = given ?? (await freePort())
  const cwd = await mkdtemp(join(tmpdir(), 'ostiary-server-'))
  const file = typeof config === 'function' ? config(port) : config
  if (file !== undefined)
    await writeFile(join(cwd, 'ostiary.config.json'), typeof file === 'string' ? file : JSON.stringify(file))
  // The environment is not inherited: a DATABASE_URL in it would change what is tested.
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(runtimeProgram(), [...runtimeFlags(), main, ...args], {
    cwd,
    env: { PATH, HOME, PORT: String(port), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => {}).end(stdin)
  // The child must not outlive the tests.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  const exited: Promise<Exit> = once(child, 'close').then(async ([code, signal]) => {
    process.off('exit', kill)
    await rm(cwd, { recursive: true, force: true })
    return { code, signal, ...output }
  })
  return { child, cwd, port, output, exited }
}

/** Runs it to its end. It is killed when the tests end. */
export async function run(start: StartOptions): Promise<Exit> {
  const { exited } = await launch(start)
  return exited
}

/** Starts it and waits until it serves. If another process takes the free port first, another port is tried. */
export async function startServer(start: StartOptions = {}): Promise<ServerProcess> {
  for (let tries = 1; ; tries += 1)
    try {
      return await startOnce(start)
    } catch (error) {
      if (start.port !== undefined || tries === 3 || !/: port \d+ of .* is in use/.test(`${error}`))
        throw error
    }
}

/** A server of the running test, which is killed at its end. */
export async function startTestServer(start: StartOptions = {}): Promise<ServerProcess> {
  const server = await startServer(start)
  onTestFinished(() => void server.child.kill('SIGKILL'))
  return server
}

async function startOnce(start: StartOptions): Promise<ServerProcess> {
  const { child, cwd, port, output, exited } = await launch(start)
  const logged = (msg: string) =>
    output.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
      .filter((entry) => entry.msg === msg)
  const gone = exited.then(({ code, stderr }) => {
    throw new Error(`The server ended with code ${code}: ${stderr}`)
  })
  gone.catch(() => {})
  while (logged('listening').length === 0) await Promise.race([once(child.stdout, 'data'), gone])
  return {
    issuer: `http://localhost:${port}`,
    port,
    cwd,
    child,
    logged,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    stop() {
      child.kill('SIGTERM')
      return exited
    },
  }
}

export interface Callback {
  /** A redirect URI. */
  url: string
  close(): Promise<void>
}

/** A client's redirect URI, which answers with a page. */
export async function callbackServer(): Promise<Callback> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end('<!doctype html><html lang="en"><title>The client</title><h1>Back at the client</h1></html>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/callback`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export const SECRET = 'only-for-tests-only-for-tests-only-for-tests'
/** For tests that are not about storage: the embedded database is slow to start. */
export const IN_MEMORY = { OIDC_SECRET: SECRET, OSTIARY_STORAGE: 'memory' }
/** The loader of the native module then takes that file, which does not exist, instead of the installed one. */
export const WITHOUT_ARGON2 = { NAPI_RS_NATIVE_LIBRARY_PATH: '/nowhere/argon2.node' }
export const USERNAME = 'ann'
export const PASSWORD = 'correct horse battery staple'
export const CLIENT_SECRET = 'a-client-secret-that-is-long-enough-for-anyone'

/** A third of the processor time of a server's start is its RSA key: tests that are not about keys and tokens have another one. */
const QUICK_KEYS: KeyOptions = { algorithms: ['ES256'] }
/** With this as `keys`, a server of `configFor` has the key that a server has by default. */
export const DEFAULT_KEYS: KeyOptions = {}
/** `oidc.keys` of a realm. */
export interface KeyOptions {
  algorithms?: readonly string[]
}

/** Clients, an API and a user. Consents are per client, so tests that share a server take one each: `notes-0` and so on. */
export const configFor =
  (redirect_uri: string, keys: KeyOptions = QUICK_KEYS) =>
  (port: number) => ({
    app: { url: `http://localhost:${port}` },
    oidc: {
      keys,
      resources: { 'api/notes': { scopes: ['notes.read', 'notes.write'] } },
      scopes: {
        'notes.read': { description: 'Read your notes' },
        'notes.write': { description: 'Write and delete your notes' },
      },
    },
    clients: [
      ...['notes', ...Array.from({ length: 40 }, (_, i) => `notes-${i}`)].map((client_id) => ({
        client_id,
        client_name: 'Notes',
        redirect_uris: [redirect_uri],
        post_logout_redirect_uris: [redirect_uri],
      })),
      {
        client_id: 'backend',
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirect_uri],
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      },
    ],
    users: [
      {
        username: USERNAME,
        password: PASSWORD,
        name: 'Ann Example',
        preferred_username: USERNAME,
        email: 'ann@example.com',
        email_verified: true,
      },
    ],
  })
