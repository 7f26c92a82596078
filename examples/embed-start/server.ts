import { serve } from '@hono/node-server'
import { createProvider } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { html } from 'hono/html'

const password = html`<label>Password <input name="password" type="password"></label>`
const page = async (to: string, text: unknown, [name, value]: string[]) => {
  const form =
    await html`<form method="post" action="${to}">${text}<button name="${name}" value="${value}">OK</button></form>`
  return new Response(`${form}`, { headers: { 'content-type': 'text/html', 'x-frame-options': 'DENY' } })
}

const provider = createProvider({
  oidc: { issuer: 'http://localhost:3000' },
  secret: crypto.randomUUID(),
  storage: memoryStorage(),
  accounts: { find: async (sub) => (sub === 'ann' ? { sub, claims: { name: 'Ann Example' } } : null) },
  interactions: {
    login: ({ return_to }) => page('/login', password, ['return_to', return_to]),
    consent: ({ client, action: to, auth_token }) => page(to, client.client_name, ['auth_token', auth_token]),
  },
})
const { clients } = await provider.manage()
await clients.ensure({ client_id: 'notes', redirect_uris: ['http://localhost:8080/callback'] })

async function answer(request: Request) {
  if (request.url !== `${request.headers.get('origin')}/login`) return provider.fetch(request)
  const form = new URLSearchParams(await request.text())
  if (form.get('password') !== 'correct horse') return new Response('Wrong password', { status: 401 })
  return provider.login(request, { sub: 'ann', amr: ['pwd'], return_to: form.get('return_to') ?? '' })
}
serve({ fetch: answer, port: 3000 }, () => console.log('Listening on http://localhost:3000'))
