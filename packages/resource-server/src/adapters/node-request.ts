/** Converts Node's requests to Web requests, for frameworks that are built on node:http. */

import { markAmbiguous } from '../bearer.js'

/** The part of Node's `IncomingMessage` that is used. */
export interface NodeRequest {
  method?: string | undefined
  url?: string | undefined
  /** The whole path. Routers remove the part that they have matched from `url`. */
  originalUrl?: string | undefined
  headers: { authorization?: string | undefined; dpop?: string | string[] | undefined }
  /** Each header with all of its values: `headers` has only the first `Authorization`. */
  headersDistinct?: { authorization?: string[] | undefined }
}

const requests = new WeakMap<NodeRequest, Request>()

/** Returns the same Web request at each call, so that checks find its principal. It has only the parts that guards read. */
export function webRequest(request: NodeRequest): Request {
  const converted = requests.get(request)
  if (converted) return converted
  const { authorization, dpop } = request.headers
  const headers = Object.entries({ authorization, dpop }).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, [value].flat().join(', ')]],
  )
  // Not the real host: the client chooses it, and guards do not read it.
  const url = `http://localhost${request.originalUrl ?? request.url ?? '/'}`
  const created = new Request(URL.canParse(url) ? url : 'http://localhost/', {
    method: webMethod(request.method),
    headers,
  })
  requests.set(request, created)
  if ((request.headersDistinct?.authorization?.length ?? 0) > 1) markAmbiguous(created)
  return created
}

/** A Web request must not have the methods TRACE and CONNECT; a guard treats them as POST. */
const webMethod = (method = 'GET'): string => (/^(?:trace|track|connect)$/i.test(method) ? 'POST' : method)
