/**
 * A code and what ends it at the same moment, in a fixed order: one statement has run and is not committed, and the other one waits
 * for it. Either nothing is stored, or the revocation that follows the ending finds the grant.
 */

import { createHash } from 'node:crypto'
import {
  createProvider,
  type GrantSelection,
  type NeededConsent,
  type OidcEvent,
  type RealmStorage,
  type Storage,
} from '@ostiary/core'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postgresStorage } from '../src/index.js'
import { codeRecord, grantRecord, idOf, LATER, NOW, sessionRecord } from './_grants.js'
import { type HeldTransaction, hold, storageIn, storesIn, untilItWaits } from './_held.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

const PAIR = { sub: 'sub', client_id: 'client' }
const CONSENT: NeededConsent = { resource: 'r', scopes: ['a'] }

let database: OwnDatabase
let realm = ''
let store: RealmStorage
let realms = 0
beforeAll(async () => {
  database = await migratedDatabase()
})
afterAll(() => database.drop())
beforeEach(() => {
  realms += 1
  realm = `realm-${realms}`
  store = postgresStorage(database.executor)(realm)
})

type Call<T> = (stores: RealmStorage) => Promise<T>
const held = <T>(call: Call<T>): Promise<HeldTransaction<T>> =>
  hold(database.executor, (tx) => call(storesIn(tx, realm)))

const approve: Call<void> = ({ consents }) =>
  consents.merge({ ...PAIR, approved: [{ resource: 'r', scopes: ['a'] }] }, NOW)

describe('issue', () => {
  const issueFrom = async ({ issue }: Storage, name = 'grant') =>
    issue?.(realm)(grantRecord(name), codeRecord(`${name}-code`, name), CONSENT)
  const issue = (name?: string) => issueFrom(postgresStorage(database.executor), name)
  const heldIssue = (name?: string) => hold(database.executor, (tx) => issueFrom(storageIn(tx), name))

  async function begin(): Promise<void> {
    await store.sessions.create(sessionRecord('hash'))
    await approve(store)
  }

  /** What ends a grant: the first statement, for which a new grant has to wait, and the revocation that follows. */
  interface Ending {
    name: string
    end: Call<unknown>
    revoke: Call<unknown>
    outcome: 'consent_withdrawn' | 'session_ended'
  }

  const sweep = { client_id: 'client', before: LATER }
  const revoke =
    (selection: GrantSelection): Call<unknown> =>
    ({ grants }) =>
      grants.revoke(selection, NOW)
  const ENDINGS: Ending[] = [
    {
      name: 'the end of the session',
      end: ({ sessions }) => sessions.end(idOf('sid'), NOW, 30),
      revoke: revoke({ sid: idOf('sid') }),
      outcome: 'session_ended',
    },
    {
      name: 'the withdrawal of the consent',
      end: ({ consents }) => consents.revoke(PAIR, NOW),
      revoke: revoke(PAIR),
      outcome: 'consent_withdrawn',
    },
    {
      name: 'its withdrawal for one resource',
      end: ({ consents }) => consents.revoke({ ...PAIR, resource: 'r' }, NOW),
      revoke: revoke(PAIR),
      outcome: 'consent_withdrawn',
    },
    {
      name: 'the deletion of the user',
      end: ({ consents }) => consents.delete({ sub: 'sub' }),
      revoke: revoke({ sub: 'sub' }),
      outcome: 'consent_withdrawn',
    },
    {
      name: 'the deletion of the client',
      end: ({ consents }) => consents.deleteOfClient(sweep),
      revoke: ({ grants }) => grants.revokeOfClient(sweep, NOW),
      outcome: 'consent_withdrawn',
    },
  ]

  it.each(ENDINGS)('waits for $name, and then stores nothing', async ({ end, outcome }) => {
    await begin()
    const ending = await held(end)
    const issued = issue()
    expect(await untilItWaits(database.executor, issued)).toBe(true)
    await ending.commit()
    expect(await issued).toBe(outcome)
    expect(await store.grants.find(idOf('grant'))).toBeNull()
    expect(await store.grants.findCode(idOf('grant-code'))).toBeNull()
    expect((await store.sessions.find(idOf('hash')))?.client_ids ?? []).toEqual([])
  })

  it.each(ENDINGS)('waits for $name, and stores the code if that fails', async ({ end }) => {
    await begin()
    const ending = await held(end)
    const issued = issue()
    expect(await untilItWaits(database.executor, issued)).toBe(true)
    await ending.rollback()
    expect(await issued).toBe('stored')
    expect(await store.grants.findCode(idOf('grant-code'))).not.toBeNull()
  })

  it.each(ENDINGS)('$name waits for it, and then its grant is found and revoked', async ({ end, revoke }) => {
    await begin()
    const issued = await heldIssue()
    expect(issued.result).toBe('stored')
    const ending = end(store).then(() => revoke(store))
    expect(await untilItWaits(database.executor, ending)).toBe(true)
    await issued.commit()
    await ending
    expect(await store.grants.find(idOf('grant'))).toMatchObject({ revoked_at: NOW })
  })

  it('the end of the session returns a client that has joined it in this way', async () => {
    await begin()
    const issued = await heldIssue()
    const ending = store.sessions.end(idOf('sid'), NOW, 30)
    expect(await untilItWaits(database.executor, ending)).toBe(true)
    await issued.commit()
    expect(await ending).toMatchObject({ client_ids: ['client'] })
  })

  it('waits for an approval that changes the consent, and stores the code', async () => {
    await begin()
    const approval = await held(({ consents }) =>
      consents.merge({ ...PAIR, approved: [{ resource: 'r', scopes: ['b'] }] }, NOW),
    )
    const issued = issue()
    expect(await untilItWaits(database.executor, issued)).toBe(true)
    await approval.commit()
    expect(await issued).toBe('stored')
  })

  it('two first codes of a client: the second waits, and both are stored', async () => {
    await begin()
    const first = await heldIssue('one')
    const second = issue('two')
    expect(await untilItWaits(database.executor, second)).toBe(true)
    await first.commit()
    expect([first.result, await second]).toEqual(['stored', 'stored'])
    expect(await store.sessions.find(idOf('hash'))).toMatchObject({ client_ids: ['client'] })
  })

  it('two later codes of a client do not wait for each other', async () => {
    await begin()
    await issue('zero')
    const first = await heldIssue('one')
    const second = issue('two')
    expect(await untilItWaits(database.executor, second)).toBe(false)
    await first.commit()
    expect([first.result, await second]).toEqual(['stored', 'stored'])
  })
})

