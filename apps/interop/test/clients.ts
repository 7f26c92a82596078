/** The programs of ../clients, and a provider that knows them: their entries are the ones of docs/clients.md. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '@ostiary/test-kit/ports'
import { IN_MEMORY, PASSWORD, type ServerProcess, startServer, USERNAME } from '@ostiary/test-kit/server'

/** Where the documentation has the application of each client. */
const DOCUMENTED_APP = 'http://localhost:8080'
const CLIENTS = new URL('../clients/', import.meta.url)
const SECRET = 'a-secret-of-the-client-that-is-long-enough-for-anyone'

interface Entry {
  client_id: string
  client_secret_env?: string
}

export interface Configuration {
  oidc?: Record<string, unknown>
  clients: Entry[]
}

/** Every JSON block of a page, as one configuration. */
export function configurationOf(page: string): Configuration {
  const text = readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8')
  const blocks = [...text.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, code = '']) => JSON.parse(code))
  return Object.assign({}, ...blocks, { clients: blocks.flatMap(({ clients = [] }) => clients) })
}

/** An application, and the client that it is at the provider. */
export interface ClientApp {
  client_id: string
  /** Its origin. */
  url: string
  port: number
}

export interface ClientWorld {
  provider: ServerProcess
  app(client_id: string): ClientApp
  /** The variables of its program. */
  env(client_id: string): Record<string, string>
  /** Ends the provider and every program that was started. */
  stop(): Promise<void>
  /** Starts the client's `app.js`; resolves once it listens. */
  start(client_id: string, settings?: ProgramSettings): Promise<void>
  /** Called when the world stops, the last one first. */
  onStop(stop: () => Promise<unknown>): void
}

export interface ProgramSettings {
  /** The folder of the program, if it is not the `client_id`. */
  folder?: string
  /** More environment. */
  env?: Record<string, string>
}

export interface Differences {
  /** Further fields of a client, by client_id. */
  changes?: Record<string, object>
  /** Addresses of the page that are elsewhere here. */
  moved?: Record<string, string>
  /** Other fields of the user. */
  user?: object
}

/**
 * A provider with the clients of a page; each has its application at a port of its own.
 * @param page Its path, or a configuration.
 */
export async function clientWorld(
  page: string | Configuration,
  differences: Differences = {},
): Promise<ClientWorld> {
  const { changes = {}, moved = {}, user = {} } = differences
  const { oidc = {}, clients } = typeof page === 'string' ? configurationOf(page) : page
  const apps = new Map<string, ClientApp>()
  const entries: object[] = []
  for (const entry of clients) {
    const port = await freePort()
    const url = `http://localhost:${port}`
    apps.set(entry.client_id, { client_id: entry.client_id, url, port })
    entries.push({ ...elsewhere(entry, { ...moved, [DOCUMENTED_APP]: url }), ...changes[entry.client_id] })
  }
  const secrets = clients.flatMap(({ client_secret_env }) => client_secret_env ?? [])
  const provider = await startServer({
    config: (port: number) => ({
      app: { url: `http://localhost:${port}` },
      oidc: elsewhere(oidc, moved),
      clients: entries,
      users: [{ ...ANN, ...user }],
    }),
    env: { ...IN_MEMORY, ...Object.fromEntries(secrets.map((name) => [name, SECRET])) },
  })
  const stops: (() => Promise<unknown>)[] = []
  const app: ClientWorld['app'] = (client_id) => {
    const found = apps.get(client_id)
    if (!found) throw new Error(`The configuration has no client ${client_id}`)
    return found
  }
  const env: ClientWorld['env'] = (client_id) => ({
    ISSUER: provider.issuer,
    BASE_URL: app(client_id).url,
    PORT: String(app(client_id).port),
    CLIENT_ID: client_id,
    CLIENT_SECRET: SECRET,
    SESSION_SECRET: 'a-secret-for-the-cookies-of-the-application',
    AUTH_SECRET: 'a-secret-for-the-cookies-of-the-application',
    NEXTAUTH_SECRET: 'a-secret-for-the-cookies-of-the-application',
  })
  return {
    provider,
    app,
    env,
    onStop: (stop) => void stops.push(stop),
    async start(client_id, { folder = client_id, env: more = {} } = {}) {
      const program = fileURLToPath(new URL(`${folder}/app.js`, CLIENTS))
      stops.push(await startProgram([process.execPath, program], { ...env(client_id), ...more }))
    },
    async stop() {
      for (const stop of stops.reverse()) await stop()
      await provider.stop()
    },
  }
}

function elsewhere(value: object, moved: Record<string, string>): object {
  let text = JSON.stringify(value)
  for (const [from, to] of Object.entries(moved)) text = text.replaceAll(from, to)
  return JSON.parse(text)
}

const ANN = {
  username: USERNAME,
  password: PASSWORD,
  name: 'Ann Example',
  email: 'ann@example.com',
  email_verified: true,
}

/**
 * Resolves with what ends the program, once it prints that it listens.
 * @param ready The line that says so.
 */
export async function startProgram(
  [program = '', ...args]: string[],
  variables: Record<string, string>,
  ready = /^Listening/,
): Promise<() => Promise<unknown>> {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, ...variables }
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const exited = once(child, 'close').finally(() => process.off('exit', kill))
  const lines = createInterface(child.stdout)
  // Reading goes on to the end: a full pipe would stop the program.
  const listens = new Promise<void>((resolve) => lines.on('line', (line) => ready.test(line) && resolve()))
  const ended = exited.then(() => {
    throw new Error(`${program} ${args.join(' ')} ended before it listened: ${errors}`)
  })
  await Promise.race([listens, ended])
  ended.catch(() => {})
  return () => {
    child.kill('SIGTERM')
    return exited
  }
}
