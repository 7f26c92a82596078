/** What to do about a refusal: what has mended it, what was seen of the client, or the hint of its reason and who acts. */

import type { AuditRow } from '@ostiary/audit'
import { dataOf } from '@ostiary/audit/rows'
import type { RefusingRealm } from './before.js'
import { type ExpiredPlace, expiredAdvice } from './expired.js'
import { mendingOf, type StoryNow } from './mended.js'

interface Advised {
  /** Of the catalog. */
  hint: string
  /** Whether there are rows that can be the cause. */
  has_before: boolean
}

type Advice = (advised: Advised, place: AdvisingPlace) => string | Promise<string>

const after =
  (more: string): Advice =>
  ({ hint }) =>
    `${hint} ${more}`

const withBefore =
  (advice: string): Advice =>
  ({ hint, has_before }) =>
    has_before ? advice : hint

/** Where an operator changes the client. */
const changing = (option: string): string =>
  `ostiary client update ${option}, or the configuration if that has the client`

const WITH_SCOPE = `${changing('--optional-scope (for each entry, old and new)')}.`

const SETTING = 'oidc.tokens.authorization_code'

const ADVICE: Readonly<Record<string, Advice>> = {
  unregistered_redirect_uri: after(
    `The developer of the application does the first, an operator the second: ${changing('--add-redirect-uri')}.`,
  ),
  wrong_method: after(
    `Either the developer sends the credentials in the registered way, or an operator registers the one that was used: ${changing('--auth-method')}.`,
  ),
  closed_resource: after(`An operator adds it, if the client may use the resource: ${WITH_SCOPE}`),
  unassigned_scope: after(
    `The developer does the first, an operator the second: ${WITH_SCOPE} The entry is a scope of the realm, or "<resource> <scope>".`,
  ),
  expired_code: ({ hint }, { realm: { settings } }) =>
    `${hint.replace(SETTING, `${settings.tokens.authorization_code}`)} If it happens again, the developer redeems each code at once; an operator raises ${SETTING} only for an application that cannot.`,
  login_throttled: after('If it is not, leave the limit: ostiary throttle list shows when it ends.'),
  unknown_key: withBefore(
    'Compare the kid in the log, or its beginning, with those in Before. If it is one of them, the application refreshes, or the user signs in again. If not, another server issued the token: the developer compares its iss.',
  ),
  revoked_grant: withBefore(
    'What Before names ended the access of the application: the user signs in again, and consents again if asked. If that was not meant, ask who is named after "by".',
  ),
  async user_in_no_allowed_group({ hint }, { open }) {
    const { client } = await open()
    return client?.allowed_groups ? `${hint} It allows ${client.allowed_groups.join(', ')}.` : hint
  },
}

/** Where the audit is, and what is known now. */
export interface AdvisingPlace extends ExpiredPlace {
  realm: RefusingRealm
  open(): Promise<StoryNow>
}

/** The advice about a refusal whose reason is in the catalog. */
export async function adviceOf(row: AuditRow, advised: Advised, place: AdvisingPlace): Promise<string> {
  const { reason: own } = dataOf(row)
  const reason = row.type === 'login.refused' ? `login_${own}` : `${own}`
  return (
    (await mendingOf(row, place.open)) ??
    (await expiredAdvice(row, place)) ??
    ADVICE[reason]?.(advised, place) ??
    advised.hint
  )
}
