/** A code as a way in, for the rules of the account page. */

import { updateUser } from '@ostiary/identity'
import { hiddenField } from '@ostiary/test-kit/browser'
import { describe, expect, it } from 'vitest'
import { browserAt, hiddenOf, isSignedIn, type Place, passkeyOf, place, RECOVERY_CODE } from './_place.js'

/** A session of level 2: a code, and a recovery code. */
async function signedIn(p: Place, username: string) {
  const b = browserAt(p)
  const [html, code] = await b.codeFor(username, await b.authorize({ acr_values: '2' }))
  const step = await b.read((await b.enter(html, code)).headers.get('location') ?? '')
  const recovery = { action: 'second_step', proof: 'recovery', recovery_code: RECOVERY_CODE }
  expect(isSignedIn(await b.post('/login', { ...hiddenOf(step), ...recovery }))).toBe(true)
  const act = async (action: string, fields: Record<string, string> = {}) =>
    b.post('/account', { csrf_token: hiddenField(await b.read('/account'), 'csrf_token'), action, ...fields })
  return { b, act }
}

async function passkeyOfAnn(p: Place): Promise<{ factor_id: string }> {
  const factors = await p.factors('default').list((await p.user('ann')).sub)
  return { factor_id: factors.find(({ kind }) => kind === 'passkey')?.factor_id ?? '' }
}

const reasonsOf = ({ events }: Place) =>
  events.flatMap((event) => (event.type === 'account.refused' ? [event.reason] : []))

const ACR = { oidc: { acr: 'require' } } as const

describe('the last way in', () => {
  it('may be a code: the last passkey is removed, and the code alone signs in', async () => {
    const p = await place(ACR)
    const { act } = await signedIn(p, 'ann')
    expect((await act('remove_factor', await passkeyOfAnn(p))).status).toBe(303)
    expect(await p.factors('default').list((await p.user('ann')).sub)).toEqual([])
    const b = browserAt(p)
    const [html, code] = await b.codeFor('ann')
    expect(isSignedIn(await b.enter(html, code))).toBe(true)
  })

  it('is none where the address is not verified', async () => {
    const p = await place(ACR)
    const { act } = await signedIn(p, 'ann')
    const { sub } = await p.user('ann')
    const change = ({ claims }: { claims: object }) => ({ claims: { ...claims, email_verified: false } })
    await updateUser(p.users('default'), { sub, change }, { now: () => p.clock.now + 1 })
    const answer = await act('remove_factor', await passkeyOfAnn(p))
    expect([answer.status, reasonsOf(p)]).toEqual([422, ['last_way_in']])
  })

  it('is none beside a passkey of another relying party ID, which is asked for', async () => {
    const p = await place(ACR)
    const { sub, credential_version } = await p.user('ann')
    const own = passkeyOf(sub, p.clock.now)
    const data = { ...own.data, credential_id: 'another', rp_id: 'other.example' }
    const foreign = { ...passkeyOf(sub, p.clock.now), factor_id: `other-${own.factor_id}`, data }
    await p.factors('default').change({ sub, add: [foreign] }, { credential_version, now: p.clock.now })
    const { act } = await signedIn(p, 'ann')
    const answer = await act('remove_factor', { factor_id: own.factor_id })
    expect([answer.status, reasonsOf(p)]).toEqual([422, ['last_way_in']])
  })

  it('is no second one beside a passkey, after which it is asked for: the password stays', async () => {
    const p = await place(ACR)
    const user = await p.user('ann')
    const changed = { ...user, password_hash: 'plain x', updated_at: user.updated_at + 1 }
    await p.users('default').update(changed, user.updated_at)
    const { act } = await signedIn(p, 'ann')
    expect([(await act('remove_password')).status, reasonsOf(p)]).toEqual([422, ['last_way_in']])
  })
})

describe('the section of the account page', () => {
  it('names the address, and is absent without a verified one', async () => {
    const p = await place(ACR)
    const { b } = await signedIn(p, 'ann')
    expect(await b.read('/account')).toContain('<bdi>ann@corp.example</bdi>')
    const una = browserAt(p)
    await una.signIn('una')
    expect(await una.read('/account')).not.toContain('Codes by email')
  })
})
