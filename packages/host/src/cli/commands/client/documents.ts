/** The metadata documents of clients whose client_id is their URL. */

import { type Command, notFound } from '../../command.js'
import { confirm, YES_OPTION } from '../../confirm.js'
import { iso, printable, table } from '../../output.js'
import { nextPageNote, ofRealm, PAGE_OPTIONS, SEARCH_OPTION, searched } from '../../workspace.js'

const list: Command = {
  name: 'client documents list',
  effect: 'reads',
  summary: 'List the stored metadata documents of clients',
  about: [
    'A client whose client_id is a URL has no record of its own: the document at the URL describes it, and is stored when a user has signed in with the client.',
    'FETCHED is when its host last confirmed the document, CHANGED since when its redirect hosts and methods are these: a consent from before does not count.',
  ],
  options: { ...PAGE_OPTIONS, ...SEARCH_OPTION },
  examples: [
    ['ostiary client documents list', 'The first 50'],
    ['ostiary client documents list --search claude.ai', 'Documents with "claude.ai" in their URL'],
  ],
  ...ofRealm(async ({ management }, input) => {
    const { items, next } = await searched(input, {
      list: management.clients.documents.list,
      idOf: ({ client_id }) => client_id,
      textsOf: ({ client_id }) => [client_id],
    })
    const rows = items.map(({ client_id, fetched_at, changed_at, expires_at }) => [
      printable(client_id),
      iso(fetched_at),
      iso(changed_at),
      iso(expires_at),
    ])
    const text = table(['CLIENT_ID', 'FETCHED', 'CHANGED', 'STORED UNTIL'], rows)
    return { text, json: { client_documents: items, next }, ...nextPageNote(next) }
  }),
}

const forget: Command = {
  name: 'client documents forget',
  effect: 'changes',
  summary: 'Delete the stored metadata document of a client',
  about: [
    'Every user is asked for consent again at the next sign-in with the client. A server with the document in memory uses it for a day at most; restart it to fetch it at once. Grants stay. To refuse the client, leave its host out of oidc.clients.metadata_documents.allowed_hosts.',
  ],
  args: ['url'],
  options: YES_OPTION,
  examples: [
    ['ostiary client documents forget https://app.example.com/client.json', 'Asks, then deletes it'],
  ],
  ...ofRealm(async ({ management }, input, context) => {
    const { documents } = management.clients
    const [client_id = ''] = input.args
    const none = notFound(`There is no stored document of the client ${JSON.stringify(client_id)}`)
    if ((await documents.find(client_id)) === null) throw none
    const effects = [
      `The stored document of ${printable(client_id)} will be deleted: every user is asked for consent again.`,
    ]
    await confirm(input, context, { effects })
    if (!(await documents.forget(client_id))) throw none
    return {
      text: `The document of ${printable(client_id)} is forgotten: every user is asked for consent again`,
      json: { client_id, forgotten: true },
      event: { subject: { client_id } },
    }
  }),
}

export const clientDocumentCommands: readonly Command[] = [list, forget]
