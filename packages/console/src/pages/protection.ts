/** What keeps an administrator from changing a record, although the role allows the change. The API decides it. */

import type { Html } from '@ostiary/identity'
import { textOf } from '../texts/texts.js'
import type { Visit } from '../visit.js'
import type { ReadRecord } from './read.js'
import { readRecord } from './read.js'

/** As the API says it. */
export interface Protection {
  /** A role that the administrator lacks; null for none. */
  needs_role: { role: string; realms: readonly string[] } | null
  /** The key of a record of the configuration; null for another one. */
  configured: string | null
}

/** A record that says it. */
export interface Protected {
  protection: Protection
}

/** Reads a record that can be protected. @returns A page that says why there is no record to show. */
export const readProtected = <Item>(
  c: Visit,
  path: string,
): Promise<ReadRecord<Item & Protected> | Response> => readRecord(c, path, { protection: 'true' })

/** Why there are no forms for it, and what to do; null where there may be. */
export function protectionNote(c: Visit, { needs_role, configured }: Protection): Html | null {
  const { html } = c
  const text = textOf(c)
  if (needs_role !== null) {
    const { role, realms } = needs_role
    const where = realms.includes('*') ? text('protected.everywhere') : realms.join(', ')
    return html`<p class="note done">${text('protected.role', { role, realms: where })}</p>`
  }
  return configured === null
    ? null
    : html`<p class="note done">${text('protected.configured')} <code>${configured}</code></p>`
}

/** Without what the configuration keeps: it does not set everything of a user. */
export const ofRole = (protection: Protection): Protection => ({ ...protection, configured: null })

/** A request that may change nothing where the record is protected: links to forms follow it. */
export const within = <C extends Visit>(c: C, protection: Protection): C =>
  protectionNote(c, protection) === null
    ? c
    : { ...c, may: (area, access) => access === 'read' && c.may(area, access) }
