/** Whether a sign-in can begin at a provider: its discovery document, and its signing keys. */

import { expect, it } from 'vitest'
import { upstreamProblem } from '../src/reach.js'
import { type Breaks, CLIENT_ID, CLIENT_SECRET, upstream } from './_upstream.js'

const ISSUER = 'https://login.corp.example'
const CREDENTIALS = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET }

async function asked(breaks: Breaks = {}) {
  const at = upstream(ISSUER)
  at.breaks = breaks
  const problem = await upstreamProblem(
    { type: 'oidc', issuer: ISSUER, name: 'Corp', ...CREDENTIALS },
    // As a runtime does, it refuses what is no whole URL.
    async (url, init) => at.fetch(new URL(url).href, init),
  )
  return { problem, requests: at.requests }
}

const answering =
  (path: string, answer: () => Response): NonNullable<Breaks['answer']> =>
  (at) =>
    at === path ? answer() : null

it('asks for the document and the keys, each once', async () => {
  expect(await asked()).toEqual({
    problem: null,
    requests: ['GET /.well-known/openid-configuration', 'GET /keys'],
  })
})

it.each<[string, Breaks]>([
  ['no address of keys', { document: { jwks_uri: undefined } }],
  ['an address of keys that is none', { document: { jwks_uri: 'keys' } }],
  ['an address of keys that is no text', { document: { jwks_uri: { url: `${ISSUER}/keys` } } }],
  ['no keys', { answer: answering('/keys', () => new Response('{"keys":[]}')) }],
  ['keys that are no list', { answer: answering('/keys', () => new Response('{"keys":{}}')) }],
  ['null in their place', { answer: answering('/keys', () => new Response('null')) }],
  ['a page in their place', { answer: answering('/keys', () => new Response('<html>')) }],
  ['keys that are not found', { answer: answering('/keys', () => new Response('', { status: 404 })) }],
  [
    'keys that are elsewhere',
    {
      answer: answering(
        '/keys',
        () => new Response('{"keys":[{}]}', { status: 302, headers: { location: 'https://x.example' } }),
      ),
    },
  ],
])('%s is a problem', async (_, breaks) => {
  const { problem } = await asked(breaks)
  expect(problem).toEqual({ reason: 'no_keys', hint: expect.stringContaining('jwks_uri') })
})

it('keys without an end are unreachable, and so is a document without one', async () => {
  const endless = () =>
    new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(65_536)) }))
  for (const path of ['/keys', '/.well-known/openid-configuration'])
    expect((await asked({ answer: answering(path, endless) })).problem?.reason).toBe('unreachable')
})

it('a document that is elsewhere is not followed', async () => {
  const path = '/.well-known/openid-configuration'
  const moved = () => new Response('', { status: 302, headers: { location: 'https://x.example' } })
  const { problem, requests } = await asked({ answer: answering(path, moved) })
  expect([problem?.reason, requests]).toEqual(['bad_response', [`GET ${path}`]])
})

it('GitHub is not asked', async () => {
  const fetch = () => Promise.reject(new Error('it is asked'))
  expect(await upstreamProblem({ type: 'github', name: 'GitHub', ...CREDENTIALS }, fetch)).toBeNull()
})
