/** Documents at addresses that clients or operators chose: what is read of them, and what attacks it withstands. */

import { execFile } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { documentServer } from '@ostiary/test-kit/document-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { guardedDocuments } from '../src/network/guarded-fetch.js'
import { httpsTransport } from '../src/network/https-transport.js'
import { undiciTransport } from '../src/network/undici-transport.js'
import { RUNTIME } from './_sources.ts'
import { DISGUISED, HOSTILE, rawReceiver, repeat } from './hostile-hosts.ts'

const OPTIONS = { max_bytes: 1000, accept: 'image/png' }

async function host(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/logo`
}

const local = guardedDocuments({ allow_loopback: true })
/** For what does not answer, or does not end. */
const hasty = guardedDocuments({ allow_loopback: true, total_timeout: 300 })

describe('guardedDocuments', () => {
  it('reads the status, the headers and the body with a plain GET', async () => {
    const requests: unknown[] = []
    const url = await host(({ method, url: path, headers }, response) => {
      const { accept, cookie, referer, authorization } = headers
      requests.push([method, path, accept, headers['accept-encoding'], cookie, referer, authorization])
      response.writeHead(200, { 'content-type': 'image/png', 'x-list': ['a', 'b'] }).end('bytes')
    })
    const { status, headers, body } = await local(url, OPTIONS)
    expect([status, headers.get('content-type'), headers.get('x-list')]).toEqual([200, 'image/png', 'a, b'])
    expect(Buffer.from(body).toString()).toBe('bytes')
    expect(requests).toEqual([['GET', '/logo', 'image/png', 'identity', undefined, undefined, undefined]])
  })

  it('asks whether a document has changed, and 304 is an answer', async () => {
    const requests: unknown[] = []
    const url = await host(({ headers }, response) => {
      requests.push([headers['if-none-match'], headers['if-modified-since'], headers['accept-encoding']])
      response.writeHead(304, { etag: '"v1"', 'content-encoding': 'gzip' }).end()
    })
    const since = 'Sun, 06 Nov 1994 08:49:37 GMT'
    const headers = { 'if-none-match': '"v1"', 'if-modified-since': since, 'accept-encoding': 'gzip' }
    const answer = await local(url, { ...OPTIONS, headers })
    expect([answer.status, answer.headers.get('etag'), answer.body.length]).toEqual([304, '"v1"', 0])
    expect(requests).toEqual([['"v1"', since, 'identity']])
  })

  it('sends no cookie that an earlier answer has set', async () => {
    const cookies: unknown[] = []
    const url = await host(({ headers }, response) => {
      cookies.push(headers.cookie)
      response.writeHead(200, { 'set-cookie': 'a=b; Path=/' }).end()
    })
    await local(url, OPTIONS)
    await local(url, OPTIONS)
    expect(cookies).toEqual([undefined, undefined])
  })

  it.each<[string, RequestListener, string]>([
    ['a body over the limit', (_, response) => response.end('x'.repeat(1001)), 'too_large'],
    [
      'a body without end',
      (_, response) => {
        const more = () => response.write('x'.repeat(10_000), more)
        more()
      },
      'too_large',
    ],
    ['a host that does not answer', () => {}, 'timeout'],
    [
      'a body that stops in the middle',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('x')
      },
      'timeout',
    ],
    ...['gzip', 'br', 'deflate', 'zstd', 'gzip, identity', 'x-unknown'].map(
      (coding): [string, RequestListener, string] => [
        `a body in the content coding ${coding}`,
        (_, response) => response.writeHead(200, { 'content-encoding': coding }).end('x'),
        'content_encoding',
      ],
    ),
    ['a connection that is closed', ({ socket }) => socket.destroy(), 'ECONNRESET'],
  ])('%s is a rejection with a code', async (_, listener, code) => {
    const fetchDocument = code === 'timeout' ? hasty : local
    await expect(fetchDocument(await host(listener), OPTIONS)).rejects.toThrow(code)
  })

  it.each<[string, (socket: Socket) => void, RegExp]>([
    [
      'a head that arrives a line at a time, without end',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        repeat(socket, 'a: b\r\n')
      },
      /^timeout$/,
    ],
    [
      'a head of 300 kB',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\na: ${'b'.repeat(300_000)}\r\n\r\n`),
      /^HPE_HEADER_OVERFLOW$/,
    ],
    [
      'a body that arrives a byte at a time',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
        repeat(socket, 'x')
      },
      /^timeout$/,
    ],
    [
      'a body that is shorter than its length',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nx'),
      /^\w+$/,
    ],
    ['an answer that is not HTTP', (socket) => socket.write('SSH-2.0-server\r\n\r\n'), /^\w+$/],
  ])('%s is a rejection with a code, and closes the connection', async (_, answer, code) => {
    const { url, closed } = await rawReceiver(answer)
    const fetchDocument = code.test('timeout') ? hasty : local
    await expect(fetchDocument(url, OPTIONS)).rejects.toThrow(code)
    await closed
  })

  it('a length that is announced and over the limit is refused before the body arrives', async () => {
    const { url, closed } = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n')
      repeat(socket, 'x'.repeat(500))
    })
    await expect(local(url, OPTIONS)).rejects.toThrow('too_large')
    await closed
  })

  it.each([301, 302, 303, 307, 308])(
    'a redirect with %d is an answer, and is not followed',
    async (status) => {
      let requests = 0
      const url = await host((_, response) => {
        requests += 1
        response.writeHead(status, { location: '/elsewhere' }).end()
      })
      expect((await local(url, OPTIONS)).status).toBe(status)
      expect(requests).toBe(1)
    },
  )

  it.each(HOSTILE)('refuses a name that resolves to %s (%s)', async (_, address) => {
    const documents = guardedDocuments({ resolve: async () => [address] })
    await expect(documents('https://client.example/', OPTIONS)).rejects.toThrow('forbidden_address')
  })

  it.each(HOSTILE)('refuses %s (%s) as one address of several', async (_, address) => {
    const documents = guardedDocuments({ resolve: async () => ['93.184.216.34', address] })
    await expect(documents('https://client.example/', OPTIONS)).rejects.toThrow('forbidden_address')
  })

  it.each(HOSTILE)('refuses the address itself: %s (%s)', async (_, address) => {
    const literal = address.includes(':') ? `[${address}]` : address
    await expect(guardedDocuments()(`https://${literal}/`, OPTIONS)).rejects.toThrow('forbidden_address')
  })

  it.each(DISGUISED)('refuses the disguised loopback %s', async (url) => {
    await expect(guardedDocuments()(url, OPTIONS)).rejects.toThrow('forbidden_address')
  })

  it('a name without an address is a rejection with a code', async () => {
    const documents = guardedDocuments({ resolve: async () => [] })
    await expect(documents('https://client.example/', OPTIONS)).rejects.toThrow('unresolved_host')
  })

  it('resolves a name once for each request and connects to the checked address (no rebinding)', async () => {
    const url = new URL(await host((_, response) => response.end('document')))
    const answers = ['127.0.0.1', '10.0.0.1']
    let lookups = 0
    const documents = guardedDocuments({
      allow_loopback: true,
      resolve: async () => [answers[lookups++] ?? '10.0.0.1'],
    })
    url.hostname = 'rebinding.example'
    expect((await documents(url.href, OPTIONS)).status).toBe(200)
    expect(lookups).toBe(1)
    await expect(documents(url.href, OPTIONS)).rejects.toThrow('forbidden_address')
  })

  it.each(['http://93.184.216.34/', 'http://127.0.0.1/', 'file:///etc/passwd', 'data:application/json,{}'])(
    'refuses %s',
    async (url) => {
      await expect(guardedDocuments()(url, OPTIONS)).rejects.toThrow('forbidden_scheme')
    },
  )

  // Bun has a built-in module in place of undici, which the host does not use there.
  const transports = {
    'node:https': httpsTransport,
    ...(!process.versions.bun && { undici: undiciTransport }),
  }
  it.each(Object.entries(transports))(
    '%s reads up to the limit, and rejects above it',
    async (_, transport) => {
      const url = new URL(await host((_, response) => response.end('x'.repeat(1000))))
      const ask = (max_body_bytes: number) => {
        const signal = AbortSignal.timeout(5_000)
        const limits = { connect_timeout: 1_000, total_timeout: 1_000, max_body_bytes }
        return transport('127.0.0.1', { url, method: 'GET', headers: {}, body: '', signal, ...limits })
      }
      expect((await ask(1000)).body).toHaveLength(1000)
      expect((await ask(0)).body).toHaveLength(0)
      await expect(ask(999)).rejects.toThrow('too_large')
    },
  )
})

