/** A request is not acknowledged before its writes are stored: each write is tested with a storage where it fails. */

import type { RealmStorage, Storage } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { describe, expect, it } from 'vitest'
import {
  CLIENT_SECRET,
  CODE_VERIFIER,
  client,
  REDIRECT_URI,
  redeem,
  tokens,
  type World,
  world,
} from './support.js'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const AUTH = { client_id: 'app', client_secret: CLIENT_SECRET }

/** A storage whose operation rejects while `broken.operation` names it, as `store.method`. */
function fragile() {
  const inner = memoryStorage()
  const broken = { operation: '' }
  const guarded = <Store extends object>(name: string, store: Store): Store =>
    new Proxy(store, {
      get(target, method) {
        if (`${name}.${String(method)}` === broken.operation)
          return () => Promise.reject(new Error('the storage is unavailable'))
        return Reflect.get(target, method)
      },
    })
  const storage: Storage = (realm) => {
    const stores: RealmStorage = inner(realm)
    const wrapped = Object.entries(stores).map(([name, store]) => [
      name,
      typeof store === 'function' ? store : guarded(name, store),
    ])
    return Object.fromEntries(wrapped)
  }
  return { storage, broken }
}

async function prepared() {
  const { storage, broken } = fragile()
  const w = await world({
    storage,
    oidc: {
      clients: { registration: { enabled: true }, token_exchange: true },
      resources: { files: { scopes: [] } },
    },
    clients: [
      await client({
        client_secret: CLIENT_SECRET,
        grant_types: ['authorization_code', 'refresh_token', EXCHANGE],
        allowed_exchange_audiences: ['https://id.example.com/files'],
      }),
    ],
  })
  const browser = w.browser()
  const granted = (await redeem(w, (await browser.code()).code, { client_secret: CLIENT_SECRET })).body
  return { w, broken, browser, granted }
}
type PreparedWorld = Awaited<ReturnType<typeof prepared>>

const exchanged = async ({ w, granted }: PreparedWorld) =>
  (
    await tokens(w, {
      ...AUTH,
      grant_type: EXCHANGE,
      subject_token: granted.access_token,
      subject_token_type: ACCESS_TOKEN,
      audience: `${w.issuer}/files`,
    })
  ).body.access_token
const locationOf = (response: Response) => response.headers.get('location') ?? ''
const register = (w: World) =>
  w.provider.fetch(
    new Request(`${w.issuer}/oauth/register`, {
      method: 'POST',
      body: JSON.stringify({ redirect_uris: ['https://app.example.com/cb'] }),
    }),
    { address: '192.0.2.1' },
  )

