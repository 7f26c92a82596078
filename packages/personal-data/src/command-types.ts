/** What `exportUser` takes and returns. */

import type { openRoleStore, RecordsChange, RoleDatabase } from '@ostiary/admin'
import type { AuditDatabase, openAuditStore } from '@ostiary/audit'
import type { PersonalDataSources } from './document.js'

/** A realm that a command has opened. */
export interface OpenedRealm extends Omit<PersonalDataSources, 'roles' | 'audit' | 'now'> {
  /** The database. */
  records?: (AuditDatabase & RoleDatabase) | undefined
  /** Each export has its row there. Null without an audit. */
  audit: RecordsChange | null
}

/** What opens the roles, and the rows of the audit. */
export interface StoreFunctions {
  admin: { openRoleStore: typeof openRoleStore }
  audit: { openAuditStore: typeof openAuditStore }
}

/** The output of the command, with its event. */
export interface ExportResult {
  text: string
  json: unknown
  event: { subject: Readonly<Record<string, string>>; with_secrets: false }
}
