import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { UserImport, UserLinesError } from '@ostiary/password-hashes/users'
import { importUserFile } from '../../management/import-users.js'
import { given } from '../../values/given.js'
import { type Command, type CommandContext, EXIT, failure } from '../command.js'
import { printable, record } from '../output.js'
import { linesTo, realmFailure } from '../workspace.js'
import { fileFailure } from './import.js'

export const userImport: Command = {
  name: 'user import',
  effect: 'changes',
  summary: 'Store the users of another system, with their password hashes',
  about: [
    'One JSON object a line: username, and what else is known of the user, such as sub, claims, groups, password_hash and totp. docs/move-your-users.md lists the keys, the hashes that are verified, and how to get such a file from other systems. `-` reads standard input.',
    'Every line is checked first; when none is bad, every user is compared with the stored and the configured ones. With a fault nothing is stored, and all of them are listed. After an interruption, run it again.',
    'A stored user who differs is refused, or gets what the line has with --update; what the line does not have stays. Three things are never set back: a password that was set here or renewed by a sign-in, a user who was disabled here, and an authenticator app of a user who has changed anything here.',
  ],
  args: ['file'],
  options: {
    'dry-run': { help: 'Only say what would be stored, and who is refused' },
    update: { help: 'Change stored users who differ' },
  },
  of_realm: true,
  examples: [
    ['ostiary user import users.jsonl --dry-run', 'Check the file, and compare it with the stored users'],
    ['ostiary user import users.jsonl', 'Store the users'],
    [
      'gunzip --stdout users.jsonl.gz | ostiary user import - --update',
      'Bring them up to date before the move',
    ],
  ],
  async run(input, context) {
    const [name = ''] = input.args
    const dry_run = input.flag('dry-run')
    const report = await withFile(name, context, (file) =>
      lineFailure(
        name === '-' ? 'standard input' : name,
        realmFailure(
          importUserFile(context.env, {
            cwd: context.cwd,
            write: linesTo(context),
            file,
            dry_run,
            update: input.flag('update'),
            ...given({ realm: input.text('realm') }),
          }),
        ),
      ),
    )
    const { created, updated, refused, done } = report
    return {
      text: [...counts(report), ...refusals(report), outcome(report, dry_run)].join('\n'),
      json: { ...report, dry_run },
      code: refused > 0 ? EXIT.failed : EXIT.done,
      event: done && created + updated > 0 ? { realm: report.realm, count: { created, updated } } : null,
    }
  },
}

type Report = UserImport & { realm: string }

const counts = ({ created, updated, identical, refused }: Report): string[] => [
  record(
    Object.entries({ created, updated, identical, refused }).map(([name, count]) => [name, String(count)]),
  ),
]

const refusals = ({ refused, first_refused }: Report): string[] => {
  const more = refused - first_refused.length
  return [
    ...first_refused.map(
      ({ line, username, reason }) => `line ${line}: ${printable(`${username}: ${reason}`)}`,
    ),
    ...(more > 0 ? [`${more} more users are refused`] : []),
  ]
}

function outcome({ refused, done, realm }: Report, dry_run: boolean): string {
  if (done) return refused > 0 ? 'The other users are stored' : `The users are stored in the realm ${realm}`
  if (refused > 0) return 'Nothing is stored'
  return dry_run ? 'Nothing is stored: this is what would be done' : 'Nothing is stored'
}

/** A file of the command line, or a copy of standard input, since it is read three times. */
async function withFile<T>(
  name: string,
  { cwd, stdinBytes }: CommandContext,
  run: (file: string) => Promise<T>,
): Promise<T> {
  if (name !== '-') return run(resolve(cwd, name))
  const folder = await mkdtemp(join(tmpdir(), 'ostiary-users-'))
  try {
    const path = join(folder, 'users.jsonl')
    await pipeline(Readable.from(stdinBytes()), createWriteStream(path, { mode: 0o600 }))
    return await run(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function lineFailure<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await fileFailure(work)
  } catch (error) {
    if (!isLinesError(error)) throw error
    const more = error.count - error.faults.length
    const lines = error.faults.map(({ line, fault }) => printable(`${name}, line ${line}: ${fault}`))
    throw failure([...lines, ...(more > 0 ? [`${more} more lines have faults`] : [])].join('\n'))
  }
}

/** By its name: the package is loaded where it is used. */
const isLinesError = (error: unknown): error is UserLinesError =>
  error instanceof Error && error.name === 'UserLinesError'
