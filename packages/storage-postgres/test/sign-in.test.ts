/** Sign-ins with factors over PostgreSQL: the statements of each, and two servers that are asked at once. */

import { createHash } from 'node:crypto'
import { personTag } from '@ostiary/core'
import type { Factor } from '@ostiary/identity'
import {
  assertionResponse,
  type Credential,
  newUserHandle,
  passkeyCredential,
} from '@ostiary/test-kit/authenticators/authenticator'
import { cookieJar, hiddenField } from '@ostiary/test-kit/browser'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { authorizeUrl, REDIRECT_URI } from '@ostiary/test-kit/world'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Executor, postgresStores } from '../src/index.js'
import { sessionRecord } from './_grants.js'
import { hold, untilItWaits } from './_held.js'
import { pausedBefore } from './_paused.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'
import { clock, ISSUER, inTransaction, newUser, PASSWORD, type Server, server, signsIn } from './_sign-in.js'

let database: OwnDatabase
let sub = ''
let credential: Credential
beforeAll(async () => {
  database = await migratedDatabase()
})
afterAll(() => database.drop())

let users = 0
beforeEach(async () => {
  users += 1
  sub = `ann-${users}`
  const stores = server(database.executor)
  await stores.users.create(newUser(sub))
  credential = passkeyCredential({ user_handle: newUserHandle(personTag(sub)) })
  const add = [passkeyOf(credential)]
  await stores.factors.change({ sub, add }, { credential_version: 0, now: clock.now })
})

/** Removes the passkey of the user, whose record is at the version 1. */
const removePasskey = (executor: Executor): Promise<boolean> => {
  const remove = [passkeyOf(credential).factor_id]
  const { factors } = postgresStores(executor)
  return factors('default').change({ sub, remove }, { credential_version: 1, now: clock.now })
}

const storedSessions = () => postgresStores(database.executor).storage('default').sessions.list(sub)

const base64url = (bytes: Buffer): string => bytes.toString('base64url')

