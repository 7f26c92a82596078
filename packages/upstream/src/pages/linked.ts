/** The linked accounts of a user who recovers the account: each stays or is removed. */

import { sha256 } from '@ostiary/core'
import type { LinkedAccount, User, Visit } from '@ostiary/identity'
import type { Ways } from '../ways.js'

export async function linked(c: Visit, ways: Ways, { sub }: User): Promise<LinkedAccount[]> {
  const store = ways.links(c.realm.id)
  const list = ways.list(c.realm.id)
  return (await store.list(sub)).map((link) => ({
    id: `link-${sha256(JSON.stringify([link.issuer, link.subject]))}`,
    label: link.label,
    provider: list.find(({ owns }) => owns(link))?.name ?? link.upstream,
    created_at: link.linked_at,
    last_used_at: link.last_used_at,
    async remove(credential_version) {
      const is_removed = await store.remove(link, { credential_version, now: c.now() })
      if (is_removed) c.emit({ type: 'link.removed', upstream: link.upstream, sub })
      return is_removed
    },
  }))
}
