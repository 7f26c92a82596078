import type { Client, ClientChanges } from '@ostiary/core'
import { given } from '../../../values/given.js'
import { type Command, type CommandInput, failure, usageError } from '../../command.js'
import { changeLine } from '../../output.js'
import { inRealm } from '../../workspace.js'
import {
  AUTH_METHOD_OPTION,
  type AuthMethod,
  CHANGED_FIELD_OPTIONS,
  changedFields,
  fieldOf,
  PKCE_OPTIONS,
  requirePkce,
  UNSETTABLE,
} from './fields.js'
import { KEY_OPTIONS, keyFields } from './keys.js'
import { changedClient, clientJson, clientText, noClient, notesOf, secretNote } from './text.js'

const EXTENSIBLE = ['redirect-uri', 'post-logout-redirect-uri'] as const

export const update: Command = {
  name: 'client update',
  effect: 'changes',
  summary: 'Change a client',
  about: [
    'Only the named fields change. Servers use the new record within 5 seconds. Tokens stay valid.',
    'A client of the configuration is changed there. A revoked client cannot change.',
  ],
  args: ['client_id'],
  options: {
    ...CHANGED_FIELD_OPTIONS,
    'add-redirect-uri': { value: 'uri', many: true, help: 'One more redirect_uri' },
    'remove-redirect-uri': { value: 'uri', many: true, help: 'A redirect_uri to remove' },
    'add-post-logout-redirect-uri': { value: 'uri', many: true, help: 'One more post_logout_redirect_uri' },
    'remove-post-logout-redirect-uri': {
      value: 'uri',
      many: true,
      help: 'A post_logout_redirect_uri to remove',
    },
    'auth-method': {
      ...AUTH_METHOD_OPTION,
      help: 'none makes the client public and drops its secret or its keys; a secret method gives it a secret if it has none; private_key_jwt needs keys',
    },
    ...KEY_OPTIONS,
    ...PKCE_OPTIONS,
    unset: { value: 'option', choices: UNSETTABLE, many: true, help: 'Set this field to its default' },
  },
  of_realm: true,
  remote: true,
  examples: [
    [
      'ostiary client update notes --add-redirect-uri https://notes.example.com/callback2',
      'One more redirect URI for notes',
    ],
    [
      'ostiary client update notes --name "Notes" --access-token-lifetime 300',
      'A new name, and shorter tokens',
    ],
    [
      'ostiary client update signer --jwks-uri https://signer.example.com/jwks.json',
      'Keys instead of a secret, or other keys',
    ],
    [
      'ostiary client update notes --unset access-token-lifetime --trusted true',
      'The default again, and no consent',
    ],
  ],
  run: async (input, context) => {
    const keys = await keyFields(input, context)
    const fixed = { ...fixedChanges(input, Object.keys(keys)), ...keys }
    return inRealm(input, context, async (workspace) => {
      const client_id = changedClient(workspace, input, 'change it')
      const changesOf = (stored: Client) => ({ ...fixed, ...listChanges(input, stored) })
      const updated = await workspace.management.clients.update(client_id, changesOf)
      if (updated === null) throw noClient(client_id)
      const { client, client_secret, changed } = updated
      const secret = client_secret === null ? {} : { client_secret }
      return {
        text: `${clientText(client, client_secret)}\n${changeLine(changed)}`,
        json: { ...clientJson(client), ...secret, changed },
        event: changed.length === 0 ? null : { subject: { client_id }, fields: changed },
        ...notesOf(client_secret === null ? [] : [secretNote(client)], {
          redirect_uris: changed.includes('redirect_uris') ? client.redirect_uris : [],
        }),
      }
    })
  },
}

/** The changes that do not depend on the stored client, without those of its keys. */
function fixedChanges(input: CommandInput, key_fields: readonly string[]): ClientChanges {
  const named: Record<string, unknown> = {
    ...changedFields(input),
    ...given({ require_pkce: requirePkce(input) }),
    ...methodChange(input.text('auth-method') as AuthMethod | undefined),
  }
  for (const option of input.list('unset')) {
    if (fieldOf(option) in named) throw usageError(`give --${option} or --unset ${option}, not both`)
    named[fieldOf(option)] = null
  }
  const extensions = EXTENSIBLE.filter((option) => extensionOf(input, option) !== null)
  for (const option of extensions)
    if (fieldOf(option) in named)
      throw usageError(`give --${option}, or --add-${option} and --remove-${option}`)
  if (Object.keys(named).length + extensions.length + key_fields.length === 0)
    throw usageError('name a field to change; --help shows all of them')
  return named
}

function methodChange(method: AuthMethod | undefined): ClientChanges {
  if (method === undefined) return {}
  // Both methods: the default of a confidential client.
  if (method === 'client_secret') return { confidential: true, token_endpoint_auth_method: null }
  return { token_endpoint_auth_method: method }
}

type Extensible = (typeof EXTENSIBLE)[number]

/** What is added to a list and removed from it, or null. */
function extensionOf(
  input: CommandInput,
  option: Extensible,
): { added: readonly string[]; removed: readonly string[] } | null {
  const added = input.list(`add-${option}`)
  const removed = input.list(`remove-${option}`)
  return added.length + removed.length === 0 ? null : { added, removed }
}

/** The changed lists of URIs. @throws CommandError for a URI to remove that the client does not have. */
function listChanges(input: CommandInput, stored: Client): ClientChanges {
  const lists = {
    'redirect-uri': stored.redirect_uris,
    'post-logout-redirect-uri': stored.post_logout_redirect_uris,
  }
  const changed = EXTENSIBLE.flatMap((option) => {
    const extension = extensionOf(input, option)
    if (extension === null) return []
    const list = lists[option]
    const missing = extension.removed.find((uri) => !list.includes(uri))
    if (missing !== undefined)
      throw failure(`--remove-${option}: ${stored.client_id} does not have ${JSON.stringify(missing)}`)
    const kept = list.filter((uri) => !extension.removed.includes(uri))
    return [[fieldOf(option), [...new Set([...kept, ...extension.added])]]]
  })
  return Object.fromEntries(changed)
}