function passkeyOf({ credential_id, public_key, user_handle, algorithm }: Credential): Factor {
  const id = base64url(credential_id)
  return {
    factor_id: createHash('sha256').update(id).digest('base64url') + personTag(sub),
    sub,
    kind: 'passkey',
    label: 'Passkey',
    created_at: clock.now,
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

const LOGIN = `${ISSUER}/login?return_to=%2Faccount`

/** The sign-in page for an application. */
async function loginOfApplication({ handle }: Server): Promise<string> {
  const asked = await handle(new Request(authorizeUrl(ISSUER)))
  return asked.headers.get('location') ?? ''
}

/** Opens the sign-in page: that for the account page when absent. */
async function open({ handle }: Server, login = LOGIN) {
  const jar = cookieJar()
  const page = await handle(new Request(login))
  jar.keep(page)
  const html = await page.text()
  const options = /data-options="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? '{}'
  const fields = {
    return_to: new URL(login).searchParams.get('return_to') ?? '',
    csrf_token: hiddenField(html, 'csrf_token'),
    passkey_ticket: hiddenField(html, 'passkey_ticket'),
  }
  const { challenge } = JSON.parse(options) as { challenge: string }
  const request = { challenge, origin: ISSUER, rp_id: 'id.example.com' }
  const passkey = JSON.stringify(assertionResponse(credential, request))
  const post = (to: Server, more: Record<string, string>) => {
    const body = new URLSearchParams({ ...fields, ...more })
    return to.handle(
      new Request(`${ISSUER}/login`, { method: 'POST', headers: { cookie: jar.header() }, body }),
    )
  }
  return {
    withPasskey: (to: Server) => post(to, { action: 'start', passkey }),
    withPassword: (to: Server) => post(to, { username: sub, password: PASSWORD }),
  }
}

// With the user as it is then: whether the account has changed meanwhile.
const SESSION = 'oidc_sessions+oidc_session_browsers+oidc_session_clients+oidc_users'

/** A server whose statements are recorded, by their tables. */
function recorded(): { server: Server; tables: string[] } {
  const { executor } = database
  const tables: string[] = []
  const query: Executor['query'] = (text, params) => {
    tables.push([...new Set(text.match(/(?<=(?:from|into|update) )oidc_\w+/g))].join('+'))
    return executor.query(text, params)
  }
  return { server: server({ ...executor, query }), tables }
}

it('a passkey signs in with these statements', async () => {
  const { server: counted, tables } = recorded()
  const page = await open(counted)
  tables.splice(0)
  expect(signsIn(await page.withPasskey(counted))).toBe(true)
  expect(tables).toEqual([
    // With the user.
    'oidc_users+oidc_factors',
    // The counter is compared and set, and the challenge is claimed.
    'oidc_factors',
    'oidc_replays',
    SESSION,
  ])
})

it('a passkey signs in to an application with five statements', async () => {
  const { server: counted, tables } = recorded()
  const { clients } = postgresStores(database.executor).storage('default')
  await clients.create(clientRecord({ redirect_uris: [REDIRECT_URI] }))
  const page = await open(counted, await loginOfApplication(counted))
  tables.splice(0)
  const response = await page.withPasskey(counted)
  expect(signsIn(response)).toBe(true)
  // The pending request is read once, for the page and for the session.
  expect(tables).toEqual([
    'oidc_pending_authorizations',
    'oidc_users+oidc_factors',
    'oidc_factors',
    'oidc_replays',
    SESSION,
  ])
})

it('a password signs in without a statement about factors', async () => {
  const { server: counted, tables } = recorded()
  const page = await open(counted)
  tables.splice(0)
  expect(signsIn(await page.withPassword(counted))).toBe(true)
  expect(tables).toEqual('oidc_usernames oidc_users oidc_throttles oidc_throttles'.split(' ').concat(SESSION))
})

it('one response at two servers, of which one is held before it uses the passkey: one sign-in', async () => {
  const paused = pausedBefore(database.executor, 'update oidc_factors')
  const [slow, fast] = [server(paused.executor), server(database.executor)]
  const page = await open(fast)
  const held = page.withPasskey(slow)
  await paused.reached
  expect(signsIn(await page.withPasskey(fast))).toBe(true)
  paused.go()
  const late = await held
  expect(late.status).toBe(422)
  expect(signsIn(late)).toBe(false)
})

it('a passkey that is removed while a sign-in is held before its session: no session is left', async () => {
  const paused = pausedBefore(database.executor, 'insert into oidc_sessions')
  const [slow, fast] = [server(paused.executor), server(database.executor)]
  const page = await open(fast)
  const held = page.withPasskey(slow)
  await paused.reached
  expect(await removePasskey(database.executor)).toBe(true)
  paused.go()
  const late = await held
  expect(late.status).toBe(400)
  expect(await storedSessions()).toEqual([])
})

/** Grows the version of the user's credentials, and leaves the passkey. */
const changeAccount = (executor: Executor): Promise<boolean> =>
  postgresStores(executor)
    .factors('default')
    .change({ sub, second_step: true }, { credential_version: 1, now: clock.now })

it('a session waits for a change of the account that has begun, and does not remain', async () => {
  const one = server(database.executor)
  const page = await open(one)
  const change = await hold(database.executor, (tx) => changeAccount(inTransaction(tx)))
  const held = page.withPasskey(one)
  expect(await untilItWaits(database.executor, held)).toBe(true)
  await change.commit()
  expect((await held).status).toBe(400)
  expect(await storedSessions()).toEqual([])
})

it('a change of the account waits for a session that is being stored, and then finds it', async () => {
  const session = { ...sessionRecord('held'), sid: `held${personTag(sub)}`, sub }
  const storing = await hold(database.executor, (tx) =>
    postgresStores(inTransaction(tx)).storage('default').sessions.create(session),
  )
  const changed = changeAccount(database.executor)
  expect(await untilItWaits(database.executor, changed)).toBe(true)
  await storing.commit()
  expect(await changed).toBe(true)
  expect(await storedSessions()).toMatchObject([{ sid: session.sid }])
})
