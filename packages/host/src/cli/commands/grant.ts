import { type Command, notFound } from '../command.js'
import { iso, printable, table } from '../output.js'
import { findUser, inRealm, SUB } from '../workspace.js'

const list: Command = {
  name: 'grant list',
  summary: 'Show what clients hold for a user',
  about: [
    'One row for each sign-in at a client that has not ended: its codes, refresh tokens and access tokens hang on it. An offline one outlives the session that it came from.',
  ],
  args: ['username'],
  options: { sub: SUB },
  of_realm: true,
  examples: [['ostiary grant list ann', 'What clients can do as ann']],
  run: (input, context) =>
    inRealm(input, context, async (workspace) => {
      const { sub } = await findUser(workspace, input)
      const grants = await workspace.management.grants.list(sub)
      const rows = grants.map(({ client_id, resource, scopes, created_at, expires_at, offline }) => [
        client_id,
        printable(resource ?? '-'),
        scopes.join(' '),
        iso(created_at),
        iso(expires_at),
        offline ? 'offline' : '-',
      ])
      const head = ['CLIENT', 'RESOURCE', 'SCOPES', 'SINCE', 'UNTIL', 'OFFLINE']
      return { text: table(head, rows), json: { grants } }
    }),
}

const revoke: Command = {
  name: 'grant revoke',
  summary: 'End what clients hold for a user',
  about: [
    'Codes, refresh tokens and access tokens are refused from now on, offline ones too. Sessions and consents stay: a client can get new tokens while the user is signed in.',
  ],
  args: ['username'],
  options: {
    sub: SUB,
    client: { value: 'client_id', help: 'Of this client alone (default: of every client)' },
    resource: { value: 'uri', help: 'At this resource alone (default: everywhere)' },
  },
  of_realm: true,
  examples: [
    ['ostiary grant revoke ann', 'No client can act for ann any more'],
    ['ostiary grant revoke ann --client notes --resource https://id.example.com/api', 'What notes has there'],
  ],
  run: (input, context) =>
    inRealm(input, context, async (workspace) => {
      const { sub, username } = await findUser(workspace, input)
      const client_id = input.text('client')
      const resource = input.text('resource')
      const selection = {
        sub,
        ...(client_id !== undefined && { client_id }),
        ...(resource !== undefined && { resource }),
      }
      const revoked = await workspace.management.grants.revoke(selection)
      if (revoked === 0)
        throw notFound(`No client holds anything like that for ${printable(username)}, or it has ended`)
      return { text: `Revoked: ${revoked}`, json: { ...selection, revoked } }
    }),
}

export const grant = [list, revoke]
