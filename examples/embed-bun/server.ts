import { createApp } from '@ostiary/example-embed-app'
import { serve } from 'bun'

const { PORT, ISSUER, OIDC_SECRET = '' } = process.env
const port = Number(PORT || 3000)
const issuer = ISSUER || `http://localhost:${port}`
const { provider, home, showLogin, signIn } = await createApp({ issuer, secret: OIDC_SECRET })

serve({
  port,
  hostname: '127.0.0.1',
  routes: {
    '/': { GET: home },
    '/login': { GET: showLogin, POST: signIn },
  },
  fetch: (request, server) => provider.fetch(request, { address: server.requestIP(request)?.address ?? '' }),
})

setInterval(() => provider.tick().catch(console.error), 5000)
console.log(`Listening on ${issuer}`)
