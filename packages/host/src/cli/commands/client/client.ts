import type { Command } from '../../command.js'
import { confirm, YES_OPTION } from '../../confirm.js'
import { printable, record, table } from '../../output.js'
import { nextPageNote, ofRealm, PAGE_OPTIONS, SEARCH_OPTION, searched } from '../../workspace.js'
import { create } from './create.js'
import { deleteCommand } from './delete.js'
import { clientDocumentCommands } from './documents.js'
import { changedClient, clientJson, clientText, findClient, noClient, STORE_NOTE, stateOf } from './text.js'
import { update } from './update.js'

const list: Command = {
  name: 'client list',
  effect: 'reads',
  summary: 'List the clients',
  about: [
    'Sorted by client_id. A client of the configuration is stored when the server first starts with it.',
  ],
  options: { ...PAGE_OPTIONS, ...SEARCH_OPTION },
  examples: [
    ['ostiary client list', 'The first 50'],
    ['ostiary client list --search notes', 'Clients with "notes" in their client_id or name, in any case'],
    ['ostiary client list --after notes', 'Those after the client notes'],
  ],
  ...ofRealm(async ({ management }, input) => {
    const { items, next } = await searched(input, {
      list: management.clients.list,
      idOf: ({ client_id }) => client_id,
      textsOf: ({ client_id, client_name }) => [client_id, client_name],
    })
    const rows = items.map((client) => {
      const { client_id, client_name, token_endpoint_auth_method, origin } = client
      const by = origin === 'registered' ? 'itself' : 'operator'
      return [client_id, printable(client_name), token_endpoint_auth_method, by, stateOf(client)]
    })
    const text = table(['CLIENT_ID', 'NAME', 'METHOD', 'CREATED BY', 'STATE'], rows)
    return { text, json: { clients: items.map(clientJson), next }, ...nextPageNote(next) }
  }),
}

const show: Command = {
  name: 'client show',
  effect: 'reads',
  summary: 'Show one client',
  args: ['client_id'],
  examples: [['ostiary client show notes', 'All fields of notes but its secret']],
  ...ofRealm(async (workspace, input) => {
    const client = await findClient(workspace, input.args[0] ?? '')
    return { text: clientText(client), json: clientJson(client) }
  }),
}

const revoke: Command = {
  name: 'client revoke',
  effect: 'changes',
  summary: 'Revoke a client permanently',
  about: [
    'Every endpoint refuses the client: no sign-in starts, and its refresh tokens and own access tokens (client_credentials) are invalid. Its access tokens for users are valid until they expire, at most oidc.tokens.access_token (15 minutes). Consents stay. A client of the configuration stays revoked at the next start.',
  ],
  args: ['client_id'],
  options: YES_OPTION,
  examples: [
    ['ostiary client revoke notes', 'Asks, then refuses notes from now on'],
    ['ostiary client revoke notes --yes', 'In a script, without a question'],
  ],
  ...ofRealm(async (workspace, input, context) => {
    const [client_id = ''] = input.args
    const known = await findClient(workspace, client_id)
    const effects = [
      `The client ${client_id} (${printable(known.client_name)}) will be revoked for good: every server refuses it.`,
    ]
    if (known.revoked_at === null) await confirm(input, context, { effects })
    const revoked = await workspace.management.clients.revoke(client_id)
    const { revoked_at } = await findClient(workspace, client_id)
    const text = revoked ? `${client_id} is revoked` : `${client_id} was revoked already`
    const event = revoked ? { subject: { client_id } } : null
    return { text, json: { client_id, revoked_at, changed: revoked }, event }
  }),
}

const rotateSecret: Command = {
  name: 'client rotate-secret',
  effect: 'changes',
  summary: 'Give a confidential client a new secret',
  about: [
    'The secret is generated and printed once. The old one is refused at once, so change the client at the same time. Its tokens stay valid.',
  ],
  args: ['client_id'],
  options: YES_OPTION,
  examples: [['ostiary client rotate-secret worker', 'Asks, then gives worker a new secret']],
  ...ofRealm(async (workspace, input, context) => {
    const client_id = changedClient(workspace, input, 'change its secret')
    await findClient(workspace, client_id)
    const effects = [`The secret of ${client_id} will be replaced: the old one is refused from now on.`]
    await confirm(input, context, { effects })
    const rotated = await workspace.management.clients.rotateSecret(client_id)
    if (rotated?.client_secret == null) throw noClient(client_id)
    const { client_secret } = rotated
    const json = { client_id, client_secret }
    return { text: record(Object.entries(json)), json, note: STORE_NOTE, event: { subject: { client_id } } }
  }),
}

export const client = [
  create,
  list,
  show,
  update,
  revoke,
  rotateSecret,
  deleteCommand,
  ...clientDocumentCommands,
]
