/** Revokes a client for good. */

import type { RealmContext } from '../realm/context.js'

/** False when there is no such client, or it is revoked already. */
export async function revokeClient(c: RealmContext, client_id: string): Promise<boolean> {
  await storeDocumentClient(c, client_id)
  const revoked = await c.storage.clients.revoke(client_id, c.now())
  if (revoked) c.emit({ type: 'client.revoked', client_id })
  return revoked
}

/** A client that its document describes becomes a stored one, which comes before the document. */
async function storeDocumentClient(c: RealmContext, client_id: string): Promise<void> {
  const client = await c.clients.shown(client_id)
  if (client?.origin !== 'metadata_document') return
  await c.storage.clients.create({ ...client, origin: 'operator', client_id_issued_at: c.now() })
}
