/** An answer of end_session says what has happened: OpenID Connect RP-Initiated Logout §2, §3. */

import type { SignedOutPrompt } from '@ostiary/core'
import { NAVIGATION_HEADERS, PROGRAM_HEADERS } from '@ostiary/test-kit/client-headers'
import { describe, expect, it } from 'vitest'
import { client, elsewhere, formRequest, redeem, tokens, type World, world } from './support.js'

const BYE = 'https://client.example.com/bye'
const ELSEWHERE = 'https://elsewhere.example/bye?to=me'
const HEADERS = Object.entries(PROGRAM_HEADERS).filter(([name]) => !name.includes('Java'))

/** Alice is signed in in one browser. */
async function signedIn(routing: 'single' | 'path' = 'single') {
  const prompts: SignedOutPrompt[] = []
  const w = await world({
    routing,
    clients: [await client({ trusted: true, post_logout_redirect_uris: [BYE] })],
  })
  const recording = await world({
    routing,
    storage: w.storage,
    clients: [],
    interactions: {
      login: async () => new Response('sign in'),
      async signedOut(prompt) {
        prompts.push(prompt)
        return new Response('signed out')
      },
    },
  })
  const browser = w.browser()
  const { body } = await redeem(w, (await browser.code()).code)
  return { w, recording, prompts, browser, id_token_hint: body.id_token, refresh_token: body.refresh_token }
}

const url = (w: World, query: Record<string, string>) =>
  `${w.issuer}/oauth/logout?${new URLSearchParams(query)}`
const endingsOf = (w: World) =>
  w.events.filter(({ type }) => type === 'session.ended' || type === 'grant.revoked')

describe.each(['single', 'path'] as const)(
  'a valid hint without a session of this browser (realms by %s)',
  (routing) => {
    it.each(HEADERS)(
      '%s, by GET and by POST: 400 that names revocation, and nothing has ended',
      async (_, headers) => {
        const { w, id_token_hint, refresh_token } = await signedIn(routing)
        const requests = [
          new Request(url(w, { id_token_hint }), { headers }),
          new Request(url(w, { id_token_hint, post_logout_redirect_uri: ELSEWHERE }), { headers }),
          formRequest(`${w.issuer}/oauth/logout`, { id_token_hint }, { headers }),
        ]
        for (const request of requests) {
          const response = await w.provider.fetch(request)
          const body = (await response.json()) as { error: string; error_description: string }
          expect([response.status, body.error]).toEqual([400, 'invalid_request'])
          expect(body.error_description).toContain('revoke the refresh token (RFC 7009)')
        }
        expect(w.events.at(-1)).toMatchObject({ type: 'request.refused', reason: 'no_session_to_end' })
        expect(endingsOf(w)).toEqual([])
        const form = { grant_type: 'refresh_token', client_id: 'app', refresh_token }
        expect((await tokens(w, form)).status).toBe(200)
      },
    )

    it('a browser that navigates gets a page that says so, and nothing has ended', async () => {
      const { w, id_token_hint } = await signedIn(routing)
      const page = await w.provider.fetch(
        new Request(url(w, { id_token_hint }), { headers: NAVIGATION_HEADERS }),
      )
      expect(page.status).toBe(200)
      expect(await page.text()).toContain('<h1>Nobody is signed in in this browser</h1>')
      expect(endingsOf(w)).toEqual([])
    })

    it('a registered address is followed, for everybody', async () => {
      const { w, id_token_hint } = await signedIn(routing)
      for (const headers of [NAVIGATION_HEADERS, PROGRAM_HEADERS.curl]) {
        const query = { id_token_hint, post_logout_redirect_uri: BYE, state: 's' }
        const response = await w.provider.fetch(new Request(url(w, query), { headers }))
        expect([response.status, response.headers.get('location')]).toEqual([302, `${BYE}?state=s`])
      }
      const form = { id_token_hint, post_logout_redirect_uri: BYE }
      const posted = await w.provider.fetch(formRequest(`${w.issuer}/oauth/logout`, form))
      expect([posted.status, posted.headers.get('location')]).toEqual([303, BYE])
      expect(endingsOf(w)).toEqual([])
    })

    it('without a hint there is nothing that a back end could have meant: the page, for everybody', async () => {
      const { w } = await signedIn(routing)
      for (const headers of [NAVIGATION_HEADERS, PROGRAM_HEADERS.curl]) {
        const page = await w.provider.fetch(new Request(url(w, { client_id: 'app' }), { headers }))
        expect([page.status, await page.text()]).toEqual([
          200,
          expect.stringContaining('<h1>Nobody is signed in'),
        ])
      }
    })

    it('the page of the application learns whether somebody was signed in', async () => {
      const { recording, prompts, browser, id_token_hint } = await signedIn(routing)
      const send = () =>
        recording.provider.fetch(
          new Request(url(recording, { id_token_hint }), {
            headers: { ...NAVIGATION_HEADERS, cookie: browser.jar.header() },
          }),
        )
      await send()
      await send()
      expect(prompts.map(({ was_signed_in, redirect_refused }) => [was_signed_in, redirect_refused])).toEqual(
        [
          [true, false],
          [false, false],
        ],
      )
    })
  },
)

describe('an address that is not registered for the client', () => {
  it('the page says so, and the event has the address', async () => {
    const { w, browser, id_token_hint } = await signedIn()
    const query = { id_token_hint, post_logout_redirect_uri: ELSEWHERE }
    const page = await (await browser.get(url(w, query))).text()
    expect(page).toContain('The application wanted to send you to an address that is not registered for it.')
    expect(page).toContain('You are signed out.')
    expect(page).not.toContain('elsewhere.example')
    expect(w.events.filter(({ type }) => type === 'logout.redirect_refused')).toMatchObject([
      { client_id: 'app', reason: 'unregistered_post_logout_redirect_uri' },
    ])
  })

  it('nor does the page without such an address say it', async () => {
    const { w, browser, id_token_hint } = await signedIn()
    expect(await (await browser.get(url(w, { id_token_hint }))).text()).not.toContain('not registered')
  })

  it.each<[string, string, string[]]>([
    ['was never registered', ELSEWHERE, [BYE]],
    ['was removed while the user was asked', BYE, []],
  ])('after the confirmation, when it %s', async (_, post_logout_redirect_uri, registered) => {
    const { w, browser } = await signedIn()
    const asked = await (await browser.get(url(w, { client_id: 'app', post_logout_redirect_uri }))).text()
    const confirmation_token = /name="confirmation_token" value="([^"]+)"/.exec(asked)?.[1] ?? ''
    const changed = await client({ trusted: true, post_logout_redirect_uris: registered })
    await elsewhere(w, (clients) => clients.update(changed))
    const answered = await browser.post(`${w.issuer}/oauth/logout`, { confirmation_token })
    expect([answered.status, answered.headers.get('location')]).toEqual([200, null])
    expect(await answered.text()).toContain('not registered for it')
  })
})
