/** The examples that embed the provider, each as a process of the runtime that it is written for. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '@ostiary/test-kit/ports'
import { SECRET } from '@ostiary/test-kit/server'
import { inject } from 'vitest'
import { LONG } from '../../../vitest.shared.ts'
import type { Runtimes } from './runtimes.ts'

const EXAMPLES = new URL('../../../examples/', import.meta.url)

export interface Embedded {
  /** The program and its arguments. */
  name: string
  example: string
  program: string
  args(port: number): string[]
}

const server = { args: () => ['dist/server.js'] }

const INSTALLED: Embedded[] = [
  { name: 'Hono', example: 'embed-hono', program: process.execPath, ...server },
  { name: 'Express', example: 'embed-express', program: process.execPath, ...server },
  { name: 'route handlers of Next.js', example: 'embed-next', program: process.execPath, ...server },
  {
    name: 'Bun',
    example: 'embed-bun',
    program: inPackage('embed-bun', 'bun', 'bin/bun.exe'),
    args: () => ['server.ts'],
  },
  {
    name: 'Deno',
    example: 'embed-deno',
    program: inPackage('embed-deno', 'deno', 'deno'),
    args: () => ['run', '--no-remote', '--no-prompt', ...['net', 'env', 'read'].map(allow), 'server.ts'],
  },
]

const fetched = ({ node20, node22, newest, workerd }: Runtimes): Embedded[] => [
  { name: 'Hono on Node 20', example: 'embed-hono', program: node20, ...server },
  { name: 'Hono on Node 22', example: 'embed-hono', program: node22, ...server },
  { name: 'Hono on the newest Node', example: 'embed-hono', program: newest, ...server },
  {
    name: 'a worker in workerd',
    example: 'embed-worker',
    program: workerd,
    // It says when it listens on a descriptor of our choice only.
    args: (port) => ['serve', 'workerd.capnp', `--socket-addr=http=127.0.0.1:${port}`, '--control-fd=1'],
  },
]

/** The long run has the runtimes that it fetches. */
export const EMBEDDED: Embedded[] = LONG ? fetched(inject('runtimes')) : INSTALLED

const allow = (what: string): string => `--allow-${what}`

/** A package's program itself: its wrapper does not forward signals. */
function inPackage(example: string, name: string, path: string): string {
  const { resolve } = createRequire(new URL(`${example}/package.json`, EXAMPLES))
  return join(dirname(resolve(`${name}/package.json`)), path)
}

export interface ExampleProcess {
  issuer: string
  stop(): Promise<void>
}

/** Resolves once it listens. */
export async function startEmbedded({ example, program, args }: Embedded): Promise<ExampleProcess> {
  const port = await freePort()
  const issuer = `http://localhost:${port}`
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(program, args(port), {
    cwd: fileURLToPath(new URL(`${example}/`, EXAMPLES)),
    env: { PATH, HOME, PORT: String(port), ISSUER: issuer, OIDC_SECRET: SECRET, DENO_NO_UPDATE_CHECK: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const exited = once(child, 'close').finally(() => process.off('exit', kill))
  await Promise.race([saysListening(createInterface(child.stdout)), exited.then(() => ended(example))])
  child.stdout.resume()
  return {
    issuer,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

async function saysListening(lines: AsyncIterable<string>): Promise<void> {
  for await (const line of lines) if (/listen/i.test(line)) return
}

function ended(example: string): never {
  throw new Error(`examples/${example} ended before it listened`)
}
