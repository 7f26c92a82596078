/** The pages of signing keys. */

import {
  apiPath,
  code,
  consolePage,
  doneNote,
  emptyState,
  linkButton,
  type Page,
  pageHead,
  pathOf,
  pill,
  readRecord,
  refusalFor,
  table,
  timeOf,
} from '@ostiary/console'
import type { OwnVisit } from '../visit.js'
import { revokePage, rotatePage } from './acts.js'
import { type ListedKeys, type ShownKey, stateOf } from './key.js'

/** The list, the form for a new key, and that which revokes one. */
export async function keysPage(c: OwnVisit, [kid, act, ...others]: readonly string[]): Page {
  const is_new = kid === 'new' && act === undefined
  if (others.length > 0 || (kid !== undefined && !is_new && act !== 'revoke')) return null
  const refusal = refusalFor(c, kid === undefined ? null : 'keys')
  if (refusal !== null) return refusal
  const found = await readRecord<ListedKeys>(c, apiPath(c, 'keys'))
  if (found instanceof Response) return found
  const { items } = found.record
  if (kid === undefined) return listKeys(c, items)
  if (is_new) return rotatePage(c, items)
  const key = items.find((each) => each.kid === kid)
  return key === undefined ? null : revokePage(c, key)
}

function listKeys(c: OwnVisit, keys: readonly ShownKey[]): Response {
  const { html, text } = c
  const title = text('keys.title')
  const can_write = c.may('keys', 'write')
  const rotate =
    can_write && linkButton(c, { href: pathOf(c, 'keys', 'new'), text: text('rotate.title'), kind: '' })
  const columns = [
    text('key.kid'),
    text('key.alg'),
    text('key.state'),
    text('key.created'),
    ...(can_write ? [text('word.action')] : []),
  ]
  const rows = keys
    .toSorted((one, other) => other.signs_from - one.signs_from)
    .map((key) => [
      code(c, key.kid),
      code(c, key.alg),
      stateCell(c, key, keys),
      timeOf(c, key.created_at),
      ...(can_write
        ? [
            html`<a class="nowrap" href="${pathOf(c, 'keys', key.kid, 'revoke')}">${text('revoke.button')}</a>`,
          ]
        : []),
    ])
  const body = html`${pageHead(c, { title, lead: text('keys.lead'), actions: rotate })}
${doneNote(c, ['done.key_rotated', 'done.key_revoked'])}
<div class="below">${
    keys.length === 0
      ? emptyState(c, { title: text('keys.none'), sentence: text('keys.none_why') })
      : table(c, { label: title, columns, rows })
  }</div>`
  return consolePage(c, { title, body, area: 'keys' })
}

function stateCell(c: OwnVisit, key: ShownKey, keys: readonly ShownKey[]) {
  const { html, text } = c
  const state = stateOf(key, keys, c.now)
  const word = pill(c, text(`state.${state}`), state === 'signs' ? 'good' : 'plain')
  return state === 'waits' ? html`<span>${word} ${timeOf(c, key.signs_from)}</span>` : word
}
