/** OpenTelemetry, when an SDK was registered before the server was made (`node --import ./telemetry.js …`). */

interface Traced {
  /** One of a fixed list, as is `route`. */
  method: string
  route: string
  /** Null where it may hold anything that a client sends. */
  path: string | null
  request_id: string
  /** Of a trusted caller, whose trace goes on here; null: a new one starts. */
  headers: Headers | null
}

/** Runs a request in a span of its own; what it causes (a query, a delivery) becomes a part of that. */
export type Tracing = (traced: Traced, run: () => Promise<Response>) => Promise<Response>

/** Where `@opentelemetry/api` 1.x keeps what an SDK registers. Without it the module is not even looked for. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1')

/** @returns Null without an SDK, and where `@opentelemetry/api` is not installed beside the server. */
export async function openTracing(): Promise<Tracing | null> {
  if (!(REGISTERED in globalThis)) return null
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
