/** A user with two factors, who signs in with the password and a code, or with a passkey. */

import { createHash } from 'node:crypto'
import { personTag } from '@ostiary/core'
import { type Factor, upsertUser } from '@ostiary/identity'
import { type AuthenticatorApp, authenticatorApp } from '@ostiary/test-kit/authenticators/app'
import {
  assertionResponse,
  type Credential,
  newUserHandle,
  passkeyCredential,
} from '@ostiary/test-kit/authenticators/authenticator'
import { type Browser, browser, hiddenField } from '@ostiary/test-kit/browser'
import { PASSWORD } from '../target.js'
import { ACCOUNT, ISSUER, LOGIN, type Pages } from './pages.js'

const RP_ID = new URL(ISSUER).hostname

export interface Person {
  sub: string
  key: Credential
  app: AuthenticatorApp
}

/** Adds a user with an authenticator app, the recovery codes that come with it, and a passkey. */
export async function addPerson(pages: Pages, sub: string): Promise<Person> {
  await upsertUser(pages.users, { username: sub, sub, password: PASSWORD })
  const b = await withPassword(pages, sub)
  const csrf_token = hiddenField(await text(b.get(ACCOUNT)), 'csrf_token')
  const page = await text(b.post(ACCOUNT, { csrf_token, action: 'enrol', method: 'totp' }))
  const app = authenticatorApp(/class="key">([^<]*)</.exec(page)?.[1] ?? '')
  const form = fieldsOf(page, ['csrf_token', 'action', 'method', 'totp_secret'])
  await b.post(ACCOUNT, { ...form, code: app.code(pages.clock.now) })
  // Synchronized, as most passkeys are: the counter stays 0.
  const synced = { backup_eligible: true, backed_up: true, counter: 0 }
  const key = passkeyCredential({ ...synced, user_handle: newUserHandle(personTag(sub)) })
  const { credential_version = 0 } = (await pages.users.find(sub)) ?? {}
  const change = { sub, add: [passkeyOf(key, { sub, now: pages.clock.now })] }
  if (!(await pages.factors.change(change, { credential_version, now: pages.clock.now })))
    throw new Error('The passkey is not added')
  const kinds = (await pages.factors.list(sub)).map(({ kind }) => kind).sort()
  if (kinds.join() !== 'passkey,recovery,totp') throw new Error(`The user has ${kinds.join()}`)
  return { sub, key, app }
}

/** What is measured. Each has the requests of one visit, and ends with a session. */
export const VISITS: Readonly<Record<string, (pages: Pages, person: Person) => Promise<Browser>>> = {
  'Sign-in with the password and a code': async (pages, { sub, app }) => {
    const b = await withPassword(pages, sub)
    const csrf_token = hiddenField(await text(b.get(LOGIN)), 'csrf_token')
    const code = app.code(pages.clock.now)
    const form = { return_to: '/account', csrf_token, action: 'second_step', proof: 'totp', code }
    return signedIn(b, await b.post(`${ISSUER}/login`, form))
  },
  'Sign-in with a passkey': async (pages, { key }) => {
    const b = browser(pages.handle)
    const page = await text(b.get(LOGIN))
    const options = /data-options="([^"]*)"/.exec(page)?.[1]?.replaceAll('&quot;', '"') ?? '{}'
    const { challenge } = JSON.parse(options) as { challenge: string }
    const passkey = JSON.stringify(assertionResponse(key, { challenge, origin: ISSUER, rp_id: RP_ID }))
    const fields = fieldsOf(page, ['csrf_token', 'passkey_ticket'])
    const form = { ...fields, return_to: '/account', action: 'start', passkey }
    return signedIn(b, await b.post(`${ISSUER}/login`, form))
  },
}

/** The account page of a signed-in user. */
export async function openAccount(b: Browser): Promise<void> {
  const page = await b.get(ACCOUNT)
  if (page.status !== 200 || !(await page.text()).includes('factor-1')) throw new Error('No account page')
}

/** A browser in which the password was given. */
async function withPassword(pages: Pages, username: string): Promise<Browser> {
  const b = browser(pages.handle)
  const csrf_token = hiddenField(await text(b.get(LOGIN)), 'csrf_token')
  await b.post(`${ISSUER}/login`, { return_to: '/account', csrf_token, username, password: PASSWORD })
  return b
}

function signedIn(b: Browser, { status }: Response): Browser {
  if (status !== 303 || ![...b.cookies.keys()].some((name) => name.endsWith('session')))
    throw new Error(`The sign-in answers ${status}: ${[...b.cookies.keys()].join()}`)
  return b
}

const text = async (answer: Promise<Response>): Promise<string> => (await answer).text()

const fieldsOf = (page: string, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, hiddenField(page, name)]))

const base64url = (bytes: Buffer): string => bytes.toString('base64url')

function passkeyOf(
  { credential_id, public_key, user_handle, algorithm }: Credential,
  { sub, now }: { sub: string; now: number },
): Factor {
  const id = base64url(credential_id)
  return {
    factor_id: createHash('sha256').update(id).digest('base64url') + personTag(sub),
    sub,
    kind: 'passkey',
    label: 'Passkey',
    created_at: now,
    last_used_at: null,
    state: '0 1',
    data: {
      credential_id: id,
      public_key: base64url(public_key.export({ format: 'der', type: 'spki' })),
      algorithm,
      backup_eligible: true,
      transports: [],
      aaguid: '00000000-0000-0000-0000-000000000000',
      rp_id: RP_ID,
      user_handle,
    },
  }
}
