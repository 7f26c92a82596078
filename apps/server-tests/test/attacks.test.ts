/** Clients that would block the server: each is cut off by itself, while others are served. */

import { connect, type Socket } from 'node:net'
import { type ServerProcess, startServer } from '@ostiary/test-kit/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const HEAD =
  'POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n'
const REFUSED = /^HTTP\/1\.1 413 /

let server: ServerProcess
beforeAll(async () => {
  server = await startServer({ env: { OSTIARY_STORAGE: 'memory' } })
})
afterAll(async () => {
  await server.stop()
})

/** @returns What the server sends until it closes the connection. @param send Called repeatedly until then. */
function untilClosed(start: string, send?: (socket: Socket) => void): Promise<string> {
  const socket = connect(server.port, '127.0.0.1').setEncoding('utf8')
  let heard = ''
  socket.on('data', (text: string) => {
    heard += text
  })
  // The connection may be cut while this side sends.
  socket.on('error', () => {})
  socket.write(start)
  const timer = setInterval(() => socket.destroyed || send?.(socket), 500)
  return new Promise((resolve) => {
    socket.on('close', () => {
      clearInterval(timer)
      resolve(heard)
    })
  })
}

/** Node answers before it closes the connection, Bun does not. */
const CUT_OFF = /^$|^HTTP\/1\.1 408 /

const alive = async () => expect((await fetch(`${server.issuer}/healthz`)).status).toBe(200)

describe.concurrent('the server cuts off', () => {
  it.each([
    ['a connection that sends nothing', ''],
    ['a head that stops halfway', 'GET /healthz HTTP/1.1\r\nHost: loc'],
  ])('%s', async (_, start) => {
    expect(await untilClosed(start)).toMatch(CUT_OFF)
    await alive()
  })

  it('a head that trickles in', async () => {
    const drop = (socket: Socket) => socket.write('X-Another: one\r\n')
    expect(await untilClosed('GET /healthz HTTP/1.1\r\nHost: localhost\r\n', drop)).toMatch(CUT_OFF)
    await alive()
  })

  it('a body that trickles in, with the reason', async () => {
    const drop = (socket: Socket) => socket.write('x')
    const answer = await untilClosed(`${HEAD}Content-Length: 1000\r\n\r\n`, drop)
    expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*came too slowly/)
    await alive()
  })

  it('a body of a gigabyte, before it has arrived', async () => {
    expect(await untilClosed(`${HEAD}Content-Length: 1000000000\r\n\r\n`)).toMatch(REFUSED)
    await alive()
  })

  it('a body without an end', async () => {
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
    const flood = (socket: Socket) => socket.write(chunk.repeat(16))
    expect(await untilClosed(`${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunk}`, flood)).toMatch(REFUSED)
    await alive()
  })

  it('two lengths, which a proxy and the server could read differently', async () => {
    const answer = await untilClosed(
      `${HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    await alive()
  })
})
