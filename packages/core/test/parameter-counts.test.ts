/** How many parameters and scope words a request may have, at each endpoint that reads a form or a query. */

import { describe, expect, it } from 'vitest'
import { answer, authorizeUrl, CLIENT_SECRET, client, type World, world } from './support.js'

const MOST = 200
const CLIENTS = [
  await client(),
  await client({ client_id: 'service', client_secret: CLIENT_SECRET, grant_types: ['client_credentials'] }),
]
const start = () => world({ clients: CLIENTS, oidc: { par: 'allowed' } })

const parameters = (count: number, first = 'a=b') =>
  [first, ...Array.from({ length: count - first.split('&').length }, (_, n) => `p${n}=v`)].join('&')
const words = (count: number) => Array.from({ length: count }, (_, n) => `s${n}`)

async function errorOf(response: Response) {
  const { status } = response
  return { status, ...((await response.json().catch(() => ({}))) as { error_description?: string }) }
}

const TOO_MANY = {
  status: 400,
  error: 'invalid_request',
  error_description: 'The request has more than 200 parameters',
}

describe.each([
  ['POST', '/oauth/authorize'],
  ['POST', '/oauth/par'],
  ['POST', '/oauth/token'],
  ['POST', '/oauth/introspect'],
  ['POST', '/oauth/revoke'],
  ['POST', '/oauth/logout'],
  ['POST', '/oauth/authorize/consent'],
  ['GET', '/oauth/authorize'],
  ['GET', '/oauth/logout'],
])('%s %s', (method, path) => {
  const send = async (w: World, text: string) => {
    const form = {
      method,
      body: text,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }
    const url = `${w.issuer}${path}`
    const request = method === 'GET' ? new Request(`${url}?${text}`) : new Request(url, form)
    return errorOf(await w.provider.fetch(request, { address: '192.0.2.1' }))
  }

  it('takes 200 parameters, and refuses 201 before it reads them', async () => {
    const w = await start()
    expect(await send(w, parameters(MOST))).not.toMatchObject(TOO_MANY)
    expect(await send(w, parameters(MOST + 1))).toMatchObject(TOO_MANY)
    expect(w.events.at(-1)).toMatchObject({ type: 'request.refused', reason: 'too_many_parameters' })
    // Empty ones count too.
    expect(await send(w, '&'.repeat(MOST))).toMatchObject(TOO_MANY)
  })
})

describe('scope', () => {
  const FAULT = { error: 'invalid_request', error_description: 'The scope has more than 200 words' }

  it('has at most 200 words at the token endpoint', async () => {
    const w = await start()
    const ask = async (scope: string) => {
      const form = {
        grant_type: 'client_credentials',
        client_id: 'service',
        client_secret: CLIENT_SECRET,
        scope,
      }
      return errorOf(await w.post('/oauth/token', form))
    }
    expect(await ask(words(MOST).join('  '))).toMatchObject({ error: 'invalid_scope' })
    expect(await ask(words(MOST + 1).join('  '))).toMatchObject({ status: 400, ...FAULT })
    expect(await ask('s '.repeat(MOST + 1))).toMatchObject({ status: 400, ...FAULT })
  })

  it('has at most 200 words in an authorization request and in a pushed one', async () => {
    const w = await start()
    const authorize = async (scope: string) =>
      answer(await w.provider.fetch(new Request(authorizeUrl(w.issuer, { scope }))))
    expect(await authorize(words(MOST).join(' '))).toMatchObject({ error: 'invalid_scope' })
    expect(await authorize(words(MOST + 1).join(' '))).toMatchObject(FAULT)
    const push = async (scope: string) =>
      errorOf(await w.post('/oauth/par', [...new URL(authorizeUrl(w.issuer, { scope })).searchParams]))
    expect(await push(words(MOST).join(' '))).toMatchObject({ error: 'invalid_scope' })
    expect(await push(words(MOST + 1).join(' '))).toMatchObject({ status: 400, ...FAULT })
  })
})
