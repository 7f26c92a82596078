/** The code in README.md, docs/protect-an-api.md and docs/sender-constrained.md compiles, and does what the text says. */

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refused, SILENT } from './support.js'

const run = promisify(execFile)
const here = fileURLToPath(new URL('..', import.meta.url))
const TEXTS = ['README.md', '../../docs/protect-an-api.md', '../../docs/sender-constrained.md']
/** A block that begins with a file name is a whole file. */
const BLOCK = /^```ts\n\/\/ ([\w-]+)\.ts\n([\s\S]*?)^```/gm

/** Runs in the folder of the snippets. Its `fetch` is the issuer; each export is called as its type requires. */
const DRIVER = `
import { createServer } from 'node:http'
import { createHash, randomUUID } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'
const issuer = 'https://id.example.com'
const { privateKey, publicKey } = await generateKeyPair('RS256')
const es256 = await generateKeyPair('ES256')
const now = Math.floor(Date.now() / 1000)
const claims = JSON.parse(process.argv[4])
const token = (scope, more) => new SignJWT({ ...claims, ...more, iss: issuer, aud: issuer.replace('id', 'api') + '/notes', sub: 'alice', client_id: 'app', jti: 'j', scope })
  .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'k1' }).setIssuedAt(now).setExpirationTime(now + 60).sign(privateKey)
const documents = {
  '/.well-known/openid-configuration': { issuer, jwks_uri: issuer + '/jwks', introspection_endpoint: issuer + '/introspect' },
  '/jwks': { keys: [{ ...(await exportJWK(publicKey)), kid: 'k1' }, { ...(await exportJWK(es256.publicKey)), kid: 'k2' }] },
  '/introspect': { active: false },
}
const real = fetch
globalThis.fetch = async (url, init) => String(url).startsWith(issuer) ? Response.json(documents[new URL(url).pathname]) : real(url, init)
process.env.NOTES_API_SECRET = 'a secret'
process.env.NOTES_API_NONCE_SECRET = 'a secret of 32 characters or more'
const module = await import('./js/' + process.argv[2] + '.js')
const { app, handler, GET, api } = module
let send = handler ?? GET ?? (api && (async (request) => { const p = await api.authenticate(request); return p instanceof Response ? p : Response.json(p.kind) }))
if (typeof app?.request === 'function') send = (request) => app.request(request)
else if (app) {
  if (app.ready) await app.ready()
  const server = app.server ?? createServer(app)
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  send = (request) => real('http://127.0.0.1:' + server.address().port + new URL(request.url).pathname, { headers: request.headers })
}
const key = await generateKeyPair('ES256')
const jwk = await exportJWK(key.publicKey)
const cnf = { jkt: await calculateJwkThumbprint(jwk) }
/** Repeats the request with the nonce of the response, as a client with DPoP does. */
const proven = async (url, access_token, nonce) => {
  const ath = createHash('sha256').update(access_token).digest('base64url')
  const dpop = await new SignJWT({ jti: randomUUID(), htm: 'GET', htu: url, ath, nonce }).setIssuedAt()
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk }).sign(key.privateKey)
  const response = await send(new Request(url, { headers: { authorization: 'DPoP ' + access_token, dpop } }))
  const next = response.headers.get('dpop-nonce')
  return next === null ? response : proven(url, access_token, next)
}
const results = []
for (const scope of [null, process.argv[3], 'other']) {
  const headers = scope === null ? {} : { authorization: 'Bearer ' + (await token(scope)) }
  const answer = await send(new Request('https://api.example.com/notes/mine', { headers }))
  results.push([answer.status, await answer.text(), answer.headers.get('www-authenticate')])
}
if (process.argv[2] === 'dpop') {
  const answer = await proven('https://api.example.com/notes/mine', await token('notes.read', { cnf }))
  results.push([answer.status, await answer.text()])
}
if (process.argv[2] === 'fapi2') {
  const url = 'https://api.example.com/notes/mine'
  const rsa = await generateKeyPair('RS256')
  const bound = async (proving, alg, head = { alg: 'ES256', kid: 'k2' }) => {
    const jwk = await exportJWK(proving.publicKey)
    const access_token = await new SignJWT({ iss: issuer, aud: 'https://api.example.com/notes', sub: 'alice', client_id: 'app', jti: 'j', scope: 'notes.read', cnf: { jkt: await calculateJwkThumbprint(jwk) } })
      .setProtectedHeader({ typ: 'at+jwt', ...head }).setIssuedAt(now).setExpirationTime(now + 60)
      .sign(head.alg === 'RS256' ? privateKey : es256.privateKey)
    const ath = createHash('sha256').update(access_token).digest('base64url')
    const dpop = await new SignJWT({ jti: randomUUID(), htm: 'GET', htu: url, ath }).setIssuedAt()
      .setProtectedHeader({ alg, typ: 'dpop+jwt', jwk }).sign(proving.privateKey)
    return () => send(new Request(url, { headers: { authorization: 'DPoP ' + access_token, dpop } }))
  }
  const good = await bound(key, 'ES256')
  const asked = [good, good, await bound(rsa, 'RS256'), await bound(key, 'ES256', { alg: 'RS256', kid: 'k1' })]
  const statuses = []
  for (const ask of asked) statuses.push((await ask()).status)
  results.push(statuses)
}
const path = 'https://api.example.com/.well-known/oauth-protected-resource/notes'
const document = module.document?.(new Request(path)) ?? await send(new Request(path))
results.push(document.status === 200 ? await document.json() : null)
process.stdout.write(JSON.stringify(results), () => process.exit())
`

