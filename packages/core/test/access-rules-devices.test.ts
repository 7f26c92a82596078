/** Who may use a client, where a user approves a device. */

import type { RefusedPrompt } from '@ostiary/core'
import { expect, it } from 'vitest'
import {
  answer,
  ask,
  browserAt,
  confirmation,
  type DeviceWorld,
  decide,
  deviceClient,
  deviceWorld,
  enter,
  poll,
  polled,
} from './device.js'
import { ALICE, BOB, tokens, type WorldOptions } from './support.js'

const setGroups = (w: DeviceWorld, groups: string[], account = ALICE) =>
  void w.accounts.set(account.sub, { ...account, attributes: { groups } })

async function start(rules: Parameters<typeof deviceClient>[0], options: WorldOptions = {}) {
  const refused: RefusedPrompt[] = []
  const w = await deviceWorld({
    clients: [await deviceClient(rules)],
    ...options,
  })
  setGroups(w, ['staff'])
  return { w, refused }
}
const STAFF = { allowed_groups: ['staff'] }
const denials = (w: DeviceWorld) => w.events.filter(({ type }) => type === 'access.denied')

it('a user in the group approves the device', async () => {
  const { w } = await start(STAFF)
  const { body } = await ask(w)
  await decide(w, await browserAt(w), body)
  expect((await poll(w, { device_code: body.device_code })).status).toBe(200)
})

it('any other user is refused before the question; the device waits for one who may', async () => {
  const { w } = await start(STAFF)
  const { body } = await ask(w)
  const browser = await browserAt(w, undefined, 'bob')
  const refused = await enter(w, browser, body.user_code)
  expect([refused.status, w.pages]).toEqual([403, []])
  expect(denials(w)).toEqual([expect.objectContaining({ client_id: 'tv', sub: 'bob', rule: 'groups' })])
  expect(await polled(w, body.device_code)).toEqual([400, 'authorization_pending'])
  setGroups(w, ['staff'], BOB)
  await decide(w, browser, body)
  w.clock.now += 10
  expect((await poll(w, { device_code: body.device_code })).status).toBe(200)
})

it('the page of the application is shown, without a way back', async () => {
  const prompts: RefusedPrompt[] = []
  const { w } = await start(STAFF, {
    interactions: {
      login: async () => new Response(),
      async refused(prompt) {
        prompts.push(prompt)
        return new Response('the page of a refusal', { status: 403 })
      },
    },
  })
  const { body } = await ask(w)
  const response = await enter(w, await browserAt(w, undefined, 'bob'), body.user_code)
  expect(await response.text()).toBe('the page of a refusal')
  expect(prompts).toEqual([
    expect.objectContaining({ rule: 'groups', return_to: null, redirect_uri: null, ui_locales: [] }),
  ])
})

it('one who is removed from the group while the question is open does not approve it', async () => {
  const { w } = await start(STAFF)
  const { body } = await ask(w)
  const browser = await browserAt(w)
  await enter(w, browser, body.user_code)
  const { confirmation_token } = confirmation(w)
  setGroups(w, [])
  expect((await answer(w, browser, { confirmation_token })).status).toBe(403)
  expect(denials(w)).toHaveLength(1)
  expect(await polled(w, body.device_code)).toEqual([400, 'authorization_pending'])
  // To refuse, nobody needs a group.
  await answer(w, browser, { confirmation_token, answer: 'refuse' })
  w.clock.now += 10
  expect(await polled(w, body.device_code)).toEqual([400, 'access_denied'])
})

it('one who is removed before the device asks again gets it no tokens', async () => {
  const { w } = await start(STAFF)
  const { body } = await ask(w)
  await decide(w, await browserAt(w), body)
  setGroups(w, [])
  expect(await polled(w, body.device_code)).toEqual([400, 'invalid_grant'])
  expect(denials(w)).toHaveLength(1)
})

it('a refresh of the device is refused, and the grant revoked', async () => {
  const { w } = await start(STAFF)
  const { body } = await ask(w)
  await decide(w, await browserAt(w), body)
  const { refresh_token } = (await poll(w, { device_code: body.device_code })).body
  const refresh = () => tokens(w, { grant_type: 'refresh_token', client_id: 'tv', refresh_token })
  setGroups(w, [])
  expect((await refresh()).body.error).toBe('invalid_grant')
  setGroups(w, ['staff'])
  expect((await refresh()).body.error).toBe('invalid_grant')
})

it('required_acr: a sign-in that is too weak, and the policy of the application', async () => {
  const { w } = await start({ required_acr: '2' })
  const { body } = await ask(w)
  expect((await enter(w, await browserAt(w), body.user_code)).status).toBe(403)
  expect(denials(w)).toEqual([expect.objectContaining({ rule: 'acr' })])
  const other = await start({}, { access_policy: () => ({ reason: 'no_television' }) })
  const asked = await ask(other.w)
  expect((await enter(other.w, await browserAt(other.w), asked.body.user_code)).status).toBe(403)
  expect(denials(other.w)).toEqual([expect.objectContaining({ rule: 'policy' })])
})
