/** Documents that operators chose, such as logos: what is read of them, and what attacks it withstands. */

import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { guardedDocuments } from '../src/network/guarded-fetch.js'
import { httpsTransport } from '../src/network/https-transport.js'
import { undiciTransport } from '../src/network/undici-transport.js'

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

const local = guardedDocuments({ allow_loopback: true, total_timeout: 300 })

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
    [
      'a compressed body',
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
      'content_encoding',
    ],
    ['a connection that is closed', ({ socket }) => socket.destroy(), 'ECONNRESET'],
  ])('%s is a rejection with a code', async (_, listener, code) => {
    await expect(local(await host(listener), OPTIONS)).rejects.toThrow(code)
  })

  it('follows no redirect', async () => {
    let requests = 0
    const url = await host((_, response) => {
      requests += 1
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    expect((await local(url, OPTIONS)).status).toBe(302)
    expect(requests).toBe(1)
  })

  it.each(['10.0.0.1', '169.254.169.254', '127.0.0.1', '::1'])(
    'refuses a name that resolves to %s',
    async (address) => {
      const documents = guardedDocuments({ resolve: async () => ['93.184.216.34', address] })
      await expect(documents('https://logo.example/', OPTIONS)).rejects.toThrow('forbidden_address')
    },
  )

  describe('of a host on this machine, by https', () => {
    const open = guardedDocuments({ allow_loopback_https: true })
    /** Nothing listens there: the request was permitted, and failed to connect. */
    const CLOSED = 'https://client.localhost:1/client.json'

    it('is read only where that is allowed', async () => {
      await expect(open(CLOSED, OPTIONS)).rejects.toThrow('ECONNREFUSED')
      await expect(open('https://127.0.0.1:1/', OPTIONS)).rejects.toThrow('ECONNREFUSED')
      const resolve = async () => ['127.0.0.1']
      for (const closed of [
        guardedDocuments({ resolve }),
        guardedDocuments({ resolve, allow_loopback: true }),
      ])
        await expect(closed(CLOSED, OPTIONS)).rejects.toThrow('forbidden_address')
    })

    it.each(['10.0.0.1', '169.254.169.254', '192.168.1.1', '::ffff:127.0.0.1'])(
      'does not open the way to %s',
      async (address) => {
        const documents = guardedDocuments({ allow_loopback_https: true, resolve: async () => [address] })
        await expect(documents('https://client.example/', OPTIONS)).rejects.toThrow('forbidden_address')
      },
    )

    it('does not allow plain http', async () => {
      await expect(open('http://client.localhost/', OPTIONS)).rejects.toThrow('forbidden_scheme')
    })
  })

  it('sends the headers of a conditional request, and none that it must not', async () => {
    let received: unknown
    const url = await host(({ headers }, response) => {
      received = [headers['if-none-match'], headers['accept-encoding'], headers.accept]
      response.writeHead(304).end()
    })
    const headers = { 'if-none-match': '"1"', 'accept-encoding': 'gzip', accept: '*/*' }
    expect((await local(url, { ...OPTIONS, headers })).status).toBe(304)
    expect(received).toEqual(['"1"', 'identity', 'image/png'])
  })

  it.each(['http://93.184.216.34/', 'http://127.0.0.1/', 'file:///etc/passwd'])('refuses %s', async (url) => {
    await expect(guardedDocuments()(url, OPTIONS)).rejects.toThrow('forbidden_scheme')
  })

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
