import { resolve } from 'node:path'
import { BUCKETS } from '@ostiary/core'
import { EventsError, readChanges } from '../../management/restore-events.js'
import { acceptDatabase, makeRestoredSafe, type Since } from '../../management/restored.js'
import {
  type Command,
  type CommandContext,
  type CommandInput,
  failure,
  type ReportedResult,
  usageError,
} from '../command.js'
import { confirm, YES_OPTION } from '../confirm.js'
import { countTable, printable } from '../output.js'
import { linesTo } from '../workspace.js'

const ENDED = [
  'Every session and every grant ends, every consent is asked again, and new signing keys replace the old ones:',
  'all users sign in again. Mails that wait to be sent are deleted.',
]

const TIME = 'time to which the database was restored, as 2026-01-31T12:00:00Z'

export const databaseRestored: Command = {
  name: 'database restored',
  effect: 'changes',
  summary: 'Make a restored database safe: end what a restore would bring back',
  about: [
    `After a restore to an earlier time, what was spent, revoked, withdrawn or disabled since would be good again. ${ENDED.join(' ')} Users are treated by what is known since the backup. Run it while the servers are stopped, and again after an interruption. Until then, a server refuses a restored PostgreSQL, as far as it can tell.`,
    'With --events, the users whose password was changed since get none, and who was disabled or deleted since is so again; clients likewise. The files need the JSON lines of every server and command from the time of the backup on.',
    'After a move while the servers were stopped, as to another machine or with pg_upgrade, take --nothing-lost.',
  ],
  options: {
    to: { value: 'time', help: `The ${TIME}` },
    events: {
      value: 'file',
      variadic: true,
      help: 'The logs from that time on, as JSON lines',
    },
    'without-events': { help: 'There are no such logs: remove every password' },
    'nothing-lost': { help: 'The database was moved, and lacks nothing: only let the servers use it' },
    buckets: {
      value: 'range',
      help: 'Only the people of these buckets, as 0-2047; clients, keys and mails stay as they are (default: all)',
    },
    ...YES_OPTION,
  },
  examples: [
    [
      'ostiary database restored --to 2026-01-31T12:00:00Z --events server.jsonl commands.jsonl',
      'After a restore, with the logs since',
    ],
    [
      'ostiary database restored --to 2026-01-31T12:00:00Z --without-events --yes',
      'Without logs, in a script',
    ],
    ['ostiary database restored --nothing-lost', 'After a move that has lost nothing'],
  ],
  async run(input, context) {
    if (input.flag('nothing-lost')) return nothingLost(input, context)
    const buckets = bucketsOf(input)
    const since = await sinceOf(input, context)
    await confirm(input, context, { effects: EFFECTS[since.kind] })
    const { env, cwd } = context
    const report = await makeRestoredSafe(env, { cwd, write: linesTo(context), buckets, since })
    const { left, skipped } = since.kind === 'events' ? since.changes : { left: [], skipped: 0 }
    return {
      text: [
        countTable(['WHAT', 'CHANGED'], { ...report }),
        ...left.map((line) => `Lost since: ${printable(line)}`),
      ].join('\n'),
      json: { changed: report, lost: left, skipped_lines: skipped },
      event: { count: { ...report } },
      note: [
        ...(skipped > 0
          ? [`Lines that are not JSON, as notes of commands, and were not read: ${skipped}`]
          : []),
        ...NOTES[since.kind],
        ...(buckets === null ? [] : [OF_A_RANGE]),
      ].join('\n'),
    }
  },
}

const EFFECTS: Readonly<Record<Since['kind'], readonly string[]>> = {
  unknown: [...ENDED, 'Every password is removed: each user needs a new one.'],
  events: [...ENDED, 'Users and clients that the logs name are changed as they were.'],
}

const NOTES: Readonly<Record<Since['kind'], readonly string[]>> = {
  unknown: [
    'No user has a password. Give each a new one with ostiary user set-password.',
    'Nothing is known of users that were disabled and clients that were revoked since, or that got another secret: see ostiary user disable, client revoke and client rotate-secret.',
  ],
  events: [
    'Give new passwords with ostiary user set-password, and new secrets with ostiary client rotate-secret.',
  ],
}

const AS_IT_IS = [
  'The servers answer from the database as it is: what a backup brings back, such as spent tokens and old passwords, is good again.',
]

const OF_A_RANGE =
  'Servers that refuse the database still do: run the command without --buckets when all of it was restored.'

/** @throws CommandError (usage) */
async function nothingLost(input: CommandInput, context: CommandContext): Promise<ReportedResult> {
  const { env, cwd } = context
  const other = ['to', 'events', 'buckets', 'without-events'].find((option) => input.flag(option))
  if (other !== undefined) throw usageError(`--nothing-lost goes without --${other}`)
  await confirm(input, context, { effects: AS_IT_IS })
  await acceptDatabase(env, { cwd, write: linesTo(context) })
  return {
    text: 'The servers use the database. No record was changed.',
    json: { changed: {} },
    event: { count: {} },
  }
}

/** @throws CommandError (usage) */
async function sinceOf(input: CommandInput, { cwd }: CommandContext): Promise<Since> {
  const files = input.list('events')
  const chosen = [files.length > 0, input.flag('without-events')]
  if (chosen.filter(Boolean).length !== 1)
    throw usageError(
      'choose one: --events FILES with the logs of every server and command since the backup, or --without-events',
    )
  const to = timeOf(input.text('to'))
  if (files.length === 0) return { kind: 'unknown' }
  try {
    const paths = files.map((file) => resolve(cwd, file))
    return { kind: 'events', changes: await readChanges(paths, to) }
  } catch (error) {
    if (error instanceof EventsError) throw failure(error.message)
    const { code, path } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw failure(`${path} cannot be read (${code})`)
  }
}

/** @returns Epoch seconds. @throws CommandError (usage) */
function timeOf(text: string | undefined): number {
  const time = text === undefined ? Number.NaN : Date.parse(text)
  const has_zone = text !== undefined && /(?:Z|[+-]\d\d:\d\d)$/.test(text)
  if (Number.isNaN(time) || !has_zone) throw usageError(`--to: give the ${TIME}`)
  if (time > Date.now()) throw usageError('--to: the time is in the future')
  return time / 1000
}

/** @throws CommandError (usage) */
function bucketsOf(input: CommandInput): { first: number; last: number } | null {
  const text = input.text('buckets')
  if (text === undefined) return null
  const [first = Number.NaN, last = Number.NaN, ...more] = text
    .split('-')
    .map((part) => (/^\d{1,4}$/.test(part) ? Number(part) : Number.NaN))
  if (more.length > 0 || !(first <= last && last < BUCKETS))
    throw usageError(`--buckets: give a range within 0-${BUCKETS - 1}, as 0-2047`)
  return { first, last }
}
