import { type App, createApp } from '@ostiary/example-embed-app'

// Next.js may load a module once for each route, and again after a change. All copies share the application on globalThis.
const shared = globalThis as typeof globalThis & { embedded?: Promise<App> }

export function app(): Promise<App> {
  const { PORT = '3000', ISSUER = `http://localhost:${PORT}`, OIDC_SECRET = '' } = process.env
  shared.embedded ??= createApp({ issuer: ISSUER, secret: OIDC_SECRET })
  return shared.embedded
}

/** Behind a trusted proxy, pass the client's address from `x-forwarded-for` as `address`. */
export async function provide(request: Request): Promise<Response> {
  const { provider } = await app()
  return provider.fetch(request)
}
