/** For Express 4 and 5, and for what else takes `(req, res, next)`: middleware around a resource server, or around any guard. */

import type { Check, Guard } from './guard.js'
import { type NodeRequest, webRequest } from './node-request.js'
import type { Principal } from './principal.js'
import type { ResourceServer } from './resource-server.js'

declare global {
  namespace Express {
    interface Request {
      /** Set by `authenticate`. */
      principal?: Principal
    }
  }
}

/** What is used of a response. */
export interface NodeResponse {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(body?: string): unknown
}

export type NodeMiddleware = (
  req: NodeRequest & { principal?: Principal },
  res: NodeResponse,
  next: (error?: unknown) => void,
) => void

export interface ExpressGuard {
  /** Serves the RFC 9728 document of a resource server, and passes on every other request. */
  metadata: NodeMiddleware
  /** From here on `req.principal` is the verified one. */
  authenticate: NodeMiddleware
  checkAudience(...audiences: string[]): NodeMiddleware
  checkScopes(...scopes: string[]): NodeMiddleware
}

/** @param guard Of createResourceServer, createGuard, or a provider in the same application. */
export function protect(guard: Guard | ResourceServer): ExpressGuard {
  const passing =
    (check: Check): NodeMiddleware =>
    (req, res, next) => {
      const refused = check(webRequest(req))
      if (refused) send(res, refused).catch(next)
      else next()
    }
  return {
    metadata: passing((request) => ('handle' in guard ? guard.handle(request) : null)),
    authenticate(req, res, next) {
      const authenticated = async () => {
        const principal = await guard.authenticate(webRequest(req))
        if (principal instanceof Response) return send(res, principal)
        req.principal = principal
        next()
      }
      // Express 4 looks at no promise.
      authenticated().catch(next)
    },
    checkAudience: (...audiences) => passing(guard.checkAudience(...audiences)),
    checkScopes: (...scopes) => passing(guard.checkScopes(...scopes)),
  }
}

async function send(res: NodeResponse, answer: Response): Promise<void> {
  const body = await answer.text()
  res.statusCode = answer.status
  for (const [name, value] of answer.headers) res.setHeader(name, value)
  res.end(body)
}
