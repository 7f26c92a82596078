/** The options of `client create` and `client update` that give the public keys of a client. */

import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ClientInput } from '@ostiary/core'
import { parseJson } from '../../../config/json.js'
import {
  type CommandContext,
  type CommandInput,
  type CommandOption,
  failure,
  usageError,
} from '../../command.js'

type KeyFields = Pick<ClientInput, 'jwks' | 'jwks_uri'>

export const KEY_OPTIONS: Readonly<Record<string, CommandOption>> = {
  'jwks-uri': {
    value: 'url',
    help: 'Where the client publishes the public keys with which it authenticates (private_key_jwt); https',
  },
  'jwks-file': { value: 'path', help: 'A file with these keys, a JWK Set or one JWK, instead of an address' },
}

/** The fields that the options give. @throws CommandError for a file that cannot be read. */
export async function keyFields(input: CommandInput, { cwd }: CommandContext): Promise<KeyFields> {
  const jwks_uri = input.text('jwks-uri')
  const file = input.text('jwks-file')
  if (jwks_uri !== undefined && file !== undefined)
    throw usageError('give --jwks-uri or --jwks-file, not both')
  if (jwks_uri !== undefined) return { jwks_uri }
  return file === undefined ? {} : { jwks: await readKeys(resolve(cwd, file)) }
}

/** The rules for the keys themselves are core's. */
async function readKeys(path: string): Promise<NonNullable<KeyFields['jwks']>> {
  const text = await readFile(path, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw failure(`--jwks-file: ${path} cannot be read (${code})`)
  })
  const parsed = await parseJson(text)
  if ('fault' in parsed)
    throw failure(`--jwks-file: ${path}, line ${parsed.line}, column ${parsed.column}: ${parsed.fault}`)
  const { value } = parsed
  const is_one_key = typeof value === 'object' && value !== null && 'kty' in value
  return (is_one_key ? { keys: [value] } : value) as NonNullable<KeyFields['jwks']>
}
