import { type App, createApp } from '@ostiary/example-embed-app'

// Next.js may load a module once for each route, and again after a change: the application is kept where all find it.
const kept = globalThis as typeof globalThis & { embedded?: Promise<App> }

export function app(): Promise<App> {
  const { PORT = '3000', ISSUER = `http://localhost:${PORT}`, OIDC_SECRET = '' } = process.env
  kept.embedded ??= createApp({ issuer: ISSUER, secret: OIDC_SECRET })
  return kept.embedded
}

/** Behind a proxy that you trust, the address is what it says in `x-forwarded-for`. */
export async function provide(request: Request): Promise<Response> {
  const { provider } = await app()
  return provider.fetch(request)
}
