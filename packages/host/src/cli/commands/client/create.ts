import type { NewClient } from '@ostiary/core'
import { given } from '../../../values/given.js'
import type { Command, CommandInput } from '../../command.js'
import { failure } from '../../command.js'
import { inRealm } from '../../workspace.js'
import {
  AUTH_METHOD_OPTION,
  type AuthMethod,
  NEW_FIELD_OPTIONS,
  newFields,
  PKCE_OPTIONS,
  requirePkce,
} from './fields.js'
import { KEY_OPTIONS, keyFields } from './keys.js'
import { clientJson, clientText, notesOf, pkceNote, secretNote } from './text.js'

export const create: Command = {
  name: 'client create',
  effect: 'changes',
  summary: 'Create a client',
  about: [
    'A confidential client gets a secret, which is printed once: only its hash is stored. A client of the configuration is changed there.',
    'A client with a secret is registered for client_secret_post alone. Libraries that send client_secret_basic, among them the machine clients of the MCP SDK, need --auth-method client_secret_basic, or client_secret for both.',
    'A client with --jwks-uri or --jwks-file has no secret: it signs assertions with its private key (private_key_jwt, needs oidc.clients.private_key_jwt).',
  ],
  options: {
    id: { value: 'client_id', help: 'The client_id (default: a random one)' },
    ...NEW_FIELD_OPTIONS,
    confidential: { help: 'The client gets a secret (default: it is public)' },
    'auth-method': AUTH_METHOD_OPTION,
    ...KEY_OPTIONS,
    ...PKCE_OPTIONS,
  },
  of_realm: true,
  remote: true,
  examples: [
    [
      'ostiary client create --id notes --name Notes --redirect-uri https://notes.example.com/callback',
      'A browser or mobile application, without a secret',
    ],
    [
      'ostiary client create --id worker --confidential --grant client_credentials --json',
      'A service without users; the JSON contains its secret',
    ],
    [
      'ostiary client create --id signer --jwks-file signer-keys.json --grant client_credentials',
      'A service that authenticates with its private key',
    ],
  ],
  run: async (input, context) => {
    const metadata = { ...newClient(input), ...(await keyFields(input, context)) }
    return inRealm(input, context, async ({ management, entries }) => {
      const { client_id } = metadata
      if (entries.users.some(({ user }) => user.sub !== undefined && user.sub === client_id))
        throw failure(`client_id: ${client_id} is the sub of a configured user; take another one`)
      const { client, client_secret } = await management.clients.create(metadata)
      const secret = client_secret === null ? {} : { client_secret }
      return {
        text: clientText(client, client_secret),
        json: { ...clientJson(client), ...secret },
        event: { subject: { client_id: client.client_id } },
        ...notesOf(client_secret === null ? [] : [secretNote(client) + pkceNote(client)], client),
      }
    })
  },
}

/** The registration of a client is explicit here: a client without a named method would be registered for both. */
function authentication(input: CommandInput): Partial<NewClient> {
  const method = input.text('auth-method') as AuthMethod | undefined
  if (method === 'client_secret') return { confidential: true }
  const confidential = input.flag('confidential')
  const token_endpoint_auth_method = method ?? (confidential ? 'client_secret_post' : undefined)
  return { ...(confidential && { confidential }), ...given({ token_endpoint_auth_method }) }
}

function newClient(input: CommandInput): NewClient {
  const named = given({ client_id: input.text('id'), require_pkce: requirePkce(input) })
  return { ...named, ...newFields(input), ...authentication(input) }
}
