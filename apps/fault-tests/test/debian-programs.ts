/** HAProxy, nginx, Caddy and PgBouncer of Debian, with a configuration of docs/run-it.md. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RunningServer, startServer } from '@ostiary/local-services/guarded-server'
import { throwAwayFolder, unprivileged } from '@ostiary/local-services/service'
import { installDebian } from '@ostiary/test-kit/debian'
import { onTestFinished } from 'vitest'

const PAGE = fileURLToPath(new URL('../../../docs/run-it.md', import.meta.url))

/** The block of docs/run-it.md with this text, in which each of these texts is replaced by another. */
export function blockWith(text: string, changes: Record<string, string> = {}): string {
  const blocks = [...readFileSync(PAGE, 'utf8').matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(
    ([, code = '']) => code,
  )
  const [found, ...more] = blocks.filter((code) => code.includes(text))
  if (found === undefined || more.length > 0) throw new Error(`not one block has ${text}`)
  return Object.entries(changes).reduce((code, [from, to]) => {
    if (!code.includes(from)) throw new Error(`the block with ${text} has no ${from}`)
    return code.replaceAll(from, to)
  }, found)
}

interface ProgramStart {
  program: keyof typeof COMMANDS
  /** Its configuration. @param folder A temporary folder. */
  configuration: (port: number, folder: string) => string
  /** Other files, by name. */
  files?: Record<string, string>
}

const COMMANDS = {
  haproxy: { file: '/usr/sbin/haproxy', args: ['-db', '-V', '-f'], ready: /Using epoll/ },
  nginx: { file: '/usr/sbin/nginx', args: ['-c'], ready: /start worker processes/ },
  caddy: {
    file: '/usr/bin/caddy',
    args: ['run', '--adapter', 'caddyfile', '--config'],
    ready: /serving initial configuration/,
  },
  pgbouncer: { file: '/usr/sbin/pgbouncer', args: [], ready: /process up/ },
}

export interface RunningProgram extends RunningServer {
  folder: string
  /** Writes the configuration. The program reads it when it is told to. */
  configure(configuration: ProgramStart['configuration']): void
}

/** Starts the program on a free port; it ends with the test. */
export async function startProgram({
  program,
  configuration,
  files = {},
}: ProgramStart): Promise<RunningProgram> {
  const { file, args, ready } = COMMANDS[program]
  if (!existsSync(file) && !installDebian([program], 'the drills of databases'))
    throw new Error(
      `This test needs ${program}: apt-get install ${program}. As root on Debian it installs it itself.`,
    )
  const folder = throwAwayFolder(program, unprivileged)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const path = join(folder, 'configuration')
  const running = await startServer({
    name: program,
    file,
    args: (port) => {
      writeFileSync(path, configuration(port, folder))
      return [...args, path]
    },
    ready,
    folder,
    // Caddy and nginx write beside their configuration.
    options: { ...unprivileged, env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder } },
    signal: 'TERM',
  })
  onTestFinished(() => running.stop())
  return {
    ...running,
    folder,
    configure: (changed) => writeFileSync(path, changed(running.port, folder)),
  }
}
