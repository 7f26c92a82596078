/** A server with the configuration of a page, its records in memory. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { memoryStorage } from '@ostiary/core/memory'
import { configuredLog, createApp, readConfig } from '@ostiary/host'
import { memoryUserStores } from '@ostiary/identity'
import { memoryMailQueue } from '@ostiary/identity/mail'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { onTestFinished } from 'vitest'
import { fence } from './fences.ts'

/** Of ann, who is the user of the pages. */
export const PASSWORD = 'a long passphrase'

export type Fetch = (request: Request) => Promise<Response>

/**
 * Stops with the test.
 * @param page Its first configuration is the server's.
 * @param secrets The variables that the configuration names, besides the password of ann.
 */
export async function startPageServer(page: string, secrets: Record<string, string> = {}): Promise<Fetch> {
  const cwd = await temporaryFolder()
  await writeFile(join(cwd, 'ostiary.config.json'), fence(page, '{'))
  const secret = 'the-secret-of-the-tests-is-long-enough'
  const env = { OIDC_SECRET: secret, OSTIARY_STORAGE: 'memory', ANN_PASSWORD: PASSWORD, ...secrets }
  const config = await readConfig(env, cwd)
  const storage = {
    storage: memoryStorage(),
    ...memoryUserStores(),
    mails: memoryMailQueue(),
    parts: {},
    close: async () => {},
  }
  const app = await createApp(config, { log: configuredLog(config, () => {}), storage })
  await app.start()
  onTestFinished(() => app.stop())
  return async (request) => app.fetch(request, {})
}

/** Sends what a curl command of a page sends. @param variables The values of its variables, such as `$DEVICE_CODE`. */
export function sendCommand(
  fetch: Fetch,
  command: string,
  variables: Record<string, string> = {},
): Promise<Response> {
  const filledIn = command.replace(/\$(\w+)/g, (_, name: string) => encodeURIComponent(variables[name] ?? ''))
  const [, url = ''] = /^curl -s (\S+)/.exec(filledIn) ?? []
  const body = [...filledIn.matchAll(/ -d (\S+)/g)].map(([, pair]) => pair).join('&')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return fetch(new Request(url, { method: 'POST', headers, body }))
}
