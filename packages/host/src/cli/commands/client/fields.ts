/** The options of `client create` and `client update` that name fields of the client: they follow from core's table. */

import { type ClientInput, clientFields, clientInput, type NewClient } from '@ostiary/core'
import { type CommandInput, type CommandOption, usageError } from '../../command.js'

/** `client_secret` is both: the client chooses for each request. */
const METHODS = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'client_secret',
  'private_key_jwt',
] as const
export type AuthMethod = (typeof METHODS)[number]

type Options = Readonly<Record<string, CommandOption>>
type Kind = (typeof clientFields)[keyof ClientInput]['stored']

/** A field of the table that an option names. */
interface FieldOption {
  field: keyof ClientInput
  option: string
  kind: Kind
  /** The name of the value in the help; a boolean has none. */
  value: string | undefined
  /** Of a boolean, for `client create`: the flag sets what is not the default. */
  flag: string
  flag_value: boolean
  help: string
}

const FIELD_OPTIONS: readonly FieldOption[] = Object.entries(clientInput.shape).flatMap(
  ([name, { description = '' }]): FieldOption[] => {
    const field = name as keyof ClientInput
    const { cli, stored, absent } = clientFields[field]
    if (cli === undefined) return []
    const { option = name.replaceAll('_', '-'), value, flag = option } = cli
    return [{ field, option, kind: stored, value, flag, flag_value: absent !== true, help: description }]
  },
)

/** The full name of each grant by its last part, as an option names it: `token_exchange`. */
const GRANTS = new Map(
  clientInput.shape.grant_types
    .unwrap()
    .element.options.map((type) => [type.slice(type.lastIndexOf(':') + 1).replaceAll('-', '_'), type]),
)

export const AUTH_METHOD_OPTION: CommandOption = {
  value: 'method',
  choices: METHODS,
  help: 'none, client_secret_basic, client_secret_post, client_secret (both secret methods), private_key_jwt (default: private_key_jwt with keys, client_secret_post with a secret, otherwise none)',
}

/** Of `client create`. */
export const NEW_FIELD_OPTIONS: Options = Object.fromEntries(
  FIELD_OPTIONS.map((of): [string, CommandOption] =>
    of.kind === 'boolean' ? [of.flag, { help: flagHelp(of.help) }] : [of.option, valueOption(of)],
  ),
)

/** Of `client update`. */
export const CHANGED_FIELD_OPTIONS: Options = Object.fromEntries(
  FIELD_OPTIONS.map((of): [string, CommandOption] => [
    of.option,
    of.kind === 'boolean' ? booleanOption(of.help) : changedOption(of),
  ]),
)

/** What `client update --unset` may name: a boolean is set to the other value instead, and a client needs its redirect URIs. */
export const UNSETTABLE: readonly string[] = [
  'auth-method',
  ...FIELD_OPTIONS.filter(({ kind, field }) => kind !== 'boolean' && field !== 'redirect_uris').map(
    ({ option }) => option,
  ),
]

function valueOption({ field, value, kind, help }: FieldOption): CommandOption {
  const option: CommandOption = { value: value ?? kind, help, ...(kind === 'list' && { many: true }) }
  if (field !== 'grant_types') return option
  const choices = [...GRANTS.keys()]
  return { ...option, choices, help: `${help}: ${choices.join(', ')} (default: the first two)` }
}

function changedOption(of: FieldOption): CommandOption {
  const option = valueOption(of)
  return of.kind === 'list'
    ? { ...option, help: `${option.help.split(' (default: ')[0]}; all of them are replaced` }
    : option
}

/** Without the value that the flag sets. */
function flagHelp(help: string): string {
  const text = help.replace(/^(?:true|false): /, '')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function booleanOption(help: string): CommandOption {
  return { value: 'boolean', choices: ['true', 'false'], help }
}

export const PKCE_OPTIONS: Options = {
  'require-pkce': booleanOption(
    'false: a client with a secret whose library cannot send a code_challenge may leave it out',
  ),
  'no-pkce': { help: 'The same as --require-pkce false' },
}

/** The value of `require_pkce` that the options give; undefined for none. */
export function requirePkce(input: CommandInput): boolean | undefined {
  const text = input.text('require-pkce')
  if (!input.flag('no-pkce')) return text === undefined ? undefined : text === 'true'
  if (text === 'true') throw usageError('give --no-pkce or --require-pkce true, not both')
  return false
}

/** The field that an option names. */
export const fieldOf = (option: string): keyof ClientInput =>
  option === 'auth-method'
    ? 'token_endpoint_auth_method'
    : (FIELD_OPTIONS.find((of) => of.option === option)?.field ?? (option as keyof ClientInput))

type Fields = Partial<Omit<NewClient, 'client_id'>>

/** The fields of a new client that the options give. */
export const newFields = (input: CommandInput): Fields =>
  givenFields(input, (of) => (input.flag(of.flag) ? of.flag_value : undefined))

/** The fields to change that the options give. */
export const changedFields = (input: CommandInput): Fields =>
  givenFields(input, ({ option }) => {
    const text = input.text(option)
    return text === undefined ? undefined : text === 'true'
  })

function givenFields(input: CommandInput, booleanOf: (of: FieldOption) => boolean | undefined): Fields {
  const values = FIELD_OPTIONS.map((of) => [of.field, givenValue(input, of, booleanOf)])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

function givenValue(
  input: CommandInput,
  of: FieldOption,
  booleanOf: (of: FieldOption) => boolean | undefined,
): unknown {
  if (of.kind === 'boolean') return booleanOf(of)
  if (of.kind === 'list') return listOf(input, of)
  return of.kind === 'seconds' ? secondsOf(input, of.option) : input.text(of.option)
}

function listOf(input: CommandInput, { option, field }: FieldOption): string[] | undefined {
  const values = [...input.list(option)]
  if (values.length === 0) return undefined
  return field === 'grant_types' ? values.map((name) => GRANTS.get(name) ?? name) : values
}

function secondsOf(input: CommandInput, option: string): number | undefined {
  const text = input.text(option)
  if (text === undefined) return undefined
  const allows_zero = option === 'refresh-token-grace' && text === '0'
  if (!allows_zero && !/^[1-9]\d{0,9}$/.test(text))
    throw usageError(`--${option}: give a number of seconds, 1 or more`)
  return Number(text)
}
