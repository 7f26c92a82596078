/** The commands of `ostiary` about the audit. What they do is loaded when one of them runs. */

import type { AuditStore } from '@ostiary/audit'
import type { InServer } from '../in-server.js'
import type {
  AuditCommand,
  AuditInput,
  AuditOutput,
  CommandTools,
  CoreFunctions,
  OpenedRealm,
  OpenPlace,
} from './command-types.js'
import type { HistoryPlace } from './place.js'

export type { CommandTools } from './command-types.js'

const TIMES = 'a time such as 2026-11-20 or 2026-11-20T14:00Z, or an age such as 90m, 24h or 7d'
const FROM_TO = {
  from: { value: 'time', help: `From this time on: ${TIMES}` },
  to: { value: 'time', help: 'Until this time' },
}
/** One record. */
const NAMED = {
  client: { value: 'client_id', help: 'The client' },
  user: { value: 'username', help: 'The user who has this username now' },
  sub: { value: 'sub', help: 'The user, by sub: also one who was deleted' },
}

/** Each command, without what it does. */
const COMMANDS = [
  {
    name: 'audit list',
    summary: 'List what happened and what was changed, the newest first',
    about: ['Every option that is given has to match. Rows are kept with audit.enabled.'],
    options: {
      sub: { value: 'sub', help: 'About this user, by sub' },
      client: { value: 'client_id', help: 'About this client' },
      actor: {
        value: 'actor',
        help: 'By this one, as the list shows it: sub:…, client:…, cli:user@host, configuration, system, stranger',
      },
      type: { value: 'type', help: 'Of this type, such as login.refused; client. is all that begin so' },
      since: { value: 'time', help: `Since ${TIMES}` },
      limit: { value: 'number', help: 'The number of rows, up to 1000 (default: 50)' },
      before: { value: 'id', help: 'Continue before this row: the last one of the page before' },
    },
    examples: [
      [
        'ostiary audit list --since 24h --type session.started',
        'Who signed in since yesterday, and from where',
      ],
      ['ostiary audit list --client notes', 'All about the client notes'],
    ],
  },
  {
    name: 'audit show',
    summary: 'Show a row of the audit, with what was changed',
    args: ['id'],
    examples: [['ostiary audit show 0mx0wloq77q77jt0isse', 'As audit list shows the id']],
  },
  {
    name: 'audit record',
    summary: 'Show a client or a user as it was at a time',
    about: [
      'The record of now is set back by the rows since. What they cannot tell is marked as not certain, with the reason. Secrets and passwords are not kept.',
    ],
    options: { ...NAMED, at: { value: 'time', help: `The time: ${TIMES}` } },
    examples: [
      ['ostiary audit record --client notes --at 24h', 'The client notes, as it was yesterday'],
      ['ostiary audit record --sub ann-1 --at 24h --json', 'A user, for a program'],
    ],
  },
  {
    name: 'audit diff',
    summary: 'Show which members of a client or a user differ between two times',
    options: {
      ...NAMED,
      from: { value: 'time', help: `The earlier time: ${TIMES}` },
      to: { value: 'time', help: 'The later time (default: now)' },
    },
    examples: [['ostiary audit diff --client notes --from 7d', 'What differs since a week ago']],
  },
  {
    name: 'audit undo',
    summary: 'Set back what a row has changed in a client or a user',
    about: [
      'It undoes client update, user update, user disable and user enable. If a changed member has changed again, nothing is undone, and these members are listed. Deletions, revocations, secrets, keys and passwords cannot be undone.',
      'The change is made as by a command: rows, events and the end of sessions are the same. A row audit.undo names the undone row.',
    ],
    args: ['id'],
    options: {
      plan: { help: 'Say what would be set back' },
      yes: { help: 'Do not ask; needed where no terminal is there to ask on' },
    },
    examples: [
      ['ostiary audit undo 0mx0wloq77q77jt0isse --plan', 'What would be set back'],
      ['ostiary audit undo 0mx0wloq77q77jt0isse --yes', 'In a script'],
    ],
  },
  {
    name: 'audit export',
    summary: 'Print rows as JSON lines, the oldest first, and the seals of the realm',
    options: FROM_TO,
    examples: [['ostiary audit export --from 2026-11-01 --to 2026-12-01', 'A month']],
  },
  {
    name: 'audit verify',
    summary:
      'Compare rows with their seals: the first row of each seal that was changed, removed or inserted',
    about: ['It reads each sealed row. The exit code is 1 when it finds something.'],
    options: {
      seals: {
        value: 'file',
        help: 'Compare with seals that were kept elsewhere, as audit seals printed them',
      },
    },
    examples: [
      ['ostiary audit verify', 'Rows, seals, and the signature of the newest one'],
      ['ostiary audit verify --seals seals.jsonl', 'Seals that were made anew are found'],
    ],
  },
  {
    name: 'audit seals',
    summary: 'Print the seals as JSON lines, to keep them elsewhere',
    options: { since: { value: 'number', help: 'Those after the one with this number (default: all)' } },
    examples: [['ostiary audit seals --since 1200', 'Those since the seal 1200, to add them to a file']],
  },
  {
    name: 'explain',
    summary: 'Tell why a request was refused, and what to do',
    about: [
      'The reference is on the error page. The id of a request is in its header x-request-id and in the log, the flow in audit show. Several requests are listed, the newest first.',
    ],
    args: ['reference'],
    examples: [['ostiary explain 7F3A-2C1D', 'What the error page with this reference was about']],
  },
] as const

