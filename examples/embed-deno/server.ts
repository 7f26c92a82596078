import { createApp } from '@ostiary/example-embed-app'

const port = Number(Deno.env.get('PORT') || 3000)
const issuer = Deno.env.get('ISSUER') || `http://localhost:${port}`
const secret = Deno.env.get('OIDC_SECRET') ?? ''
const { provider, home, showLogin, signIn } = await createApp({ issuer, secret })

const options = { port, hostname: '127.0.0.1', onListen: () => console.log(`Listening on ${issuer}`) }
Deno.serve(options, (request, { remoteAddr }) => {
  switch (`${request.method} ${new URL(request.url).pathname}`) {
    case 'GET /':
      return home(request)
    case 'GET /login':
      return showLogin(request)
    case 'POST /login':
      return signIn(request)
    default:
      return provider.fetch(request, { address: remoteAddr.hostname })
  }
})

setInterval(() => provider.tick().catch(console.error), 5000)
