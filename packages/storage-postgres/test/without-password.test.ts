/** The password and a passkey are removed at the same time at two servers over PostgreSQL: one of them is refused. */

import { createHash } from 'node:crypto'
import { createProvider, personTag } from '@ostiary/core'
import { createIdentity, type Factor, type PasswordHasher, type User } from '@ostiary/identity'
import {
  assertionResponse,
  type Credential,
  newUserHandle,
  passkeyCredential,
} from '@ostiary/test-kit/authenticators/authenticator'
import { type CookieJar, cookieJar, hiddenField } from '@ostiary/test-kit/browser'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Executor, postgresStores } from '../src/index.js'
import { userRecord } from './_grants.js'
import { type PausedExecutor, pausedBefore } from './_paused.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

const ISSUER = 'https://id.example.com'
const NOW = 1_800_000_000
const passwords: PasswordHasher = {
  hash: async (password) => `plain ${password}`,
  verify: async (hash, password) => hash === `plain ${password}`,
  stale: () => false,
}

let database: OwnDatabase
beforeAll(async () => {
  database = await migratedDatabase()
})
afterAll(() => database.drop())

/** One server of the deployment. */
function server(executor: Executor) {
  const { storage, users, factors } = postgresStores(executor)
  const secret = 'only-for-tests-only-for-tests-only-for-tests'
  const shared = { secret, now: () => NOW }
  const identity = createIdentity({
    ...shared,
    users,
    factors,
    passwords,
    throttle: (realm) => storage(realm).throttle,
    replays: (realm) => storage(realm).replays,
  })
  const { accounts, interactions } = identity
  const oidc = { issuer: ISSUER }
  const provider = createProvider({ ...shared, oidc, storage, accounts, interactions })
  return async (request: Request) => (await identity.fetch(provider, request)) ?? provider.fetch(request)
}

type Server = ReturnType<typeof server>

const base64url = (bytes: Buffer): string => bytes.toString('base64url')

function passkeyOf(sub: string, { credential_id, public_key, user_handle, algorithm }: Credential): Factor {
  const id = base64url(credential_id)
  return {
    factor_id: createHash('sha256').update(id).digest('base64url') + personTag(sub),
    sub,
    kind: 'passkey',
    label: 'Passkey',
    created_at: NOW,
    last_used_at: null,
    state: '0 0',
    data: {
      credential_id: id,
      public_key: base64url(public_key.export({ format: 'der', type: 'spki' })),
      algorithm,
      backup_eligible: false,
      transports: [],
      aaguid: '00000000-0000-0000-0000-000000000000',
      rp_id: 'id.example.com',
      user_handle,
    },
  }
}

/** A user with a password and two passkeys. */
async function made(sub: string) {
  const { users, factors } = postgresStores(database.executor)
  await users('default').create({ ...userRecord(sub, sub), password_hash: 'plain correct horse' })
  const credentials = [0, 1].map(() => passkeyCredential({ user_handle: newUserHandle(personTag(sub)) }))
  const add = credentials.map((credential) => passkeyOf(sub, credential))
  expect(await factors('default').change({ sub, add }, { credential_version: 0, now: NOW })).toBe(true)
  const ways = async () => {
    const { password_hash } = (await users('default').find(sub)) as User
    const left = await factors('default').list(sub)
    return { password: password_hash !== null, passkeys: left.length }
  }
  const [credential] = credentials as [Credential]
  return { credential, factor_ids: add.map(({ factor_id }) => factor_id), ways }
}

/** Signs in with the passkey, and opens the account page. */
async function signedIn(handle: Server, credential: Credential) {
  const jar = cookieJar()
  const page = await handle(new Request(`${ISSUER}/login?return_to=%2Faccount`))
  jar.keep(page)
  const html = await page.text()
  const options = /data-options="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? '{}'
  const { challenge } = JSON.parse(options) as { challenge: string }
  const request = { challenge, origin: ISSUER, rp_id: 'id.example.com' }
  const signed = await post(
    handle,
    { jar, path: '/login' },
    {
      return_to: '/account',
      csrf_token: hiddenField(html, 'csrf_token'),
      passkey_ticket: hiddenField(html, 'passkey_ticket'),
      action: 'start',
      passkey: JSON.stringify(assertionResponse(credential, request)),
    },
  )
  jar.keep(signed)
  const account = await handle(new Request(`${ISSUER}/account`, { headers: { cookie: jar.header() } }))
  jar.keep(account)
  const csrf_token = hiddenField(await account.text(), 'csrf_token')
  return (to: Server, fields: Record<string, string>) =>
    post(to, { jar, path: '/account' }, { csrf_token, ...fields })
}

const post = (
  handle: Server,
  { jar, path }: { jar: CookieJar; path: string },
  fields: Record<string, string>,
): Promise<Response> =>
  handle(
    new Request(`${ISSUER}${path}`, {
      method: 'POST',
      headers: { cookie: jar.header() },
      body: new URLSearchParams(fields),
    }),
  )

const REMOVE_PASSWORD = { action: 'remove_password' }

interface Race {
  held: Record<string, string>
  /** The statement before which the server is held. */
  before: string
  other: Record<string, string>
}

/** One removal is held open at one server, while the other one ends at another server. */
async function race(account: Awaited<ReturnType<typeof made>>, { held, before, other }: Race) {
  const paused: PausedExecutor = pausedBefore(database.executor, before)
  const fast = server(database.executor)
  const send = await signedIn(fast, account.credential)
  const slow = send(server(paused.executor), held)
  await paused.reached
  const { status } = await send(fast, other)
  paused.go()
  return [status, (await slow).status]
}

it('the removal of the password is held: the passkey is removed, and the password stays', async () => {
  const account = await made('ann')
  const other = { action: 'remove_factor', factor_id: account.factor_ids[1] ?? '' }
  const statuses = await race(account, { held: REMOVE_PASSWORD, before: 'update oidc_users', other })
  expect(statuses).toEqual([303, 409])
  expect(await account.ways()).toEqual({ password: true, passkeys: 1 })
})

it('the removal of the passkey is held: the password is removed, and both passkeys stay', async () => {
  const account = await made('bob')
  const held = { action: 'remove_factor', factor_id: account.factor_ids[1] ?? '' }
  const statuses = await race(account, { held, before: 'update oidc_users', other: REMOVE_PASSWORD })
  expect(statuses).toEqual([303, 409])
  expect(await account.ways()).toEqual({ password: false, passkeys: 2 })
})
