import type { NewClient } from '@ostiary/core'
import type { Command, CommandInput } from '../command.js'
import { CommandError } from '../command.js'
import { inRealm } from '../workspace.js'
import { clientJson, clientText } from './client-text.js'

const METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const
const GRANTS = {
  authorization_code: 'authorization_code',
  refresh_token: 'refresh_token',
  client_credentials: 'client_credentials',
  token_exchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
} as const

export const create: Command = {
  name: 'client create',
  summary: 'Make a client',
  about: [
    'The rules are those of a client in the configuration. A confidential client gets a secret, which is printed this one time: only its hash is stored. Where the configuration names a client, change it there, not here.',
  ],
  options: {
    id: { value: 'client_id', help: 'Its client_id (default: a random one)' },
    name: { value: 'text', help: 'What people see (default: the client_id)' },
    'redirect-uri': { value: 'uri', many: true, help: 'Where codes may be sent; compared exactly' },
    'post-logout-redirect-uri': { value: 'uri', many: true, help: 'Where people may go after signing out' },
    confidential: { help: 'It can keep a secret, and gets one (default: it is public)' },
    'auth-method': {
      value: 'method',
      choices: METHODS,
      help: `${METHODS.join(', ')} (default: client_secret_post with a secret)`,
    },
    grant: {
      value: 'grant',
      choices: Object.keys(GRANTS),
      many: true,
      help: `${Object.keys(GRANTS).join(', ')} (default: the first two)`,
    },
    'default-scope': { value: 'scope', many: true, help: 'Every request has it' },
    'optional-scope': {
      value: 'scope',
      many: true,
      help: 'A request may name it (default: as the realm says)',
    },
    'exchange-audience': { value: 'uri', many: true, help: 'It may ask for it in a token exchange' },
    'backchannel-logout-uri': { value: 'uri', help: 'Where it is told that a session has ended; https' },
    'backchannel-logout-session': { help: 'Its logout tokens must name the session' },
    'no-consent': { help: 'People are never asked, and no consent is stored' },
    trusted: { help: 'First-party: people are never asked, not even for prompt=consent' },
  },
  of_realm: true,
  examples: [
    [
      'ostiary client create --id notes --name Notes --redirect-uri https://notes.example.com/callback',
      'An application in the browser or on a phone, without a secret',
    ],
    [
      'ostiary client create --id worker --confidential --grant client_credentials --json',
      'A service that acts for itself; its secret is in the JSON',
    ],
  ],
  run: (input, context) => {
    const wanted = newClient(input)
    return inRealm(input, context, async ({ management, entries }) => {
      const { client_id } = wanted
      if (entries.users.some(({ user }) => user.sub !== undefined && user.sub === client_id))
        throw new CommandError(`client_id: ${client_id} is the sub of a configured user; take another one`)
      const { client, client_secret } = await management.clients.create(wanted)
      const secret = client_secret === null ? {} : { client_secret }
      return {
        text: clientText(client, client_secret),
        json: { ...clientJson(client), ...secret },
        ...(client_secret !== null && { note: 'Keep the secret now: it cannot be shown again.' }),
      }
    })
  },
}

function newClient(input: CommandInput): NewClient {
  const method = input.text('auth-method') as (typeof METHODS)[number] | undefined
  const grants = input.list('grant') as (keyof typeof GRANTS)[]
  const text = (option: string, key: string) => {
    const value = input.text(option)
    return value === undefined ? {} : { [key]: value }
  }
  const some = (option: string, key: string) => {
    const values = [...input.list(option)]
    return values.length === 0 ? {} : { [key]: values }
  }
  return {
    ...text('id', 'client_id'),
    ...text('name', 'client_name'),
    ...some('redirect-uri', 'redirect_uris'),
    ...some('post-logout-redirect-uri', 'post_logout_redirect_uris'),
    ...(input.flag('confidential') && { confidential: true }),
    ...(method !== undefined && { token_endpoint_auth_method: method }),
    ...(grants.length > 0 && { grant_types: grants.map((grant) => GRANTS[grant]) }),
    ...some('default-scope', 'default_scopes'),
    ...some('optional-scope', 'optional_scopes'),
    ...some('exchange-audience', 'allowed_exchange_audiences'),
    ...text('backchannel-logout-uri', 'backchannel_logout_uri'),
    backchannel_logout_session_required: input.flag('backchannel-logout-session'),
    consent_required: !input.flag('no-consent'),
    trusted: input.flag('trusted'),
  }
}
