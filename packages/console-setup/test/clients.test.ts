/** Which registered clients a page shows, and in which order. */

import { expect, it } from 'vitest'
import { matching, type RegisteredClient } from '../src/registration/records.ts'

const client = (client_id: string, client_id_issued_at: number, more: Partial<RegisteredClient> = {}) => ({
  client_id,
  client_name: `Client ${client_id}`,
  client_id_issued_at,
  revoked_at: null,
  redirect_uris: ['https://app.example.com/callback'],
  ...more,
})
const CLIENTS = [
  client('a', 1),
  client('b', 3, { client_name: 'Ｎotes' }),
  client('c', 2, { redirect_uris: ['cursor://anysphere.cursor-mcp/callback'] }),
]

it.each<[string, readonly string[]]>([
  ['', ['b', 'c', 'a']],
  ['  ', ['b', 'c', 'a']],
  ['CLIENT', ['c', 'a']],
  // A letter of another width.
  ['notes', ['b']],
  ['cursor://', ['c']],
  ['app.example.com', ['b', 'a']],
  ['nothing', []],
])('%j finds those that have it, the newest first', (search, ids) => {
  expect(matching(CLIENTS, search).map(({ client_id }) => client_id)).toEqual(ids)
})
