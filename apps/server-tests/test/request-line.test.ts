/** Request lines and Host headers that a client library does not send: both runtimes answer the same. */

import { connect } from 'node:net'
import { type ServerProcess, startServer } from '@ostiary/test-kit/server'
import { beforeAll, describe, expect, inject, it } from 'vitest'

let server: ServerProcess
beforeAll(async () => {
  server = await startServer({ env: { OSTIARY_STORAGE: 'memory' } })
  return async () => void (await server.stop())
})

/** Bun itself refuses an HTTP/1.1 request without a Host, without a body. */
const BUN_ANSWERS = inject('server') === 'bun'

interface Answer {
  status: number
  head: string
  body: string
}

function send(text: string): Promise<Answer> {
  const socket = connect(server.port, '127.0.0.1').setEncoding('utf8')
  let heard = ''
  socket.on('data', (part: string) => {
    heard += part
  })
  socket.on('error', () => {})
  socket.write(text)
  return new Promise((resolve) => {
    socket.on('close', () => {
      const [head = '', body = ''] = heard.split('\r\n\r\n')
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), head, body })
    })
  })
}

const get = (target: string, more = '') =>
  send(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${more}\r\n`)

const NOT_FOUND = { error: 'not_found', error_description: 'There is nothing at this address' }
const MALFORMED = {
  error: 'invalid_request',
  error_description: 'The request line or the Host header is malformed',
}

describe('a path that URL parsing would change is 404', () => {
  const DISCOVERY = '.well-known/openid-configuration'

  it.each([
    `/.well-known\\openid-configuration`,
    `\\${DISCOVERY}`,
    `/.well-known%5Copenid-configuration`,
    `/nope/%2e%2e/${DISCOVERY}`,
    `/nope/%2E./${DISCOVERY}`,
    `/nope/.%2e/${DISCOVERY}`,
    `/nope/../${DISCOVERY}`,
    `/%2e/${DISCOVERY}`,
    `/./${DISCOVERY}`,
    `/a//%2e%2e/%2e%2e/${DISCOVERY}`,
    `/${'a/'.repeat(30)}${'%2e%2e/'.repeat(30)}${DISCOVERY}`,
    `/${DISCOVERY}/x/..`,
    `/healthz/%2e`,
    `http://localhost/nope/%2e%2e/${DISCOVERY}`,
    '/a/..',
    '/a//../..',
  ])('%s', async (target) => {
    const { status, head, body } = await get(target)
    // Some parsers refuse a request line whose target begins with a backslash.
    if (target.startsWith('\\')) return expect([400, 404]).toContain(status)
    expect([status, JSON.parse(body)]).toEqual([404, NOT_FOUND])
    expect(head.toLowerCase()).toContain('x-request-id: ')
  })

  it.each([`/${DISCOVERY}`, `http://localhost/${DISCOVERY}`, `/${DISCOVERY}?a=/../%2e%2e/%5c\\`, '/healthz'])(
    '%s is answered',
    async (target) => expect((await get(target)).status).toBe(200),
  )
})

describe('the Host header', () => {
  it('is required in HTTP/1.1: 400 as JSON, without numeric header names', async () => {
    const { status, head, body } = await send('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(status).toBe(400)
    expect(head).not.toMatch(/^\d+:/m)
    if (!BUN_ANSWERS) expect(JSON.parse(body)).toEqual(MALFORMED)
  })

  it.each([
    ['different', 'Host: other\r\n'],
    ['equal', 'Host: localhost\r\n'],
  ])('two of them, %s: 400 as JSON', async (_, more) => {
    const { status, body } = await get('/healthz', more)
    expect([status, JSON.parse(body)]).toEqual([400, MALFORMED])
  })

  it.each(['Host: \r\n', 'Host: a b\r\n'])('%j is malformed', async (host) => {
    const { status, body } = await send(`GET /healthz HTTP/1.1\r\n${host}Connection: close\r\n\r\n`)
    expect([status, JSON.parse(body)]).toEqual([400, MALFORMED])
  })

  it.each(['/healthz', '/readyz'])(
    '%s needs none in HTTP/1.0, as the checks of balancers send it',
    async (path) => {
      expect((await send(`GET ${path} HTTP/1.0\r\n\r\n`)).status).toBe(200)
      expect((await send(`HEAD ${path} HTTP/1.0\r\n\r\n`)).status).toBe(200)
      expect((await send(`GET ${path} HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n`)).status).toBe(400)
    },
  )
})
