/** The pages of what clients do by themselves: what is allowed, who has registered, and the documents in use. */

import { apiPath, type Page, readRecord, refusalFor } from '@ostiary/console'
import type { OwnVisit } from '../visit.js'
import { documentPage, forgetPage, listDocuments } from './documents.js'
import { registrationPage } from './overview.js'
import type { ClientDocument } from './records.js'

/** What is allowed with the registered clients, the documents, one of them, and the form that forgets it. */
export async function registrationPages(c: OwnVisit, parts: readonly string[]): Page {
  const [list, client_id, act, ...others] = parts
  const is_known = list === undefined || list === 'documents'
  if (!is_known || others.length > 0 || (act !== undefined && act !== 'forget')) return null
  const refusal = refusalFor(c, act === undefined ? null : 'clients')
  if (refusal !== null) return refusal
  if (list === undefined) return registrationPage(c)
  if (client_id === undefined) return listDocuments(c)
  const found = await readRecord<ClientDocument>(c, apiPath(c, 'clients', client_id, 'document'))
  if (found instanceof Response) return found
  return act === undefined ? documentPage(c, found.record) : forgetPage(c, found.record)
}
