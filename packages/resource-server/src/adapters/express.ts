/** The adapter for Express 4 and 5, and for other frameworks with `(req, res, next)` middleware. */

import type { AuthenticationRequirement } from '../authentication.js'
import { headerValues } from '../bearer.js'
import type { Guard, RequestCheck } from '../guard.js'
import type { Principal } from '../principal.js'
import type { ResourceServer } from '../resource-server.js'
import { type NodeRequest, webRequest } from './node-request.js'

declare global {
  namespace Express {
    interface Request {
      /** Set by `authenticate`. */
      principal?: Principal
    }
  }
}

/** The part of Node's `ServerResponse` that is used. */
export interface NodeResponse {
  statusCode: number
  setHeader(name: string, value: string | string[]): unknown
  end(body?: string): unknown
}

/** Middleware of Express, Connect and similar frameworks. */
export type NodeMiddleware = (
  req: NodeRequest & { principal?: Principal },
  res: NodeResponse,
  next: (error?: unknown) => void,
) => void

/** Middleware around a resource server or a guard. */
export interface ExpressGuard {
  /** Serves the metadata document (RFC 9728) of a resource server, and passes other requests on. */
  metadata: NodeMiddleware
  /** Sets `req.principal`, or responds with 400, 401 or 503. With DPoP, adds `DPoP-Nonce` to the response. */
  authenticate: NodeMiddleware
  /** Requires one of these audiences; use it after `authenticate`. */
  checkAudience(...audiences: string[]): NodeMiddleware
  /** Requires all of these scopes; use it after `authenticate`. */
  checkScopes(...scopes: string[]): NodeMiddleware
  /** Requires that the user has authenticated so (RFC 9470); use it after `authenticate`. */
  checkAuthentication(requirement: AuthenticationRequirement): NodeMiddleware
}

/**
 * @param guard From createResourceServer, createGuard, or a provider in the same application.
 *
 * @example
 * ```ts
 * import { createResourceServer } from '@ostiary/resource-server'
 * import { protect } from '@ostiary/resource-server/express'
 * import express from 'express'
 *
 * const auth = protect(
 *   createResourceServer({ issuer: 'https://id.example.com', resource: 'https://api.example.com/notes' }),
 * )
 * const app = express()
 * app.use(auth.metadata)
 * app.get('/notes', auth.authenticate, auth.checkScopes('notes.read'), (req, res) => {
 *   res.json({ user: req.principal?.getAuthIdentifier() })
 * })
 * ```
 */
export function protect(guard: Guard | ResourceServer): ExpressGuard {
  const middleware =
    (check: RequestCheck): NodeMiddleware =>
    (req, res, next) => {
      const response = check(webRequest(req))
      if (response) send(res, response).catch(next)
      else next()
    }
  return {
    metadata: middleware((request) => ('handle' in guard ? guard.handle(request) : null)),
    authenticate(req, res, next) {
      const authenticate = async () => {
        const request = webRequest(req)
        const principal = await guard.authenticate(request)
        if (principal instanceof Response) return send(res, principal)
        req.principal = principal
        const nonce = guard.nonce(request)
        if (nonce !== null) res.setHeader('DPoP-Nonce', nonce)
        next()
      }
      // Express 4 ignores a rejected promise.
      authenticate().catch(next)
    },
    checkAudience: (...audiences) => middleware(guard.checkAudience(...audiences)),
    checkScopes: (...scopes) => middleware(guard.checkScopes(...scopes)),
    checkAuthentication: (requirement) => middleware(guard.checkAuthentication(requirement)),
  }
}

async function send(res: NodeResponse, response: Response): Promise<void> {
  const body = await response.text()
  res.statusCode = response.status
  for (const [name, value] of headerValues(response)) res.setHeader(name, value)
  res.end(body)
}
