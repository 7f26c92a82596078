import { serve } from '@hono/node-server'
import { createProvider } from '@ostiary/core'
import { developmentPages } from '@ostiary/core/development'
import { memoryStorage } from '@ostiary/core/memory'

const { handler, ...pages } = developmentPages()
const provider = createProvider({
  oidc: { issuer: 'http://localhost:3000' },
  secret: crypto.randomUUID(), // a new one at each start, as memoryStorage() forgets the keys too
  storage: memoryStorage(),
  ...pages, // accounts and interactions
})
const { clients } = await provider.manage()
await clients.ensure({ client_id: 'notes', redirect_uris: ['http://localhost:8080/callback'] })
serve({ fetch: handler(provider), port: 3000 }, () => console.log('Listening on http://localhost:3000'))
