/** The runtime for Node on a real socket: what it passes to the host, and what it refuses itself. */

import { EventEmitter, once } from 'node:events'
import { connect, createServer } from 'node:net'
import { Worker } from 'node:worker_threads'
import type { Handler, Listener, ListenOptions } from '@ostiary/host'
import { endless } from '@ostiary/test-kit/endless'
import { freePort } from '@ostiary/test-kit/ports'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { node } from '../src/runtime.ts'

const LIMITS = { head_ms: 10_000, idle_ms: 65_000, unread_ms: 30_000 }

/** In a thread of its own: sends a request, and reports the answer or the error. */
const CLIENT = `
  const { connect } = require('node:net')
  const { parentPort, workerData } = require('node:worker_threads')
  const { port, connected, head } = workerData
  let text = ''
  const socket = connect(port, '127.0.0.1', () => {
    socket.write([...head, '', ''].join('\\r\\n'), () => {
      Atomics.store(connected, 0, 1)
      Atomics.notify(connected, 0)
    })
  })
  socket.setEncoding('utf8').on('data', (data) => { text += data })
  socket.on('error', (error) => { text = String(error) })
  socket.on('close', () => parentPort.postMessage(text))
`

const listeners: Listener[] = []
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.cut()
})

interface Seen {
  url: string
  connection: Parameters<Handler>[1]
}

interface RunningServer {
  port: number
  seen: Seen[]
  failures: unknown[]
}

async function start(
  answer: (seen: Seen) => Response | Promise<Response> = () => new Response('ok'),
  limits?: ListenOptions['limits'],
): Promise<RunningServer> {
  const port = await freePort()
  const seen: Seen[] = []
  const failures: unknown[] = []
  const listener = await node.listen(
    (request, connection) => {
      const one = { url: request.url, connection }
      seen.push(one)
      return answer(one)
    },
    {
      port,
      host: '127.0.0.1',
      shared: false,
      failed: (error) => void failures.push(error),
      ...(limits && { limits }),
    },
  )
  listeners.push(listener)
  return { port, seen, failures }
}

/** Everything that the server sends until it closes the connection. */
async function exchange(port: number, lines: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (data) => {
    text += data
  })
  socket.write([...lines, '', ''].join('\r\n'))
  await once(socket, 'close')
  return text
}

const GET = ['GET /a?b=1 HTTP/1.1', 'Host: id.example.com', 'Connection: close']

describe('a request', () => {
  it('reaches the handler with its URL and the address of the peer', async () => {
    const { port, seen } = await start()
    expect(await exchange(port, GET)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(seen).toMatchObject([
      { url: 'http://id.example.com/a?b=1', connection: { address: '127.0.0.1', ambiguous_path: false } },
    ])
  })

  it('is answered with the headers of the response and those that the host adds', async () => {
    const { port } = await start(({ connection }) => {
      connection.header?.('x-request-id', 'r1')
      return new Response('ok', { headers: { 'cache-control': 'no-store' } })
    })
    const text = (await exchange(port, GET)).toLowerCase()
    expect(text).toContain('\r\nx-request-id: r1\r\n')
    expect(text).toContain('\r\ncache-control: no-store\r\n')
  })

  it('is answered in one write where the handler answers at once', async () => {
    const { port } = await start(({ connection }) => {
      connection.header?.('x-request-id', 'r1')
      return new Response('ok', { headers: { 'cache-control': 'public' } })
    })
    const text = await exchange(port, GET)
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\nContent-Length: 2\r\n\r\nok$/s)
    expect(text).toContain('\r\nx-request-id: r1\r\n')
  })

  it.each(['/a/../b', '/a/%2e%2e/b', '/a\\b'])('with the ambiguous path %s is marked', async (path) => {
    const { port, seen } = await start()
    await exchange(port, [`GET ${path} HTTP/1.1`, ...GET.slice(1)])
    expect(seen).toMatchObject([{ url: 'http://id.example.com/', connection: { ambiguous_path: true } }])
  })

  it('whose handler fails is answered with 500, and the failure is reported', async () => {
    const failure = new Error('the handler is broken')
    const { port, failures } = await start(() => Promise.reject(failure))
    expect(await exchange(port, GET)).toMatch(/^HTTP\/1\.1 500 .*"error":"server_error"/s)
    expect(failures).toEqual([failure])
  })
})

describe('the Host header (RFC 9112 §3.2)', () => {
  it('may be missing in HTTP/1.0', async () => {
    const { port, seen } = await start()
    expect(await exchange(port, ['GET / HTTP/1.0'])).toMatch(/^HTTP\/1\.1 200 /)
    expect(seen).toMatchObject([{ url: 'http://localhost/' }])
  })

  it.each([
    ['missing', []],
    ['given twice', ['Host: id.example.com', 'Host: evil.example.com']],
    ['malformed', ['Host: id.example.com/@evil']],
  ])('that is %s is refused with 400 as JSON', async (_, hosts) => {
    const { port, seen, failures } = await start()
    const text = await exchange(port, ['GET / HTTP/1.1', ...hosts, 'Connection: close'])
    expect(text).toMatch(/^HTTP\/1\.1 400 .*"error":"invalid_request"/s)
    expect(seen).toEqual([])
    expect(failures).toEqual([])
  })
})

