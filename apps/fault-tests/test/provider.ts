/** A server process that can be killed and started again, at the same address and on the same records. */

import { once } from 'node:events'
import { freePort } from '@ostiary/test-kit/ports'
import { SECRET, type ServerProcess, startServer } from '@ostiary/test-kit/server'
import { onTestFinished } from 'vitest'

export interface Provider {
  /** Where this process listens, and its issuer. */
  origin: string
  /** Sends SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>
  /** Starts it again, and resolves what waits for `up`. */
  start(): Promise<void>
  /** Resolves when it serves. */
  up(): Promise<void>
  /** The output of the present process. */
  output(): string
}

export interface ProviderStart {
  /** Is given the origin. */
  config: (origin: string) => unknown
  env: Record<string, string>
}

/** A promise that is resolved from outside. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** Starts one, which ends with the test. */
export async function provider({ config, env }: ProviderStart): Promise<Provider> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  let running: ServerProcess | null = null
  let serves = gate()
  let gone: Promise<unknown> = Promise.resolve()
  const started: Provider = {
    origin,
    async kill() {
      const child = running?.child
      running = null
      if (child) {
        // Before the signal: a client that loses its connection must see that the server is down.
        serves = gate()
        gone = once(child, 'close')
        child.kill('SIGKILL')
      }
      await gone
    },
    async start() {
      running = await startServer({ config: config(origin), port, env: { OIDC_SECRET: SECRET, ...env } })
      serves.open()
    },
    up: () => serves.opened,
    output: () => (running ? running.stdout() + running.stderr() : ''),
  }
  onTestFinished(() => started.kill())
  await started.start()
  return started
}
