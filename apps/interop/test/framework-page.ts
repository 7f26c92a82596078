/** A page of docs/frameworks: its client at a provider, and its files and commands as a reader copies them. */

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { freePort } from '@ostiary/test-kit/ports'
import { type ClientWorld, clientWorld, startProgram } from './clients.ts'
import { readPage } from './shown-code.ts'

/** A text that a file of the page has, and what stands there instead. */
export type Change = readonly [from: string, to: string]

export interface FrameworkPage {
  world: ClientWorld
  /** The origin of the application. */
  app: string
  /** The protected resource. */
  api: string
  /** The words behind `apt-get install` in the page. */
  debian: string[]
  /** The first cells of the table under "What goes wrong". */
  symptoms: string[]
  /** A file of the page, with the addresses of this machine. */
  file(path: string): string
  /** The shell block that begins so, with the addresses of this machine. */
  command(begins: string): string
  /** A new folder with these files of the page. */
  folder(files: readonly string[], changes?: readonly Change[]): Promise<string>
  /** Runs a command of the page; resolves with what ends it, once it has printed the line. */
  start(command: string, settings: StartSettings): Promise<() => Promise<unknown>>
  stop(): Promise<void>
}

export interface StartSettings {
  cwd: string
  /** The line that says that it listens. */
  ready: RegExp
  /** More environment than the secrets. */
  env?: Record<string, string>
}

export interface PageSettings {
  /** The client that is the application. */
  client_id: string
  /** Further fields of a client, by client_id. */
  changes?: Record<string, object>
  /** Other fields of the user. */
  user?: object
}

/** The ports of the pages, where an address or a setting has one. */
const PORT = /(?<=(?:localhost|127\.0\.0\.1):|port[ =]|listen[ (])(?:3000|4001|8080|8081|8082)\b/gi

/** Starts a provider with the configuration of `docs/frameworks/NAME.md`. */
export async function frameworkPage(name: string, settings: PageSettings): Promise<FrameworkPage> {
  const { client_id, changes = {}, user = {} } = settings
  const path = `docs/frameworks/${name}.md`
  const page = readPage(path)
  const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
  const api_port = await freePort()
  const api = `http://localhost:${api_port}/notes`
  const world = await clientWorld(path, { changes, user, moved: { 'http://localhost:4001/notes': api } })
  const app = world.app(client_id)
  const cleanups: (() => Promise<unknown>)[] = []
  const ports: Record<string, number> = {
    3000: world.provider.port,
    4001: api_port,
    8080: app.port,
    8081: await freePort(),
    8082: await freePort(),
  }
  const here = (text: string) => text.replace(PORT, (port) => `${ports[port]}`)
  const file = (wanted: string) => {
    for (const [, , code = ''] of blocks) {
      const [first = '', ...lines] = code.split('\n')
      if (/^(?:\/\/|#) (\S+)$/.exec(first)?.[1] === wanted) return here(lines.join('\n'))
    }
    throw new Error(`${path} has no file ${wanted}`)
  }
  return {
    world,
    app: app.url,
    api,
    debian: [...page.matchAll(/\bapt-get install ([\w. -]+)/g)].flatMap(([, names = '']) => names.split(' ')),
    symptoms: symptomsOf(page),
    file,
    command(begins) {
      const found = blocks.find(([, language, code]) => language === 'sh' && code?.startsWith(begins))
      if (!found) throw new Error(`${path} has no command ${begins}`)
      return here(found[2] ?? '')
    },
    async folder(files, changes = []) {
      const folder = await temporaryFolder((clean) => cleanups.push(async () => clean()))
      const whole = files.map(file).join('')
      for (const [from] of changes)
        if (!whole.includes(from)) throw new Error(`No file of ${files.join(', ')} has ${from}`)
      for (const wanted of files) {
        const target = join(folder, wanted)
        await mkdir(dirname(target), { recursive: true })
        await writeFile(target, changed(file(wanted), changes))
      }
      return folder
    },
    start(command, { cwd, ready, env = {} }) {
      const variables = { ...world.env(client_id), ...secretsOf(page, world, client_id), ...env }
      // The last line replaces the shell, so that a signal reaches the program.
      const lines = command.trim().split('\n')
      const script = [`cd '${cwd}'`, 'exec 2>&1', ...lines.slice(0, -1), `exec ${lines.at(-1)}`].join('\n')
      return startProgram(['/bin/bash', '-ec', script], variables, ready)
    },
    async stop() {
      for (const clean of cleanups.reverse()) await clean()
      await world.stop()
    },
  }
}

const changed = (text: string, changes: readonly Change[]): string =>
  changes.reduce((result, [from, to]) => result.replaceAll(from, () => to), text)

const symptomsOf = (page: string): string[] =>
  [...(page.split('\n## What goes wrong\n')[1] ?? '').matchAll(/^\| `([^`]+)`/gm)].map(
    ([, cell = '']) => cell,
  )

/** Every `client_secret_env` of the page. */
function secretsOf(page: string, world: ClientWorld, client_id: string): Record<string, string> {
  const { CLIENT_SECRET = '' } = world.env(client_id)
  const names = [...page.matchAll(/"client_secret_env": "(\w+)"/g)].map(([, name = '']) => name)
  return Object.fromEntries(names.map((name) => [name, CLIENT_SECRET]))
}
