import type { Command } from '../../command.js'
import { confirm, YES_OPTION } from '../../confirm.js'
import { countLine, iso, printable } from '../../output.js'
import { ofRealm } from '../../workspace.js'
import { changedClient, noClient } from './text.js'

export const deleteCommand: Command = {
  name: 'client delete',
  effect: 'changes',
  summary: 'Delete a client with everything that it holds',
  about: [
    'The client is refused, with its codes and tokens of all users, by running servers within 5 seconds. Its grants are revoked, and the consents to it are deleted. Its pending logout tokens are not sent.',
    'No other client can have the client_id before its last token has expired and a day has passed. A client of the configuration is refused: the next start would create it again. If it is interrupted, run it again.',
  ],
  args: ['client_id'],
  options: YES_OPTION,
  examples: [['ostiary client delete notes', 'Asks for the client_id, then deletes notes']],
  ...ofRealm(async (workspace, input, context) => {
    const client_id = changedClient(workspace, input, 'remove it')
    const client = await workspace.management.clients.find(client_id)
    if (client !== null) {
      const { client_name, redirect_uris, revoked_at } = client
      const effects = [
        `The client ${client_id} (${printable(client_name)}) will be deleted:`,
        `  redirect URIs: ${printable(redirect_uris.join(' ')) || 'none'}`,
        ...(revoked_at === null ? [] : [`  revoked since ${iso(revoked_at)}`]),
        '  the grants and consents of all users to it end',
      ]
      await confirm(input, context, { effects, name: client_id })
    }
    const report = await workspace.management.clients.delete(client_id)
    if (report === null) throw noClient(client_id)
    const { grants, consents, id_free_at } = report
    const text = [
      client === null ? `${client_id} was deleted already` : `${client_id} is deleted`,
      countLine('Ended', { grants, consents }),
      `The client_id is free again at ${iso(id_free_at)}`,
    ]
    return {
      text: text.join('\n'),
      json: {
        client_id,
        changed: client !== null,
        ended_grants: grants,
        deleted_consents: consents,
        id_free_at,
      },
      event: { subject: { client_id }, count: { grants, consents } },
    }
  }),
}
