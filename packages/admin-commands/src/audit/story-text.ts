/** A story as the command prints it. */

import type { Story } from '@ostiary/explain'
import { factOf, type StoryRecords } from './facts.js'
import { iso } from './output.js'

/** @param records As they are stored now. */
export function storyText(story: Story, records: StoryRecords): string {
  const { flow, client_id, sub, realm_scopes, steps } = story
  const about = [
    ...(client_id === null ? [] : [`Client ${client_id}`]),
    ...(sub === null ? [] : [`user ${records.user ? `${records.user.username} (${sub})` : sub}`]),
    ...(flow === null ? [] : [`flow ${flow}`]),
  ]
  const lines = steps.flatMap(({ time, what, advice, reason, before, in_log, ...step }, index) => {
    // The record is that of the first user.
    const of_step = step.sub === sub ? records : { ...records, user: null }
    const fact = advice === null ? null : factOf(reason, of_step, realm_scopes)
    return [
      `${index + 1}. ${iso(time)}  ${what}`,
      ...(before?.length === 0 ? ['   Before: no cause among the newest 200 rows'] : []),
      ...(before ?? []).map(
        (row) => `   Before: ${iso(row.time)}  ${row.what}, by ${row.actor} (row ${row.audit_id})`,
      ),
      ...(fact === null ? [] : [`   Stored now: ${fact}`]),
      ...(in_log ? [`   In the log: ${in_log}`] : []),
      ...(advice === null ? [] : [`   What to do: ${advice}`]),
    ]
  })
  return [...(about.length === 0 ? [] : [about.join(', ')]), ...lines].map(printable).join('\n')
}

/** Without control characters: no text of a row may control the terminal. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, '?')
