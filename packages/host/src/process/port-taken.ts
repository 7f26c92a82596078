/** What to do when the port of the server is taken: the next free one, and the command that uses it. */

import { once } from 'node:events'
import { createServer } from 'node:net'
import { basename, relative } from 'node:path'
import type { Environment } from '../config/environment.js'
import type { HostConfig } from '../config/host-config.js'

/** The server cannot listen on its port. The message is a sentence for the person who starts it. */
export class PortTakenError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'PortTakenError'
  }
}

/** How this process was started, to say how to start it again. */
export interface Start {
  env: Environment
  cwd: string
  /** The program, its main file, and its arguments. */
  argv: readonly string[]
  platform: string
}

/** @returns A `PortTakenError` for a port that is in use; any other error as it is. */
export async function portTaken(
  error: unknown,
  config: Pick<HostConfig, 'port' | 'host' | 'issuer' | 'try_out'>,
  start: Start,
): Promise<unknown> {
  if ((error as { code?: unknown } | null)?.code !== 'EADDRINUSE') return error
  const { port, host, issuer, try_out } = config
  const next = await nextFreePort(port, host)
  const fault = `port ${port} of ${host} is in use; stop what runs there, or set PORT to another one`
  if (next === null) return new PortTakenError(fault, error)
  if (try_out) return new PortTakenError(`${fault}: ${startCommand(next, start)}`, error)
  const { protocol, port: issuer_port } = new URL(issuer)
  const follows = protocol === 'http:' && issuer_port === String(port) ? ', and app.url with it' : ''
  return new PortTakenError(`${fault}: ${next} is free${follows}`, error)
}

/** Ports that are tried after the taken one. */
const MAX_TRIES = 50
const LAST_PORT = 65_535

/** Null when none of the next ports is free. */
async function nextFreePort(taken: number, host: string): Promise<number | null> {
  for (let port = taken + 1; port <= Math.min(taken + MAX_TRIES, LAST_PORT); port++)
    if (await isFree(port, host)) return port
  return null
}

async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen({ port, host }), 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}

/** The same command with another port. */
function startCommand(port: number, { env, cwd, argv, platform }: Start): string {
  const set = platform === 'win32' ? `$env:PORT=${port};` : `PORT=${port}`
  return `${set} ${commandOf(env) ?? wordsOf(argv, cwd)}`
}

/** As a package manager was told to run it. */
function commandOf({
  npm_command,
  npm_lifecycle_event,
  npm_config_user_agent = '',
}: Environment): string | null {
  const [, manager = 'npm', version = ''] = /^(\w+)\/([\w.-]+)/.exec(npm_config_user_agent) ?? []
  if (npm_command === 'exec') return 'npx @ostiary/server'
  if (npm_lifecycle_event === undefined) return null
  return manager === 'pnpm'
    ? `npx -y pnpm@${version} ${npm_lifecycle_event}`
    : `${manager} run ${npm_lifecycle_event}`
}

function wordsOf([program = '', main = '', ...args]: readonly string[], cwd: string): string {
  const name = basename(main)
  if (name === 'ostiary') return [name, ...args].join(' ')
  const path = relative(cwd, main)
  return [basename(program), path.startsWith('..') ? main : path, ...args].join(' ')
}
