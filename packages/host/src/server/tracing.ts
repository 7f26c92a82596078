/** OpenTelemetry, when an SDK was registered before the server was created (`node --import ./telemetry.js …`). */

interface SpanInput {
  /** One of a fixed list, as is `route`. */
  method: string
  route: string
  /** Null where a client may have chosen it. */
  path: string | null
  request_id: string
  /** The headers of a trusted proxy, whose trace is continued; null starts a new trace. */
  headers: Headers | null
}

/** Runs a request in a span; its queries and deliveries become children of that span. */
export type Tracing = (span: SpanInput, run: () => Promise<Response>) => Promise<Response>

/** Where `@opentelemetry/api` 1.x keeps a registered SDK. Without one the module is not imported. */
const SDK_REGISTRY = Symbol.for('opentelemetry.js.api.1')

/** @returns Null without an SDK, and where `@opentelemetry/api` is not installed. */
export async function openTracing(): Promise<Tracing | null> {
  if (!(SDK_REGISTRY in globalThis)) return null
  const api = await import('@opentelemetry/api').catch(() => null)
  if (api === null) return null
  const { context, propagation, SpanKind, SpanStatusCode, trace } = api
  const tracer = trace.getTracer('ostiary')
  return async ({ method, path, route, request_id, headers }, run) => {
    const caller = headers ? Object.fromEntries(headers) : {}
    const parent = propagation.extract(context.active(), caller)
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      ...(path !== null && { 'url.path': path }),
      'ostiary.request_id': request_id,
    }
    const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent)
    const response = await context.with(trace.setSpan(parent, span), run)
    span.setAttribute('http.response.status_code', response.status)
    if (response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
    return response
  }
}
