/** The pages of clients. */

import { type PageArea, refusalPage } from '@ostiary/console'
import { clientDetail } from './clients/detail.js'
import { clientAct, createClientPage } from './clients/forms.js'
import { isKind } from './clients/kinds.js'
import { chooseKind, listClients } from './clients/list.js'
import { type OwnVisit, own } from './visit.js'

/** The pages of clients: list, one client, and the forms that change one. */
export const clientsArea: PageArea = {
  name: 'clients',
  title: ['Clients', 'Clients', 'Clients'],
  needs: 'clients',
  answer: (c, parts) => clientsPage(own(c), parts),
}

async function clientsPage(
  c: OwnVisit,
  [client_id, act, ...others]: readonly string[],
): Promise<Response | null> {
  if (others.length > 0) return null
  const is_read = c.request.method !== 'POST'
  if (client_id === undefined) return is_read ? listClients(c) : refusalPage(c, 'method')
  const is_new = client_id === 'new'
  if (act === undefined && !is_new) return is_read ? clientDetail(c, client_id) : refusalPage(c, 'method')
  if (!c.may('clients', 'write')) return refusalPage(c, 'not_permitted')
  if (act === undefined) return is_read ? chooseKind(c) : refusalPage(c, 'method')
  if (is_new && isKind(act)) return createClientPage(c, act)
  return clientAct(c, client_id, act)
}
