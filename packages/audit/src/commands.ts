/** The commands of `ostiary` about the audit. What they do is loaded when one of them runs. */

import type { AuditCommand, AuditInput, AuditOutput, CommandErrors, OpenPlace } from './command-types.js'

export type * from './command-types.js'

const TIMES = 'a time such as 2026-11-20 or 2026-11-20T14:00Z, or an age such as 90m, 24h or 7d'
const FROM_TO = {
  from: { value: 'time', help: `From this time on: ${TIMES}` },
  to: { value: 'time', help: 'Until this time' },
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
    name: 'audit export',
    summary: 'Print rows as JSON lines, the oldest first, and the seals of the realm',
    options: FROM_TO,
    examples: [['ostiary audit export --from 2026-11-01 --to 2026-12-01', 'A month']],
  },
  {
    name: 'audit verify',
    summary:
      'Compare rows with their seals: the first row of each seal that was changed, removed or inserted',
    about: ['It reads every row that has a seal. The exit code is 1 when it finds something.'],
    options: {
      seals: {
        value: 'file',
        help: 'Compare with seals that were kept elsewhere, as audit seals printed them',
      },
    },
    examples: [
      ['ostiary audit verify', 'Rows, seals, and the signature of the newest one'],
      ['ostiary audit verify --seals seals.jsonl', 'Seals that were made anew are found too'],
    ],
  },
  {
    name: 'audit seals',
    summary: 'Print the seals as JSON lines, to keep them elsewhere',
    options: { since: { value: 'number', help: 'Those after the one with this number (default: all)' } },
    examples: [
      ['ostiary audit seals --since 1200', 'Those that are new since the seal 1200, to add them to a file'],
    ],
  },
  {
    name: 'explain',
    summary: 'Tell why a request was refused, and what to do',
    about: [
      'The reference is on the error page. The id of a request is in its header x-request-id and in the log, the flow in audit show. A reference is short: several requests are listed, the newest first.',
    ],
    args: ['reference'],
    examples: [['ostiary explain 7F3A-2C1D', 'What the error page with this reference was about']],
  },
] as const

/** The commands about the audit, for the list of commands of `@ostiary/host`. */
export const auditCommands = <Input extends AuditInput, Output extends AuditOutput>(
  open: OpenPlace<Input, Output>,
  errors: CommandErrors,
): AuditCommand<Input, Output>[] =>
  COMMANDS.map((command) => ({
    ...command,
    effect: 'reads',
    of_realm: true,
    run: (input, output) =>
      open(input, output, async ({ realm, records, config, provider }) => {
        const [{ RUNS }, { openAuditStore }, { DEFAULT_SETTINGS }] = await loaded()
        const { keep_days } = config.audit ?? DEFAULT_SETTINGS
        const place = { realm: realm.id, store: openAuditStore({ records }), keep_days, provider, errors }
        return RUNS[command.name](place, input, output)
      }),
  }))

const loaded = () => Promise.all([import('./runs.js'), import('./open.js'), import('./settings.js')])
