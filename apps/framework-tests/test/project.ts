/** A new project of a framework, made by the commands and the files of its page in an empty folder. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Place, type Started, sh, started, userOf } from '@ostiary/test-kit/commands'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { onTestFinished } from 'vitest'
import type { FrameworkPage } from './page.ts'

/** Tools that report what their users do are told not to. */
const SILENT = { NEXT_TELEMETRY_DISABLED: '1', NG_CLI_ANALYTICS: 'false', DO_NOT_TRACK: '1' }

export interface Project {
  /** The version of a package that is installed in it. */
  installed(name: string): string
  /** Replaces a part of a file. */
  edit(file: string, from: string, to: string): void
  /** Builds it and starts it, as the last block of the page does; ends the one that runs. */
  start(): Promise<void>
}

/** @param variables Of the environment in which the page's commands run. */
export async function newProject(
  { commands, files, ports }: FrameworkPage,
  variables: Record<string, string>,
): Promise<Project> {
  const folder = await temporaryFolder()
  const env = { ...(await withNpm(folder)), ...SILENT, ...variables }
  const place: Place = { cwd: folder, env }
  for (const block of commands.slice(0, -1)) {
    await sh(place, bash(block))
    const [, entered] = /^cd (\S+)$/m.exec(block) ?? []
    if (entered !== undefined) place.cwd = join(place.cwd, entered)
  }
  for (const { path, text } of files) {
    const file = join(place.cwd, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  let running: Started | undefined
  onTestFinished(async () => running?.stop())
  const read = (file: string) => readFileSync(join(place.cwd, file), 'utf8')
  return {
    installed: (name) => JSON.parse(read(`node_modules/${name}/package.json`)).version,
    edit(file, from, to) {
      const changed = read(file).replace(from, () => to)
      if (changed === read(file)) throw new Error(`${file} has no ${from}`)
      writeFileSync(join(place.cwd, file), changed)
    },
    async start() {
      await running?.stop()
      running = await started(place, bash(commands.at(-1)), `http://localhost:${ports.app}/`)
    },
  }
}

const bash = (block = ''): string[] => ['bash', '-euo', 'pipefail', '-c', block]

/** An empty home folder and an empty cache. The registry is the one that npm is configured with. */
async function withNpm(folder: string): Promise<NodeJS.ProcessEnv> {
  const home = join(folder, 'home')
  if (!existsSync(home)) mkdirSync(home)
  const userconfig = await sh({ cwd: folder, env: process.env }, ['npm', 'config', 'get', 'userconfig'])
  return {
    ...userOf(home),
    npm_config_userconfig: userconfig.trim(),
    npm_config_cache: join(home, 'cache'),
    npm_config_yes: 'true',
    npm_config_audit: 'false',
    npm_config_update_notifier: 'false',
  }
}
