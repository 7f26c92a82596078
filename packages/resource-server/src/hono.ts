/** For Hono: middleware around a resource server, or around any guard. */

import type { Context, MiddlewareHandler } from 'hono'
import type { Check, Guard } from './guard.js'
import type { Principal } from './principal.js'
import type { ResourceServer } from './resource-server.js'

declare module 'hono' {
  interface ContextVariableMap {
    /** Set by `authenticate`. Where handlers are chained to it, its user and client have their own types too. */
    principal: Principal
  }
}

export interface HonoGuard<P extends Principal> {
  /** Serves the RFC 9728 document of a resource server, and passes on every other request. */
  metadata: MiddlewareHandler
  /** From here on `c.get('principal')` is the verified one. */
  authenticate: MiddlewareHandler<{ Variables: { principal: P } }>
  checkAudience(...audiences: string[]): MiddlewareHandler
  checkScopes(...scopes: string[]): MiddlewareHandler
}

/** @param guard Of createResourceServer, createGuard, or a provider in the same application. */
export function protect<P extends Principal>(guard: Guard<P> | ResourceServer<P>): HonoGuard<P> {
  const passing =
    (check: Check) =>
    async (c: Context, next: () => Promise<void>): Promise<Response | undefined> => {
      const refused = check(c.req.raw)
      if (refused) return refused
      await next()
      return undefined
    }
  return {
    metadata: passing((request) => ('handle' in guard ? guard.handle(request) : null)),
    async authenticate(c, next) {
      const principal = await guard.authenticate(c.req.raw)
      if (principal instanceof Response) return principal
      c.set('principal', principal)
      await next()
      return undefined
    },
    checkAudience: (...audiences) => passing(guard.checkAudience(...audiences)),
    checkScopes: (...scopes) => passing(guard.checkScopes(...scopes)),
  }
}
