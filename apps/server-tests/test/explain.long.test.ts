/** Ten faults that operators are asked about: what `ostiary explain` says of each is enough to find its cause. */

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { NAVIGATION_HEADERS } from '@ostiary/test-kit/client-headers'
import { eventually } from '@ostiary/test-kit/eventually'
import { person } from '@ostiary/test-kit/person'
import { CLIENT_SECRET, configFor, PASSWORD, startTestServer, USERNAME } from '@ostiary/test-kit/server'
import { expect, it, onTestFinished, vi } from 'vitest'
import { database } from './commands.ts'

vi.setConfig({ testTimeout: 600_000 })

const REDIRECT_URI = 'http://127.0.0.1:9/callback'
const BILLING = 'https://billing.example.com'
const VERIFIER = 'a-verifier-of-pkce-that-is-long-enough-for-the-rule'
const MOST_TRIES = 100

interface Place {
  issuer: string
  /** Runs a command, and fails unless it succeeds. */
  ostiary(line: string): Promise<string>
  executor: Awaited<ReturnType<typeof database>>['executor']
  key: CryptoKey
  /** The id of the request of the newest sign-in that was refused for this reason, as the log has it. */
  requestOf(reason: string): Promise<string>
}

/** A fault: the requests that lead to the refusal, and what the answer of `explain` has to say. */
interface Fault {
  /** Makes it, and returns what the person who asks has in hand: a reference, or the id of the request. */
  make(place: Place): Promise<string>
  says: RegExp
}

async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return Buffer.from(digest).toString('base64url')
}

async function authorizeUrl({ issuer }: Place, changes: Record<string, string> = {}): Promise<URL> {
  const url = new URL(`${issuer}/oauth/authorize`)
  const standard = {
    client_id: 'backend',
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid offline_access',
  }
  const pkce = { code_challenge: await challengeOf(VERIFIER), code_challenge_method: 'S256' }
  url.search = `${new URLSearchParams({ ...standard, ...pkce, state: 'the state', ...changes })}`
  return url
}

/** The page of a browser that navigates: `fetch` cannot say that it does. */
async function pageOf(url: URL): Promise<string> {
  const [response] = await once(get(url, { headers: NAVIGATION_HEADERS }), 'response')
  return text(response)
}

function referenceOn(html: string): string {
  const found = /\b[0-9A-F]{4}-[0-9A-F]{4}\b/.exec(html)
  if (found === null) throw new Error(`There is no reference on the page: ${html}`)
  return found[0]
}

const browser = ({ issuer }: Place) => person(issuer, { accept: 'text/html' })

/** Signs in, allows access, and returns the code. */
async function codeOf(place: Place, scope = 'openid offline_access'): Promise<string> {
  const ann = browser(place)
  let page = await ann.submit(await ann.open(await authorizeUrl(place, { scope })), {
    username: USERNAME,
    password: PASSWORD,
  })
  if (page.status === 200 && page.html !== '') page = await ann.submit(page)
  const code = page.url.searchParams.get('code')
  if (code === null) throw new Error(`No code: ${page.status} ${page.url} ${page.html}`)
  return code
}

const post = ({ issuer }: Place, path: string, form: Record<string, string>) =>
  fetch(issuer + path, { method: 'POST', body: new URLSearchParams(form) })

/** RFC 7523 */
async function signed(key: CryptoKey, claims: Record<string, unknown>): Promise<string> {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const unsigned = `${part({ alg: 'ES256', kid: 'machine-key' })}.${part(claims)}`
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  const signature = await crypto.subtle.sign(algorithm, key, new TextEncoder().encode(unsigned))
  return `${unsigned}.${Buffer.from(signature).toString('base64url')}`
}

/** Epoch seconds, of a clock that is slow. @param behind Seconds. */
const slowClock = (behind: number): number => Math.floor(Date.now() / 1000) - behind

