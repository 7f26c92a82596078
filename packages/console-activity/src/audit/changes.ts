/** Members of a record before and after a change, side by side. */

import { code, table } from '@ostiary/console'
import type { Html } from '@ostiary/identity'
import type { OwnVisit } from '../visit.js'

interface Changes {
  before: Readonly<Record<string, unknown>> | undefined
  after: Readonly<Record<string, unknown>> | undefined
  /** The names of the columns. */
  heads: { before: string; after: string }
}

export function changesTable(c: OwnVisit, { before = {}, after = {}, heads }: Changes): Html {
  const { html, text } = c
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const value = (members: Readonly<Record<string, unknown>>, name: string, tag: 'del' | 'ins') => {
    if (!Object.hasOwn(members, name)) return html`<span class="aside">${text('row.absent')}</span>`
    const written = writtenValue(members[name])
    return tag === 'del' ? html`<del>${written}</del>` : html`<ins>${written}</ins>`
  }
  const rows = names.map((name) => [code(c, name), value(before, name, 'del'), value(after, name, 'ins')])
  const columns = [text('row.member'), heads.before, heads.after]
  return html`<div class="diff">${table(c, { label: text('row.changed'), columns, rows })}</div>`
}

/** A text as it is, a list of texts with one a line, and anything else as JSON. */
export function writtenValue(value: unknown): string {
  if (typeof value === 'string') return value
  const is_list = Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')
  return is_list ? value.join('\n') : JSON.stringify(value, null, 2)
}