describe('documents of hosts on this machine (allow_loopback_https)', () => {
  const secure = guardedDocuments({ allow_loopback_https: true })

  it.each([{}, { allow_loopback: true }])('are refused with %o', async (options) => {
    const documents = guardedDocuments(options)
    await expect(documents('https://127.0.0.1/', OPTIONS)).rejects.toThrow('forbidden_address')
    await expect(documents('https://client.localhost/', OPTIONS)).rejects.toThrow('forbidden_address')
    const named = guardedDocuments({ ...options, resolve: async () => ['127.0.0.1'] })
    await expect(named('https://client.example/', OPTIONS)).rejects.toThrow('forbidden_address')
  })

  it('are read by https only', async () => {
    await expect(secure('http://127.0.0.1/', OPTIONS)).rejects.toThrow('forbidden_scheme')
    await expect(secure('http://client.localhost/', OPTIONS)).rejects.toThrow('forbidden_scheme')
  })

  const elsewhere = HOSTILE.filter(([, address]) => !/^127\.|^::1$/.test(address))
  it.each(elsewhere)('open no other address: %s (%s)', async (_, address) => {
    const documents = guardedDocuments({ allow_loopback_https: true, resolve: async () => [address] })
    await expect(documents('https://client.example/', OPTIONS)).rejects.toThrow('forbidden_address')
  })

  it('are read when their certificate is trusted and names the host', async () => {
    const documents = await documentServer(['client.localhost'])
    onTestFinished(() => documents.close())
    const url = documents.url('client.localhost', '/client.json')
    const other = documents.url('other.localhost', '/client.json')
    documents.put(url, { client_id: url })
    await expect(secure(url, OPTIONS)).rejects.toThrow('DEPTH_ZERO_SELF_SIGNED_CERT')
    const script = fileURLToPath(new URL('read-documents.ts', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [...RUNTIME, script, url, other], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: documents.ca_file },
    })
    const outcomes = stdout.trim().split('\n')
    expect(outcomes.map((line) => JSON.parse(line))).toEqual([
      [200, JSON.stringify({ client_id: url })],
      ['ERR_TLS_CERT_ALTNAME_INVALID'],
    ])
    expect(documents.requests(url)).toBe(1)
  })
})
