/** A mail server on this machine that keeps what it gets, or behaves as mail servers do when something is wrong. */

import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, isIP, isIPv6, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ParsedMail, simpleParser } from 'mailparser'
import { generate } from 'selfsigned'
import {
  SMTPServer,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server'

export interface SmtpOptions {
  /** `implicit`: smtps. `starttls`: smtp at an address for which the client has to ask for TLS. Plain smtp when absent. */
  tls?: 'implicit' | 'starttls'
  /** Asks for STARTTLS as with `starttls`, but does not offer it. */
  hides_starttls?: boolean
  /** The name in the certificate; that of the URL when absent. */
  certified_name?: string
  /** Refuses mails of other users. */
  auth?: { user: string; pass: string }
  /** Recipients that it refuses, each with its reply, such as `550`. */
  refuse?: Readonly<Record<string, number>>
  /** Refuses the first attempt for each recipient with 451. */
  greylist?: boolean
  /** Ends the connection in the middle of the first mail. */
  dies_in_data?: boolean
  /** Accepts connections and never says anything; or nothing after a mail. */
  silent?: 'connection' | 'data'
}

export interface ReceivedMail extends ParsedMail {
  /** Of the envelope. */
  recipients: string[]
  /** As it came, without the line of the dot. */
  source: string
}

export interface SmtpTestServer {
  /** With the user and the password, where it asks for them. */
  url: string
  port: number
  /** Accepted mails, oldest first. */
  mails: ReceivedMail[]
  /** How many connections there have been. */
  connections(): number
  /** How many sign-ins were tried. */
  logins(): number
  /** Ends all connections, as a server does with unused ones. */
  endConnections(): void
  /** The certificate of its CA, as a file for `NODE_EXTRA_CA_CERTS`; empty without TLS. */
  ca_file: string
  close(): Promise<void>
}

/** 127.0.0.1, mapped to IPv6: none of the names of this machine for which a client leaves TLS out. */
const MAPPED_LOOPBACK = '::ffff:7f00:1'

export async function startSmtp(options: SmtpOptions = {}): Promise<SmtpTestServer> {
  const { tls, hides_starttls = false, auth } = options
  const host = tls === 'starttls' || hides_starttls ? MAPPED_LOOPBACK : '127.0.0.1'
  const certificate = tls === undefined ? null : await certificateFor(options.certified_name ?? host)
  const mails: ReceivedMail[] = []
  const counts = { logins: 0 }
  const server = new SMTPServer({
    ...certificate?.pair,
    ...handlers(options, { mails, counts }),
    secure: tls === 'implicit',
    disabledCommands: [...(tls === 'starttls' ? [] : ['STARTTLS']), ...(auth ? [] : ['AUTH'])],
    authOptional: auth === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 1,
    logger: false,
  })
  // A client that ends its connection at once is part of some tests.
  server.on('error', () => {})
  const sockets: Socket[] = []
  server.server.on('connection', (socket) => sockets.push(socket))
  const listening = server.listen(0, host)
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  const scheme = tls === 'implicit' ? 'smtps' : 'smtp'
  const user = auth ? `${encodeURIComponent(auth.user)}:${encodeURIComponent(auth.pass)}@` : ''
  return {
    url: `${scheme}://${user}${isIPv6(host) ? `[${host}]` : host}:${port}`,
    port,
    mails,
    connections: () => sockets.length,
    logins: () => counts.logins,
    endConnections: () => {
      for (const socket of sockets) socket.destroy()
    },
    ca_file: certificate?.ca_file ?? '',
    async close() {
      await new Promise<void>((resolve) => server.close(resolve))
      if (certificate) await rm(certificate.folder, { recursive: true, force: true })
    },
  }
}

function handlers(
  options: SmtpOptions,
  { mails, counts }: { mails: ReceivedMail[]; counts: { logins: number } },
): SMTPServerOptions {
  const { auth, refuse = {}, greylist = false } = options
  const seen = new Set<string>()
  let dies = options.dies_in_data ?? false
  return {
    onConnect(_, callback) {
      if (options.silent !== 'connection') callback()
    },
    onAuth({ username, password }, _, callback) {
      counts.logins += 1
      if (username === auth?.user && password === auth?.pass) callback(null, { user: username })
      else callback(replied(535, `5.7.8 no ${password}`))
    },
    onRcptTo({ address }, _, callback) {
      const code = refuse[address]
      if (code !== undefined) return callback(replied(code, `no mailbox ${address}`))
      if (greylist && !seen.has(address)) {
        seen.add(address)
        return callback(replied(451, 'try again later'))
      }
      callback()
    },
    onData(stream, session, callback) {
      if (dies) {
        dies = false
        stream.once('data', () => socketOf(this, session)?.destroy())
        return
      }
      received(stream, session).then((mail) => {
        mails.push(mail)
        if (options.silent !== 'data') callback(null, 'queued as 4B1F')
      }, callback)
    },
  }
}

const replied = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })

/** The connection of a session. */
function socketOf(server: unknown, { id }: SMTPServerSession) {
  const { connections } = server as { connections: Set<{ id: string; _socket: { destroy(): void } }> }
  return [...connections].find((connection) => connection.id === id)?._socket
}

async function received(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<ReceivedMail> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk as Uint8Array)
  const source = Buffer.concat(chunks)
  const recipients = session.envelope.rcptTo.map(({ address }) => address)
  return { ...(await simpleParser(source)), recipients, source: source.toString('utf8') }
}

/** A certificate of a CA of its own. */
async function certificateFor(name: string) {
  const common = { keyType: 'ec', algorithm: 'sha256' } as const
  const authority = await generate([{ name: 'commonName', value: 'CA of a test' }], {
    ...common,
    extensions: [{ name: 'basicConstraints', cA: true, critical: true }],
  })
  const altName = isIP(name) !== 0 ? { type: 7 as const, ip: name } : { type: 2 as const, value: name }
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'Mail server of a test' }], {
    ...common,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'subjectAltName', altNames: [altName] },
    ],
  })
  const folder = await mkdtemp(join(tmpdir(), 'ostiary-smtp-'))
  const ca_file = join(folder, 'ca.pem')
  await writeFile(ca_file, authority.cert)
  return { pair: { cert, key }, folder, ca_file }
}
