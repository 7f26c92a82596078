import { given } from '../../values/given.js'
import { type Command, notFound } from '../command.js'
import { iso, printable, table } from '../output.js'
import { NAMED_USER, ofUser, RESOURCE_OPTION, SUB_OPTION } from '../workspace.js'

const list: Command = {
  name: 'consent list',
  effect: 'reads',
  summary: 'List the consents of a user',
  about: ['One row for each client and resource; withdrawn consents are included.'],
  ...NAMED_USER,
  examples: [['ostiary consent list ann', 'What ann has allowed which client, and since when']],
  ...ofUser(async (workspace, { sub }) => {
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
  effect: 'changes',
  summary: 'Withdraw the consent of a user for a client',
  about: [
    'The user is asked again at the next request. The grants of the consent end too: codes, refresh tokens and access tokens, offline ones too.',
  ],
  args: ['username', 'client_id'],
  options: {
    sub: SUB_OPTION,
    resource: RESOURCE_OPTION,
  },
  examples: [
    ['ostiary consent revoke ann notes', 'All consents of ann for notes'],
    ['ostiary consent revoke ann notes --resource https://id.example.com/api', 'The one for one resource'],
  ],
  ...ofUser(async (workspace, { sub, username }, input) => {
    const [, client_id = ''] = input.args
    const selection = { sub, client_id, ...given({ resource: input.text('resource') }) }
    const revoked = await workspace.management.consents.revoke(selection)
    if (revoked === 0)
      throw notFound(
        `${printable(username)} has no such consent for ${client_id}, or it is already withdrawn`,
      )
    return {
      text: `Withdrawn: ${revoked}`,
      json: { ...selection, revoked },
      event: { subject: selection, count: { consents: revoked } },
    }
  }),
}

export const consent: readonly Command[] = [list, revoke]
