/** For Fastify 5: a plugin and hooks around a resource server, or around any guard. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Check, Guard } from './guard.js'
import { webRequest } from './node-request.js'
import type { Principal } from './principal.js'
import type { ResourceServer } from './resource-server.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `authenticate`; null before. */
    principal: Principal | null
  }
}

/** For `onRequest` or `preHandler`. */
export type FastifyHook = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>

export interface FastifyGuard {
  /** `app.register(plugin)`: makes room for `request.principal`, and serves the RFC 9728 document of a resource server. */
  plugin: (app: FastifyInstance) => Promise<void>
  /** From here on `request.principal` is the verified one. */
  authenticate: FastifyHook
  checkAudience(...audiences: string[]): FastifyHook
  checkScopes(...scopes: string[]): FastifyHook
}

/** @param guard Of createResourceServer, createGuard, or a provider in the same application. */
export function protect(guard: Guard | ResourceServer): FastifyGuard {
  const passing =
    (check: Check): FastifyHook =>
    async (request, reply) => {
      const refused = check(webRequest(request.raw))
      return refused ? send(reply, refused) : undefined
    }
  const plugin = async (app: FastifyInstance): Promise<void> => {
    app.decorateRequest('principal', null)
    if ('handle' in guard)
      app.addHook(
        'onRequest',
        passing((request) => guard.handle(request)),
      )
  }
  return {
    // For the whole application, not only for what is registered below this plugin.
    plugin: Object.assign(plugin, { [Symbol.for('skip-override')]: true }),
    async authenticate(request, reply) {
      const principal = await guard.authenticate(webRequest(request.raw))
      if (principal instanceof Response) return send(reply, principal)
      request.principal = principal
      return undefined
    },
    checkAudience: (...audiences) => passing(guard.checkAudience(...audiences)),
    checkScopes: (...scopes) => passing(guard.checkScopes(...scopes)),
  }
}

async function send(reply: FastifyReply, answer: Response): Promise<FastifyReply> {
  const body = await answer.text()
  return reply.code(answer.status).headers(Object.fromEntries(answer.headers)).send(body)
}
