/** The adapter for Fastify 5. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AuthenticationRequirement } from '../authentication.js'
import { headerValues } from '../bearer.js'
import type { Guard, RequestCheck } from '../guard.js'
import type { Principal } from '../principal.js'
import type { ResourceServer } from '../resource-server.js'
import { webRequest } from './node-request.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `authenticate`; null before. */
    principal: Principal | null
  }
}

/** A hook for `onRequest` or `preHandler`. */
export type FastifyHook = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>

/** A plugin and hooks around a resource server or a guard. */
export interface FastifyGuard {
  /** For `app.register`: declares `request.principal`, and serves a resource server's metadata document (RFC 9728). */
  plugin: (app: FastifyInstance) => Promise<void>
  /** Sets `request.principal`, or responds with 400, 401 or 503. With DPoP, adds `DPoP-Nonce` to the response. */
  authenticate: FastifyHook
  /** Requires one of these audiences; use it after `authenticate`. */
  checkAudience(...audiences: string[]): FastifyHook
  /** Requires all of these scopes; use it after `authenticate`. */
  checkScopes(...scopes: string[]): FastifyHook
  /** Requires that the user has authenticated so (RFC 9470); use it after `authenticate`. */
  checkAuthentication(requirement: AuthenticationRequirement): FastifyHook
}

/**
 * @param guard From createResourceServer, createGuard, or a provider in the same application.
 *
 * @example
 * ```ts
 * import { createResourceServer } from '@ostiary/resource-server'
 * import { protect } from '@ostiary/resource-server/fastify'
 * import fastify from 'fastify'
 *
 * const auth = protect(
 *   createResourceServer({ issuer: 'https://id.example.com', resource: 'https://api.example.com/notes' }),
 * )
 * const app = fastify()
 * await app.register(auth.plugin)
 * app.get('/notes', { onRequest: [auth.authenticate, auth.checkScopes('notes.read')] }, async (request) => ({
 *   user: request.principal?.getAuthIdentifier(),
 * }))
 * ```
 */
export function protect(guard: Guard | ResourceServer): FastifyGuard {
  const hook =
    (check: RequestCheck): FastifyHook =>
    async (request, reply) => {
      const response = check(webRequest(request.raw))
      return response ? send(reply, response) : undefined
    }
  const plugin = async (app: FastifyInstance): Promise<void> => {
    app.decorateRequest('principal', null)
    if ('handle' in guard)
      app.addHook(
        'onRequest',
        hook((request) => guard.handle(request)),
      )
  }
  return {
    // With this symbol, the plugin applies to the whole application, not only to routes that are registered within it.
    plugin: Object.assign(plugin, { [Symbol.for('skip-override')]: true }),
    async authenticate(request, reply) {
      const asked = webRequest(request.raw)
      const principal = await guard.authenticate(asked)
      if (principal instanceof Response) return send(reply, principal)
      request.principal = principal
      const nonce = guard.nonce(asked)
      if (nonce !== null) reply.header('DPoP-Nonce', nonce)
      return undefined
    },
    checkAudience: (...audiences) => hook(guard.checkAudience(...audiences)),
    checkScopes: (...scopes) => hook(guard.checkScopes(...scopes)),
    checkAuthentication: (requirement) => hook(guard.checkAuthentication(requirement)),
  }
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const body = await response.text()
  reply.code(response.status)
  for (const [name, value] of headerValues(response)) reply.header(name, value)
  return reply.send(body)
}
