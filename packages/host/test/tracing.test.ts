import { context, propagation, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterEach, expect, it } from 'vitest'
import { openTracing } from '../src/server/tracing.ts'
import { FILE, startApp } from './support.ts'

const PARENT = '4bf92f3577b34da6a3ce929d0e0e4736'
const headers = { traceparent: `00-${PARENT}-00f067aa0ba902b7-01`, 'x-request-id': 'r1' }
const PROXIED = { ...FILE, trusted_proxies: ['10.0.0.1'] }

/** Registers an SDK as an application does. */
function register(): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  return exporter
}

afterEach(() => {
  trace.disable()
  context.disable()
  propagation.disable()
})

it('each request is a span, named after its route', async () => {
  const exporter = register()
  const { get } = await startApp(PROXIED)
  await get('/.well-known/openid-configuration', { headers, address: '10.0.0.1' })
  // A document that is in memory.
  await get('/.well-known/openid-configuration', { headers, address: '10.0.0.1' })
  const [span, ...others] = exporter.getFinishedSpans()
  expect(others).toHaveLength(1)
  expect(span).toMatchObject({
    name: 'GET oidc.discovery',
    attributes: {
      'http.request.method': 'GET',
      'http.route': 'oidc.discovery',
      'url.path': '/.well-known/openid-configuration',
      'http.response.status_code': 200,
      'ostiary.request_id': 'r1',
    },
  })
  expect(span?.spanContext().traceId).toBe(PARENT)
})

it('what an SDK leaves behind when it is disabled is no SDK', async () => {
  register()
  trace.disable()
  expect(Symbol.for('opentelemetry.js.api.1') in globalThis).toBe(true)
  expect(await openTracing()).toBeNull()
})

it('the trace of an untrusted client is not continued', async () => {
  const exporter = register()
  const { get } = await startApp(PROXIED)
  await get('/healthz', { headers, address: '203.0.113.5' })
  expect(exporter.getFinishedSpans()[0]?.spanContext().traceId).not.toBe(PARENT)
})

it('the span of a query is a child of the request’s span, which a server error marks as failed', async () => {
  const exporter = register()
  const tracing = await openTracing()
  const traced = { method: 'GET', path: null, route: 'other', request_id: 'r2', headers: null }
  await tracing?.(traced, async () => {
    trace.getTracer('a driver').startSpan('query').end()
    return new Response(null, { status: 500 })
  })
  const [query, request] = exporter.getFinishedSpans()
  expect([query?.name, request?.name]).toEqual(['query', 'GET other'])
  expect(query?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId)
  expect(request?.status.code).toBe(SpanStatusCode.ERROR)
})
