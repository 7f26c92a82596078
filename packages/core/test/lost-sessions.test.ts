/** The session store has lost its sessions (Redis was flushed): their tokens can still be revoked. */

import { describe, expect, it } from 'vitest'
import { client, redeem, tokens, type World, world } from './support.js'

/** Alice is signed in to `app`, and the store has lost the session. */
async function lost(routing: 'single' | 'path') {
  const w = await world({ routing, clients: [await client({ trusted: true })] })
  const browser = w.browser()
  const granted = (await redeem(w, (await browser.code()).code)).body
  const { sessions } = w.storage(w.realm)
  for (const { sid } of await sessions.list('alice')) {
    await sessions.end(sid, w.clock.now, 0)
    await sessions.forget(sid)
  }
  return { w, browser, granted }
}
const refresh = async (w: World, refresh_token: string) =>
  (await tokens(w, { grant_type: 'refresh_token', client_id: 'app', refresh_token })).status

describe.each(['single', 'path'] as const)('A session that storage has lost (realms by %s)', (routing) => {
  it('its tokens stay valid until they are revoked', async () => {
    const { w, granted } = await lost(routing)
    expect(await refresh(w, granted.refresh_token)).toBe(200)
  })

  it.each(['GET', 'POST'])('logout with its hint revokes its tokens (%s)', async (method) => {
    const { w, browser, granted } = await lost(routing)
    const url = `${w.issuer}/oauth/logout`
    const form = { id_token_hint: granted.id_token }
    const response =
      method === 'GET'
        ? await browser.get(`${url}?${new URLSearchParams(form)}`)
        : await browser.post(url, form)
    expect(response.status).toBe(200)
    expect(await refresh(w, granted.refresh_token)).toBe(400)
    expect(w.events).toContainEqual(
      expect.objectContaining({ type: 'grant.revoked', sub: 'alice', grants: 1 }),
    )
  })

  it('so does the end of all sessions of the user', async () => {
    const { w, granted } = await lost(routing)
    const { sessions } = await w.provider.manage(w.realm)
    expect(await sessions.endAll('alice')).toEqual({ sids: [], grants: 1 })
    expect(await refresh(w, granted.refresh_token)).toBe(400)
  })

  it('a new session of the same user stays, with its grants', async () => {
    const { w, granted } = await lost(routing)
    const again = w.browser()
    const fresh = (await redeem(w, (await again.code()).code)).body
    await w.browser().get(`${w.issuer}/oauth/logout?id_token_hint=${granted.id_token}`)
    expect(await refresh(w, granted.refresh_token)).toBe(400)
    expect(await refresh(w, fresh.refresh_token)).toBe(200)
    expect((await again.authorize({ prompt: 'none' })).headers.get('location')).toContain('code=')
  })

  it('an existing session is not ended from another browser by its hint', async () => {
    const w = await world({ routing, clients: [await client({ trusted: true })] })
    const browser = w.browser()
    const granted = (await redeem(w, (await browser.code()).code)).body
    const stranger = await w.browser().get(`${w.issuer}/oauth/logout?id_token_hint=${granted.id_token}`)
    expect(stranger.status).toBe(400)
    expect((await browser.authorize({ prompt: 'none' })).headers.get('location')).toContain('code=')
    expect(await refresh(w, granted.refresh_token)).toBe(200)
  })
})
