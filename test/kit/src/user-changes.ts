/** What a change of a user means for the next request, as tests: a provider with the users of identity, on any storage. */

import type { Storage } from '@ostiary/core'
import { createIdentity, type User, type Users } from '@ostiary/identity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Browser,
  bearer,
  CLIENT_SECRET,
  client,
  redeem,
  SECRET,
  tokens,
  type World,
  world,
} from './world.ts'

export interface AccountPlace {
  storage: Storage
  users: Users
  close(): Promise<void>
}

const CREDENTIALS = { client_id: 'app', client_secret: CLIENT_SECRET }

const user = (sub: string): User => ({
  sub,
  username: sub,
  username_key: sub,
  password_hash: null,
  claims: { name: 'Ann' },
  attributes: null,
  groups: null,
  created_at: 1,
  updated_at: 1,
  disabled_at: null,
  credential_version: 0,
  second_step: false,
})

/** What each kind of request of a signed-in user is answered. */
async function answers(w: World, at: { browser: Browser; access_token: string; refresh_token: string }) {
  const { browser, access_token, refresh_token } = at
  const userinfo = await w.provider.fetch(
    new Request(`${w.issuer}/oauth/userinfo`, { headers: bearer(access_token) }),
  )
  const introspected = async (token: string) =>
    (await (await w.post('/oauth/introspect', { ...CREDENTIALS, token })).json()).active
  const guarded = await w.provider
    .guard()
    .authenticate(new Request(`${w.issuer}/notes`, { headers: bearer(access_token) }))
  const authorized = await browser.authorize({ prompt: 'none' })
  return {
    userinfo: userinfo.status === 200 ? (await userinfo.json()).name : userinfo.status,
    access_token: await introspected(access_token),
    refresh_token: await introspected(refresh_token),
    guard: guarded instanceof Response ? guarded.status : guarded.kind,
    session: new URL(authorized.headers.get('location') ?? '').searchParams.get('error'),
  }
}

const ACCEPTED = { userinfo: 'Ann', access_token: true, refresh_token: true, guard: 'user', session: null }
const REFUSED = {
  userinfo: 401,
  access_token: false,
  refresh_token: false,
  guard: 401,
  session: 'login_required',
}

/** Tests that each request sees the user as it is stored now. */
export function userChanges(name: string, open: () => Promise<AccountPlace>): void {
  describe(name, () => {
    let place: AccountPlace
    let w: World
    beforeAll(async () => {
      place = await open()
      const { storage, users } = place
      const throttle = (realm: string) => storage(realm).throttle
      const { accounts } = createIdentity({ users, throttle, secret: SECRET })
      const app = await client({ client_secret: CLIENT_SECRET, trusted: true })
      w = await world({ storage, accounts, clients: [app] })
    })
    afterAll(() => place.close())

    async function signedIn(sub: string) {
      await place.users('default').create(user(sub))
      const browser = w.browser()
      const { code } = await browser.code({}, sub)
      const { body } = await redeem(w, code, CREDENTIALS)
      return { browser, access_token: body.access_token, refresh_token: body.refresh_token }
    }
    const refresh = async (refresh_token: string) =>
      (await tokens(w, { grant_type: 'refresh_token', ...CREDENTIALS, refresh_token })).body
    /** Stores the user with these changes, as another server does. */
    const change = (sub: string, changes: Partial<User>, seen: number) =>
      place.users('default').update({ ...user(sub), ...changes, updated_at: seen + 1 }, seen)

    it.each<[string, () => Promise<boolean>]>([
      ['disabled', () => change('disabled', { disabled_at: 2 }, 1)],
      ['deleted', () => place.users('default').delete('deleted')],
    ])('a user who is %s is refused at the next request', async (sub, end) => {
      const at = await signedIn(sub)
      const { code } = await at.browser.code()
      expect(await answers(w, at)).toEqual(ACCEPTED)
      expect(await end()).toBe(true)
      expect(await answers(w, at)).toEqual(REFUSED)
      expect((await refresh(at.refresh_token)).error).toBe('invalid_grant')
      expect((await redeem(w, code, CREDENTIALS)).body.error).toBe('invalid_grant')
    })

    it('a user who is enabled again is accepted, and has the claims of now', async () => {
      const at = await signedIn('changed')
      await change('changed', { disabled_at: 2 }, 1)
      expect(await answers(w, at)).toEqual(REFUSED)
      await change('changed', { claims: { name: 'Ann Example' } }, 2)
      expect(await answers(w, at)).toEqual({ ...ACCEPTED, userinfo: 'Ann Example' })
      const { refresh_token } = await refresh(at.refresh_token)
      expect(await answers(w, { ...at, refresh_token })).toEqual({ ...ACCEPTED, userinfo: 'Ann Example' })
    })
  })
}
