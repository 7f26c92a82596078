/** A pending request allows one answer, even when many requests come at the same time. */

import type { Storage } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { describe, expect, it } from 'vitest'
import { answer, authorizeUrl, type Browser, client, type World, world } from './support.js'

const CALLERS = 20

/** A slow storage: while `together` is set, each request waits until all have read the pending record. */
function meetingPlace(inner: Storage) {
  const place = { together: false }
  const waiting: (() => void)[] = []
  const storage: Storage = (realm) => {
    const stores = inner(realm)
    const find: typeof stores.pending.find = async (hash) => {
      const found = await stores.pending.find(hash)
      if (!place.together) return found
      await new Promise<void>((go) => {
        waiting.push(go)
        if (waiting.length === CALLERS) for (const next of waiting.splice(0)) next()
      })
      return found
    }
    return { ...stores, pending: { ...stores.pending, find } }
  }
  return { place, storage }
}

const codes = (w: World) => w.events.filter(({ type }) => type === 'code.issued')
const resume = (w: World, return_to: string) => `${w.issuer}/oauth/authorize/resume?id=${return_to}`
const crowd = (browser: Browser, url: string) =>
  Promise.all(Array.from({ length: CALLERS }, () => browser.get(url)))

describe.each(['single', 'path'] as const)('realms by %s', (routing) => {
  async function setUp() {
    const { place, storage } = meetingPlace(memoryStorage())
    const w = await world({ routing, storage, clients: [await client({ trusted: true })] })
    return { w, place, browser: w.browser() }
  }

  it('after a login: exactly one code', async () => {
    const { w, place, browser } = await setUp()
    await w.browser().authorize()
    const return_to = w.logins[0]?.return_to ?? ''
    await browser.authorize({ state: 'another' })
    await browser.signIn()
    place.together = true
    const answers = await crowd(browser, resume(w, return_to))
    expect(answers.map(({ status }) => status).sort()).toEqual([302, ...Array(CALLERS - 1).fill(400)])
    expect(codes(w)).toHaveLength(2)
  })

  it('before the login, of a POSTed request: still one request', async () => {
    const { w, place, browser } = await setUp()
    const [endpoint = '', form = ''] = authorizeUrl(w.issuer).split('?')
    const posted = (await browser.post(endpoint, form)).headers.get('location') ?? ''
    place.together = true
    await crowd(browser, posted)
    place.together = false
    await browser.signIn()
    for (const { return_to } of w.logins) await browser.get(resume(w, return_to))
    expect(codes(w)).toHaveLength(1)
  })

  it('many signed-in requests from one POST: exactly one code', async () => {
    const { w, place, browser } = await setUp()
    await browser.code()
    const [endpoint = '', form = ''] = authorizeUrl(w.issuer, { state: 'posted' }).split('?')
    const posted = (await w.browser().post(endpoint, form)).headers.get('location') ?? ''
    place.together = true
    const answers = await crowd(browser, posted)
    const redirected = answers.filter(({ status }) => status === 302)
    expect(redirected.map(answer)).toMatchObject([{ state: 'posted', code: expect.any(String) }])
  })

  it('many clicks on the way back: exactly one redirect', async () => {
    const { w, place } = await setUp()
    await w.browser().authorize()
    const return_to = w.logins[0]?.return_to ?? ''
    place.together = true
    const cancel = () =>
      w.provider.cancel(new Request(`${w.issuer}/login`, { method: 'POST' }), { return_to })
    const answers = await Promise.all(Array.from({ length: CALLERS }, cancel))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(CALLERS - 1).fill(400)])
    expect(w.events.filter(({ type }) => type === 'authorization.cancelled')).toHaveLength(1)
  })

  it('one consent view, many approvals: exactly one code, and the others are refused as reused', async () => {
    const { place, storage } = meetingPlace(memoryStorage())
    const w = await world({ routing, storage })
    const browser = w.browser()
    await browser.authorize()
    await browser.signIn()
    place.together = true
    const answers = await Promise.all(Array.from({ length: CALLERS }, () => browser.approve()))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(CALLERS - 1).fill(403)])
    const refused = w.events.filter(({ type }) => type === 'request.refused')
    expect(refused).toMatchObject(Array(CALLERS - 1).fill({ reason: 'reused_auth_token' }))
    expect(codes(w)).toHaveLength(1)
  })
})
