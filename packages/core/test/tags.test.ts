/** The tags of people in what browsers and clients hold: what they change finds nothing and harms nobody. */

import { describe, expect, it } from 'vitest'
import { personTag, tagOf } from '../src/storage/tag.js'
import { newSecret, systemRandom } from '../src/util/secret.js'
import { sessionCookie, watchedPeople } from './people.js'
import { answer, client, payload, redeem, tokens, type World, world } from './support.js'

const OTHER_TAG = personTag('alice') === 'AA' ? 'BB' : 'AA'
const silent = { prompt: 'none' }
const refresh = (w: World, refresh_token: string) =>
  tokens(w, { grant_type: 'refresh_token', client_id: 'app', refresh_token })
const withTag = (secret: string, tag: string): string => secret.slice(0, -2) + tag

describe.each(['single', 'path'] as const)('the tag of a person (realms by %s)', (routing) => {
  const signedIn = async (options: Parameters<typeof world>[0] = {}) => {
    const w = await world({ routing, clients: [await client()], ...options })
    const browser = w.browser()
    const { code } = await browser.code({ scope: 'openid offline_access' })
    return { w, browser, code }
  }

  it('ends the cookie, the code, the refresh tokens, the sid, and the grant in the jti', async () => {
    const { w, browser, code } = await signedIn()
    const { body } = await redeem(w, code)
    const second = await refresh(w, body.refresh_token)
    const id_token = payload(body.id_token)
    const [grant_id = ''] = String(payload(body.access_token).jti).split('.')
    const [, cookie] = sessionCookie(browser.cookies)
    const all = [
      cookie,
      String(code),
      body.refresh_token,
      second.body.refresh_token,
      String(id_token.sid),
      grant_id,
    ]
    expect(all.map(tagOf)).toEqual(all.map(() => personTag(String(id_token.sub))))
  })

  it('is no check: a code with another tag is unknown, and the code stays good', async () => {
    const { w, code } = await signedIn()
    const forged = await redeem(w, withTag(String(code), OTHER_TAG))
    expect([forged.status, forged.body.error]).toEqual([400, 'invalid_grant'])
    expect((await redeem(w, code)).status).toBe(200)
  })

  it('is no check: a refresh token with another tag is unknown, is no reuse, and the token stays good', async () => {
    const { w, code } = await signedIn()
    const { body } = await redeem(w, code)
    const forged = await refresh(w, withTag(body.refresh_token, OTHER_TAG))
    expect([forged.status, forged.body.error]).toEqual([400, 'invalid_grant'])
    expect((await refresh(w, body.refresh_token)).status).toBe(200)
  })

  it('is no check: a cookie with another tag is signed out, and the session goes on', async () => {
    const { browser } = await signedIn()
    const [name, cookie] = sessionCookie(browser.cookies)
    browser.cookies.set(name, withTag(cookie, OTHER_TAG))
    expect(answer(await browser.authorize(silent))).toMatchObject({ error: 'login_required' })
    browser.cookies.set(name, cookie)
    expect(answer(await browser.authorize({ ...silent, scope: 'openid' }))).toHaveProperty('code')
  })

  it('what is no secret of a person is refused without a look-up', async () => {
    const { storage, calls } = watchedPeople()
    const { w, browser } = await signedIn({ storage })
    const [name] = sessionCookie(browser.cookies)
    const short = newSecret(systemRandom)
    calls.length = 0
    for (const text of ['never-issued', short, `${short}A`, `${short}+/`, `${short}AAA`, 'é'.repeat(45)]) {
      expect((await redeem(w, text)).body.error).toBe('invalid_grant')
      expect((await refresh(w, text)).body.error).toBe('invalid_grant')
      browser.cookies.set(name, text)
      expect(answer(await browser.authorize(silent))).toMatchObject({ error: 'login_required' })
    }
    expect(calls).toEqual([])
    expect((await refresh(w, `${short}AA`)).body.error).toBe('invalid_grant')
    expect(calls.map(({ name }) => name)).toEqual(['grants.findRefreshToken'])
  })
})
