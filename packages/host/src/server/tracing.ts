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
export type Tracing = (
  span: SpanInput,
  /** @param trace_id Of the span; null when the SDK was disabled. */
  run: (trace_id: string | null) => Promise<Response>,
) => Promise<Response>

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/
const INVALID_TRACE_ID = '0'.repeat(32)

/**
 * The trace that a proxy began (https://www.w3.org/TR/trace-context).
 * @param headers Of a trusted proxy; null for every other peer.
 */
export function traceIdOf(headers: Headers | null): string | undefined {
  const id = TRACEPARENT.exec(headers?.get('traceparent') ?? '')?.[1]
  return id === INVALID_TRACE_ID ? undefined : id
}

/** Where `@opentelemetry/api` 1.x keeps a registered SDK. Without one the module is not imported. */
const SDK_REGISTRY = Symbol.for('opentelemetry.js.api.1')

/** An SDK that was disabled leaves the registry behind, without its tracer provider. */
function isRegistered(): boolean {
  const { [SDK_REGISTRY]: registry } = globalThis as { [SDK_REGISTRY]?: { trace?: unknown } }
  return registry?.trace !== undefined
}

/** @returns Null without an SDK, and where `@opentelemetry/api` is not installed. */
export async function openTracing(): Promise<Tracing | null> {
  if (!isRegistered()) return null
  const api = await import('@opentelemetry/api').catch(() => null)
  if (api === null) return null
  const { context, isSpanContextValid, propagation, SpanKind, SpanStatusCode, trace } = api
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
    const known = span.spanContext()
    const traceId = isSpanContextValid(known) ? known.traceId : null
    const response = await context.with(trace.setSpan(parent, span), () => run(traceId))
    span.setAttribute('http.response.status_code', response.status)
    if (response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
    return response
  }
}
