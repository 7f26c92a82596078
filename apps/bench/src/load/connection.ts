/**
 * One HTTP/1.1 connection: kept alive, one request at a time. Less work for each request than a general client does,
 * so that one core of load keeps a server on another core busy even where that only answers from memory.
 */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface Answer {
  status: number
  body: string
  /** The connection ends with it. */
  last: boolean
  /** The first of that name, or null. */
  header(name: string): string | null
  headers(name: string): string[]
}

export interface Ask {
  method?: string
  headers?: Record<string, string>
  body?: string
}

export interface Connection {
  /** @throws Error when the connection breaks. */
  request(path: string, ask?: Ask): Promise<Answer>
  /** A form, by POST. */
  form(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Answer>
  close(): void
}

interface PendingRequest {
  resolve(answer: Answer): void
  reject(error: Error): void
}

/** A request without an answer fails after this many milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000

export async function openConnection(origin: string): Promise<Connection> {
  const { hostname, port, host } = new URL(origin)
  let socket = await dial(hostname, Number(port))
  let waiting: PendingRequest | null = null
  let received = ''
  /** The server has announced that it closes the connection. */
  let last = false

  function listen(on: Socket): void {
    on.setTimeout(REQUEST_TIMEOUT_MS, () =>
      on.destroy(new Error(`no answer within ${REQUEST_TIMEOUT_MS / 1000} s`)),
    )
    on.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1')
      const answer = parseAnswer(received)
      if (answer === null || waiting === null) return
      const { resolve } = waiting
      waiting = null
      received = ''
      last = answer.last
      resolve(answer)
    })
    const onEnd = (error?: Error) => {
      if (on !== socket) return
      waiting?.reject(error ?? new Error('the server closed the connection'))
      waiting = null
    }
    on.on('error', onEnd)
    on.on('close', () => onEnd())
  }
  listen(socket)

  const request = async (path: string, { method = 'GET', headers = {}, body }: Ask = {}): Promise<Answer> => {
    if (last || socket.readyState !== 'open') {
      const before = socket
      socket = await dial(hostname, Number(port))
      before.destroy()
      received = ''
      last = false
      listen(socket)
    }
    let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n`
    for (const name in headers) head += `${name}: ${headers[name]}\r\n`
    if (body !== undefined) head += `content-length: ${Buffer.byteLength(body)}\r\n`
    return new Promise((resolve, reject) => {
      waiting = { resolve, reject }
      socket.write(`${head}\r\n${body ?? ''}`)
    })
  }

  return {
    request,
    form: (path, fields, headers = {}) =>
      request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams(fields).toString(),
      }),
    close: () => socket.destroy(),
  }
}

async function dial(host: string, port: number): Promise<Socket> {
  const socket = connect({ host, port, noDelay: true })
  await once(socket, 'connect')
  return socket
}

/** The answer when all of it is here; null before. @param text One byte a character. */
export function parseAnswer(text: string): Answer | null {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return null
  const head = text.slice(0, end)
  const status = Number(head.slice(9, 12))
  const body = bodyOf(text, { head, start: end + 4, status })
  if (body === null) return null
  const headers = (name: string) =>
    [...head.matchAll(new RegExp(`^${name}: *(.*)$`, 'gim'))].map(([, value = '']) => value.trim())
  const last = /^connection: *close/im.test(head)
  return { status, body, last, headers, header: (name) => headers(name)[0] ?? null }
}

/** RFC 9112 §6.3, for servers that keep the connection open. */
function bodyOf(text: string, { head, start, status }: { head: string; start: number; status: number }) {
  const length = /^content-length: *(\d+)/im.exec(head)?.[1]
  if (length !== undefined) {
    const end = start + Number(length)
    return text.length < end ? null : text.slice(start, end)
  }
  if (status === 204 || status === 304) return ''
  return /^transfer-encoding: *chunked/im.test(head) ? chunkedBody(text, start) : ''
}

function chunkedBody(text: string, from: number): string | null {
  let body = ''
  for (let at = from; ; ) {
    const line = text.indexOf('\r\n', at)
    if (line === -1) return null
    const size = Number.parseInt(text.slice(at, line), 16)
    const next = line + 2 + size + 2
    if (text.length < next) return null
    if (size === 0) return body
    body += text.slice(line + 2, line + 2 + size)
    at = next
  }
}
