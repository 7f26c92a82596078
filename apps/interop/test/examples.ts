/** The examples as processes, and the provider with the configuration that they share. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '@ostiary/test-kit/ports'
import { SECRET, type ServerProcess, startServer } from '@ostiary/test-kit/server'
import { inject } from 'vitest'

const EXAMPLES = new URL('../../../examples/', import.meta.url)

/** The ports of `examples/ostiary.config.json`, and the paths of their resources. */
export const EXAMPLE = {
  'hono-api': { port: 4001, path: '/notes' },
  'express-api': { port: 4002, path: '/notes' },
  'fastify-api': { port: 4003, path: '/notes' },
  'next-route-handler': { port: 4004, path: '/api/notes' },
  'mcp-server': { port: 4005, path: '/mcp' },
  'mcp-worker': { port: 4006, path: '/mcp' },
} as const
export type ExampleName = keyof typeof EXAMPLE

export interface Example {
  /** The protected resource. */
  url: string
  port: number
}

export interface Examples {
  provider: ServerProcess
  get(name: ExampleName): Example
  stop(): Promise<void>
}

export interface ProviderSettings {
  /** More environment of the provider. */
  env?: Record<string, string>
  /** More clients than the configuration has. */
  clients?: object[]
  /** The certificate of a server on this machine, whose documents the provider reads. */
  documents_of?: { ca_file: string }
}

/** Starts the provider and these examples, each on a free port. */
export async function startExamples(
  names: ExampleName[],
  { env, clients = [], documents_of }: ProviderSettings = {},
): Promise<Examples> {
  const examples = new Map<ExampleName, Example>()
  let config = await readFile(new URL('ostiary.config.json', EXAMPLES), 'utf8')
  for (const name of names) {
    const port = await freePort()
    const { port: documented, path } = EXAMPLE[name]
    config = config.replaceAll(`http://localhost:${documented}/`, `http://localhost:${port}/`)
    examples.set(name, { port, url: `http://localhost:${port}${path}` })
  }
  const provider = await startServer({
    config(port: number) {
      const file = JSON.parse(config.replaceAll('http://localhost:3000', `http://localhost:${port}`))
      file.clients.push(...clients)
      return file
    },
    env: {
      OIDC_SECRET: SECRET,
      ...(documents_of && { NODE_EXTRA_CA_CERTS: documents_of.ca_file }),
      ...env,
    },
  })
  const children = await Promise.all(
    [...examples].map(([name, example]) => startExample(name, example, provider.issuer)),
  )
  return {
    provider,
    get(name) {
      const example = examples.get(name)
      if (!example) throw new Error(`${name} was not started`)
      return example
    },
    async stop() {
      await Promise.all(children.map((end) => end()))
      await provider.stop()
    },
  }
}

/** Resolves once it listens, with what ends it. */
export async function startExample(
  name: ExampleName,
  { url, port }: Example,
  issuer: string,
): Promise<() => Promise<void>> {
  const { PATH = '', HOME = '' } = process.env
  const { program, args } = commandOf(name, port)
  const child = spawn(program, args, {
    cwd: fileURLToPath(new URL(`${name}/`, EXAMPLES)),
    env: { PATH, HOME, PORT: String(port), ISSUER: issuer, RESOURCE: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const exited = once(child, 'close').finally(() => process.off('exit', kill))
  await listening(name, child)
  child.stdout.resume()
  return async () => {
    child.kill('SIGTERM')
    await exited
  }
}

function commandOf(name: ExampleName, port: number): { program: string; args: string[] } {
  if (name !== 'mcp-worker') return { program: process.execPath, args: ['dist/server.js'] }
  // workerd says that it listens on a descriptor of our choice only.
  const args = ['serve', 'workerd.capnp', `--socket-addr=http=127.0.0.1:${port}`, '--control-fd=1']
  return { program: inject('runtimes').workerd, args }
}

async function listening(name: ExampleName, { stdout }: ChildProcess): Promise<void> {
  if (stdout === null) throw new Error('Its output is not piped')
  for await (const line of createInterface(stdout)) if (/listen/i.test(line)) return
  throw new Error(`examples/${name} ended before it listened`)
}