/** Each row prepares, calls `fail`, and sends the request whose write then fails. */
const WRITES: [
  operation: string,
  what: string,
  act: (at: PreparedWorld, fail: () => void) => Promise<Response>,
][] = [
  [
    'grants.create',
    'a code',
    async ({ browser }, fail) => {
      fail()
      return browser.authorize()
    },
  ],
  [
    'sessions.join',
    'the first code of a session',
    async ({ w }, fail) => {
      const browser = w.browser()
      await browser.authorize({ prompt: 'consent' })
      await browser.signIn()
      fail()
      return browser.approve()
    },
  ],
  [
    'consents.merge',
    'an approval',
    async ({ browser }, fail) => {
      await browser.authorize({ prompt: 'consent' })
      fail()
      return browser.approve()
    },
  ],
  [
    'pending.put',
    'a consent prompt',
    async ({ browser }, fail) => {
      fail()
      return browser.authorize({ prompt: 'consent' })
    },
  ],
  [
    'grants.redeemCode',
    'a redemption',
    async ({ w, browser }, fail) => {
      const { code } = await browser.code()
      fail()
      return w.post('/oauth/token', {
        ...AUTH,
        grant_type: 'authorization_code',
        code: String(code),
        redirect_uri: REDIRECT_URI,
        code_verifier: CODE_VERIFIER,
      })
    },
  ],
  [
    'grants.rotateRefreshToken',
    'a refresh',
    async ({ w, granted }, fail) => {
      fail()
      return w.post('/oauth/token', {
        ...AUTH,
        grant_type: 'refresh_token',
        refresh_token: granted.refresh_token,
      })
    },
  ],
  [
    'grants.revoke',
    'a revocation',
    async ({ w, granted }, fail) => {
      fail()
      return w.post('/oauth/revoke', { ...AUTH, token: granted.refresh_token })
    },
  ],
  [
    'revoked_tokens.add',
    'a revocation without a grant',
    async (at, fail) => {
      const token = await exchanged(at)
      fail()
      return at.w.post('/oauth/revoke', { ...AUTH, token })
    },
  ],
  [
    'clients.create',
    'a registration',
    async ({ w }, fail) => {
      fail()
      return register(w)
    },
  ],
  [
    'throttle.hit',
    'a counted registration',
    async ({ w }, fail) => {
      fail()
      return register(w)
    },
  ],
  [
    'sessions.create',
    'a sign-in',
    async ({ w }, fail) => {
      const browser = w.browser()
      await browser.authorize()
      fail()
      return browser.signIn()
    },
  ],
  [
    'sessions.end',
    'a sign-out',
    async ({ w, browser, granted }, fail) => {
      fail()
      return browser.get(`${w.issuer}/oauth/logout?id_token_hint=${granted.id_token}`)
    },
  ],
  [
    'sessions.end',
    'a forced re-login',
    async ({ browser }, fail) => {
      fail()
      return browser.authorize({ prompt: 'login' })
    },
  ],
  [
    'sessions.list',
    'the look-up of a lost session',
    async ({ w, granted }, fail) => {
      fail()
      return w.browser().get(`${w.issuer}/oauth/logout?id_token_hint=${granted.id_token}`)
    },
  ],
]

describe('a write that fails', () => {
  it.each(WRITES)('%s: %s is not acknowledged', async (operation, _, act) => {
    const at = await prepared()
    const response = await act(at, () => {
      at.broken.operation = operation
    })
    const location = locationOf(response)
    expect(
      response.status === 500 || location.includes('error=server_error'),
      `${response.status} ${location}`,
    ).toBe(true)
    expect(at.w.events.some(({ type }) => type === 'server.error')).toBe(true)
  })
})

describe('a session that ends while its code is made', () => {
  it.each(['the first code of the client', 'a later one'])('gives no code: %s', async (which) => {
    const inner = memoryStorage()
    let ending = false
    const storage: Storage = (realm) => {
      const stores = inner(realm)
      const create: RealmStorage['grants']['create'] = async (grant, code) => {
        await stores.grants.create(grant, code)
        // Another request ends the session after the grant is stored, and before it is joined.
        if (ending) {
          await stores.sessions.end(grant.sid, grant.created_at, 30)
          await stores.grants.revoke({ sid: grant.sid }, grant.created_at)
        }
      }
      return { ...stores, grants: { ...stores.grants, create } }
    }
    const w = await world({ storage, clients: [await client({ trusted: true })] })
    const browser = w.browser()
    if (which === 'a later one') await browser.code()
    else {
      await browser.authorize()
      ending = true
      expect((await browser.signIn()).headers.get('location')).toContain('error=login_required')
      return
    }
    ending = true
    expect((await browser.authorize()).headers.get('location')).toContain('error=login_required')
  })
})

describe('a consent that is withdrawn while its code is made', () => {
  it('gives no code, and leaves no grant', async () => {
    const inner = memoryStorage()
    let withdrawing = false
    const storage: Storage = (realm) => {
      const stores = inner(realm)
      const create: RealmStorage['grants']['create'] = async (grant, code) => {
        // The withdrawal happens before the grant is stored, so it does not find the grant.
        if (withdrawing)
          await stores.consents.revoke({ sub: grant.sub, client_id: grant.client_id }, grant.created_at)
        await stores.grants.create(grant, code)
      }
      return { ...stores, grants: { ...stores.grants, create } }
    }
    const w = await world({ storage })
    const browser = w.browser()
    await browser.code()
    withdrawing = true
    expect((await browser.authorize()).headers.get('location')).toContain('error=consent_required')
    const live = await w.storage('default').grants.list('alice', w.clock.now)
    expect(live).toHaveLength(1)
  })
})
