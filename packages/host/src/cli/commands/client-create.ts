import type { Client, NewClient } from '@ostiary/core'
import type { Command, CommandInput } from '../command.js'
import { CommandError } from '../command.js'
import { inRealm } from '../workspace.js'
import { clientJson, clientText } from './client-text.js'

/** `client_secret` is both: the client chooses for each request. */
const METHODS = ['none', 'client_secret_basic', 'client_secret_post', 'client_secret'] as const
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
      help: `${METHODS.join(', ')} (both secret methods; default: client_secret_post with a secret)`,
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
        ...(client_secret !== null && { note: secretNote(client) }),
      }
    })
  },
}

/** Most libraries send Basic unless they are configured otherwise. */
function secretNote({ token_endpoint_auth_method, token_endpoint_auth_methods }: Client): string {
  const store = 'Store the secret now: it cannot be shown again.'
  if (token_endpoint_auth_methods !== null)
    return `${store}\nThe client may use ${token_endpoint_auth_methods.join(' or ')}.`
  return `${store}\nConfigure the client for ${token_endpoint_auth_method}, the only method that it may use (--auth-method client_secret allows both).`
}

/** The registration of a client is explicit here: a client without a named method would be registered for both. */
function authentication(input: CommandInput): Partial<NewClient> {
  const method = input.text('auth-method') as (typeof METHODS)[number] | undefined
  if (method === 'client_secret') return { confidential: true }
  const confidential = input.flag('confidential')
  const chosen = method ?? (confidential ? 'client_secret_post' : undefined)
  return {
    ...(confidential && { confidential }),
    ...(chosen !== undefined && { token_endpoint_auth_method: chosen }),
  }
}

function newClient(input: CommandInput): NewClient {
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
    ...authentication(input),
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
