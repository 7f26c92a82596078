/**
 * Bare node:http, what everything else is measured against. `/sign/<n>` signs n JWTs with RS256 and answers;
 * `/bytes` answers the document that BYTES names, with the headers that HEADERS holds.
 */

import { createSign, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const { BYTES, HEADERS = '{}' } = process.env
const bytes = BYTES === undefined ? Buffer.alloc(0) : readFileSync(BYTES)
const documentHeaders = { ...JSON.parse(HEADERS), 'content-length': bytes.length }
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = encode({ alg: 'RS256', typ: 'at+jwt', kid: 'x'.repeat(43) })

function jwt(): string {
  const iat = Math.floor(Date.now() / 1000)
  const claims = {
    iss: 'http://127.0.0.1',
    sub: 'machine',
    aud: 'api',
    iat,
    exp: iat + 900,
    scope: 'notes.read',
  }
  const data = `${header}.${encode(claims)}`
  return `${data}.${createSign('sha256').update(data).sign(privateKey, 'base64url')}`
}

createServer((request, response) => {
  const { url = '' } = request
  if (url === '/bytes') {
    response.writeHead(200, documentHeaders)
    response.end(bytes)
    return
  }
  const count = Number(/^\/sign\/(\d)$/.exec(url)?.[1] ?? 0)
  request.resume().once('end', () => {
    const tokens = Array.from({ length: count }, jwt)
    const body = JSON.stringify({
      access_token: tokens[0],
      id_token: tokens[1],
      expires_in: 900,
      token_type: 'Bearer',
    })
    response.writeHead(200, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'content-length': Buffer.byteLength(body),
    })
    response.end(body)
  })
}).listen(Number(process.env.PORT), process.env.HOST)
process.once('SIGTERM', () => process.exit(0))
