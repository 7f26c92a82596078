/** What has changed since a backup was made, from the logs of the servers and of the commands. */

import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** Clocks differ: an event so long before the time of a backup may have happened after it. */
const RESTORE_MARGIN_SECONDS = 60

/** What a line names, each once, with what is to be done. */
export interface ChangesSince {
  /** Of users, by realm and `sub`; the last one of a user's `disable` and `enable` counts. */
  users: ReadonlyMap<string, UserChange>
  /** Of clients, by realm and `client_id`. */
  clients: ReadonlyMap<string, ClientChange>
  /** What only the operator can do again: sentences. */
  left: readonly string[]
  /** The lines that are no JSON. */
  skipped: number
}

interface UserChange {
  realm: string
  sub: string
  password: boolean
  disabled: boolean
  deleted: boolean
}

interface ClientChange {
  realm: string
  client_id: string
  secret: boolean
  revoked: boolean
  deleted: boolean
}

/** The logs do not say what has happened since. */
export class EventsError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'EventsError'
  }
}

type Line = Readonly<Record<string, unknown>>

interface TimedLine {
  /** Epoch seconds. */
  time: number
  line: Line
}

/** @throws EventsError for a file without events, and for files that all begin after `to` (epoch seconds). */
export async function readChanges(files: readonly string[], to: number): Promise<ChangesSince> {
  const lines: TimedLine[] = []
  let skipped = 0
  let first = Number.POSITIVE_INFINITY
  for (const file of files) {
    const read = await readLog(file, to)
    if (read.first === Number.POSITIVE_INFINITY)
      throw new EventsError(`${file} has no line of a log in JSON (LOG_FORMAT=json)`)
    first = Math.min(first, read.first)
    skipped += read.skipped
    for (const line of read.lines) lines.push(line)
  }
  if (first > to)
    throw new EventsError(
      `${files.join(' ')} begins at ${new Date(first * 1000).toISOString()}, after the time of the backup: add the logs from that time on`,
    )
  // The logs of several servers stand one after the other.
  const changes = collector()
  for (const { line } of lines.sort((a, b) => a.time - b.time)) changes.add(line)
  return { ...changes.found(), skipped }
}

/** The lines that concern changes since `to`, and the time of the first line of all. */
async function readLog(file: string, to: number) {
  const lines: TimedLine[] = []
  let skipped = 0
  let first = Number.POSITIVE_INFINITY
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    if (text.trim() === '') continue
    const line = parsed(text)
    const time = Date.parse(String(line?.time)) / 1000
    if (line === null || Number.isNaN(time)) {
      skipped += 1
      continue
    }
    first = Math.min(first, time)
    if (time >= to - RESTORE_MARGIN_SECONDS && isOfChange(line)) lines.push({ time, line })
  }
  return { lines, skipped, first }
}

function parsed(text: string): Line | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Line) : null
  } catch {
    return null
  }
}

/** What an event or a command means for a user or a client. */
const OF_USER: Readonly<Record<string, Partial<UserChange>>> = {
  'account.password_changed': { password: true },
  'account.password_removed': { password: true },
  'user set-password': { password: true },
  'user disable': { disabled: true },
  'user enable': { disabled: false },
  'user.deleted': { deleted: true },
  'user delete': { deleted: true },
}
const OF_CLIENT: Readonly<Record<string, Partial<ClientChange>>> = {
  'client.secret_rotated': { secret: true },
  'client rotate-secret': { secret: true },
  'client.revoked': { revoked: true },
  'client revoke': { revoked: true },
  'client.deleted': { deleted: true },
  'client delete': { deleted: true },
}
/** What is lost, with the command that does it again. */
const LEFT: Readonly<Record<string, string>> = {
  'user enable': 'a user was enabled: ostiary user enable',
  'user create': 'a user was created: ostiary user create',
  'user update': 'a user was changed: ostiary user update',
  'account.password_set': 'a user has set a password, and sets it again',
  'factor.removed': 'a factor was removed: ostiary user factors remove',
  'user factors remove': 'factors were removed: ostiary user factors remove',
  'link.removed': 'a linked account was removed: ostiary user links remove',
  'user links remove': 'linked accounts were removed: ostiary user links remove',
  'client.created': 'a client was created: ostiary client create',
  'client create': 'a client was created: ostiary client create',
  'client.registered': 'a client has registered itself, and does so again',
  'client.updated': 'a client was changed: ostiary client update',
  'client update': 'a client was changed: ostiary client update',
  'client documents forget': 'a document was forgotten: ostiary client documents forget',
  'secret rotate': 'OIDC_SECRET was changed: ostiary secret rotate',
  import: 'records were imported: ostiary import',
}

/** The event of a line, or its command. */
const nameOf = (line: Line): string => String(line.event === 'command.done' ? line.command : line.event)

const changesSecret = ({ fields }: Line): boolean => Array.isArray(fields) && fields.includes('client_secret')

function isOfChange(line: Line): boolean {
  const name = nameOf(line)
  return [OF_USER, OF_CLIENT, LEFT].some((names) => Object.hasOwn(names, name)) || changesSecret(line)
}

function collector() {
  const users = new Map<string, UserChange>()
  const clients = new Map<string, ClientChange>()
  const left = new Set<string>()
  const add = (line: Line) => {
    const subject = { ...line, ...(line.subject as Line | undefined) }
    const name = nameOf(line)
    const realm = String(line.realm ?? '')
    const [sub, client_id] = [String(subject.sub ?? ''), String(subject.client_id ?? '')]
    const of_user = OF_USER[name]
    if (of_user !== undefined && sub !== '') {
      const known = users.get(`${realm} ${sub}`) ?? { realm, sub, ...NOTHING_OF_USER }
      users.set(`${realm} ${sub}`, { ...known, ...of_user })
    }
    const of_client = OF_CLIENT[name] ?? (changesSecret(line) ? { secret: true } : undefined)
    if (of_client !== undefined && client_id !== '') {
      const known = clients.get(`${realm} ${client_id}`) ?? { realm, client_id, ...NOTHING_OF_CLIENT }
      clients.set(`${realm} ${client_id}`, { ...known, ...of_client })
    }
    const what = LEFT[name]
    const name_of_user = typeof subject.username === 'string' ? `${subject.username} (${sub})` : sub
    if (what !== undefined) left.add(`${realm} ${name_of_user || client_id}: ${what}`.trim())
  }
  return { add, found: () => ({ users, clients, left: [...left] }) }
}

const NOTHING_OF_USER = { password: false, disabled: false, deleted: false }
const NOTHING_OF_CLIENT = { secret: false, revoked: false, deleted: false }
