/** The audience check relies on the guard before it, and verifies nothing else itself. */

import { type AccessToken, createGuard, userPrincipal } from '@ostiary/resource-server'
import { describe, expect, it } from 'vitest'
import { ALICE, bearer, redeem, world } from './support.js'

describe.each(['single', 'path'] as const)('Audience check (realms by %s)', (routing) => {
  it('checks neither expiry nor revocation: the guard does', async () => {
    const w = await world({ routing })
    const { access_token } = (await redeem(w, (await w.browser().code()).code)).body
    const guard = w.provider.guard({ realm: w.realm })
    const request = () => new Request('https://api.example.com/', { headers: bearer(access_token) })
    const accepted = request()
    expect(await guard.authenticate(accepted)).not.toBeInstanceOf(Response)
    await w.post('/oauth/revoke', { client_id: 'app', token: access_token })
    w.clock.now += 86_400
    expect(guard.checkAudience(w.issuer)(accepted)).toBeNull()
    expect(await guard.authenticate(request())).toBeInstanceOf(Response)
  })

  it('checks neither signature nor typ: it uses the audience that the guard has verified', async () => {
    const claims = { iss: 'i', aud: 'a', sub: 'alice', client_id: 'app', exp: 0, iat: 0, jti: 'j' }
    const token: AccessToken = { claims, audience: ['https://api.example.com'], scopes: [] }
    const guard = createGuard({
      challenge: { realm: 'default', resource_metadata: 'https://api.example.com/metadata' },
      validate: async () => userPrincipal(ALICE, token),
    })
    const request = new Request('https://api.example.com/', { headers: bearer('no-jwt') })
    await guard.authenticate(request)
    expect(guard.checkAudience('https://api.example.com')(request)).toBeNull()
    expect(guard.checkAudience('a')(request)?.status).toBe(401)
  })
})
