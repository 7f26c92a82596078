/** The list of realms, and one realm. */

import {
  apiPath,
  code,
  consolePage,
  dangerZone,
  doneNote,
  emptyState,
  type Fact,
  factList,
  linkButton,
  nextPage,
  pageHead,
  pathOf,
  pill,
  problemNote,
  readPage,
  readRecord,
  refusalFor,
  refusalPage,
  section,
  table,
  timeOf,
  trail,
} from '@ostiary/console'
import type { Html } from '@ostiary/identity'
import type { ListedRealm, ShownRealm } from '../shown.js'
import { createPage, deletePage, editPage, writtenSettings } from './acts.js'
import type { OwnVisit } from './visit.js'

/** The list, a realm, and the forms that make, change and delete one. Null for another path. */
export async function realmsPage(c: OwnVisit, parts: readonly string[]): Promise<Response | null> {
  const [id, act] = parts
  if (parts.length > 2) return null
  const is_form = act !== undefined || id === NEW
  const refusal = is_form ? null : refusalFor(c, null)
  if (refusal !== null) return refusal
  if (id === undefined) return listPage(c)
  if (id === NEW && act !== undefined) return null
  if (id === NEW) return mayChange(c, ALL) ? createPage(c) : refusalPage(c, 'not_permitted')
  const found = await readRecord<ShownRealm>(c, apiPath({ realm: id }))
  if (found instanceof Response) return found
  const { record, etag } = found
  if (act === undefined) return onePage(c, record)
  if (!mayChange(c, id)) return refusalPage(c, 'not_permitted')
  if (record.source !== 'run_time') return null
  if (act === 'edit') return editPage(c, record, etag)
  return act === 'delete' ? deletePage(c, record, etag) : null
}

/** A role in all realms makes new ones. */
const ALL = '*'

/** By the role in that realm: the page is one of any. */
const mayChange = (c: OwnVisit, id: string): boolean => c.mayIn('realms', 'write', id)

/** A realm with this id has no page: its settings are changed with commands. */
const NEW = 'new'

async function listPage(c: OwnVisit): Promise<Response> {
  const { html, text } = c
  const page = await readPage<ListedRealm>(c, '/realms')
  if (page instanceof Response) return page
  const { items, next, problem } = page
  const title = text('realms.title')
  const create =
    mayChange(c, ALL) && linkButton(c, { href: pathOf(c, 'realms', NEW), text: text('realms.new'), kind: '' })
  const columns = [text('realm.id'), text('realm.source'), text('realm.changed')]
  const rows = items.map((realm) => [
    html`<a href="${pathOf(c, 'realms', realm.id)}">${realm.id}</a>`,
    sourcePill(c, realm),
    realm.updated_at === null ? '–' : timeOf(c, realm.updated_at),
  ])
  const body = html`${pageHead(c, { title, lead: text('realms.lead'), actions: create })}
${doneNote(c, ['done.realm_deleted'])}
${create === false && c.may('realms', 'write') && html`<p class="aside">${text('realms.new_needs')}</p>`}
${problem !== null && problemNote(c, problem)}
<div class="below">${
    rows.length === 0
      ? emptyState(c, { title: text('realms.none'), sentence: text('realms.none_why') })
      : table(c, { label: title, columns, rows })
  }</div>
${nextPage(c, next)}`
  return consolePage(c, { title, body, area: 'realms', status: problem?.status ?? 200 })
}

const sourcePill = (c: OwnVisit, { source }: ListedRealm): Html => pill(c, c.text(`source.${source}`))

function onePage(c: OwnVisit, realm: ShownRealm): Response {
  const { html, text } = c
  const { id, source } = realm
  const is_own = source === 'run_time' && mayChange(c, id)
  const to = (name: string) => pathOf(c, 'realms', id, name)
  const open = linkButton(c, { href: pathOf({ realm: id }), text: text('realm.open') })
  const edit = is_own && linkButton(c, { href: to('edit'), text: text('edit.title') })
  const body = html`${trail(c, [[pathOf(c, 'realms'), text('realms.title')]])}
${pageHead(c, { title: html`${code(c, id)} ${sourcePill(c, realm)}`, actions: html`${open}${edit}` })}
${doneNote(c, ['done.realm_created', 'done.realm_changed'])}
${factList(c, factsOf(c, realm))}
${settingsSection(c, realm)}
${is_own && dangerZone(c, { href: to('delete'), text: text('delete.button'), lead: text('delete.lead') })}`
  return consolePage(c, { title: id, body, area: 'realms' })
}

function factsOf(c: OwnVisit, { created_at, updated_at, configuration }: ShownRealm): Fact[] {
  const { text } = c
  if (configuration !== null)
    return [
      [text('realm.file'), code(c, configuration.file ?? text('realm.environment'))],
      [text('realm.key'), code(c, configuration.key)],
    ]
  return [
    [text('realm.created'), timeOf(c, created_at ?? 0)],
    [text('realm.changed'), timeOf(c, updated_at ?? 0)],
  ]
}

function settingsSection(c: OwnVisit, realm: ShownRealm): Html {
  const { html, text } = c
  if (realm.configuration !== null) return html`<p>${text('realm.configured')}</p>`
  return section(c, text('realm.settings'), html`<pre><code>${writtenSettings(realm)}</code></pre>`)
}
