import { type Command, notFound } from '../command.js'
import { iso, printable, table } from '../output.js'
import { findUser, inRealm, SUB } from '../workspace.js'

const list: Command = {
  name: 'consent list',
  summary: 'Show what a user has allowed',
  about: ['One row for each client and resource, withdrawn ones included.'],
  args: ['username'],
  options: { sub: SUB },
  of_realm: true,
  examples: [['ostiary consent list ann', 'Which clients ann allowed what, and since when']],
  run: (input, context) =>
    inRealm(input, context, async (workspace) => {
      const { sub } = await findUser(workspace, input)
      const consents = await workspace.management.consents.list(sub)
      const rows = consents.map(({ client_id, resource, scopes, created_at, revoked_at }) => [
        client_id,
        printable(resource),
        scopes.join(' '),
        iso(created_at),
        revoked_at === null ? 'given' : `withdrawn ${iso(revoked_at)}`,
      ])
      return { text: table(['CLIENT', 'RESOURCE', 'SCOPES', 'SINCE', 'STATE'], rows), json: { consents } }
    }),
}

const revoke: Command = {
  name: 'consent revoke',
  summary: 'Withdraw what a user has allowed a client',
  about: [
    'The user is asked again at the next request. What the client holds for the user there ends too: codes, refresh tokens and access tokens, offline ones too.',
  ],
  args: ['username', 'client_id'],
  options: {
    sub: SUB,
    resource: { value: 'uri', help: 'For this resource alone (default: for all of the client)' },
  },
  of_realm: true,
  examples: [
    ['ostiary consent revoke ann notes', 'Everything that ann allowed notes'],
    ['ostiary consent revoke ann notes --resource https://id.example.com/api', 'At one resource'],
  ],
  run: (input, context) =>
    inRealm(input, context, async (workspace) => {
      const { sub, username } = await findUser(workspace, input)
      const [, client_id = ''] = input.args
      const resource = input.text('resource')
      const selection = { sub, client_id, ...(resource !== undefined && { resource }) }
      const revoked = await workspace.management.consents.revoke(selection)
      if (revoked === 0)
        throw notFound(`${username} has given ${client_id} no such consent, or it is withdrawn`)
      return { text: `Withdrawn: ${revoked}`, json: { ...selection, revoked } }
    }),
}

export const consent = [list, revoke]
