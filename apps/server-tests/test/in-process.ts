/** The host behind a socket in this process, with a clock that the test sets. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configuredLog, createApp, readConfig } from '@ostiary/host'
import { freePort } from '@ostiary/test-kit/ports'
import { SECRET } from '@ostiary/test-kit/server'
import { node } from '../../node-server/src/runtime.ts'

export interface InProcess {
  issuer: string
  /** Epoch seconds. */
  clock: { now: number }
  /** The log lines with this message. */
  logged(msg: string): Record<string, unknown>[]
  stop(): Promise<void>
}

interface Options {
  /** A free one when absent. */
  port?: number
  /** Replaces the storage in memory. */
  env?: Record<string, string>
}

/** @param file `ostiary.config.json`, given the port. */
export async function startInProcess(
  file: (port: number) => unknown,
  { port: given, env = { OSTIARY_STORAGE: 'memory' } }: Options = {},
): Promise<InProcess> {
  const port = given ?? (await freePort())
  const cwd = await mkdtemp(join(tmpdir(), 'ostiary-in-process-'))
  await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(file(port)))
  const config = await readConfig({ OIDC_SECRET: SECRET, PORT: String(port), ...env }, cwd)
  const lines: string[] = []
  const clock = { now: Math.floor(Date.now() / 1000) }
  const log = configuredLog(config, (line) => lines.push(line))
  const app = await createApp(config, { log, now: () => clock.now })
  await app.start()
  const listener = await node.listen(app.answer, {
    port,
    host: '127.0.0.1',
    shared: false,
    failed: (error) => lines.push(JSON.stringify({ msg: `${error}` })),
  })
  return {
    issuer: config.issuer,
    clock,
    logged: (msg) => lines.map((line) => JSON.parse(line)).filter((entry) => entry.msg === msg),
    async stop() {
      listener.cut()
      await app.stop()
      await rm(cwd, { recursive: true, force: true })
    },
  }
}
