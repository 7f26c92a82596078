/** docs/embed-it.md: the files of each section, copied from the page, are a program that starts and signs a user in, on each framework. */

import { startRedis } from '@ostiary/local-services/redis'
import { ownDatabase } from '@ostiary/test-kit/database'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  application,
  CONFIDENTIAL,
  FIELDS,
  keepsRecords,
  ports,
  program,
  signIn,
  signsIn,
  startProgram,
} from './embed-program.ts'

async function ownRedis(): Promise<string> {
  const { url, stop } = await startRedis()
  onTestFinished(stop)
  return url
}

describe.each(['Hono', 'Express', 'Bun', 'Deno'])('%s', (heading) => signsIn(heading))

describe('the records', () => {
  for (const heading of ['PostgreSQL', 'Your users in a table'])
    keepsRecords(heading, async () => ({ DATABASE_URL: await ownDatabase() }))
  keepsRecords('Redis', async () => ({ DATABASE_URL: await ownDatabase(), REDIS_URL: await ownRedis() }))
})

describe('the built-in sign-in', () => {
  it('is one file: ann signs in to an application', async () => {
    const taken = await ports()
    await startProgram(program('The built-in sign-in', {}), taken)
    expect(await signIn(application(CONFIDENTIAL), taken, FIELDS)).toContain('Hello Ann Example!')
  })

  it('serves several realms, and each has an ann of its own', async () => {
    const taken = await ports()
    await startProgram(program('Several realms', {}), taken)
    for (const realm of ['acme', 'globex']) {
      const app = application(CONFIDENTIAL, `/realms/${realm}`)
      expect(await signIn(app, taken, FIELDS)).toContain(`Hello Ann of ${realm}!`)
    }
  })
})
