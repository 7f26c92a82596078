/**
 * A stand-in for a routing proxy: several PostgreSQL, each with a range of the buckets, look like one database. It reads which bucket a
 * statement names, and sends the statement unchanged to the PostgreSQL that has it; what names none goes to the first one, the home
 * database. It knows what postgres.js sends, and transactions of the home database alone.
 */

import { createServer, connect as openSocket, type Socket } from 'node:net'
import type { CleanUp } from './database.ts'

const BUCKETS = 4096
const TABLES_WITH_BUCKETS =
  /\boidc_(?:sessions|session_browsers|session_clients|grants|authorization_codes|refresh_tokens|consents|users|usernames|pending_authorizations|replays|throttles|revoked_tokens)\b/

/** @param urls Of the databases, in the order of their buckets. They trust every user. @returns The URL of the proxy. */
export async function bucketProxy(addCleanup: CleanUp, urls: readonly string[]): Promise<string> {
  const clients = new Set<Socket>()
  const server = createServer((client) => {
    clients.add(client.setNoDelay())
    client.on('error', () => {})
    client.on('close', () => clients.delete(client))
    serve(client, urls)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  addCleanup(() => {
    for (const client of clients) client.destroy()
    return new Promise<void>((closed) => server.close(() => closed()))
  })
  const { port } = server.address() as { port: number }
  return `postgres://postgres@127.0.0.1:${port}/divided`
}

/** One message with its type: a letter, the length of the rest with itself, and the rest. */
interface Message {
  type: string
  bytes: Buffer
}

/** Cuts what arrives into messages. */
function messages(socket: Socket, onMessage: (message: Message) => void): void {
  let rest = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const bytes = rest.subarray(0, rest.readUInt32BE(1) + 1)
      rest = rest.subarray(bytes.length)
      onMessage({ type: String.fromCharCode(bytes[0] ?? 0), bytes })
    }
  })
}

/** The text that begins at this byte and ends with a zero. */
const textAt = (bytes: Buffer, at: number): string => bytes.toString('utf8', at, bytes.indexOf(0, at))

/** A connection to one of the databases. */
interface Backend {
  /** Names of statements that it knows. */
  prepared: Set<string>
  /** Sends these, and hands on each answer until that one of this type. @throws Error when the connection is lost. */
  ask(sent: readonly Buffer[], until: string, onAnswer: (answer: Message) => void): Promise<void>
  end(): void
}

function backendOf(url: string): Backend {
  const { hostname, port } = new URL(url)
  const socket = openSocket(Number(port), hostname).setNoDelay()
  let lost: Error | null = null
  let waiting: { until: string; onAnswer: (answer: Message) => void; end: (error?: Error) => void } | null =
    null
  const lose = (error: Error) => {
    lost = error
    waiting?.end(error)
  }
  socket.on('error', lose)
  socket.on('close', () => lose(new Error('the connection was closed')))
  messages(socket, (message) => {
    waiting?.onAnswer(message)
    if (message.type === waiting?.until) waiting.end()
  })
  return {
    prepared: new Set(),
    ask: (sent, until, onAnswer) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => {
          waiting = null
          if (error) reject(error)
          else resolve()
        }
        waiting = { until, onAnswer, end }
        if (lost !== null) end(lost)
        else socket.write(Buffer.concat(sent))
      }),
    end: () => socket.destroy(),
  }
}

const SYNC = Buffer.from('S\0\0\0\x04', 'latin1')
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1')

