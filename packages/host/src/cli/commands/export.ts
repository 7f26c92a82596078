import { open, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { DEFAULT_REALM } from '../../config/entries.js'
import { exportRealm, type RealmExport } from '../../management/move-realm.js'
import { type Command, type CommandContext, type CommandInput, failure, usageError } from '../command.js'
import { countTable } from '../output.js'
import { linesTo, realmFailure } from '../workspace.js'

const SECRETS_NOTE =
  'It has the hashes of client secrets and passwords, and the signing keys and authenticator apps, encrypted with OIDC_SECRET: keep it like the database.'
const NO_SECRETS_NOTE =
  'It has the names and claims of the users, and neither secrets nor passwords nor signing keys nor authenticator apps; --with-secrets adds them.'

function noteOf(with_secrets: boolean, { factors_left_out: count }: RealmExport): string {
  if (with_secrets) return SECRETS_NOTE
  if (count === 0) return NO_SECRETS_NOTE
  return `${NO_SECRETS_NOTE} ${count} authenticator app${count === 1 ? ' is' : 's are'} left out.`
}

export const exportCommand: Command = {
  name: 'export',
  effect: 'exports',
  summary: 'Write the clients, users, factors, links, consents and keys of a realm as JSON lines',
  about: [
    'For another server, or another realm of this one: `import` reads the file. It is of one moment; servers may run. Sessions, grants and tokens are not in it; `move` takes them from the embedded database to PostgreSQL.',
  ],
  options: {
    'with-secrets': {
      help: 'With the hashes of client secrets and passwords, and the encrypted signing keys and authenticator apps',
    },
    output: {
      value: 'file',
      help: 'A new file, which only you may read (default: standard output)',
    },
    force: { help: 'Replace the file if it exists' },
  },
  of_realm: true,
  examples: [
    ['ostiary export --with-secrets --output realm.jsonl', 'Everything that another server needs'],
    ['ostiary export --realm acme', 'To standard output, without secrets'],
  ],
  async run(input, context) {
    const output = input.text('output')
    if (output === undefined && input.flag('force')) throw usageError('--force: name a file with --output')
    const with_secrets = input.flag('with-secrets')
    if (output === undefined) {
      const done = await exportTo(input, context, context.out)
      const event = { with_secrets, count: done.counts }
      return { text: '', json: undefined, note: noteOf(with_secrets, done), event }
    }
    const file = resolve(context.cwd, output)
    const done = await intoFile(file, input.flag('force'), (out) => exportTo(input, context, out))
    const { counts, factors_left_out } = done
    return {
      text: countTable(['KIND', 'RECORDS'], counts),
      json: { file, with_secrets, records: counts, factors_left_out },
      event: { with_secrets, count: counts },
      note: `${file} is written. ${noteOf(with_secrets, done)}`,
    }
  },
}

type Out = (text: string) => Promise<void> | void

function exportTo(input: CommandInput, context: CommandContext, out: Out): Promise<RealmExport> {
  return realmFailure(
    exportRealm(context.env, {
      cwd: context.cwd,
      realm: input.text('realm') ?? DEFAULT_REALM,
      with_secrets: input.flag('with-secrets'),
      write: linesTo(context),
      out,
    }),
  )
}

/** Writes beside the file, and renames when everything is written: the file is complete or absent. */
async function intoFile<T>(file: string, replace: boolean, write: (out: Out) => Promise<T>): Promise<T> {
  // Takes the name, and fails if the file exists.
  if (!replace) await (await create(file)).close()
  const part = `${file}.${process.pid}.part`
  try {
    const handle = await create(part)
    try {
      const result = await write(async (text) => {
        await handle.writeFile(text)
      })
      await handle.sync()
      await rename(part, file)
      return result
    } catch (error) {
      await rm(part, { force: true })
      throw error
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (!replace) await rm(file, { force: true })
    throw error
  }
}

async function create(file: string) {
  try {
    return await open(file, 'wx', 0o600)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw failure(`${file} exists already: name another file, or replace it with --force`)
    throw failure(`${file} cannot be written (${code})`)
  }
}
