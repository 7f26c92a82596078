import { type App, createApp } from '@ostiary/example-embed-app'

// Next.js may load a module once for each route, and again after a change. All copies share the application on globalThis.
const shared = globalThis as typeof globalThis & { embedded?: Promise<App> }

export function app(): Promise<App> {
  const { PORT, ISSUER, OIDC_SECRET = '' } = process.env
  const issuer = ISSUER || `http://localhost:${PORT || 3000}`
  shared.embedded ??= createApp({ issuer, secret: OIDC_SECRET })
  return shared.embedded
}

/** Behind a trusted proxy, pass the client's address from `x-forwarded-for` as `address`. */
export async function provide(request: Request): Promise<Response> {
  const { provider } = await app()
  return provider.fetch(request)
}