/** The answer to a client that makes an assertion for each request, by its clock. */
async function authenticated(place: Place, behind: number): Promise<Response> {
  const iat = slowClock(behind)
  const times = { iat, exp: iat + 60 }
  const claims = { iss: 'machine', sub: 'machine', aud: place.issuer, jti: crypto.randomUUID(), ...times }
  return post(place, '/oauth/token', {
    grant_type: 'client_credentials',
    client_id: 'machine',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await signed(place.key, claims),
  })
}

const idOf = (response: Response): string => response.headers.get('x-request-id') ?? ''

const secret = { client_id: 'backend', client_secret: CLIENT_SECRET }

const redeem = (place: Place, code: string) =>
  post(place, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: VERIFIER,
    ...secret,
  })

async function tokensOf(place: Place, code: string): Promise<Record<string, string>> {
  const response = await redeem(place, code)
  expect(response.status).toBe(200)
  return (await response.json()) as Record<string, string>
}

async function refused(response: Response): Promise<string> {
  expect(response.status).toBeGreaterThanOrEqual(400)
  await response.text()
  return idOf(response)
}

const FAULTS: Readonly<Record<string, Fault>> = {
  'a wrong redirect URI': {
    async make(place) {
      const url = await authorizeUrl(place, { redirect_uri: `${REDIRECT_URI}/other` })
      return referenceOn(await pageOf(url))
    },
    says: /What to do: .* Send a registered one.* developer .* operator .*--add-redirect-uri/,
  },
  'a wrong method of authentication': {
    async make(place) {
      const form = { grant_type: 'client_credentials', client_id: 'basic', client_secret: CLIENT_SECRET }
      return refused(await post(place, '/oauth/token', form))
    },
    says: /What to do: .* developer sends the credentials in the registered way, or an operator .*--auth-method.*For that reason the same request was refused at oidc\.token/s,
  },
  'no entry for a closed resource': {
    make: async (place) =>
      refused(
        await post(place, '/oauth/token', { grant_type: 'client_credentials', ...secret, resource: BILLING }),
      ),
    says: /What to do: Only clients with an entry .* An operator adds it, .*--optional-scope/,
  },
  'an expired code': {
    async make(place) {
      const code = await codeOf(place)
      await place.executor.query('update oidc_authorization_codes set expires_at = expires_at - 120')
      return refused(await redeem(place, code))
    },
    says: /What to do: .* after more than 60 seconds\. .* sign in again\. .* developer redeems each code at once/,
  },
  'a clock that is slow': {
    async make(place) {
      await refused(await authenticated(place, 3_600))
      // The next one comes when two that were kept since the same start would come another time late.
      const first = slowClock(3_600)
      return eventually(async () => {
        expect(slowClock(3_600)).toBeGreaterThan(first + 10)
        return refused(await authenticated(place, 3_600))
      })
    },
    says: /What to do: Each client_assertion .* comes 35\d\d seconds after its exp, a new one each time: the clock of the client is slow, .* Who runs the client sets the clock/,
  },
  'too many wrong passwords': {
    async make(place) {
      const ann = browser(place)
      let page = await ann.open(await authorizeUrl(place))
      for (let tries = 0; tries < MOST_TRIES && page.status !== 429; tries += 1)
        page = await ann.submit(page, { username: 'bob', password: `wrong ${tries}` })
      return place.requestOf('throttled')
    },
    says: /In the log: the address is in the line with request_id \S+\n {3}What to do: Too many failed sign-ins: .* If it is the user: ostiary throttle reset\. If it is not, leave the limit/,
  },
  'an account that was disabled': {
    async make(place) {
      await place.ostiary('user disable carl')
      const carl = browser(place)
      await carl.submit(await carl.open(await authorizeUrl(place)), { username: 'carl', password: PASSWORD })
      return place.requestOf('disabled')
    },
    says: /Before: .* The user was disabled, by cli:.*What to do: .* If by mistake: ostiary user enable/s,
  },
  'a scope that is not assigned': {
    make: async (place) =>
      refused(
        await post(place, '/oauth/token', { grant_type: 'client_credentials', ...secret, scope: 'email' }),
      ),
    says: /its default_scopes are those of the realm \(.*What to do: .* correct the request, or add the scope .* developer .* operator .*--optional-scope/s,
  },
  'a key that was withdrawn': {
    async make(place) {
      const { access_token } = await tokensOf(place, await codeOf(place))
      const { keys } = JSON.parse(await place.ostiary('keys list --json')) as { keys: { kid: string }[] }
      await place.ostiary(`keys revoke --yes -- ${keys[0]?.kid}`)
      return eventually(async () => {
        const answer = await fetch(`${place.issuer}/oauth/userinfo`, {
          headers: { authorization: `Bearer ${access_token}` },
        })
        return refused(answer)
      })
    },
    says: /Before: .*A signing key was withdrawn.*What to do: Compare the kid in the log, .* the application refreshes, or the user signs in again/s,
  },
  'a consent that was withdrawn': {
    async make(place) {
      const { refresh_token = '' } = await tokensOf(place, await codeOf(place))
      await place.ostiary(`consent revoke ${USERNAME} backend`)
      return refused(
        await post(place, '/oauth/token', { grant_type: 'refresh_token', refresh_token, ...secret }),
      )
    },
    says: /Before: .*The consent was withdrawn.*What to do: What Before names .* the user signs in again/s,
  },
}

it('explain names the cause of ten faults', async () => {
  const { ostiary, env, executor } = await database(onTestFinished)
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  const jwk = { kty, crv, x, y, kid: 'machine-key', alg: 'ES256', use: 'sig' }
  const config = (port: number) => {
    const common = configFor(REDIRECT_URI)(port)
    return {
      ...common,
      audit: { enabled: true, events: 'all' },
      oidc: {
        ...common.oidc,
        clients: { private_key_jwt: true },
        resources: { ...common.oidc.resources, [BILLING]: { scopes: ['bills.read'], closed: true } },
      },
      clients: [
        ...common.clients.map((client) =>
          client.client_id === 'backend'
            ? { ...client, optional_scopes: ['openid', 'offline_access'] }
            : client,
        ),
        {
          client_id: 'basic',
          client_secret: CLIENT_SECRET,
          token_endpoint_auth_method: 'client_secret_basic',
          grant_types: ['client_credentials'],
        },
        {
          client_id: 'machine',
          token_endpoint_auth_method: 'private_key_jwt',
          jwks: { keys: [jwk] },
          grant_types: ['client_credentials'],
        },
      ],
      users: [
        ...common.users,
        { username: 'bob', password: PASSWORD },
        { username: 'carl', password: PASSWORD },
      ],
    }
  }
  const server = await startTestServer({ config, env })
  const run = async (line: string): Promise<string> => {
    const { code, stdout, stderr } = await ostiary(line, { config: config(server.port), env })
    expect([line, code, stderr]).toEqual([line, 0, expect.any(String)])
    return stdout
  }
  const requestOf = (reason: string) =>
    eventually(() => {
      const lines = server
        .stdout()
        .split('\n')
        .filter((line) => line.includes(`"reason":"${reason}"`))
      return String(JSON.parse(lines.at(-1) ?? '').request_id)
    })
  const place: Place = { issuer: server.issuer, ostiary: run, executor, key: pair.privateKey, requestOf }
  const answers: Record<string, string> = {}
  for (const [name, { make }] of Object.entries(FAULTS)) {
    const asked = await make(place)
    answers[name] = await eventually(() => run(`explain ${asked}`))
  }
  if (process.env.OSTIARY_EXPLAINED)
    writeFileSync(process.env.OSTIARY_EXPLAINED, JSON.stringify(answers, null, 2))
  for (const [name, { says }] of Object.entries(FAULTS))
    expect([name, answers[name]]).toEqual([name, expect.stringMatching(says)])
})
