/** Discovery documents as Google, Microsoft and Apple publish them, with what is special in each: accepted for their own issuer alone. */

import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { protocolOf } from '../src/protocol/protocol-of.js'
import type { RoundTrip } from '../src/protocol/trip.js'
import { type UpstreamSettings, upstreamFaults } from '../src/settings.js'
import { CLIENT_ID, CLIENT_SECRET, upstream } from './_upstream.js'

interface Document {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  jwks_uri: string
  userinfo_endpoint?: string
  [member: string]: unknown
}

const NAMES = ['google', 'microsoft-common', 'microsoft-organizations', 'microsoft-tenant', 'apple'] as const
type Name = (typeof NAMES)[number]

const read = async (name: Name): Promise<Document> =>
  JSON.parse(await readFile(new URL(`discovery/${name}.json`, import.meta.url), 'utf8'))

const MICROSOFT = 'https://login.microsoftonline.com'
const TENANT = '11111111-2222-3333-4444-555555555555'
const OTHER_TENANT = '99999999-2222-3333-4444-555555555555'
const GOOGLE = 'https://accounts.google.com'
const APPLE = 'https://appleid.apple.com'
const ACCOUNT_APPLE = 'https://account.apple.com'

interface Case {
  issuer: string
  tenants?: string[]
}
const CASES: Readonly<Record<Name, Case>> = {
  google: { issuer: GOOGLE },
  'microsoft-common': { issuer: `${MICROSOFT}/common/v2.0`, tenants: [TENANT] },
  'microsoft-organizations': { issuer: `${MICROSOFT}/organizations/v2.0`, tenants: [TENANT] },
  'microsoft-tenant': { issuer: `${MICROSOFT}/${TENANT}/v2.0` },
  apple: { issuer: APPLE },
}

const secret = () => randomBytes(32).toString('base64url')

interface Wanted {
  settings?: Partial<UpstreamSettings>
  /** Members of the document. */
  document?: Record<string, unknown>
  /** Of the ID token. */
  claims?: Record<string, unknown>
  /** Of the authorization response. */
  response?: Record<string, string>
}

/** Sends the browser to the provider of this document, whose endpoints are those of a provider of these tests. */
async function begin(name: Name, { settings, document: more, claims }: Wanted = {}) {
  const document: Document = { ...(await read(name)), ...more }
  const own: UpstreamSettings = {
    type: 'oidc',
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
    name,
    ...CASES[name],
    ...settings,
  }
  expect(upstreamFaults(own)).toEqual([])
  const { issuer = '' } = own
  const at = upstream(issuer, { origin: 'https://provider.test' })
  at.breaks = { claims: { ...honest(name), ...claims } }
  const paths = new Map([
    [document.token_endpoint, '/token'],
    [document.jwks_uri, '/keys'],
    [document.userinfo_endpoint, '/userinfo'],
  ])
  const asked: string[] = []
  const protocol = protocolOf(own, {
    now: () => Math.floor(Date.now() / 1000),
    async fetch(url, init) {
      asked.push(url)
      if (url === `${issuer}/.well-known/openid-configuration`) return Response.json(document)
      const path = paths.get(url)
      if (path === undefined) throw new Error(`The document does not name ${url}`)
      return at.fetch(`https://provider.test${path}`, init)
    },
  })
  const trip: RoundTrip = {
    redirect_uri: 'https://id.example/login/callback/other',
    state: secret(),
    nonce: secret(),
    code_verifier: secret(),
  }
  const location = await protocol.authorizationUrl(trip, { login_hint: null, fresh: false })
  return { protocol, trip, location, at, document, asked, issuer }
}

/** A whole round trip. */
async function roundTrip(name: Name, wanted: Wanted = {}) {
  const { protocol, trip, location, at, document, asked, issuer } = await begin(name, wanted)
  const params = at.signIn(location)
  if (document.authorization_response_iss_parameter_supported === true) params.set('iss', issuer)
  for (const [key, value] of Object.entries(wanted.response ?? {}))
    if (value === '') params.delete(key)
    else params.set(key, value)
  const answer = await protocol.answer(trip, params)
  return { answer, location: new URL(location), asked, at, document }
}

/** What the ID tokens of each have. */
function honest(name: Name): Record<string, unknown> {
  if (!name.startsWith('microsoft')) return {}
  return { iss: `${MICROSOFT}/${TENANT}/v2.0`, tid: TENANT, email_verified: undefined }
}

/** In place of the tenants of the case. */
const without = (settings: Partial<UpstreamSettings>) =>
  ({ tenants: undefined, ...settings }) as unknown as Partial<UpstreamSettings>

const refused = (reason: string) => expect.objectContaining({ name: 'UpstreamRefusal', reason })

