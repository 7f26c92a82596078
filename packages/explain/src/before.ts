/** What came before a refusal, and can be its cause: the reason alone does not say which of several it was. */

import type { AuditFilter, AuditRow, AuditStore } from '@ostiary/audit'
import { dataOf, minuteOf } from '@ostiary/audit/rows'
import type { Realm } from '@ostiary/core'

/** Rows of one user, or of one type, that are looked through. */
const MAX_ROWS = 200
/** A withdrawn consent has two rows: one of the consent, and one of its grants. */
const MAX_SHOWN = 3

/** Reasons that something has caused: without a row it is said that there is none. */
const CAUSED: readonly string[] = ['unknown_key', 'revoked_grant', 'disabled']

/** What ends the access of a user: events, such as `consent.revoked`, and changes, such as `consent.revoke`. */
const ENDS_ACCESS =
  /^(?:consent|grant)\.revoke|^session\.end|^user\.end_access$|^code\.replayed$|^refresh_token\.reused$/

/** By the API or a command, by the configuration, by a program, and of the secret. */
const CLIENT_CHANGES = ['client.update', 'client.store', 'client.ensure', 'client.rotate_secret']

const SCOPES = { client: ['default_scopes', 'optional_scopes'] }

/** The members whose change can be the cause, by the reason: no other change of the record is one. */
const MEMBERS: Readonly<Record<string, { user?: readonly string[]; client?: readonly string[] }>> = {
  disabled: { user: ['disabled_at'] },
  no_password: { user: ['password_hash'] },
  user_in_no_allowed_group: { user: ['groups'], client: ['allowed_groups'] },
  sign_in_below_required_acr: { client: ['required_acr'] },
  unregistered_redirect_uri: { client: ['redirect_uris'] },
  unregistered_post_logout_redirect_uri: { client: ['post_logout_redirect_uris'] },
  unauthorized_client: { client: ['grant_types'] },
  wrong_method: { client: ['token_endpoint_auth_method', 'token_endpoint_auth_methods'] },
  wrong_secret: { client: ['client_secret_hash'] },
  unassigned_scope: SCOPES,
  closed_resource: SCOPES,
}

interface Search {
  filter: AuditFilter
  isCause(row: AuditRow): boolean
}

const ofType = (type: RegExp, filter: AuditFilter): Search => ({
  filter,
  isCause: (row) => type.test(row.type),
})

/** What a change has changed is not known until it has reported its end. One with the client_id has made the client. */
const ofMembers = (members: readonly string[], filter: AuditFilter): Search => ({
  filter,
  isCause(row) {
    const { fields } = dataOf(row)
    if (!Array.isArray(fields)) return true
    return !fields.includes('client_id') && fields.some((name) => members.includes(name))
  },
})

/** The realm in which a request was refused. */
export type RefusingRealm = Pick<Realm, 'id' | 'settings'>

/** An index answers each filter. */
function searchesFor({ settings }: RefusingRealm, refused: AuditRow): Search[] {
  const { sub, client_id, time } = refused
  const reason = `${dataOf(refused).reason}`
  if (reason === 'unknown_key') {
    const { access_token, id_token, client_credentials } = settings.tokens
    // A token that an older withdrawal is about has expired.
    const since = time - Math.max(access_token, id_token, client_credentials)
    return [ofType(/^key\.revoke/, { type: 'key.', since })]
  }
  if (reason === 'revoked_grant') return sub === null ? [] : [ofType(ENDS_ACCESS, { sub })]
  const { user = [], client = [] } = Object.hasOwn(MEMBERS, reason) ? (MEMBERS[reason] ?? {}) : {}
  const of_client = client_id === null || client.length === 0 ? [] : CLIENT_CHANGES
  return [
    ...(sub === null || user.length === 0 ? [] : [ofMembers(user, { sub, type: 'user.update' })]),
    ...of_client.map((type) => ofMembers(client, { client_id: `${client_id}`, type })),
  ]
}

/** The newest first; null where the reason says it, and where it may always have been so. */
export async function rowsBefore(
  store: AuditStore,
  realm: RefusingRealm,
  refused: AuditRow,
): Promise<AuditRow[] | null> {
  const searches = searchesFor(realm, refused)
  const { client_id } = refused
  const found = await Promise.all(
    searches.map(async ({ filter, isCause }) =>
      (await store.list(realm.id, pageBefore(refused, filter))).filter(
        (row) => row.outcome !== 'failed' && isCause(row) && (row.client_id ?? client_id) === client_id,
      ),
    ),
  )
  const newest = found.flat().sort((a, b) => (a.audit_id < b.audit_id ? 1 : -1))
  const is_caused = searches.length > 0 && CAUSED.includes(`${dataOf(refused).reason}`)
  return newest.length > 0 || is_caused ? newest.slice(0, MAX_SHOWN) : null
}

/** A row that counts several refusals has the time and the id of the first. */
const pageBefore = ({ count, audit_id: before, time }: AuditRow, filter: AuditFilter) =>
  count === 1
    ? { filter, before, limit: MAX_ROWS }
    : { filter: { ...filter, until: minuteOf(time) + 60 }, limit: MAX_ROWS }
