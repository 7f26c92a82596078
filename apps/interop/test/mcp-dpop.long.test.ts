/** `@modelcontextprotocol/client` with `dpop()`: its tokens are bound to its key, at the guard and at a resource server. */

import { DpopSession, UnauthorizedError } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WEEKLY } from '../../../vitest.shared.ts'
import { callAsMachine, sdk2 } from './agents.ts'
import { type DpopMcpWorld, GUARDS, startDpopMcpWorld } from './dpop-mcp-world.ts'
import { claims, expectRefresh, whoami, withoutAccessToken } from './mcp-clients.ts'
import type { Nonces } from './notes-api.ts'

const NONCES: Nonces[] = ['off', 'required']
/** The weekly run has each guard with both; the long run has each of them once. */
const WORLDS = GUARDS.flatMap(([name, start], index) =>
  NONCES.filter((_, of) => WEEKLY || of === index % NONCES.length).map(
    (nonce): [string, Nonces, typeof start] => [name, nonce, start],
  ),
)
const note = expect.objectContaining({ content: [{ type: 'text', text: 'Noted' }] })

describe.each(WORLDS)('at %s, nonces %s:', (_, nonce, start) => {
  let world: DpopMcpWorld
  beforeAll(async () => {
    world = await startDpopMcpWorld(start, nonce)
  })
  afterAll(() => world?.stop())

  it('signs a person in, calls tools, asks for more scopes and refreshes, with tokens that are bound to its key', async () => {
    const dpop = await DpopSession.create()
    const app = world.application(dpop)
    const agent = sdk2(app)
    await agent.signIn()
    const expectBound = () => {
      expect(app.stored.tokens?.token_type).toBe('DPoP')
      expect(claims(app.stored)).toMatchObject({ aud: world.server, cnf: { jkt: dpop.thumbprint } })
    }
    expectBound()
    expect(await whoami(agent)).toMatchObject({ scopes: ['notes.read'] })
    expect(await agent.addNoteWithMoreScopes('first')).toEqual(note)
    expectBound()
    await expectRefresh(agent, app)
    expectBound()
    expect(app.asked).toEqual(['notes.read', 'notes.read notes.write'])
    const seen = [world.issuer, world.server].map((url) => dpop.nonceFor(url) !== undefined)
    expect(seen).toEqual(nonce === 'required' ? [true, true] : [false, false])
    await agent.close()
  })

  it('with another key the same tokens neither call a tool nor refresh, and stay good for their own', async () => {
    const app = world.application(await DpopSession.create())
    const agent = sdk2(app)
    await agent.signIn()
    const { access_token = '' } = app.stored.tokens ?? {}
    const asBearer = await fetch(world.server, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}` },
    })
    expect([asBearer.status, await asBearer.json()]).toEqual([401, { error: 'invalid_token' }])

    const refresh = await fetch(`${world.issuer}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: app.stored.client?.client_id ?? '',
        refresh_token: app.stored.tokens?.refresh_token ?? '',
      }),
    })
    expect([refresh.status, await refresh.json()]).toMatchObject([400, { error: 'invalid_grant' }])

    const thief = world.application(await DpopSession.create(), { ...app.stored })
    const asked: string[] = []
    const ask = async ({ href }: URL) => {
      asked.push(href)
      return new URLSearchParams()
    }
    await expect(sdk2({ ...thief, ask }).connect()).rejects.toThrow(UnauthorizedError)
    expect(asked).toHaveLength(1)

    expect(await whoami(agent)).toMatchObject({ scopes: ['notes.read'] })
    Object.assign(app.stored, withoutAccessToken(app.stored))
    expect(await whoami(agent)).toMatchObject({ scopes: ['notes.read'] })
    expect(app.asked).toHaveLength(1)
    await agent.close()
  })

  it('without a user: a client with a secret and a key calls a tool', async () => {
    const answer = await callAsMachine(world.server, world.worker(await DpopSession.create()), 'whoami')
    const text = JSON.stringify({ user: null, client: 'worker', scopes: ['notes.read'] })
    expect(answer).toMatchObject({ content: [{ type: 'text', text }] })
  })
})
