/** A user who is signed in to two clients and signs out, and what the clients are told. */

import { postgresExecutor } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import type { Person } from '@ostiary/test-kit/person'
import { expect } from 'vitest'
import { CALLBACK, codeForm, newCode, post, QUICK_KEYS, signIn, textOf, users } from './client.ts'
import type { Provider } from './provider.ts'
import type { Receiver } from './receiver.ts'

const CLIENTS = ['app', 'mail']

/** A user who has signed in to both clients and can sign out. */
export interface SignedIn {
  ann: Person
  sid: string
  url: string
}

export const config =
  ({ uri }: Receiver) =>
  (origin: string) => ({
    app: { url: origin },
    oidc: { keys: QUICK_KEYS },
    clients: CLIENTS.map((client_id) => ({
      client_id,
      redirect_uris: [CALLBACK],
      post_logout_redirect_uris: [CALLBACK],
      trusted: true,
      backchannel_logout_uri: uri(client_id),
    })),
    users,
  })

export async function signedIn({ origin }: Provider): Promise<SignedIn> {
  const ann = await signIn(origin)
  await newCode(ann, origin, { client_id: 'mail' })
  const answer = await post(`${origin}/oauth/token`, codeForm(await newCode(ann, origin)))
  const id_token_hint = textOf(answer, 'id_token')
  const { sid } = JSON.parse(Buffer.from(id_token_hint.split('.')[1] ?? '', 'base64url').toString())
  const query = new URLSearchParams({ id_token_hint, post_logout_redirect_uri: CALLBACK })
  return { ann, sid, url: `${origin}/oauth/logout?${query}` }
}

/** True when it was answered and the browser is back at the client. */
export async function signOut({ ann, url }: SignedIn): Promise<boolean> {
  try {
    expect(`${(await ann.open(url)).url}`).toBe(CALLBACK)
    return true
  } catch (error) {
    // The connection broke. Anything else is a failure.
    if (error instanceof TypeError) return false
    throw error
  }
}

/** How many deliveries each client confirmed, over all sessions: `{ "1": 6 }` means six clients with one each. */
export function distribution(
  count: Receiver['confirmed'],
  sessions: readonly SignedIn[],
): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { sid } of sessions)
    for (const client_id of CLIENTS) {
      const times = count(sid, client_id)
      counts[times] = (counts[times] ?? 0) + 1
    }
  return counts
}

/** Waits until every session has ended and every logout delivery is done. */
export async function allSent(database_url: string): Promise<void> {
  const database = postgresExecutor(database_url, UNLIMITED)
  const countRemaining = async () =>
    (await database.query('select sid from oidc_sessions union all select sid from oidc_logout_deliveries'))
      .length
  await eventually(async () => (await countRemaining()) === 0, { seconds: 180 })
  await database.close()
}
