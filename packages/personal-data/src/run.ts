/** What the command does. */

import type { AuditRow } from '@ostiary/audit'
import type { User } from '@ostiary/identity'
import type { ExportResult, OpenedRealm, StoreFunctions } from './command-types.js'
import type { ExportedRow, PersonalDataSources } from './document.js'
import { personalData } from './personal-data.js'

/** Rows of the audit that are read at once. */
const PAGE = 1000

/**
 * What is stored about a user of an opened realm, as `ostiary user export` prints it. With an audit, who takes it has a row: without it,
 * nothing is given.
 * @param functions Of the packages whose stores it reads.
 */
export async function exportUser(
  opened: OpenedRealm,
  user: User,
  functions: StoreFunctions,
): Promise<ExportResult> {
  const document = await personalData(sourcesOf(opened, functions), user)
  const row = { realm: opened.realm.id, type: 'user.export', sub: user.sub }
  await opened.audit?.change(row, async () => true)
  return printed(document, user)
}

/** The output of the command. */
export function printed(document: object, { sub, username }: User): ExportResult {
  return {
    text: JSON.stringify(document, null, 2),
    json: document,
    event: { subject: { sub, username }, with_secrets: false },
  }
}

/** Roles and rows are read where they are off now, too: they are stored since they were on. */
function sourcesOf(opened: OpenedRealm, { admin, audit }: StoreFunctions): PersonalDataSources {
  const { realm, records } = opened
  const roles = admin.openRoleStore({ records })
  const rows = audit.openAuditStore({ records })
  return {
    ...opened,
    now: Math.floor(Date.now() / 1000),
    async roles(sub) {
      const held = await roles.of(realm.id, `sub:${sub}`)
      return held.map(({ role, realms }) => ({ role, realms }))
    },
    async audit(filter) {
      const found: AuditRow[] = []
      for (let before: string | undefined, is_full = true; is_full; ) {
        const page = await rows.list(realm.id, { filter, limit: PAGE, ...(before && { before }) })
        found.push(...page)
        before = page.at(-1)?.audit_id
        is_full = page.length === PAGE
      }
      return found.reverse().map(exportedRow)
    },
  }
}

function exportedRow({ data, private: hidden, ...row }: AuditRow): ExportedRow {
  const { audit_id, time, type, outcome, actor, sub, client_id, flow, refs, count } = row
  const shown = { audit_id, time, type, outcome, actor, sub, client_id, flow, refs, count }
  return { ...shown, data: JSON.parse(data), ...JSON.parse(hidden ?? '{}') }
}
