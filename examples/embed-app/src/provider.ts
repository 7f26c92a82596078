/** The provider, and the handlers of the application's own pages. A framework or a runtime mounts them. */

import { createProvider, type Provider } from '@ostiary/core'
import { checkPassword, findUser } from './accounts.ts'
import { consentPage, homePage, loginPage, messagePage } from './pages.ts'
import { storage } from './storage.ts'

export interface App {
  /** Answers all requests below `/oauth` and `/.well-known`. */
  provider: Provider
  /** `GET /` */
  home(request: Request): Promise<Response>
  /** `GET /login` */
  showLogin(request: Request): Promise<Response>
  /** `POST /login` */
  signIn(request: Request): Promise<Response>
}

/**
 * Creates the provider with the application's accounts and pages, and registers a client.
 * @param issuer The public origin, such as `https://id.example.com`.
 * @param secret At least 32 random characters.
 */
export async function createApp({ issuer, secret }: { issuer: string; secret: string }): Promise<App> {
  const provider = createProvider({
    oidc: {
      issuer,
      resources: { 'api/notes': { scopes: ['notes.read'] } },
      scopes: { 'notes.read': { description: 'Read your notes' } },
    },
    secret,
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
      consent: async (prompt) => consentPage(prompt),
      error: async ({ status, description }) => messagePage(status, description),
    },
  })

  const { clients } = await provider.manage()
  await clients.ensure({
    client_id: 'notes',
    client_name: 'Notes',
    client_secret: 'for-trying-out-only-not-for-anything-else',
    redirect_uris: ['http://localhost:8080/callback'],
    post_logout_redirect_uris: ['http://localhost:8080/'],
  })

  return {
    provider,

    async home(request) {
      const signed_in = await provider.session(request)
      return homePage(signed_in && String(signed_in.user.claims.name))
    },

    async showLogin(request) {
      const return_to = new URL(request.url).searchParams.get('return_to') ?? ''
      const prompt = await provider.loginPrompt(request, return_to)
      if (prompt === null) return messagePage(400, 'No sign-in waits here. Start it in your application.')
      return loginPage({ client: prompt.client.client_name, return_to })
    },

    async signIn(request) {
      // A form on another site must not sign a user in to another account (login CSRF).
      if (request.headers.get('origin') !== issuer) return messagePage(403, 'This form is from another site.')
      const form = new URLSearchParams(await request.text())
      const username = form.get('username') ?? ''
      const return_to = form.get('return_to') ?? ''
      // The user goes back to the application, which gets `access_denied`.
      if (form.get('action') === 'back') return provider.cancel(request, { return_to })
      // Counts the attempts in the provider's storage, in windows of 900 seconds.
      const attempts = await storage('default').throttle.hit(`login ${username}`, 900, seconds())
      if (attempts > 20) return messagePage(429, 'Too many attempts. Please wait 15 minutes.')

      const user = await checkPassword(username, form.get('password') ?? '')
      if (user) return provider.login(request, { sub: user.id, amr: ['pwd'], return_to })
      const prompt = await provider.loginPrompt(request, return_to)
      const client = prompt?.client.client_name ?? 'the application'
      return loginPage({ client, return_to, fault: 'The username or the password is wrong.' })
    },
  }
}

const seconds = (): number => Math.floor(Date.now() / 1000)
