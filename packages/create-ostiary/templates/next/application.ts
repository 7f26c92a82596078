/**
 * Next.js may load a module once for each route, and again after a change. All of them use the first one, which is on globalThis:
 * restart `npm run dev` after a change of provider.ts or of a file that it imports.
 */

type Application = typeof import('./provider.ts')

const shared = globalThis as typeof globalThis & { application?: Promise<Application> }

export function application(): Promise<Application> {
  shared.application ??= import('./provider.ts')
  return shared.application
}

/** Behind a proxy that you trust, pass the client's address from `x-forwarded-for`: `provider.fetch(request, { address })`. */
export async function provide(request: Request): Promise<Response> {
  const { provider } = await application()
  return provider.fetch(request)
}
