/** Bare jose: the checks of RFC 9068 §4 as its documentation shows them, and nothing around them. */

import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import { serve } from '../servers/node-http.js'

const { ISSUER = '', AUDIENCE = '', JWKS_URI = '' } = process.env
const jwks = createRemoteJWKSet(new URL(JWKS_URI))

serve(async (request) => {
  const header = request.headers.get('authorization')
  if (header === null) return Response.json({ ready: true })
  try {
    await jwtVerify(header.replace(/^Bearer /, ''), jwks, {
      issuer: ISSUER,
      audience: AUDIENCE,
      typ: 'at+jwt',
      algorithms: ['RS256'],
    })
    return Response.json({ notes: [] })
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error
    return Response.json({ error: 'invalid_token' }, { status: 401 })
  }
})
