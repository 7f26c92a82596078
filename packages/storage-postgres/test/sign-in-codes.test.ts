/** Codes of authenticator apps and recovery codes over PostgreSQL, of which two servers are asked at once. */

import { cookieJar, hiddenField } from '@ostiary/test-kit/browser'
import { codeOfStep, newTotpSecret } from '@ostiary/totp'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { newRecoveryCodes } from '../../identity/src/factors/recovery/codes.ts'
import { newTotpFactor, TOTP_SECRET_USE } from '../../identity/src/factors/totp/totp-factor.ts'
import { createSealer } from '../../identity/src/web/sealed.ts'
import { pausedBefore } from './_paused.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'
import { clock, ISSUER, newUser, PASSWORD, SECRET, type Server, server, signsIn } from './_sign-in.js'

const STEP = Math.floor(clock.now / 30)

let database: OwnDatabase
beforeAll(async () => {
  database = await migratedDatabase()
})
afterAll(() => database.drop())

/** The fields of a form with one code of the new user. */
type Form = Record<string, string>

let users = 0
let sub = ''
let forms: Record<'totp' | 'recovery', { right: Form; other: Form }>
beforeEach(async () => {
  users += 1
  sub = `ann-${users}`
  const stores = server(database.executor)
  await stores.users.create(newUser(sub))
  const secret = newTotpSecret()
  const sealer = createSealer({ secret: SECRET }, TOTP_SECRET_USE)
  const of = { sealer, realm: 'default', now: clock.now }
  const app = newTotpFactor({ sub, label: 'App', secret, step: 1 }, of)
  const set = newRecoveryCodes(sub, clock.now)
  const change = { sub, add: [app, set.factor], second_step: true }
  await stores.factors.change(change, { credential_version: 0, now: clock.now })
  const [first = '', second = ''] = set.codes
  forms = {
    totp: {
      right: { proof: 'totp', code: codeOfStep(secret, STEP) },
      other: { proof: 'totp', code: codeOfStep(secret, STEP + 1) },
    },
    recovery: {
      right: { proof: 'recovery', recovery_code: first },
      other: { proof: 'recovery', recovery_code: second },
    },
  }
})

/** A browser that has given the password, and is asked for a code. */
async function afterPassword({ handle }: Server) {
  const jar = cookieJar()
  const url = `${ISSUER}/login?return_to=%2Faccount`
  const get = async () => {
    const page = await handle(new Request(url, { headers: { cookie: jar.header() } }))
    jar.keep(page)
    return hiddenField(await page.text(), 'csrf_token')
  }
  const post = async (to: Server, fields: Form) => {
    const body = new URLSearchParams({ return_to: '/account', ...fields })
    const headers = { cookie: jar.header() }
    const answer = await to.handle(new Request(`${ISSUER}/login`, { method: 'POST', headers, body }))
    jar.keep(answer)
    return answer
  }
  const first = { csrf_token: await get(), username: sub, password: PASSWORD }
  const asked = await post(server(database.executor), first)
  expect([asked.status, signsIn(asked)]).toEqual([303, false])
  const csrf_token = await get()
  return (to: Server, form: Form) => post(to, { csrf_token, action: 'second_step', ...form })
}

/** Two browsers of the user, and two servers. */
async function race(slow_form: Form, fast_form: Form) {
  const paused = pausedBefore(database.executor, 'update oidc_factors')
  const [slow, fast] = [server(paused.executor), server(database.executor)]
  const [one, two] = [await afterPassword(fast), await afterPassword(fast)]
  const held = one(slow, slow_form)
  await paused.reached
  const early = await two(fast, fast_form)
  paused.go()
  return { early, late: await held }
}

it.each(['totp', 'recovery'] as const)(
  'one code (%s) at two servers, of which one is held before it uses the code: one sign-in',
  async (kind) => {
    const { early, late } = await race(forms[kind].right, forms[kind].right)
    expect(signsIn(early)).toBe(true)
    expect([late.status, signsIn(late)]).toEqual([422, false])
  },
)

it('an older code of an app does not follow a newer one that another server has taken meanwhile', async () => {
  const { early, late } = await race(forms.totp.right, forms.totp.other)
  expect(signsIn(early)).toBe(true)
  expect([late.status, signsIn(late)]).toEqual([422, false])
})

it('of two recovery codes at once, the one that is refused is still good', async () => {
  const { early, late } = await race(forms.recovery.right, forms.recovery.other)
  expect(signsIn(early)).toBe(true)
  expect([late.status, signsIn(late)]).toEqual([422, false])
  const again = await afterPassword(server(database.executor))
  expect(signsIn(await again(server(database.executor), forms.recovery.right))).toBe(true)
  const used = await afterPassword(server(database.executor))
  expect(signsIn(await used(server(database.executor), forms.recovery.other))).toBe(false)
})
