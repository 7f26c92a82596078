import { ID, type Migration, TIME } from './migration.js'

/** How far the audit is delivered to each sink. It is in the home database of several. */
export const auditSinks: Migration = {
  id: 11,
  name: 'audit-sinks',
  sql: `create table oidc_audit_sinks (
  realm ${ID},
  sink ${ID},
  seal bigint not null,
  place integer not null,
  attempts integer not null,
  failing_since bigint,
  error text,
  dropped bigint not null,
  next_attempt_at ${TIME},
  leased_until ${TIME},
  lease text,
  seen_at ${TIME},
  primary key (realm, sink)
);`,
}
