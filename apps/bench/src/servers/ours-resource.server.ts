/** An API of its own: checks tokens with @ostiary/resource-server and the issuer's published keys. */

import { createResourceServer } from '@ostiary/resource-server'
import { serve } from './node-http.js'

const { ISSUER = '', AUDIENCE = '' } = process.env
const api = createResourceServer({ issuer: ISSUER, resource: AUDIENCE })

serve(async (request) => {
  if (!request.headers.has('authorization')) return Response.json({ ready: true })
  const principal = await api.authenticate(request)
  return principal instanceof Response ? principal : Response.json({ notes: [] })
})
