/** Two servers on one database, and one pushed authorization request (RFC 9126) that browsers bring to both many times at once. */

import { type Browser, browser, filled, formOf } from '@ostiary/test-kit/browser'
import { describe, expect, it } from 'vitest'
import { authorizeUrl, backend, codeForm, PASSWORD, post, textOf } from './client.ts'
import { report } from './report.ts'
import { type ServerPair, STORAGES, serverPair } from './server-pair.ts'

const ROUNDS = 5
const PARALLEL_USES = 50
/** Too long for a token that carries the request. */
const LONG_STATE = 's'.repeat(8000)

/** A browser whose requests to the issuer go to the server that `at` names at that moment, as behind a load balancer. */
function balancedBrowser({ issuer }: ServerPair, at: { origin: string }): Browser {
  return browser(({ url, method, headers, body }) => {
    const init: RequestInit = { method, headers, redirect: 'manual' }
    const target = url.replace(issuer, at.origin)
    return fetch(target, body === null ? init : ({ ...init, body, duplex: 'half' } as RequestInit))
  })
}

/** Pushes the request of the client `backend` at a server. @returns The address for the browser. */
async function pushed({ issuer }: ServerPair, origin: string, state: string): Promise<string> {
  const parameters = Object.fromEntries(new URL(authorizeUrl(issuer, { state })).searchParams)
  const answer = await post(`${origin}/oauth/par`, { ...parameters, ...backend })
  expect([answer.status, answer.body.expires_in]).toEqual([201, 90])
  const query = { client_id: backend.client_id, request_uri: textOf(answer, 'request_uri') }
  return `${issuer}/oauth/authorize?${new URLSearchParams(query)}`
}

/** Opens the address, and follows redirects at the issuer. */
async function open(user: Browser, issuer: string, url: string): Promise<Response> {
  const response = await user.get(url)
  const location = response.headers.get('location')
  return location?.startsWith(`${issuer}/`) ? open(user, issuer, location) : response
}

/** Fills in the form of the sign-in page. */
async function signIn(user: Browser, issuer: string, page: Response): Promise<Response> {
  const form = formOf(await page.text())
  const fields = filled(form, { username: 'ann', password: PASSWORD })
  const answer = await user.post(new URL(form.action, `${issuer}/login`).href, fields.toString())
  const location = answer.headers.get('location')
  return location === null ? answer : open(user, issuer, location)
}

const codeIn = (response: Response): string | null =>
  new URL(response.headers.get('location') ?? 'none:').searchParams.get('code')

describe.each(STORAGES)('on %s:', (name, storage) => {
  it('one pushed request, brought 50 times at once to two servers by a signed-in browser: one code', async () => {
    const servers = await serverPair(await storage(), { par: 'allowed' })
    const { issuer, origins } = servers
    const at = { origin: origins[0] }
    const ann = balancedBrowser(servers, at)
    await signIn(ann, issuer, await open(ann, issuer, await pushed(servers, origins[1], 'first')))
    for (let round = 1; round <= ROUNDS; round += 1) {
      const url = await pushed(servers, origins[round % 2] ?? '', round % 2 === 0 ? LONG_STATE : 'short')
      const uses = Array.from({ length: PARALLEL_USES }, (_, i) => {
        at.origin = origins[i % 2] ?? ''
        return ann.get(url)
      })
      const answers = await Promise.all(uses)
      const codes = answers.map(codeIn).filter((code) => code !== null)
      const counted = { codes: codes.length, refused: answers.filter(({ status }) => status === 400).length }
      report(`one pushed request at two servers, ${name}, round ${round}`, counted)
      expect(counted).toEqual({ codes: 1, refused: PARALLEL_USES - 1 })
      const redeemed = await post(`${origins[1]}/oauth/token`, codeForm(codes[0] ?? '', backend))
      expect(redeemed.status).toBe(200)
    }
  })

  it.each([
    ['short', 'short'],
    ['long', LONG_STATE],
  ])(
    'a reload and the sign-in at another server than the first page: a code, once (%s)',
    async (_, state) => {
      const servers = await serverPair(await storage(), { par: 'allowed' })
      const { issuer, origins } = servers
      const at = { origin: origins[0] }
      const ann = balancedBrowser(servers, at)
      const url = await pushed(servers, origins[0], state)
      const first = await open(ann, issuer, url)
      expect([first.status, codeIn(first)]).toEqual([200, null])
      at.origin = origins[1]
      const answer = await signIn(ann, issuer, await open(ann, issuer, url))
      const code = codeIn(answer)
      expect(code).not.toBeNull()
      expect((await post(`${origins[0]}/oauth/token`, codeForm(code ?? '', backend))).status).toBe(200)
      for (const origin of origins) {
        at.origin = origin
        expect((await ann.get(url)).status).toBe(400)
      }
      // The first page, in another tab.
      at.origin = origins[0]
      const late = await signIn(ann, issuer, first)
      expect([late.status, await late.text()]).toEqual([400, expect.stringContaining('completed already')])
    },
  )
})