/** Those that need each row, or the database. */
const HERE_ONLY = ['audit export', 'audit verify', 'audit seals'] as const
type HereOnly = (typeof HERE_ONLY)[number]
const isHereOnly = (name: keyof Runs): name is HereOnly => (HERE_ONLY as readonly string[]).includes(name)

/**
 * The commands about the audit, for the list of commands of `@ostiary/host`.
 * @param inServer Runs one on the server that the command line names.
 */
export const auditCommands = <Input extends AuditInput, Output extends AuditOutput>(
  open: OpenPlace<Input, Output>,
  tools: CommandTools<Input, Output>,
  inServer: InServer<Input, Output>,
): AuditCommand<Input, Output>[] =>
  COMMANDS.map((command) => {
    const here = <Name extends keyof Runs>(name: Name, input: Input, output: Output) =>
      open(input, output, async (opened): Promise<Awaited<ReturnType<Runs[Name]>>> => {
        const { RUNS } = await import('./runs.js')
        const place = await placeOf(opened, tools, (plan) => tools.confirm(input, output, plan))
        return RUNS[name](place, input, output) as Awaited<ReturnType<Runs[Name]>>
      })
    const { name } = command
    if (isHereOnly(name))
      return { ...command, effect: 'reads', of_realm: true, run: (...io) => here(name, ...io) }
    const both = { of_realm: true, remote: true } as const
    const isHere = (input: Input) => input.text('server') === undefined
    if (name !== 'audit undo')
      return {
        ...command,
        ...both,
        effect: 'reads',
        run: (input, output) =>
          isHere(input)
            ? here(name, input, output)
            : inServer(input, output, async (realm, send) =>
                (await import('./remote.js')).read(name, { realm, send, tools, input, output }),
              ),
      }
    return {
      ...command,
      ...both,
      effect: 'changes',
      run: (input, output) =>
        isHere(input)
          ? here(name, input, output)
          : inServer(input, output, async (realm, send) =>
              (await import('./remote.js')).undo({ realm, send, tools, input, output }),
            ),
    }
  })

type Runs = typeof import('./runs.js').RUNS

async function placeOf<Input, Output>(
  opened: OpenedRealm,
  tools: CommandTools<Input, Output>,
  confirm: HistoryPlace['confirm'],
): Promise<HistoryPlace> {
  const { openAuditStore, DEFAULT_SETTINGS } = await import('@ostiary/audit')
  const { realm, records, config } = opened
  const { keep_days } = config.audit ?? DEFAULT_SETTINGS
  const store = openAuditStore({ records })
  const sources = { ...opened, ...tools, realm: realm.id, store, keep_days, errors: tools, confirm }
  return { ...sources, ...(await questionsOf(store, opened, tools.core)) }
}

async function questionsOf(
  store: AuditStore,
  { realm, management: { clients }, users }: OpenedRealm,
  core: CoreFunctions,
): Promise<Pick<HistoryPlace, 'knownSince' | 'stories'>> {
  const [{ knownSince }, { explain }] = await Promise.all([
    import('./history/rows.js'),
    import('@ostiary/explain'),
  ])
  return {
    knownSince: () => knownSince(store, realm.id),
    stories: (name) => explain(store, { realm, core, clients, users }, name),
  }
}
