import { createApp } from '@ostiary/example-embed-app'
import { serve } from 'bun'

const { PORT = '3000', ISSUER = `http://localhost:${PORT}`, OIDC_SECRET = '' } = process.env
const { provider, home, showLogin, signIn } = await createApp({ issuer: ISSUER, secret: OIDC_SECRET })

serve({
  port: Number(PORT),
  hostname: '127.0.0.1',
  routes: {
    '/': { GET: home },
    '/login': { GET: showLogin, POST: signIn },
  },
  fetch: (request, server) => provider.fetch(request, { address: server.requestIP(request)?.address ?? '' }),
})

setInterval(() => provider.tick().catch(console.error), 5000)
console.log(`Listening on ${ISSUER}`)
