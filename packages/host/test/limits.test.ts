import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createApp, createLog } from '../src/index.ts'
import { boundAnswer, readBody } from '../src/server/limits.ts'
import { openList } from '../src/values/open-list.ts'
import { configure, FILE, inMemory } from './support.ts'

const WITH_REGISTRATION = { ...FILE, oidc: { clients: { registration: { enabled: true } } } }
const LIMITS = { body_bytes: 1000, body_ms: 60_000, answer_ms: 60_000 }

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request('http://localhost:4000/oauth/token', {
    method: 'POST',
    body,
    headers,
    duplex: 'half',
  } as RequestInit)

/** A body of these chunks that never ends. */
const unfinished = (...chunks: Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
    },
  })

async function app(limits: Partial<typeof LIMITS>, oidc = {}) {
  const options = {
    log: createLog({ write: () => {} }),
    storage: inMemory(),
    limits: { ...LIMITS, ...limits },
  }
  const app = await createApp(
    await configure({ ...FILE, oidc: { ...WITH_REGISTRATION.oidc, ...oidc } }),
    options,
  )
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
    ['announces its length', () => post('x', { 'content-length': '1001' })],
    ['does not announce its length', () => post(unfinished(new Uint8Array(600), new Uint8Array(600)))],
  ])('gets 413 when it is too large and %s, and the connection is closed', async (_, request) => {
    const { fetch } = await app({})
    const response = await fetch(request())
    expect([response.status, response.headers.get('connection')]).toEqual([413, 'close'])
    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  })

  it.each([
    { bytes: 8 * 1024, kind: 'is not large', largest: 3 },
    { bytes: 8 * 1024 + 1, kind: 'is large', largest: 1 },
  ])('that $kind ($bytes bytes): $largest of three are handled in one turn', async ({ bytes, largest }) => {
    const handled = [0]
    let ended = false
    const reading = Promise.all(
      [1, 2, 3].map(async () => {
        await readBody(post(new Uint8Array(bytes)), { ...LIMITS, body_bytes: bytes })
        handled.push((handled.pop() ?? 0) + 1)
      }),
    ).finally(() => {
      ended = true
    })
    while (!ended) {
      await nextTurn()
      handled.push(0)
    }
    await reading
    expect(Math.max(...handled)).toBe(largest)
  })

  it('gets 408 when it does not arrive, and the connection is closed', async () => {
    const { fetch } = await app({ body_ms: 1 })
    const response = await fetch(post(unfinished(new Uint8Array(10))))
    expect([response.status, response.headers.get('connection')]).toEqual([408, 'close'])
  })

  it('gets 400, not a server error, when the client closes the connection', async () => {
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error('aborted')) })
    await expect(readBody(post(broken), LIMITS)).rejects.toMatchObject({ refusal: { status: 400 } })
  })
})

describe('a refused body has the headers that the errors of its endpoint have', () => {
  const EXTRA = ['connection', 'x-request-id', 'retry-after', 'www-authenticate', 'allow']
  const kept = ({ headers }: Response) =>
    Object.fromEntries([...headers].filter(([name]) => !EXTRA.includes(name)))
  const at = (path: string, method: string, body?: BodyInit) =>
    new Request(`http://localhost:4000${path}`, {
      method,
      ...(body && { body, duplex: 'half' }),
    } as RequestInit)

  it.each([
    ['/oauth/token', {}],
    ['/oauth/register', {}],
    ['/oauth/revoke', {}],
    ['/oauth/introspect', {}],
    ['/oauth/par', { par: 'allowed' }],
    // Without the switch, it is an unknown path.
    ['/oauth/par', {}],
    ['/oauth/unknown', {}],
  ])('%s %j', async (path, oidc) => {
    const { fetch } = await app({ body_ms: 1 }, oidc)
    const own = await fetch(at(path, 'POST', 'x=1'))
    expect(own.status).toBeGreaterThanOrEqual(400)
    for (const body of ['x'.repeat(1001), unfinished(new Uint8Array(10))]) {
      const refused = await fetch(at(path, 'POST', body))
      expect([413, 408]).toContain(refused.status)
      expect(kept(refused)).toEqual(kept(own))
    }
  })

  it('CORS headers are where a preflight is answered, and nowhere else', async () => {
    const { fetch } = await app({})
    const paths = [
      ...['token', 'register', 'userinfo', 'revoke', 'introspect', 'logout', 'authorize', 'par'].map(
        (name) => `/oauth/${name}`,
      ),
      ...['openid-configuration', 'oauth-authorization-server', 'oauth-protected-resource', 'jwks.json'].map(
        (name) => `/.well-known/${name}`,
      ),
      '/oauth/authorize/consent',
      '/login',
    ]
    for (const path of paths) {
      const preflight = await fetch(at(path, 'OPTIONS'))
      const refused = await fetch(at(path, 'POST', 'x'.repeat(1001)))
      expect([path, refused.status]).toEqual([path, 413])
      expect([path, refused.headers.get('access-control-allow-origin')]).toEqual([
        path,
        preflight.headers.get('access-control-allow-origin'),
      ])
    }
  })
})

describe('an answer that does not come in time', () => {
  it('is replaced by 503 when the server stops', async () => {
    const open = openList<() => void>()
    const answer = boundAnswer(new Promise<Response>(() => {}), { ...LIMITS, open })
    for (const end of open.values()) end()
    await expect(answer).rejects.toMatchObject({
      refusal: { status: 503, error: 'temporarily_unavailable', headers: { 'retry-after': '1' } },
    })
    expect(open.values()).toEqual([])
  })

  it('is replaced by 503, and dropped when it comes later', async () => {
    const failing = new EventTarget()
    const late = once(failing as never, 'fail').then(() => Promise.reject(new Error('late')))
    const answer = boundAnswer(late as Promise<Response>, { ...LIMITS, answer_ms: 1 })
    await expect(answer).rejects.toMatchObject({
      refusal: { status: 503, error: 'temporarily_unavailable', headers: { 'retry-after': '10' } },
    })
    failing.dispatchEvent(new Event('fail'))
    await expect(late).rejects.toThrow('late')
  })
})