describe('a connection', () => {
  it('with a head over 16 KiB is refused with 431', async () => {
    const { port, seen } = await start()
    const text = await exchange(port, [...GET, `X-Large: ${'a'.repeat(17 * 1024)}`])
    expect(text).toMatch(/^HTTP\/1\.1 431 /)
    expect(seen).toEqual([])
  })

  it('without a complete head in time is closed', async () => {
    const { port, seen } = await start(undefined, { ...LIMITS, head_ms: 100 })
    const socket = connect(port, '127.0.0.1')
    socket.resume().write('GET / HTTP/1.1\r\nHost: id')
    await once(socket, 'close')
    expect(seen).toEqual([])
  })

  it('that waits to be accepted when the listener begins to close gets its answer', async () => {
    const { port } = await start()
    const connected = new Int32Array(new SharedArrayBuffer(4))
    const client = new Worker(CLIENT, { eval: true, workerData: { port, connected, head: GET } })
    onTestFinished(async () => void (await client.terminate()))
    const answered = once(client, 'message')
    // This thread accepts nothing before `close`: the kernel alone has made the connection.
    Atomics.wait(connected, 0, 0)
    const closing = listeners[0]?.close()
    expect((await answered)[0]).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*ok$/)
    await closing
  })

  it.each(['before', 'after'])(
    'that is idle %s the listener closes ends then, and the port is free',
    async (when) => {
      const events = new EventEmitter()
      const closing = once(events, 'closing')
      const arrived = once(events, 'request')
      const { port } = await start(async () => {
        events.emit('request')
        if (when === 'after') await closing
        return new Response('ok')
      })
      const socket = connect(port, '127.0.0.1')
      socket.write('GET / HTTP/1.1\r\nHost: id.example.com\r\n\r\n')
      const answered = once(socket, 'data')
      if (when === 'before') await answered
      else await arrived
      const ended = [once(socket, 'close'), listeners[0]?.close()]
      events.emit('closing')
      await Promise.all([answered, ...ended])
      const again = createServer().listen(port, '127.0.0.1')
      await once(again, 'listening')
      again.close()
    },
  )
})

describe('a client that sends many requests at once', () => {
  const REQUESTS = 600
  const pipelined = (method: string) =>
    Array.from({ length: REQUESTS }, (_, n) =>
      method === 'GET'
        ? `GET /${n} HTTP/1.1\r\nHost: a\r\n\r\n`
        : `POST /${n} HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na=b`,
    ).join('')

  /** A server whose answers to the pipelined requests are held until they are released, one by one. */
  async function holding() {
    const events = new EventEmitter()
    const held: string[] = []
    const { port } = await start(async ({ url }) => {
      const { pathname } = new URL(url)
      if (pathname === '/other') return new Response('other')
      held.push(pathname)
      events.emit('held')
      await once(events, `release ${pathname}`)
      return new Response(`[${pathname}]`)
    })
    return { port, events, held }
  }

  it.each(['GET', 'POST'])(
    'by %s has one in work at a time, and other clients are answered',
    async (method) => {
      const { port, events, held } = await holding()
      const socket = connect(port, '127.0.0.1').setEncoding('utf8')
      let text = ''
      socket.on('data', (data) => {
        text += data
      })
      const first = once(events, 'held')
      socket.write(pipelined(method))
      await first
      for (let n = 0; n < REQUESTS; n += 1) {
        if (n % 100 === 0)
          expect(await exchange(port, ['GET /other HTTP/1.1', ...GET.slice(1)])).toContain('\r\nother')
        expect(held.slice(n)).toEqual([`/${n}`])
        const next = n + 1 < REQUESTS ? once(events, 'held') : once(socket, 'data')
        events.emit(`release /${n}`)
        await next
      }
      socket.end()
      await once(socket, 'close')
      const answers = text.match(/\[\/\d+\]/g)
      expect(answers).toEqual(Array.from({ length: REQUESTS }, (_, n) => `[/${n}]`))
    },
  )
})

describe('an answer', () => {
  it('that the client does not read closes the connection after the time for it', async () => {
    const events = new EventEmitter()
    const closed = once(events, 'closed')
    const answer = () => endless(() => void events.emit('closed'))
    const { port } = await start(answer, { ...LIMITS, unread_ms: 1000 })
    const socket = connect(port, '127.0.0.1').pause()
    onTestFinished(() => void socket.destroy())
    // One request alone: the limit of a head that is not complete would close the connection too.
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await closed
  })

  it('that takes longer than that is still sent', async () => {
    const events = new EventEmitter()
    const { port } = await start(
      async ({ url }) => {
        if (new URL(url).pathname === '/slow') await once(events, 'release')
        return new Response('ok')
      },
      { ...LIMITS, idle_ms: 100, unread_ms: 100 },
    )
    const slow = exchange(port, ['GET /slow HTTP/1.1', ...GET.slice(1)])
    // Closed when it has been idle for as long: later than the time of the slow request.
    await exchange(port, ['GET / HTTP/1.1', 'Host: a'])
    events.emit('release')
    expect(await slow).toMatch(/\r\n\r\nok$/)
  })
})
