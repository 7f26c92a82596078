import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createApp, createLog } from '../src/index.ts'
import { boundAnswer, readBody } from '../src/limits.ts'
import { configure, FILE, inMemory } from './support.ts'

const LIMITS = { body_bytes: 1000, body_ms: 60_000, answer_ms: 60_000 }

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request('http://localhost:4000/oauth/token', {
    method: 'POST',
    body,
    headers,
    duplex: 'half',
  } as RequestInit)

/** Sends these and then nothing, without an end. */
const unfinished = (...chunks: Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
    },
  })

async function app(limits: Partial<typeof LIMITS>) {
  const options = {
    log: createLog({ write: () => {} }),
    storage: inMemory(),
    limits: { ...LIMITS, ...limits },
  }
  const app = await createApp(await configure(FILE), options)
  onTestFinished(() => app.stop())
  return app
}

describe('the body of a request', () => {
  it('within the limits reaches the endpoint', async () => {
    const { fetch } = await app({})
    const response = await fetch(post(new URLSearchParams({ grant_type: 'nothing' })))
    expect(await response.json()).toMatchObject({ error: 'unsupported_grant_type' })
  })

  it.each([
    ['says so in its head', () => post('x', { 'content-length': '1001' })],
    ['says nothing of it', () => post(unfinished(new Uint8Array(600), new Uint8Array(600)))],
  ])('that is too large and %s: 413, and the connection is closed', async (_, request) => {
    const { fetch } = await app({})
    const response = await fetch(request())
    expect([response.status, response.headers.get('connection')]).toEqual([413, 'close'])
    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  })

  it('that does not come: 408, and the connection is closed', async () => {
    const { fetch } = await app({ body_ms: 1 })
    const response = await fetch(post(unfinished(new Uint8Array(10))))
    expect([response.status, response.headers.get('connection')]).toEqual([408, 'close'])
  })

  it('whose sender has left is 400, not a failure of ours', async () => {
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error('aborted')) })
    const response = await readBody(post(broken), LIMITS)
    expect(response).toMatchObject({ status: 400 })
  })
})

describe('an answer that does not come', () => {
  it('is 503 in its place, and what becomes of it later is nobody’s', async () => {
    const failing = new EventTarget()
    const late = once(failing as never, 'fail').then(() => Promise.reject(new Error('late')))
    const response = await boundAnswer(late as Promise<Response>, { ...LIMITS, answer_ms: 1 })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10'])
    failing.dispatchEvent(new Event('fail'))
    await expect(late).rejects.toThrow('late')
  })
})
