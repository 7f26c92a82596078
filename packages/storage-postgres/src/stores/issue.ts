/** A grant with its code, stored while the session and the consent are locked. */

import { bucketByTag, type IssueGrant, type IssueOutcome } from '@ostiary/core'
import type { Queries } from '../connection/executor.js'
import { PLACE } from './columns.js'
import { insertGrant } from './grants.js'
import { joinSession, lockedSession } from './sessions.js'

/** The consent, if it is there. `for share`, because a revocation changes no key: `for key share` would not stop it. */
const LOCKED_CONSENT = `
    select from oidc_consents
    where ${PLACE} and sub = $7 and client_id = $6 and resource = $8 and revoked_at is null
      and scopes @> $9::text::jsonb
    for share`

/**
 * The row locks re-check their conditions on the newest version of the row, if they had to wait for another statement. What is
 * stored depends on `allowed`, so both rows are locked before anything is written.
 * @param consent A query that returns a row if the consent is there.
 */
const issue = (consent: string) => `
  with session as materialized (${lockedSession('$5')}), consent as materialized (${consent}
  ), allowed as materialized (
    select sid from session, consent
  ), joined as (${joinSession('$6', 'allowed')}
  ), ${insertGrant('where exists (select from allowed)')}
  select case
    when not exists (select from session) then 'session_ended'
    when not exists (select from consent) then 'consent_withdrawn'
    else 'stored'
  end as outcome`
const ISSUE = issue('select')
const ISSUE_WITH_CONSENT = issue(LOCKED_CONSENT)

export function issueGrant(db: Queries, realm: string): IssueGrant {
  return async (grant, code, consent) => {
    const { grant_id, sid, client_id, sub } = grant
    const params = [realm, bucketByTag(grant_id), JSON.stringify(grant), JSON.stringify(code), sid, client_id]
    const rows = consent
      ? db.query<IssueRow>(ISSUE_WITH_CONSENT, [
          ...params,
          sub,
          consent.resource,
          JSON.stringify(consent.scopes),
        ])
      : db.query<IssueRow>(ISSUE, params)
    const [row] = await rows
    if (row === undefined) throw new Error('The statement has returned no row')
    return row.outcome
  }
}

interface IssueRow {
  outcome: IssueOutcome
}
