import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { guardedFetch } from '../src/network/guarded-fetch.js'
import { isPublicAddress } from '../src/network/public-address.js'
import { DISGUISED, HOSTILE, rawReceiver, repeat } from './hostile-hosts.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A receiver on this machine that answers with one status. */
async function receiver(status: number, headers: Record<string, string> = {}) {
  const requests: { url: string | undefined; host: string | undefined }[] = []
  const server = createServer((request, response) => {
    requests.push({ url: request.url, host: request.headers.host })
    response.writeHead(status, headers).end()
  })
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { requests, port: (server.address() as AddressInfo).port }
}

describe('addresses', () => {
  it.each(HOSTILE)('%s (%s) is not public', (_, address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each([
    '93.184.216.34',
    '8.8.8.8',
    '168.63.129.17',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '2a00:1450::1',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each([
    ['2606:4700::5efe:10.0.0.1', false],
    ['2606:4700::0:5efe:127.0.0.1', false],
    ['2606:4700::200:5efe:192.168.1.1', false],
    ['2606:4700::200:5efe:a9fe:a9fe', false],
    ['2606:4700::5efe:168.63.129.16', false],
    ['2606:4700::5efe:8.8.8.8', true],
    ['2606:4700::200:5efe:8.8.8.8', true],
    ['fe80::5efe:8.8.8.8', false],
    ['2606:4700::100:5efe:10.0.0.1', true],
    ['2606:4700::5eff:10.0.0.1', true],
  ])('%s, which may be one of ISATAP, is public: %s', (address, expected) => {
    expect(isPublicAddress(address)).toBe(expected)
  })

  it.each(['', 'localhost', '1.2.3', '0x7f.1', '2130706433', '0135.0.0.1', '93.184.216.34/32', '2a00::1%'])(
    '%j is not an address',
    (text) => {
      expect(isPublicAddress(text)).toBe(false)
    },
  )
})

describe('guardedFetch', () => {
  it.each(HOSTILE)('refuses a name that resolves to %s (%s)', async (_, address) => {
    const fetch = guardedFetch({ resolve: async () => [address] })
    await expect(fetch('https://receiver.example/logout', { method: 'POST' })).rejects.toThrow(
      'forbidden_address',
    )
  })

  it.each(HOSTILE)('refuses the address itself: %s (%s)', async (_, address) => {
    const literal = address.includes(':') ? `[${address}]` : address
    await expect(guardedFetch()(`https://${literal}/logout`)).rejects.toThrow('forbidden_address')
  })

  it.each(DISGUISED)('refuses the disguised loopback %s', async (url) => {
    await expect(guardedFetch()(url)).rejects.toThrow('forbidden_address')
  })

  it('refuses a name when one of its addresses is not public', async () => {
    const fetch = guardedFetch({ resolve: async () => ['93.184.216.34', '10.0.0.1'] })
    await expect(fetch('https://receiver.example/')).rejects.toThrow('forbidden_address')
  })

  it('the time limits include a name server that never answers', async () => {
    const silent = () => new Promise<string[]>(() => {})
    await expect(guardedFetch({ resolve: silent, total_timeout: 20 })('https://app.example')).rejects.toThrow(
      /timeout/,
    )
    const stopped = AbortSignal.abort(new Error('stopped'))
    await expect(
      guardedFetch({ resolve: silent })('https://app.example', { signal: stopped }),
    ).rejects.toThrow('stopped')
  })

  it('resolves a name once for each request and connects to the checked address (no rebinding)', async () => {
    const { port, requests } = await receiver(200)
    const answers = ['127.0.0.1', '10.0.0.1']
    let lookups = 0
    const resolve = async () => [answers[lookups++] ?? '10.0.0.1']
    const fetch = guardedFetch({ allow_loopback: true, resolve })
    expect((await fetch(`http://rebinding.example:${port}/logout`, { method: 'POST' })).status).toBe(200)
    expect(lookups).toBe(1)
    expect(requests).toEqual([{ url: '/logout', host: `rebinding.example:${port}` }])
    await expect(fetch(`http://rebinding.example:${port}/logout`)).rejects.toThrow('forbidden_address')
    expect(requests).toHaveLength(1)
  })

  it.each(['http://93.184.216.34/', 'ftp://93.184.216.34/', 'file:///etc/passwd', 'data:text/plain,x'])(
    'refuses %s: https only',
    async (url) => {
      await expect(guardedFetch()(url)).rejects.toThrow('forbidden_scheme')
    },
  )

  it('reaches only the loopback by plain http, when that is allowed', async () => {
    const { port, requests } = await receiver(204)
    const fetch = guardedFetch({ allow_loopback: true })
    expect(
      (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'logout_token=x' })).status,
    ).toBe(204)
    expect(requests).toHaveLength(1)
    await expect(fetch('http://10.0.0.1/')).rejects.toThrow('forbidden_address')
    await expect(fetch('https://127.0.0.1/')).rejects.toThrow('forbidden_address')
  })

  it('follows no redirect', async () => {
    const { port, requests } = await receiver(302, { location: '/elsewhere' })
    const response = await guardedFetch({ allow_loopback: true })(`http://127.0.0.1:${port}/`)
    expect(response.status).toBe(302)
    expect(requests).toHaveLength(1)
  })

  it('stops when its signal is aborted', async () => {
    const server = createServer(() => {})
    servers.push(server)
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    const fetch = guardedFetch({ allow_loopback: true })
    await expect(fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(50) })).rejects.toThrow()
    server.closeAllConnections()
  })
})

describe('an answer of a receiver that', () => {
  const post = (url: string) =>
    guardedFetch({ allow_loopback: true, total_timeout: 300 })(url, { method: 'POST', body: 'a=b' })

  it.each<[string, (socket: Socket) => void, RegExp]>([
    ['never comes', () => {}, /^timeout$/],
    [
      'sends its head a line at a time, without end',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        repeat(socket, 'a: b\r\n')
      },
      /^timeout$/,
    ],
    ['closes the connection', (socket) => socket.end(), /^ECONNRESET$/],
    [
      'sends a head of 300 kB',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\na: ${'b'.repeat(300_000)}\r\n\r\n`),
      /^HPE_HEADER_OVERFLOW$/,
    ],
    ['is not HTTP', (socket) => socket.write('SSH-2.0-server\r\n\r\n'), /^\w+$/],
  ])('%s is a rejection with a code', async (_, answer, code) => {
    const { url, closed } = await rawReceiver(answer)
    await expect(post(url)).rejects.toThrow(code)
    await closed
  })

  it('switches protocols is a failure, and closes the connection', async () => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'
    const { url, closed } = await rawReceiver((socket) => socket.write(head))
    const outcome = await post(url).then(
      ({ status }) => status,
      ({ message }) => message,
    )
    expect([502, 'ECONNRESET']).toContain(outcome)
    await closed
  })

  it('has a body without end is its status, and closes the connection', async () => {
    const { url, closed } = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      repeat(socket, 'a'.repeat(1000))
    })
    expect((await post(url)).status).toBe(200)
    await closed
  })
})
