import { given } from '../../values/given.js'
import { type Command, notFound } from '../command.js'
import { iso, printable, table } from '../output.js'
import { NAMED_USER, ofUser, RESOURCE_OPTION, SUB_OPTION } from '../workspace.js'

const list: Command = {
  name: 'grant list',
  effect: 'reads',
  summary: 'List the grants of a user',
  about: [
    'One row for each grant that has not ended. Codes, refresh tokens and access tokens belong to a grant.',
  ],
  ...NAMED_USER,
  examples: [['ostiary grant list ann', 'The clients that can act for ann']],
  ...ofUser(async (workspace, { sub }) => {
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
  effect: 'changes',
  summary: 'Revoke grants of a user',
  about: [
    'Their codes, refresh tokens and access tokens are refused from now on, offline ones too. Sessions and consents stay: a client can get new tokens while the user is signed in.',
  ],
  args: ['username'],
  options: {
    sub: SUB_OPTION,
    client: { value: 'client_id', help: 'Only of this client (default: of every client)' },
    resource: RESOURCE_OPTION,
  },
  examples: [
    ['ostiary grant revoke ann', 'Every grant of ann'],
    [
      'ostiary grant revoke ann --client notes --resource https://id.example.com/api',
      'The grants of ann to the client notes, for one resource',
    ],
  ],
  ...ofUser(async (workspace, { sub, username }, input) => {
    const only = given({ client_id: input.text('client'), resource: input.text('resource') })
    const selection = { sub, ...only }
    const revoked = await workspace.management.grants.revoke(selection)
    if (revoked === 0) throw notFound(`There is no such grant of ${printable(username)}, or it has ended`)
    return {
      text: `Revoked: ${revoked}`,
      json: { ...selection, revoked },
      event: { subject: selection, count: { grants: revoked } },
    }
  }),
}

export const grant: readonly Command[] = [list, revoke]