function serve(client: Socket, urls: readonly string[]): void {
  const backends: (Backend | undefined)[] = []
  const statements = new Map<string, { text: string; parse: Buffer }>()
  let unit: Message[] = []
  let startup: { parameters: string[] } | null = null
  let answered = Promise.resolve()
  const send = (bytes: Buffer) => client.write(bytes)

  async function backend(index: number): Promise<Backend> {
    const known = backends[index]
    if (known !== undefined) return known
    const url = urls[index] ?? ''
    const opened = backendOf(url)
    backends[index] = opened
    await opened.ask([startupFor(url, startup?.parameters ?? [])], 'Z', ({ bytes }) => {
      if (index === 0) send(bytes)
    })
    return opened
  }

  /** Sends the unit to its database, and its answers to the client; with the statement, when that database does not know it. */
  async function run(sent: readonly Message[], { ready }: { ready: boolean }): Promise<void> {
    let index = 0
    // The answers of one unit are one write to the client: a write for each message costs more than the rest of the proxy.
    client.cork()
    try {
      index = databaseOf(sent)
      const { prepared, ask } = await backend(index)
      const parsed = sent.filter(({ type }) => type === 'P').map(({ bytes }) => textAt(bytes, 5))
      const bound = sent.filter(({ type }) => type === 'B').map(({ bytes }) => statementOf(bytes))
      const missing = bound.filter((name) => !parsed.includes(name) && (name === '' || !prepared.has(name)))
      for (const name of [...parsed, ...missing]) prepared.add(name)
      const parses = missing.map((name) => statements.get(name)?.parse ?? Buffer.alloc(0))
      let hidden = missing.length
      await ask([...parses, ...sent.map(({ bytes }) => bytes), SYNC], 'Z', ({ type, bytes }) => {
        if (type === '1' && hidden > 0) hidden -= 1
        else if (type !== 'Z' || ready) send(bytes)
      })
    } catch (error) {
      backends[index]?.end()
      backends[index] = undefined
      send(errorAnswer(`the database ${index} cannot be used: ${(error as Error).message}`))
      if (ready) send(READY)
    } finally {
      client.uncork()
    }
  }

  async function take(message: Message): Promise<void> {
    const { type, bytes } = message
    if (type === 'X') return void client.destroy()
    if (type === 'Q') return (await backend(0)).ask([bytes], 'Z', (answer) => send(answer.bytes))
    if (type === 'P') statements.set(textAt(bytes, 5), { text: textOfParse(bytes), parse: bytes })
    if (type !== 'H' && type !== 'S') return void unit.push(message)
    const sent = unit
    unit = []
    await run(sent, { ready: type === 'S' })
  }

  function databaseOf(sent: readonly Message[]): number {
    const bind = sent.find(({ type }) => type === 'B')?.bytes
    if (bind === undefined) return 0
    const text = statements.get(statementOf(bind))?.text ?? ''
    const number = parameterOf(text)
    if (number === null && TABLES_WITH_BUCKETS.test(text))
      throw new Error(`a statement without its bucket: ${text}`)
    return number === null ? 0 : Math.floor((Number(parametersOf(bind)[number - 1]) * urls.length) / BUCKETS)
  }

  const begin = (first: Buffer) => {
    startup = { parameters: first.toString('utf8', 8, first.length - 2).split('\0') }
    answered = backend(0).then(() => {})
    messages(client, (message) => {
      answered = answered.then(() => take(message)).catch(() => void client.destroy())
    })
  }
  client.once('data', begin)
  client.on('close', () => {
    for (const one of backends) one?.end()
  })
}

/** The number of the parameter that is the bucket: compared, or inserted. */
function parameterOf(text: string): number | null {
  const compared = /\bbucket\s*=\s*\$(\d+)/.exec(text)
  if (compared) return Number(compared[1])
  const inserted = /\(([^()]*\bbucket\b[^()]*)\)\s*(?:values\s*\(|select\s)([^)]*)/.exec(text)
  const column = inserted?.[1]?.split(',').findIndex((name) => name.trim() === 'bucket') ?? -1
  const value = /^\s*\$(\d+)/.exec(inserted?.[2]?.split(',')[column] ?? '')
  return value ? Number(value[1]) : null
}

/** The first message has no type. */
function startupFor(url: string, parameters: readonly string[]): Buffer {
  const own = parameters.map((text, index) =>
    parameters[index - 1] === 'database' && index % 2 === 1 ? new URL(url).pathname.slice(1) : text,
  )
  const body = Buffer.from(`\0\x03\0\0${own.join('\0')}\0\0`, 'utf8')
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length + 4)
  return Buffer.concat([length, body])
}

/** Of Parse: the name, then the text. */
const textOfParse = (bytes: Buffer): string => textAt(bytes, bytes.indexOf(0, 5) + 1)

/** Of Bind: the portal, then the name of the statement. */
const statementOf = (bytes: Buffer): string => textAt(bytes, bytes.indexOf(0, 5) + 1)

/** Of Bind: formats, then the values, in the text format. */
function parametersOf(bytes: Buffer): string[] {
  let at = bytes.indexOf(0, bytes.indexOf(0, 5) + 1) + 1
  at += 2 + 2 * bytes.readUInt16BE(at)
  const count = bytes.readUInt16BE(at)
  at += 2
  return Array.from({ length: count }, () => {
    const length = bytes.readInt32BE(at)
    const value = bytes.toString('utf8', at + 4, at + 4 + Math.max(0, length))
    at += 4 + Math.max(0, length)
    return value
  })
}

function errorAnswer(message: string): Buffer {
  const body = Buffer.from(`SERROR\0VERROR\0C08006\0M${message}\0\0`, 'utf8')
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
