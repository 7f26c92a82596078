import { resolve } from 'node:path'
import { importRealm, type NamedCount, type RealmImport } from '../../management/move-realm.js'
import { RealmFileError } from '../../management/realm-file.js'
import { given } from '../../values/given.js'
import { type Command, EXIT, failure } from '../command.js'
import { printable, table } from '../output.js'
import { linesTo, realmFailure } from '../workspace.js'

export const importCommand: Command = {
  name: 'import',
  effect: 'changes',
  summary: 'Store the records of an exported realm: all of them, or none',
  about: [
    'Every line is checked first, by the rules of a client or a user that is created here. The same record is skipped. If another one has its id, nothing is stored, and all are listed.',
    'OIDC_SECRET or OIDC_SECRET_PREVIOUS must be the secret that encrypted the signing keys and authenticator apps of the file; OIDC_SECRET encrypts them then. Without secrets in the file, give confidential clients and users new ones with `client rotate-secret` and `user set-password`.',
  ],
  args: ['file'],
  options: {
    realm: { value: 'id', help: 'The realm that gets the records (default: the one of the file)' },
    plan: { help: 'Only say what would be stored, and what conflicts' },
  },
  examples: [
    ['ostiary import realm.jsonl --plan', 'Show what would happen'],
    ['ostiary import realm.jsonl', 'Store the records'],
  ],
  async run(input, context) {
    const { env, cwd } = context
    const result = await fileFailure(
      realmFailure(
        importRealm(env, {
          cwd,
          file: resolve(cwd, input.args[0] ?? ''),
          plan_only: input.flag('plan'),
          write: linesTo(context),
          ...given({ realm: input.text('realm') }),
        }),
      ),
    )
    const refused = result.conflicts.length > 0
    return {
      text: [countsText(result), ...conflictLines(result), outcome(result, input.flag('plan'))].join('\n'),
      json: { ...result, plan_only: input.flag('plan') },
      code: refused ? EXIT.failed : EXIT.done,
      event: result.done ? { realm: result.realm, count: addedOf(result) } : null,
      ...noteOf(result),
    }
  },
}

function countsText({ counts }: RealmImport): string {
  const rows = Object.entries(counts)
    .filter(([, { added, identical, conflicts }]) => added + identical + conflicts > 0)
    .map(([kind, { added, identical, conflicts }]) => [kind, `${added}`, `${identical}`, `${conflicts}`])
  return table(['KIND', 'NEW', 'IDENTICAL', 'IN CONFLICT'], rows)
}

const addedOf = ({ counts }: RealmImport): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).map(([kind, { added }]) => [kind, added]))

const conflictLines = ({ conflicts }: RealmImport): string[] =>
  conflicts.map(({ kind, id, reason }) => `conflict: ${kind} ${printable(id)}: ${reason}`)

function outcome({ counts, conflicts, realm, done }: RealmImport, plan_only: boolean): string {
  const total = Object.values(counts).reduce((sum, kind) => sum + kind.conflicts, 0)
  if (total > 0) {
    const shown = total > conflicts.length ? `, of which the first ${conflicts.length} are listed` : ''
    return `Nothing is stored: ${total} record${total === 1 ? ' is' : 's are'} in conflict${shown}`
  }
  if (Object.values(counts).every(({ added }) => added === 0))
    return `Nothing to do: the realm ${realm} has every record of the file`
  if (done) return `The records are stored in the realm ${realm}`
  return plan_only ? 'Nothing is stored: this is the plan' : 'Nothing is stored'
}

function noteOf({ without_secret: { clients, users } }: RealmImport): { note?: string } {
  const lines = [
    ...listed('confidential clients without their secrets', clients, 'client rotate-secret'),
    ...listed('users without their passwords', users, 'user set-password'),
  ]
  return lines.length === 0 ? {} : { note: lines.join('\n') }
}

function listed(what: string, { count, first }: NamedCount, command: string): string[] {
  if (count === 0) return []
  const more = count > first.length ? `, and ${count - first.length} more` : ''
  return [`New ${what}: ${printable(first.join(', '))}${more}. \`${command}\` gives new ones.`]
}

/** The file is not there, or has faults. */
export async function fileFailure<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof RealmFileError) throw failure(printableLines(error.message))
    const { code, syscall, path } = error as NodeJS.ErrnoException
    // Reading a folder fails without a path.
    if (code === 'EISDIR') throw failure('It is a folder: name a file (EISDIR)')
    if (path !== undefined && (syscall === 'open' || syscall === 'read'))
      throw failure(`${path} cannot be read (${code})`)
    throw error
  }
}

const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')