const names = TEXTS.flatMap((path) =>
  [...readFileSync(join(here, path), 'utf8').matchAll(BLOCK)].map(([, name]) => name),
)
let folder = ''
beforeAll(async () => {
  // Inside the package, so that its name resolves to itself.
  folder = mkdtempSync(join(here, '.snippets-'))
  mkdirSync(join(folder, 'src'))
  for (const path of TEXTS)
    for (const [, name, code = ''] of readFileSync(join(here, path), 'utf8').matchAll(BLOCK))
      writeFileSync(join(folder, 'src', `${name}.ts`), code)
  writeFileSync(join(folder, 'driver.js'), DRIVER)
  const extended = { extends: '../../../tsconfig.base.json', include: ['src'] }
  const compilerOptions = {
    outDir: 'js',
    rootDir: 'src',
    declaration: false,
    declarationMap: false,
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...extended, compilerOptions }))
  await run(join(here, '../../node_modules/.bin/tsc'), ['-p', folder]).catch(({ stdout }) => {
    throw new Error(stdout)
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** @param scope Of the token of the second request. @param claims Of both tokens. */
async function results(name: string, scope = 'notes.read', claims = {}): Promise<unknown[]> {
  const args = [join(folder, 'driver.js'), name, scope, JSON.stringify(claims)]
  const { stdout } = await run(process.execPath, args, { timeout: 60_000 })
  return JSON.parse(stdout)
}

it('every snippet that is a file has a test', () => {
  expect(names.sort()).toEqual([
    'dpop',
    'express',
    'fapi2',
    'fastify',
    'hono',
    'introspection',
    'log',
    'next',
    'notes',
    'scopes',
    'step-up',
    'step-up-client',
    'users',
  ])
})

it('fapi2.ts refuses a bearer token, a proof that is used again, a proof with RS256 and a token with RS256', async () => {
  const [silent, bearer, , statuses] = (await results('fapi2')) as [number[], number[], unknown, number[]]
  expect([silent[0], bearer[0]]).toEqual([401, 401])
  expect(statuses).toEqual([200, 401, 401, 401])
})

describe.each(['notes', 'hono', 'express', 'fastify', 'next'])('%s.ts', (name) => {
  it('guards the route and serves the document', async () => {
    const [silent, good, lacking, document] = await results(name)
    expect(silent).toEqual(SILENT)
    expect(good).toEqual([200, expect.stringContaining('"notes_of":"alice"'), null])
    expect(lacking).toEqual(refused('insufficient_scope', 'notes.read'))
    expect(document).toMatchObject({
      resource: 'https://api.example.com/notes',
      authorization_servers: ['https://id.example.com'],
    })
  })
})

it('introspection.ts refuses a token that the issuer calls inactive', async () => {
  expect(await results('introspection')).toEqual([SILENT, refused(), refused(), null])
})

it('users.ts returns the user of the token', async () => {
  const [, good] = await results('users')
  expect(good).toEqual([200, '{"hello":"Alice","may_write":false}', null])
})

it('scopes.ts names the first scopes in a 401, and accepts a scope that implies the required one', async () => {
  const [silent, good, lacking] = await results('scopes', 'notes.write')
  expect(silent).toEqual([401, '', expect.stringContaining(', scope="notes.read", resource_metadata=')])
  expect(good).toEqual([200, '{"may_write":true}', null])
  expect(lacking).toEqual(refused('insufficient_scope', 'notes.read'))
})

it('dpop.ts accepts a bound token with a proof that has a nonce, refuses bearer tokens, and says both', async () => {
  const [silent, bearer, , bound, document] = await results('dpop')
  expect(silent).toEqual([
    401,
    '',
    expect.stringMatching(/^Bearer realm="default", .*, DPoP realm="default", /),
  ])
  expect(bearer).toEqual([
    401,
    '{"error":"invalid_token"}',
    expect.stringContaining('Bearer realm="default", error='),
  ])
  expect(bound).toEqual([200, '{"notes_of":"alice"}'])
  expect(document).toMatchObject({ dpop_bound_access_tokens_required: true })
})

it('step-up.ts requires a second factor of the last five minutes, and step-up-client.ts reads what it requires', async () => {
  const auth_time = Math.floor(Date.now() / 1000) - 60
  const [, paid] = await results('step-up', 'notes.read', { acr: '2', auth_time })
  expect(paid).toEqual([200, '{"paid_by":"alice"}', null])
  const { requiredSignIn } = await import(join(folder, 'js/step-up-client.js'))
  for (const claims of [{ acr: '1', auth_time }, { acr: '2', auth_time: auth_time - 300 }, {}]) {
    const [silent, refusal] = await results('step-up', 'notes.read', claims)
    const [status, body, challenge] = refusal as [number, string, string]
    expect([status, body]).toEqual([401, '{"error":"insufficient_user_authentication"}'])
    expect(challenge).toContain(
      'Bearer realm="default", error="insufficient_user_authentication", acr_values="2", max_age="300", resource_metadata="',
    )
    const answered = (header: unknown) =>
      requiredSignIn(new Response(null, { headers: { 'www-authenticate': String(header) } }))
    expect(answered(challenge)).toEqual({ acr_values: '2', max_age: 300 })
    expect(answered((silent as unknown[])[2])).toBeNull()
    expect(answered('Bearer error="insufficient_user_authentication", max_age="5"')).toEqual({ max_age: 5 })
  }
})

it('log.ts accepts a valid token', async () => {
  expect((await results('log')).slice(0, 2)).toEqual([SILENT, [200, '"user"', null]])
})
