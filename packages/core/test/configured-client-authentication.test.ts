/** The authentication method of clients that an operator has configured without one: RFC 6749 §2.3. */

import { type ClientInput, clientInput, clientRecord, sha256 } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import { CLIENT_SECRET, REDIRECT_URI, redeem, tokens, type World, world } from './support.js'

/** A client as an operator configures it, without an authentication method. */
async function packaged(fields: Partial<ClientInput>, client_secret: string | null = null) {
  const input = clientInput.parse({ client_id: 'app', redirect_uris: [REDIRECT_URI], ...fields })
  const client_secret_hash = client_secret === null ? null : sha256(client_secret)
  return clientRecord(input, { client_secret_hash, now: 0 })
}

const posted = { client_id: 'app', client_secret: CLIENT_SECRET }
const basic = (secret = CLIENT_SECRET) => ({ authorization: `Basic ${btoa(`app:${secret}`)}` })

/** The answer to a request for a token of the client itself. */
async function outcome(w: World, form: Record<string, string>, headers = {}) {
  const { status, body } = await tokens(w, { grant_type: 'client_credentials', ...form }, headers)
  return [status, body.error]
}

describe.each(['single', 'path'] as const)(
  'Clients without a configured method (realms by %s)',
  (routing) => {
    it('use either secret method when they are confidential, one in each request', async () => {
      const client = await packaged({ grant_types: ['client_credentials'] }, CLIENT_SECRET)
      expect(client).toMatchObject({
        token_endpoint_auth_method: 'client_secret_post',
        token_endpoint_auth_methods: ['client_secret_basic', 'client_secret_post'],
      })
      const w = await world({ routing, clients: [client] })
      expect(await outcome(w, posted)).toEqual([200, undefined])
      expect(await outcome(w, {}, basic())).toEqual([200, undefined])
      expect(await outcome(w, posted, basic())).toEqual([400, 'invalid_request'])
      expect(await outcome(w, { client_id: 'app' })).toEqual([401, 'invalid_client'])
      expect(await outcome(w, { ...posted, client_secret: 'wrong' })).toEqual([401, 'invalid_client'])
      expect(await outcome(w, {}, basic('wrong'))).toEqual([401, 'invalid_client'])
    })

    it('use one method alone when it is named', async () => {
      const named = { token_endpoint_auth_method: 'client_secret_post' } as const
      const client = await packaged({ ...named, grant_types: ['client_credentials'] }, CLIENT_SECRET)
      expect(client).toMatchObject({ ...named, token_endpoint_auth_methods: null })
      const w = await world({ routing, clients: [client] })
      expect(await outcome(w, posted)).toEqual([200, undefined])
      expect(await outcome(w, {}, basic())).toEqual([401, 'invalid_client'])
    })

    it('use none when they are public', async () => {
      const client = await packaged({})
      expect(client.token_endpoint_auth_method).toBe('none')
      const w = await world({ routing, clients: [client] })
      const { code } = await w.browser().code()
      const { status, body } = await redeem(w, code, { client_secret: CLIENT_SECRET })
      expect([status, body.error]).toEqual([401, 'invalid_client'])
      expect((await redeem(w, code)).status).toBe(200)
    })
  },
)

describe('token_endpoint_auth_methods of a client with a secret', () => {
  const both: ClientInput['token_endpoint_auth_methods'] = ['client_secret_basic', 'client_secret_post']

  it('one method is stored alone', async () => {
    const client = await packaged({ token_endpoint_auth_methods: ['client_secret_basic'] }, CLIENT_SECRET)
    expect(client).toMatchObject({
      token_endpoint_auth_method: 'client_secret_basic',
      token_endpoint_auth_methods: null,
    })
  })

  it('both methods are stored in one order', async () => {
    const methods = { token_endpoint_auth_methods: both?.toReversed() }
    const client = await packaged(methods, CLIENT_SECRET)
    expect(client).toMatchObject({
      token_endpoint_auth_method: 'client_secret_post',
      token_endpoint_auth_methods: both,
    })
  })

  it('a named first method stays the first one', async () => {
    const token_endpoint_auth_method = 'client_secret_basic' as const
    const fields = { token_endpoint_auth_method, token_endpoint_auth_methods: both }
    const client = await packaged(fields, CLIENT_SECRET)
    expect(client).toMatchObject({ token_endpoint_auth_method, token_endpoint_auth_methods: both })
  })
})
