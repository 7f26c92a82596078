/** Compares `authenticate` with a bare `jwtVerify` of jose, in turns, by medians. Run it with `pnpm run bench`. */

import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import { createResourceServer } from '../dist/index.js'

const ROUNDS = 1001
const CALLS = 20
const issuer = 'https://id.example.com'
const resource = 'https://api.example.com/notes'

const { privateKey, publicKey } = await generateKeyPair('RS256')
const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }] }
const documents = {
  [`${issuer}/.well-known/openid-configuration`]: { issuer, jwks_uri: `${issuer}/jwks` },
  [`${issuer}/jwks`]: jwks,
}
let requests = 0
const fetch = async (url) => {
  requests++
  return Response.json(documents[url])
}

const now = Math.floor(Date.now() / 1000)
const claims = {
  client_id: 'app',
  scope: 'openid profile email',
  jti: `${crypto.randomUUID()}.${crypto.randomUUID()}`,
}
const token = await new SignJWT({ iss: issuer, sub: crypto.randomUUID(), aud: resource, ...claims })
  .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'k1' })
  .setIssuedAt(now)
  .setExpirationTime(now + 3600)
  .sign(privateKey)
const request = new Request(resource, { headers: { authorization: `Bearer ${token}` } })

const options = { issuer, resource, fetch }
const plain = createResourceServer(options)
const caching = createResourceServer({ ...options, token_cache: { seconds: 300 } })
const accepted = (server) => async () => {
  if ((await server.authenticate(request)) instanceof Response) throw new Error('refused')
}
const rules = { issuer, audience: resource, typ: 'at+jwt', algorithms: ['RS256'] }

const contenders = {
  'jwtVerify (jose)': () => jwtVerify(token, publicKey, rules),
  authenticate: accepted(plain),
  'authenticate, token_cache': accepted(caching),
}
const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]))
for (let round = -100; round < ROUNDS; round++) {
  for (const [name, call] of Object.entries(contenders)) {
    const start = performance.now()
    for (let i = 0; i < CALLS; i++) await call()
    // The first rounds are for the JIT compiler, and not measured.
    if (round >= 0) times[name].push(((performance.now() - start) / CALLS) * 1000)
  }
}

const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1]
const bare = median(times['jwtVerify (jose)'])
function runtime() {
  if (globalThis.Bun) return `Bun ${globalThis.Bun.version}`
  return globalThis.Deno ? `Deno ${globalThis.Deno.version.deno}` : `Node ${process.version}`
}
console.log(
  `${runtime()}, a token of ${token.length} characters, ${ROUNDS} rounds of ${CALLS} calls in turns, medians`,
)
for (const [name, list] of Object.entries(times)) {
  const time = median(list)
  const ratio =
    time <= bare ? `${(bare / time).toFixed(1)} times as fast` : `${(time / bare).toFixed(2)} times its time`
  console.log(`${name.padEnd(28)}${time.toFixed(2).padStart(9)} us   ${time === bare ? '' : ratio}`)
}
console.log(`${requests} requests to the issuer`)
