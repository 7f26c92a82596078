/** Requests and answers of Node's own kind, for the frameworks that are built on it. */

export interface NodeRequest {
  method?: string | undefined
  url?: string | undefined
  /** The whole path, where a router has cut off its own part of `url`. */
  originalUrl?: string | undefined
  headers: { authorization?: string | undefined }
}

const requests = new WeakMap<NodeRequest, Request>()

/** The same one for each call: what a guard has accepted, its checks find again. It carries what they look at. */
export function webRequest(request: NodeRequest): Request {
  const known = requests.get(request)
  if (known) return known
  const { authorization } = request.headers
  // The host is whatever the client has sent, and nothing here depends on it.
  const url = `http://localhost${request.originalUrl ?? request.url ?? '/'}`
  const created = new Request(URL.canParse(url) ? url : 'http://localhost/', {
    method: webMethod(request.method),
    headers: authorization === undefined ? {} : { authorization },
  })
  requests.set(request, created)
  return created
}

/** Methods that a Web request must not have (TRACE, CONNECT) ask for nothing that we answer. */
const webMethod = (method = 'GET'): string => (/^(?:trace|track|connect)$/i.test(method) ? 'POST' : method)
