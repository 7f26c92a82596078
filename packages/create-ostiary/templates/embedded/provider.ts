/** The provider, and the handlers of the application's own pages. */

import { createProvider } from '@ostiary/core'
import { checkPassword, findUser } from './accounts.ts'
import { consentPage, homePage, loginPage, messagePage } from './pages.ts'
import { setting } from './settings.ts'
import { storage } from './storage.ts'

const { PORT, ISSUER } = process.env
export const port = Number(PORT || 3000)
/** `ISSUER` is the address that users and applications see: in production, one with https. */
const issuer = ISSUER || `http://localhost:${port}`

export const provider = createProvider({
  oidc: { issuer, scopes: { offline_access: { hidden: false } } },
  secret: setting('OIDC_SECRET'),
  storage,
  accounts: {
    async find(sub) {
      const user = await findUser(sub)
      return user && { sub, claims: { name: user.name, email: user.email, email_verified: true } }
    },
  },
  interactions: {
    async login({ return_to }) {
      const location = `/login?${new URLSearchParams({ return_to })}`
      return new Response(null, { status: 303, headers: { location } })
    },
    consent: (prompt) => consentPage(prompt),
    error: ({ status, description }) => messagePage(status, description),
  },
})

const { clients } = await provider.manage()
// After a restart, a database has the client: then it is changed to these values.
await clients.ensure({
  client_id: 'app',
  client_name: 'My application',
  redirect_uris: ['http://localhost:8080/callback'],
  post_logout_redirect_uris: ['http://localhost:8080/'],
})

/** `GET /` */
export async function home(request: Request): Promise<Response> {
  const signed_in = await provider.session(request)
  return homePage(signed_in && String(signed_in.user.claims.name))
}

/** `GET /login` */
export async function showLogin(request: Request): Promise<Response> {
  const return_to = new URL(request.url).searchParams.get('return_to') ?? ''
  const prompt = await provider.loginPrompt(request, return_to)
  if (prompt === null) return messagePage(400, 'No sign-in waits here. Start it in your application.')
  return loginPage({ client: prompt.client.client_name, return_to })
}

/** `POST /login` */
export async function signIn(request: Request): Promise<Response> {
  // A form on another site must not sign a user in to another account (login CSRF).
  if (request.headers.get('origin') !== issuer) return messagePage(403, 'This form is from another site.')
  const form = new URLSearchParams(await request.text())
  const username = form.get('username') ?? ''
  const return_to = form.get('return_to') ?? ''
  // Counts the attempts in windows of 900 seconds.
  const now = Math.floor(Date.now() / 1000)
  const attempts = await storage('default').throttle.hit(`login ${username}`, 900, now)
  if (attempts > 20) return messagePage(429, 'Too many attempts. Please wait 15 minutes.')

  const user = await checkPassword(username, form.get('password') ?? '')
  if (user) return provider.login(request, { sub: user.id, amr: ['pwd'], return_to })
  const prompt = await provider.loginPrompt(request, return_to)
  const client = prompt?.client.client_name ?? 'the application'
  return loginPage({ client, return_to, fault: 'The username or the password is wrong.' })
}

// Background work: expired sessions, logout notifications.
setInterval(() => provider.tick().catch(console.error), 5000).unref()
