/**
 * The requests that are being answered, by their id. Events carry the id of their request: here its route is found.
 *
 * Core and identity pass the id on from one function to the next. AsyncLocalStorage, which would need no passing, was
 * measured with an introspection from memory: 110 µs of CPU time instead of 88 µs on Node 20, where it slows down every
 * promise of the process, and no difference on Bun 1.4.
 */

interface RequestScope {
  request_id: string
  /** The label of the route. */
  route: string
}

export interface RequestScopes {
  /** Runs the answering of one request. */
  run<T>(scope: RequestScope, answer: () => Promise<T>): Promise<T>
  /** The label of the route of a request that is being answered; null for any other id. */
  routeOf(request_id: string | undefined): string | null
}

export function requestScopes(): RequestScopes {
  const scopes = new Map<string, RequestScope>()
  return {
    async run(scope, answer) {
      scopes.set(scope.request_id, scope)
      try {
        return await answer()
      } finally {
        // A proxy may send one id twice: the newer request keeps its entry.
        if (scopes.get(scope.request_id) === scope) scopes.delete(scope.request_id)
      }
    },
    routeOf: (request_id) => scopes.get(request_id ?? '')?.route ?? null,
  }
}
