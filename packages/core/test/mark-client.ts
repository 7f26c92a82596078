/** A client that is in use, and has a mark: grants that began until then have ended. */

import { elsewhere, type World } from './support.js'

/** Another server stores the client anew, with the mark. */
export const markClient = (w: World, client_id: string, not_before: number): Promise<void> =>
  elsewhere(w, async (clients) => {
    const record = await clients.find(client_id)
    if (record === null) throw new Error(`There is no client ${client_id}`)
    await clients.delete({ ...record, revoked_at: 1, expires_at: 1 })
    await clients.forget(client_id, w.clock.now)
    await clients.create({ ...record, not_before })
  })