describe.each(NAMES)('the document of %s', (name) => {
  it('leads to its endpoint, and its answer is accepted', async () => {
    const { answer, location, document, asked } = await roundTrip(name)
    expect(location.href.split('?')[0]).toBe(document.authorization_endpoint)
    // Also where the document does not name PKCE.
    expect(location.searchParams.get('code_challenge_method')).toBe('S256')
    expect(location.searchParams.get('response_type')).toBe('code')
    expect(answer).toMatchObject({ issuer: String(honest(name).iss ?? CASES[name].issuer), subject: 'ada-1' })
    expect(asked.slice(1)).toEqual([document.token_endpoint, document.jwks_uri])
  })

  it('is refused for each other issuer, before the browser leaves', async () => {
    for (const other of NAMES) {
      const { issuer, tenants } = CASES[other]
      const { issuer: announced } = await read(other)
      // The two of Microsoft with many tenants announce the same template.
      if (announced === (await read(name)).issuer) continue
      const settings = without({ issuer, ...(tenants && { tenants }) })
      await expect(begin(name, { settings })).rejects.toEqual(refused('issuer_differs'))
    }
    const settings = without({ issuer: 'https://login.corp.example' })
    await expect(begin(name, { settings })).rejects.toEqual(refused('issuer_differs'))
  })

  it('does not make another algorithm than the one it names acceptable', async () => {
    const document = { id_token_signing_alg_values_supported: ['ES256'] }
    await expect(roundTrip(name, { document })).rejects.toEqual(refused('bad_response'))
  })
})

describe('Google', () => {
  it('announces the issuer of the authorization response: without it, or with another one, it is refused', async () => {
    await expect(roundTrip('google', { response: { iss: '' } })).rejects.toEqual(refused('bad_response'))
    const other = roundTrip('google', { response: { iss: 'https://accounts.evil.example' } })
    await expect(other).rejects.toEqual(refused('issuer_differs'))
  })

  it('has no template of tenants', async () => {
    const document = { issuer: `${MICROSOFT}/{tenantid}/v2.0` }
    await expect(begin('google', { document })).rejects.toEqual(refused('issuer_differs'))
  })
})

describe.each(['microsoft-common', 'microsoft-organizations'] as const)('%s', (name) => {
  it('has the issuer of the tenant in its tokens, for tenants of the settings alone', async () => {
    const of = (tid: string) => ({ tid, iss: `${MICROSOFT}/${tid}/v2.0` })
    await expect(roundTrip(name, { claims: of(OTHER_TENANT) })).rejects.toEqual(refused('tenant'))
    const settings = { tenants: ['*'] }
    const { answer } = await roundTrip(name, { settings, claims: of(OTHER_TENANT) })
    expect(answer.issuer).toBe(`${MICROSOFT}/${OTHER_TENANT}/v2.0`)
    for (const claims of [
      { tid: TENANT, iss: `${MICROSOFT}/${OTHER_TENANT}/v2.0` },
      { tid: undefined },
      { iss: 'https://sts.windows.net/{tenantid}/' },
    ])
      await expect(roundTrip(name, { claims })).rejects.toEqual(refused('issuer_differs'))
  })

  it('needs the tenants in the settings', () => {
    const settings = { type: 'oidc', client_id: 'a', client_secret: 'b', name: 'Microsoft' } as const
    const faults = upstreamFaults({ ...settings, issuer: CASES[name].issuer })
    expect(faults.map(({ path }) => path)).toEqual(['tenants'])
  })

  it('with a document of one tenant is refused', async () => {
    const { issuer } = await read('microsoft-tenant')
    await expect(begin(name, { document: { issuer } })).rejects.toEqual(refused('issuer_differs'))
  })
})

describe('one tenant of Microsoft', () => {
  it('takes no template, and no token of another tenant', async () => {
    const document = { issuer: `${MICROSOFT}/{tenantid}/v2.0` }
    await expect(begin('microsoft-tenant', { document })).rejects.toEqual(refused('issuer_differs'))
    const claims = { tid: OTHER_TENANT, iss: `${MICROSOFT}/${OTHER_TENANT}/v2.0` }
    await expect(roundTrip('microsoft-tenant', { claims })).rejects.toEqual(refused('issuer_differs'))
  })
})

describe('Apple', () => {
  const SPELLINGS = [APPLE, ACCOUNT_APPLE]
  const ALL = SPELLINGS.flatMap((of_document) =>
    SPELLINGS.map((of_token) => [of_document, of_token] as const),
  )

  it.each(ALL)('with %s in the document and %s in the token is the same account', async (issuer, iss) => {
    for (const own of SPELLINGS) {
      const { answer } = await roundTrip('apple', {
        settings: { issuer: own },
        document: { issuer },
        claims: { iss },
      })
      expect([answer.issuer, answer.subject]).toEqual([APPLE, 'ada-1'])
    }
  })

  it('has no third spelling', async () => {
    for (const iss of [
      'https://apple.com',
      'https://appleid.apple.com/',
      'https://account.apple.com.evil.example',
    ])
      await expect(roundTrip('apple', { claims: { iss } })).rejects.toEqual(refused('issuer_differs'))
  })

  it('posts its answer, gets the secret in the body, and has no UserInfo to ask', async () => {
    const { location, at, asked, answer } = await roundTrip('apple', { claims: { email: undefined } })
    expect(location.searchParams.get('response_mode')).toBe('form_post')
    expect(location.searchParams.get('scope')).toBe('openid name email')
    expect([at.authorization, at.token_request?.get('client_secret')]).toEqual([null, CLIENT_SECRET])
    expect(asked).toHaveLength(3)
    expect(answer.email).toBeNull()
  })
})
