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
  summary: 'Create a client',
  about: [
    'The rules are those of a client in the configuration. A confidential client gets a secret, which is printed once: only its hash is stored. Change a client that the configuration names there, not here.',
  ],
  options: {
    id: { value: 'client_id', help: 'The client_id (default: a random one)' },
    name: { value: 'text', help: 'The name that users see (default: the client_id)' },
    'redirect-uri': { value: 'uri', many: true, help: 'A redirect_uri, compared exactly' },
    'post-logout-redirect-uri': { value: 'uri', many: true, help: 'A post_logout_redirect_uri' },
    confidential: { help: 'The client gets a secret (default: it is public)' },
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
    'backchannel-logout-uri': { value: 'uri', help: 'Receives a logout token when a session ends; https' },
    'backchannel-logout-session': { help: 'Its logout tokens must contain the sid' },
    'no-consent': { help: 'Users are not asked for consent, and none is stored' },
    trusted: { help: 'First-party: users are not asked for consent, even with prompt=consent' },
  },
  of_realm: true,
  examples: [
    [
      'ostiary client create --id notes --name Notes --redirect-uri https://notes.example.com/callback',
      'A browser or mobile application, without a secret',
    ],
    [
      'ostiary client create --id worker --confidential --grant client_credentials --json',
      'A service without users; the JSON contains its secret',
    ],
  ],
  run: (input, context) => {
    const metadata = newClient(input)
    return inRealm(input, context, async ({ management, entries }) => {
      const { client_id } = metadata
      if (entries.users.some(({ user }) => user.sub !== undefined && user.sub === client_id))
        throw new CommandError(`client_id: ${client_id} is the sub of a configured user; take another one`)
      const { client, client_secret } = await management.clients.create(metadata)
      const secret = client_secret === null ? {} : { client_secret }
      return {
        text: clientText(client, client_secret),
        json: { ...clientJson(client), ...secret },
        ...(client_secret !== null && { note: 'Store the secret now: it cannot be shown again.' }),
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
