import { records } from './0001-records.js'
import { notBefore } from './0002-not-before.js'
import { database } from './0003-database.js'
import { factors } from './0004-factors.js'
import { tickets } from './0005-tickets.js'
import { rememberedDevices } from './0006-remembered-devices.js'
import { mails } from './0007-mails.js'
import { links } from './0008-links.js'
import { addresses } from './0009-addresses.js'
import { audit } from './0010-audit.js'
import { auditSinks } from './0011-audit-sinks.js'
import { roles } from './0012-roles.js'
import { accessRules } from './0013-access-rules.js'
import { realms } from './0014-realms.js'
import type { Migration } from './migration.js'

/** In the order in which they are applied. */
export const MIGRATIONS: readonly Migration[] = [
  records,
  notBefore,
  database,
  factors,
  tickets,
  rememberedDevices,
  mails,
  links,
  addresses,
  audit,
  auditSinks,
  roles,
  accessRules,
  realms,
]
