/** An access token that is bound to a key (`cnf`, RFC 7800) is no bearer token: no endpoint accepts it as one. */

import { SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { openSigningKey } from '../src/crypto/keys.js'
import { deriveSecrets } from '../src/crypto/secrets.js'
import {
  bearer,
  CLIENT_SECRET,
  client,
  header,
  payload,
  redeem,
  SECRET,
  type TokenAnswer,
  tokens,
  type World,
  world,
} from './support.js'

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const app = { client_id: 'app', client_secret: CLIENT_SECRET }

describe('A token with cnf, signed by the realm', () => {
  let w: World
  let own: TokenAnswer['body']
  let bound: string
  let unbound: string
  beforeAll(async () => {
    const grant_types = ['authorization_code', TOKEN_EXCHANGE]
    const record = { ...app, grant_types, allowed_exchange_audiences: ['https://id.example.com/files'] }
    w = await world({
      oidc: { resources: { files: { scopes: [] } }, clients: { token_exchange: true } },
      clients: [await client(record)],
    })
    own = (await redeem(w, (await w.browser().code()).code, app)).body
    bound = await signed({ cnf: { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' } })
    unbound = await signed({})
  })

  /** The realm's own token, with other claims. */
  async function signed(changes: object): Promise<string> {
    const [record] = await w.storage(w.realm).keys.list()
    if (!record) throw new Error('The realm has no key')
    const seals = [(await deriveSecrets(SECRET)).seal]
    const { private_key } = await openSigningKey(record, { realm: w.realm, seals })
    return new SignJWT({ ...payload(own.access_token), ...changes })
      .setProtectedHeader({ alg: 'RS256', ...header(own.access_token) })
      .sign(private_key)
  }
  const lastReason = () => {
    const refusal = w.events.findLast(({ type }) => type === 'bearer.refused' || type === 'request.refused')
    return refusal && 'reason' in refusal ? refusal.reason : null
  }

  it('is refused by the guard each time, with the reason in the event', async () => {
    const guard = w.provider.guard()
    const ask = (token: string) => guard.authenticate(new Request(w.issuer, { headers: bearer(token) }))
    expect(await ask(unbound)).toMatchObject({ kind: 'user' })
    for (let i = 0; i < 2; i++) {
      const refused = await ask(bound)
      if (!(refused instanceof Response)) throw new Error('accepted')
      expect([refused.status, await refused.text()]).toEqual([401, '{"error":"invalid_token"}'])
      expect(lastReason()).toBe('unknown_confirmation')
    }
  })

  it('is refused by UserInfo', async () => {
    const ask = (token: string) =>
      w.provider.fetch(new Request(`${w.issuer}/oauth/userinfo`, { headers: bearer(token) }))
    expect((await ask(unbound)).status).toBe(200)
    const refused = await ask(bound)
    expect([refused.status, await refused.text()]).toEqual([401, '{"error":"invalid_token"}'])
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect(lastReason()).toBe('unknown_confirmation')
  })

  it('is refused as a subject token: an exchange would return one that is not bound', async () => {
    const exchange = (subject_token: string) =>
      tokens(w, {
        grant_type: TOKEN_EXCHANGE,
        ...app,
        subject_token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        audience: 'https://id.example.com/files',
      })
    expect((await exchange(unbound)).status).toBe(200)
    const refused = await exchange(bound)
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_grant'])
    expect(lastReason()).toBe('subject_token_unknown_confirmation')
  })

  it('is not active for introspection: a caller that does not look at cnf would accept it', async () => {
    const ask = async (token: string) => (await w.post('/oauth/introspect', { ...app, token })).text()
    expect(JSON.parse(await ask(unbound))).toMatchObject({ active: true })
    expect(await ask(bound)).toBe('{"active":false}')
  })
})
