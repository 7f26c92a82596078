/** A client with a metadata document and two servers on one PostgreSQL, while the document's host is up, down and changed. */

import { createHash, randomUUID } from 'node:crypto'
import { postgresExecutor } from '@ostiary/storage-postgres'
import { ownDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { type DocumentServer, documentServer } from '@ostiary/test-kit/document-server'
import { type Page, type Person, person } from '@ostiary/test-kit/person'
import { freePort } from '@ostiary/test-kit/ports'
import { SECRET, type ServerProcess, startServer } from '@ostiary/test-kit/server'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, it, onTestFinished } from 'vitest'
import { PASSWORD, post, textOf, users } from './client.ts'
import { report } from './report.ts'

const HOST = 'client.localhost'
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const FIRST_CALLBACK = 'https://app.example.com/callback'
const SECOND_CALLBACK = 'https://app.example.net/callback'
const PARALLEL_USES = 50

interface Pair {
  /** The origins; the first one is the issuer of both. */
  origins: [string, string]
  DATABASE_URL: string
  restart(): Promise<void>
}

async function pair({ ca_file }: DocumentServer): Promise<Pair> {
  const DATABASE_URL = await ownDatabase()
  const ports = [await freePort(), await freePort()]
  const [issuer = '', other = ''] = ports.map((port) => `http://localhost:${port}`)
  const config = {
    app: { url: issuer },
    oidc: { preset: 'mcp' },
    users,
  }
  const env = { DATABASE_URL, OIDC_SECRET: SECRET, NODE_EXTRA_CA_CERTS: ca_file }
  let running: ServerProcess[] = []
  const stop = () => Promise.all(running.map((server) => server.stop()))
  onTestFinished(async () => void (await stop()))
  const start = async () => {
    running = await Promise.all(ports.map((port) => startServer({ config, env, port })))
  }
  await start()
  return {
    origins: [issuer, other],
    DATABASE_URL,
    async restart() {
      await stop()
      await start()
    },
  }
}

/** The client signs its assertions, as ChatGPT does. */
async function publishedClient(documents: DocumentServer) {
  const client_id = documents.url(HOST, '/client.json')
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = await exportJWK(publicKey)
  const publish = (redirect_uri: string) =>
    documents.put(client_id, {
      client_id,
      client_name: 'Reports',
      redirect_uris: [redirect_uri],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [jwk] },
    })
  const assertion = async (issuer: string) => ({
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await new SignJWT()
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(client_id)
      .setSubject(client_id)
      .setAudience(issuer)
      .setJti(randomUUID())
      .setExpirationTime('5m')
      .sign(privateKey),
  })
  publish(FIRST_CALLBACK)
  return { client_id, publish, assertion }
}

function authorizeUrl(issuer: string, { client_id, redirect_uri }: Record<string, string>): string {
  const query = new URLSearchParams({
    client_id: client_id ?? '',
    redirect_uri: redirect_uri ?? '',
    response_type: 'code',
    scope: 'openid',
    code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  })
  return `${issuer}/oauth/authorize?${query}`
}

const asksConsent = ({ html }: Page): boolean => html.includes('name="auth_token"')

/** @returns The code. */
async function approved(ann: Person, page: Page): Promise<string> {
  expect(asksConsent(page)).toBe(true)
  return (await ann.submit(page)).url.searchParams.get('code') ?? ''
}

/** As if a day had passed since the document was fetched: it is stale now. */
async function makeStale(DATABASE_URL: string): Promise<void> {
  const database = postgresExecutor(DATABASE_URL, UNLIMITED)
  await database.query(
    'update oidc_client_documents set fetched_at = fetched_at - 86400, fresh_until = fetched_at - 86000',
  )
  await database.close()
}

it('two servers know a document that one has fetched, also while its host is down; a changed one is asked about', async () => {
  const documents = await documentServer([HOST])
  onTestFinished(() => documents.close())
  const { client_id, publish, assertion } = await publishedClient(documents)
  const { origins, DATABASE_URL, restart } = await pair(documents)
  const [here, there] = origins
  const ann = person(here)
  const request = authorizeUrl(here, { client_id, redirect_uri: FIRST_CALLBACK })
  const authenticated = async (form: Record<string, string>) => ({ ...form, ...(await assertion(here)) })
  const refresh = async (origin: string, refresh_token: string) =>
    post(`${origin}/oauth/token`, await authenticated({ grant_type: 'refresh_token', refresh_token }))

  const signIn = await ann.open(request)
  const code = await approved(ann, await ann.submit(signIn, { username: 'ann', password: PASSWORD }))
  expect(documents.requests(client_id)).toBe(1)

  // The other server has fetched nothing.
  await documents.down()
  const redemption = { grant_type: 'authorization_code', code, code_verifier: VERIFIER }
  const redeemed = await post(
    `${there}/oauth/token`,
    await authenticated({ ...redemption, redirect_uri: FIRST_CALLBACK }),
  )
  expect(redeemed.body).toMatchObject({ refresh_token: expect.any(String) })

  const used = await authenticated({ token: 'unknown' })
  const uses = Array.from({ length: PARALLEL_USES }, (_, i) =>
    post(`${origins[i % 2]}/oauth/revoke`, used).then(({ status }) => status),
  )
  const statuses = await Promise.all(uses)
  const accepted = statuses.filter((status) => status === 200).length
  const refused = statuses.filter((status) => status === 401).length

  await restart()
  await makeStale(DATABASE_URL)
  const first = await refresh(here, textOf(redeemed, 'refresh_token'))
  const second = await refresh(there, textOf(first, 'refresh_token'))
  expect([first.status, second.status]).toEqual([200, 200])
  const unreachable = await ann.open(request)
  expect([unreachable.status, unreachable.html]).toEqual([400, expect.stringContaining('unreachable')])

  await documents.up()
  // The servers remember the failure for 30 seconds or longer.
  await restart()
  const unchanged = await ann.open(request)
  expect(unchanged.url.href.startsWith(`${FIRST_CALLBACK}?code=`)).toBe(true)

  publish(SECOND_CALLBACK)
  await makeStale(DATABASE_URL)
  await restart()
  const changed = authorizeUrl(here, { client_id, redirect_uri: SECOND_CALLBACK })
  expect(await approved(ann, await ann.open(changed))).not.toBe('')
  const again = await ann.open(changed)
  expect(again.url.href.startsWith(`${SECOND_CALLBACK}?code=`)).toBe(true)
  const former = await ann.open(request)
  expect(former.status).toBe(400)
  // It has been issued to the same client, whose key is the same.
  expect((await refresh(there, textOf(second, 'refresh_token'))).status).toBe(200)

  report('the document of a client, on two servers', { accepted_uses_of_one_assertion: accepted, refused })
  expect([accepted, refused]).toEqual([1, PARALLEL_USES - 1])
})
