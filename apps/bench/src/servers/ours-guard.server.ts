/** An API in the same application as the provider: its guard sees revocations. `/token` issues the token to try. */

import { clientInput, clientRecord, createProvider, sha256 } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { MACHINE, SCOPE } from '../target.js'
import { serve } from './node-http.js'
import { RESOURCE, SECRET } from './ours-config.js'

const issuer = `http://127.0.0.1:${process.env.PORT}`
const storage = memoryStorage()
const provider = createProvider({
  oidc: { issuer, resources: { [RESOURCE]: { scopes: [SCOPE] } } },
  secret: SECRET,
  storage,
  accounts: { find: async () => null },
  interactions: { login: async () => new Response(null, { status: 404 }) },
})
const { client_secret, ...metadata } = { ...MACHINE, grant_types: ['client_credentials' as const] }
const input = clientInput.parse({ ...metadata, redirect_uris: [] })
const now = Math.floor(Date.now() / 1000)
await storage('default').clients.create(
  clientRecord(input, { client_secret_hash: sha256(client_secret), now }),
)

const guard = provider.guard({ resource: RESOURCE })
const forUs = guard.checkAudience(`${issuer}/${RESOURCE}`)
const canRead = guard.checkScopes(SCOPE)

serve(async (request) => {
  if (new URL(request.url).pathname !== '/notes') return provider.fetch(request)
  const principal = await guard.authenticate(request)
  if (principal instanceof Response) return principal
  return forUs(request) ?? canRead(request) ?? Response.json({ notes: [] })
})
