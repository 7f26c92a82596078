/** The pages of clients. */

import { type Page, type PageArea, refusalFor } from '@ostiary/console'
import { clientDetail } from './clients/detail.js'
import { clientAct, createClientPage } from './clients/forms.js'
import { isKind } from './clients/kinds.js'
import { chooseKind, listClients } from './clients/list.js'
import { tryPage } from './try/pages.js'
import { STYLE } from './try/style.js'
import { type OwnVisit, own } from './visit.js'

/** The pages of clients: list, one client, and the forms that change one. */
export const clientsArea: PageArea = {
  name: 'clients',
  title: ['Clients', 'Clients', 'Clients'],
  needs: 'clients',
  answer: (c, parts) => clientsPage(own(c), parts),
  style: STYLE,
}

async function clientsPage(c: OwnVisit, [client_id, act, more, ...others]: readonly string[]): Page {
  if (others.length > 0) return null
  if (client_id !== undefined && act === 'try') return tryPage(c, client_id, more)
  if (more !== undefined) return null
  const is_new = client_id === 'new'
  const refusal = refusalFor(c, act === undefined && !is_new ? null : 'clients')
  if (refusal !== null) return refusal
  if (client_id === undefined) return listClients(c)
  if (act === undefined) return is_new ? (refusalFor(c, null) ?? chooseKind(c)) : clientDetail(c, client_id)
  return is_new && isKind(act) ? createClientPage(c, act) : clientAct(c, client_id, act)
}
