import { getRequestListener } from '@hono/node-server'
import express from 'express'
import { home, port, provider, showLogin, signIn } from './provider.ts'

/** Converts Express's request to a `Request`, and the `Response` to Express's. */
const web = (handler: (request: Request, address: string) => Promise<Response>) =>
  getRequestListener(
    (request, { incoming }) => handler(request, incoming.socket.remoteAddress ?? ''),
    { overrideGlobalObjects: false }, // leave the process's own Request and Response as they are
  )

const app = express()
// Before express.json() and express.urlencoded(): the provider reads the bodies itself.
app.all(
  /^\/(?:oauth|\.well-known)\//,
  web((request, address) => provider.fetch(request, { address })),
)
app.get('/login', web(showLogin))
app.post('/login', web(signIn))
app.get('/', web(home))

app.listen(port, '127.0.0.1', (error) => {
  if (!error) return console.log(`Listening on http://localhost:${port}`)
  console.error(`${error.message}: set another PORT in .env`)
  process.exit(1)
})
