/** The adapter for Hono. */

import type { Context, MiddlewareHandler } from 'hono'
import type { AuthenticationRequirement } from '../authentication.js'
import type { Guard, RequestCheck } from '../guard.js'
import type { Principal } from '../principal.js'
import type { ResourceServer } from '../resource-server.js'

declare module 'hono' {
  interface ContextVariableMap {
    /** Set by `authenticate`. Handlers that are chained to it see the types of the guard's user and client. */
    principal: Principal
  }
}

/** Middleware around a resource server or a guard. */
export interface HonoGuard<P extends Principal> {
  /** Serves the metadata document (RFC 9728) of a resource server, and passes other requests on. */
  metadata: MiddlewareHandler
  /** Sets `c.get('principal')`, or responds with 400, 401 or 503. With DPoP, adds `DPoP-Nonce` to the response. */
  authenticate: MiddlewareHandler<{ Variables: { principal: P } }>
  /** Requires one of these audiences; use it after `authenticate`. */
  checkAudience(...audiences: string[]): MiddlewareHandler
  /** Requires all of these scopes; use it after `authenticate`. */
  checkScopes(...scopes: string[]): MiddlewareHandler
  /** Requires that the user has authenticated so (RFC 9470); use it after `authenticate`. */
  checkAuthentication(requirement: AuthenticationRequirement): MiddlewareHandler
}

/**
 * @param guard From createResourceServer, createGuard, or a provider in the same application.
 *
 * @example
 * ```ts
 * import { createResourceServer } from '@ostiary/resource-server'
 * import { protect } from '@ostiary/resource-server/hono'
 * import { Hono } from 'hono'
 *
 * const auth = protect(
 *   createResourceServer({ issuer: 'https://id.example.com', resource: 'https://api.example.com/notes' }),
 * )
 * const app = new Hono()
 * app.use(auth.metadata)
 * app.get('/notes', auth.authenticate, auth.checkScopes('notes.read'), (c) =>
 *   c.json({ user: c.get('principal').getAuthIdentifier() }),
 * )
 * ```
 */
export function protect<P extends Principal>(guard: Guard<P> | ResourceServer<P>): HonoGuard<P> {
  const middleware =
    (check: RequestCheck) =>
    async (c: Context, next: () => Promise<void>): Promise<Response | undefined> => {
      const response = check(c.req.raw)
      if (response) return response
      await next()
      return undefined
    }
  return {
    metadata: middleware((request) => ('handle' in guard ? guard.handle(request) : null)),
    async authenticate(c, next) {
      const principal = await guard.authenticate(c.req.raw)
      if (principal instanceof Response) return principal
      c.set('principal', principal)
      await next()
      const nonce = guard.nonce(c.req.raw)
      if (nonce !== null) c.header('DPoP-Nonce', nonce)
      return undefined
    },
    checkAudience: (...audiences) => middleware(guard.checkAudience(...audiences)),
    checkScopes: (...scopes) => middleware(guard.checkScopes(...scopes)),
    checkAuthentication: (requirement) => middleware(guard.checkAuthentication(requirement)),
  }
}
