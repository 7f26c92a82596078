/** Converts Node's requests to Web requests, for frameworks that are built on node:http. */

/** The part of Node's `IncomingMessage` that is used. */
export interface NodeRequest {
  method?: string | undefined
  url?: string | undefined
  /** The whole path; routers remove their own part from `url`. */
  originalUrl?: string | undefined
  headers: { authorization?: string | undefined }
}

const requests = new WeakMap<NodeRequest, Request>()

/** Returns the same Web request for each call, so that checks find the principal. It has only what guards read. */
export function webRequest(request: NodeRequest): Request {
  const known = requests.get(request)
  if (known) return known
  const { authorization } = request.headers
  // The real host comes from the client, and no guard depends on it.
  const url = `http://localhost${request.originalUrl ?? request.url ?? '/'}`
  const created = new Request(URL.canParse(url) ? url : 'http://localhost/', {
    method: webMethod(request.method),
    headers: authorization === undefined ? {} : { authorization },
  })
  requests.set(request, created)
  return created
}

/** A Web request must not have the methods TRACE and CONNECT; a guard treats them as POST. */
const webMethod = (method = 'GET'): string => (/^(?:trace|track|connect)$/i.test(method) ? 'POST' : method)
