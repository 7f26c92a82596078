/** The options of `client create` and `client update` that name fields of the client. */

import type { ClientInput, NewClient } from '@ostiary/core'
import { type CommandInput, type CommandOption, usageError } from '../command.js'

/** `client_secret` is both: the client chooses for each request. */
const METHODS = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'client_secret',
  'private_key_jwt',
] as const
export type AuthMethod = (typeof METHODS)[number]
const GRANTS = {
  authorization_code: 'authorization_code',
  refresh_token: 'refresh_token',
  client_credentials: 'client_credentials',
  token_exchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
} as const

type Options = Readonly<Record<string, CommandOption>>

export const NAME_OPTION: CommandOption = { value: 'text', help: 'The name that users see' }

export const AUTH_METHOD_OPTION: CommandOption = {
  value: 'method',
  choices: METHODS,
  help: 'none, client_secret_basic, client_secret_post, client_secret (both secret methods), private_key_jwt (default: private_key_jwt with keys, client_secret_post with a secret, otherwise none)',
}

export const LIST_OPTIONS: Options = {
  'redirect-uri': { value: 'uri', many: true, help: 'A redirect_uri, compared exactly' },
  'post-logout-redirect-uri': { value: 'uri', many: true, help: 'A post_logout_redirect_uri' },
  grant: {
    value: 'grant',
    choices: Object.keys(GRANTS),
    many: true,
    help: `${Object.keys(GRANTS).join(', ')} (default: the first two)`,
  },
  'default-scope': { value: 'scope', many: true, help: 'A scope of every request' },
  'optional-scope': {
    value: 'scope',
    many: true,
    help: 'A scope that a request may name (default: those of the realm)',
  },
  'exchange-audience': {
    value: 'uri',
    many: true,
    help: 'An audience that the client may request in a token exchange',
  },
}

export const TEXT_OPTIONS: Options = {
  'default-resource': {
    value: 'uri',
    help: 'The resource of a request that names none: a key of oidc.resources, or its URI',
  },
  'backchannel-logout-uri': { value: 'uri', help: 'Receives a logout token when a session ends; https' },
  'auth-signing-alg': { value: 'alg', help: 'The only algorithm of its assertions (private_key_jwt)' },
  'id-token-signed-response-alg': {
    value: 'alg',
    help: 'The algorithm of its ID tokens, one of oidc.keys.algorithms (default: that of the realm)',
  },
  'logo-uri': { value: 'uri', help: 'Its logo, for the pages; https' },
  'client-uri': { value: 'uri', help: 'Its home page; https' },
  'policy-uri': { value: 'uri', help: 'Its privacy policy; https' },
  'tos-uri': { value: 'uri', help: 'Its terms of service; https' },
}

export const booleanOption = (help: string): CommandOption => ({
  value: 'boolean',
  choices: ['true', 'false'],
  help,
})

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

export const LIFETIME_OPTIONS: Options = {
  'access-token-lifetime': { value: 'seconds', help: 'Of its access tokens (default: oidc.tokens)' },
  'refresh-token-lifetime': { value: 'seconds', help: 'Of its refresh tokens (default: oidc.tokens)' },
  'refresh-token-grace': {
    value: 'seconds',
    help: 'In which a spent refresh token gets the same new one, 0 to 60 (default: oidc.tokens)',
  },
}

/** The field of each option whose name is another one. */
const FIELD_NAMES = {
  name: 'client_name',
  'redirect-uri': 'redirect_uris',
  'post-logout-redirect-uri': 'post_logout_redirect_uris',
  grant: 'grant_types',
  'default-scope': 'default_scopes',
  'optional-scope': 'optional_scopes',
  'exchange-audience': 'allowed_exchange_audiences',
  'auth-method': 'token_endpoint_auth_method',
  'auth-signing-alg': 'token_endpoint_auth_signing_alg',
} as const satisfies Record<string, keyof ClientInput>

/** `logo-uri` is `logo_uri`. */
export const fieldOf = (option: string): keyof ClientInput =>
  new Map<string, keyof ClientInput>(Object.entries(FIELD_NAMES)).get(option) ??
  (option.replaceAll('-', '_') as keyof ClientInput)

/** The fields that the options of the three tables and --name give, by their names in the record. */
export function namedFields(input: CommandInput): Partial<Omit<NewClient, 'client_id'>> {
  const texts = ['name', ...Object.keys(TEXT_OPTIONS)].map((option) => [option, input.text(option)])
  const lists = Object.keys(LIST_OPTIONS).map((option) => [option, listOf(input, option)])
  const numbers = Object.keys(LIFETIME_OPTIONS).map((option) => [option, seconds(input, option)])
  const named = [...texts, ...lists, ...numbers].filter(([, value]) => value !== undefined)
  return Object.fromEntries(named.map(([option, value]) => [fieldOf(String(option)), value]))
}

function listOf(input: CommandInput, option: string): string[] | undefined {
  const values = [...input.list(option)]
  if (values.length === 0) return undefined
  return option === 'grant' ? values.map((grant) => GRANTS[grant as keyof typeof GRANTS]) : values
}

function seconds(input: CommandInput, option: string): number | undefined {
  const text = input.text(option)
  if (text === undefined) return undefined
  const allows_zero = option === 'refresh-token-grace' && text === '0'
  if (!allows_zero && !/^[1-9]\d{0,9}$/.test(text))
    throw usageError(`--${option}: give a number of seconds, 1 or more`)
  return Number(text)
}