describe('an authorization request', () => {
  const ISSUER = 'https://id.example.com'
  const REDIRECT_URI = 'https://app.example.com/callback'
  const CHALLENGE = createHash('sha256').update('verifier').digest('base64url')
  const NEEDED = { sub: 'sub', client_id: 'client', approved: [{ resource: ISSUER, scopes: ['openid'] }] }

  /** A provider with a signed-in user and a consent; `authorize` returns the query of the redirect to the client. */
  async function signedIn() {
    realm = 'default'
    const storage = postgresStorage(database.executor)
    store = storage(realm)
    const events: OidcEvent[] = []
    let return_to = ''
    const provider = createProvider({
      oidc: { issuer: ISSUER },
      secret: 'only-for-tests-only-for-tests-only-for-tests',
      storage,
      accounts: { find: async (sub) => ({ sub, claims: {} }) },
      interactions: {
        login: async (prompt) => {
          return_to = prompt.return_to
          return new Response()
        },
      },
      on_event: (event) => void events.push(event),
    })
    await store.clients.create(clientRecord({ client_id: 'client', redirect_uris: [REDIRECT_URI] }))
    await store.consents.merge(NEEDED, NOW)
    const url = new URL(`${ISSUER}/oauth/authorize`)
    const query = { client_id: 'client', redirect_uri: REDIRECT_URI, response_type: 'code', scope: 'openid' }
    const challenge = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
    url.search = new URLSearchParams({ ...query, ...challenge }).toString()
    await provider.fetch(new Request(url))
    const login = await provider.login(new Request(`${ISSUER}/login`), { sub: 'sub', amr: [], return_to })
    const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const authorize = async () => {
      const response = await provider.fetch(new Request(url, { headers: { cookie } }))
      return new URL(response.headers.get('location') ?? '').searchParams
    }
    const [session] = await store.sessions.list('sub')
    return { authorize, events, sid: session?.sid ?? '' }
  }

  it.each<{ what: string; error: string; reason: string; end: (sid: string) => Call<unknown> }>([
    {
      what: 'session ends',
      error: 'login_required',
      reason: 'session_ended',
      end:
        (sid) =>
        ({ sessions }) =>
          sessions.end(sid, NOW, 30),
    },
    {
      what: 'consent is withdrawn',
      error: 'consent_required',
      reason: 'consent_withdrawn',
      end:
        () =>
        ({ consents }) =>
          consents.revoke(PAIR, NOW),
    },
  ])('gets no code when its $what meanwhile', async ({ error, reason, end }) => {
    const { authorize, events, sid } = await signedIn()
    expect((await authorize()).get('code')).not.toBeNull()
    const before = await store.grants.list('sub', NOW)
    const ending = await held(end(sid))
    const authorized = authorize()
    expect(await untilItWaits(database.executor, authorized)).toBe(true)
    await ending.commit()
    expect(Object.fromEntries(await authorized)).toMatchObject({ error })
    expect(events.at(-1)).toMatchObject({ type: 'authorization.refused', reason })
    expect(await store.grants.list('sub', NOW)).toEqual(before)
    await store.sessions.end(sid, NOW, 30)
  })
})
