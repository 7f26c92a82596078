/** A code of an authenticator app works before, during and after a change of OIDC_SECRET, and no user is signed out. */

import { person } from '@ostiary/test-kit/person'
import { freePort } from '@ostiary/test-kit/ports'
import { configFor, PASSWORD, SECRET, USERNAME } from '@ostiary/test-kit/server'
import { codeOfStep, newTotpSecret } from '@ostiary/totp'
import { expect, it, onTestFinished } from 'vitest'
import { newTotpFactor, TOTP_SECRET_USE } from '../../../packages/identity/src/factors/totp/totp-factor.ts'
import { createSealer } from '../../../packages/identity/src/web/sealed.ts'
import { database } from './commands.ts'
import { type InProcess, startInProcess } from './in-process.ts'

const NEW_SECRET = 'another-secret-of-these-tests-9876543210-x'
const BEFORE = { OIDC_SECRET: SECRET }
const DURING = { OIDC_SECRET: NEW_SECRET, OIDC_SECRET_PREVIOUS: SECRET }
const AFTER = { OIDC_SECRET: NEW_SECRET }

const secret = newTotpSecret()
let now = Math.floor(Date.now() / 1000)

/** Signs in with the password and a code. */
async function signIn(server: InProcess) {
  // A minute later than the sign-in before: the code is another one.
  now += 60
  server.clock.now = now
  const one = person(server.issuer)
  const second = await one.submit(await one.open(`${server.issuer}/account`), {
    username: USERNAME,
    password: PASSWORD,
  })
  expect(second.html).toContain('name="code"')
  const account = await one.submit(second, { code: codeOfStep(secret, Math.floor(now / 30)) })
  expect([account.url.pathname, account.status]).toEqual(['/account', 200])
  return one
}

it('a code works with the old secret, with both, and with the new one alone', async () => {
  const { quick, users, factors, env } = await database(onTestFinished)
  const port = await freePort()
  const config = () => ({
    ...configFor('http://localhost:8080/callback')(port),
    identity: { second_factor: 'optional' },
  })
  let running: InProcess | undefined
  const stop = async () => {
    await running?.stop()
    running = undefined
  }
  onTestFinished(stop)
  const start = async (secrets: Record<string, string>) => {
    await stop()
    running = await startInProcess(config, { port, env: { DATABASE_URL: env.DATABASE_URL, ...secrets } })
    return running
  }
  const first = await start(BEFORE)
  const user = await users.findByUsername(USERNAME)
  if (user === null) throw new Error('The server has made no user')
  const { sub, credential_version } = user
  const sealer = createSealer({ secret: SECRET }, TOTP_SECRET_USE)
  const app = newTotpFactor({ sub, label: 'Phone', secret, step: 1 }, { realm: 'default', now: 1, sealer })
  expect(await factors.change({ sub, add: [app], second_step: true }, { credential_version, now: 1 })).toBe(
    true,
  )
  const ann = await signIn(first)

  const both = await start(DURING)
  await signIn(both)
  const rotated = await quick('secret rotate --json', { env: DURING, config: config() })
  expect(JSON.parse(rotated.stdout)).toMatchObject({
    realms: { default: { encrypted_again: 1, apps: 1, apps_encrypted_again: 1, unreadable_apps: 0 } },
  })
  await signIn(both)

  const last = await start(AFTER)
  await signIn(last)
  const account = await ann.open(`${last.issuer}/account`)
  expect([account.url.pathname, account.status]).toEqual(['/account', 200])
})
