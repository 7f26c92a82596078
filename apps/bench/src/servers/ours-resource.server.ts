/** An API of its own: checks tokens with @ostiary/resource-server and the issuer's published keys. */

import { BearerError, bearerToken, challenge, verifyAccessToken } from '@ostiary/resource-server'
import { createRemoteJWKSet } from 'jose'
import { serve } from './node-http.js'

const { ISSUER = '', AUDIENCE = '' } = process.env
const key = createRemoteJWKSet(new URL(`${ISSUER}/.well-known/jwks.json`))
const rules = { issuer: ISSUER, key }

serve(async (request) => {
  const token = bearerToken(request)
  if (token === null) return Response.json({ ready: true })
  try {
    const { audience } = await verifyAccessToken(token, rules)
    if (!audience.includes(AUDIENCE)) throw new BearerError('invalid_token', 'wrong_audience')
    return Response.json({ notes: [] })
  } catch (error) {
    if (!(error instanceof BearerError)) throw error
    return challenge({ realm: 'default', error: error.code, resource_metadata: AUDIENCE })
  }
})
