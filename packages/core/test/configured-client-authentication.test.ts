/** The authentication method of clients that an operator has configured without one: RFC 6749 §2.3. */

import { type ClientInput, clientInput, clientRecord, sha256 } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import { CLIENT_SECRET, REDIRECT_URI, redeem, tokens, world } from './support.js'

/** A client as an operator configures it, without an authentication method. */
async function packaged(fields: Partial<ClientInput>, client_secret: string | null = null) {
  const input = clientInput.parse({ client_id: 'app', redirect_uris: [REDIRECT_URI], ...fields })
  const client_secret_hash = client_secret === null ? null : sha256(client_secret)
  return clientRecord(input, { client_secret_hash, now: 0 })
}

describe.each(['single', 'path'] as const)(
  'Clients without a configured method (realms by %s)',
  (routing) => {
    it('use client_secret_post when they are confidential', async () => {
      const client = await packaged({ grant_types: ['client_credentials'] }, CLIENT_SECRET)
      expect(client.token_endpoint_auth_method).toBe('client_secret_post')
      const w = await world({ routing, clients: [client] })
      const form = { grant_type: 'client_credentials' }
      const posted = await tokens(w, { ...form, client_id: 'app', client_secret: CLIENT_SECRET })
      expect(posted.status).toBe(200)
      const authorization = `Basic ${btoa(`app:${CLIENT_SECRET}`)}`
      const { status, body } = await tokens(w, form, { authorization })
      expect([status, body.error]).toEqual([401, 'invalid_client'])
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
