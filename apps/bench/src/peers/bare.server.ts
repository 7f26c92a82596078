/**
 * Bare node:http, what everything else is measured against. `/sign/<n>` signs n JWTs with RS256 and answers, `/sign/<n>/<m>` also
 * m with ES256;
 * `/bytes` answers the document that BYTES names, with the headers that HEADERS holds.
 */

import { createSign, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const { BYTES, HEADERS = '{}' } = process.env
const bytes = BYTES === undefined ? Buffer.alloc(0) : readFileSync(BYTES)
const documentHeaders = { ...JSON.parse(HEADERS), 'content-length': bytes.length }
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const headerOf = (alg: string) => encode({ alg, typ: 'at+jwt', kid: 'x'.repeat(43) })
const RS256 = headerOf('RS256')
const ES256 = headerOf('ES256')

function signingInput(header: string): string {
  const iat = Math.floor(Date.now() / 1000)
  const claims = {
    iss: 'http://127.0.0.1',
    sub: 'machine',
    aud: 'api',
    iat,
    exp: iat + 900,
    scope: 'notes.read',
  }
  return `${header}.${encode(claims)}`
}

function rs256(): string {
  const data = signingInput(RS256)
  return `${data}.${createSign('sha256').update(data).sign(privateKey, 'base64url')}`
}

function es256(): string {
  const data = signingInput(ES256)
  const signature = sign('sha256', Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' })
  return `${data}.${signature.toString('base64url')}`
}

createServer((request, response) => {
  const { url = '' } = request
  if (url === '/bytes') {
    response.writeHead(200, documentHeaders)
    response.end(bytes)
    return
  }
  const [, count = 0, more = 0] = /^\/sign\/(\d)(?:\/(\d))?$/.exec(url) ?? []
  request.resume().once('end', () => {
    const tokens = [
      ...Array.from({ length: Number(more) }, es256),
      ...Array.from({ length: Number(count) }, rs256),
    ]
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
