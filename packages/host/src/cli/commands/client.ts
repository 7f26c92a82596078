import type { Workspace } from '../../management/manage.js'
import { type Command, CommandError, type CommandInput, notFound } from '../command.js'
import { printable, record, table } from '../output.js'
import { inRealm, nextPageNote, PAGE_OPTIONS, paged } from '../workspace.js'
import { create } from './client-create.js'
import { clientJson, clientText, stateOf } from './client-text.js'

const noClient = (input: CommandInput) =>
  notFound(`There is no client ${JSON.stringify(input.args[0] ?? '')}`)

const list: Command = {
  name: 'client list',
  summary: 'List the clients',
  about: [
    'Sorted by client_id. A client of the configuration is stored when the server first starts with it.',
  ],
  options: PAGE_OPTIONS,
  of_realm: true,
  examples: [
    ['ostiary client list', 'The first 50'],
    ['ostiary client list --limit 100 --after notes --json', 'The 100 after the client notes'],
  ],
  run: (input, context) =>
    inRealm(input, context, async ({ management }) => {
      const { items, next } = await paged(input, management.clients.list, ({ client_id }) => client_id)
      const rows = items.map((client) => {
        const { client_id, client_name, token_endpoint_auth_method, self_registered } = client
        const by = self_registered ? 'itself' : 'operator'
        return [client_id, printable(client_name), token_endpoint_auth_method, by, stateOf(client)]
      })
      const text = table(['CLIENT_ID', 'NAME', 'METHOD', 'CREATED BY', 'STATE'], rows)
      return { text, json: { clients: items.map(clientJson), next }, ...nextPageNote(next) }
    }),
}

const show: Command = {
  name: 'client show',
  summary: 'Show one client',
  args: ['client_id'],
  of_realm: true,
  examples: [['ostiary client show notes', 'All fields of notes but its secret']],
  run: (input, context) =>
    inRealm(input, context, async ({ management }) => {
      const client = await management.clients.find(input.args[0] ?? '')
      if (client === null) throw noClient(input)
      return { text: clientText(client), json: clientJson(client) }
    }),
}

const revoke: Command = {
  name: 'client revoke',
  summary: 'Revoke a client permanently',
  about: [
    'From now on every endpoint refuses the client: it cannot start a sign-in, and its refresh tokens and its own access tokens (client_credentials) are invalid. Its access tokens for users stay valid until they expire, at most oidc.tokens.access_token (15 minutes). Consents stay. A client of the configuration stays revoked at the next start.',
  ],
  args: ['client_id'],
  of_realm: true,
  examples: [['ostiary client revoke notes', 'Refuse notes from now on']],
  run: (input, context) =>
    inRealm(input, context, async ({ management }) => {
      const [client_id = ''] = input.args
      const revoked = await management.clients.revoke(client_id)
      const client = await management.clients.find(client_id)
      if (client === null) throw noClient(input)
      const text = revoked ? `${client_id} is revoked` : `${client_id} was revoked already`
      return { text, json: { client_id, revoked_at: client.revoked_at, changed: revoked } }
    }),
}

const rotateSecret: Command = {
  name: 'client rotate-secret',
  summary: 'Give a confidential client a new secret',
  about: [
    'The secret is generated and printed once. The old one is refused from now on, so change the client at the same time. Tokens that the client already has stay valid.',
  ],
  args: ['client_id'],
  of_realm: true,
  examples: [['ostiary client rotate-secret worker', 'A new secret for worker']],
  run: (input, context) =>
    inRealm(input, context, async (workspace) => {
      const [client_id = ''] = input.args
      refuseConfigured(workspace, client_id)
      const rotated = await workspace.management.clients.rotateSecret(client_id)
      if (rotated?.client_secret == null) throw noClient(input)
      const { client_secret } = rotated
      const json = { client_id, client_secret }
      const note = 'Store the secret now: it cannot be shown again.'
      return { text: record(Object.entries(json)), json, note }
    }),
}

/** The next start would set the configured secret again. */
function refuseConfigured({ entries }: Workspace, client_id: string): void {
  const entry = entries.clients.find(({ metadata }) => metadata.client_id === client_id)
  if (entry === undefined) return
  throw new CommandError(
    `${client_id} is in the configuration, ${entry.path}: change its secret there and restart the server`,
  )
}

export const client = [create, list, show, revoke, rotateSecret]
