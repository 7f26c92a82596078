/**
 * The catalog of refusals: each reason in an event, with what the log shows of the request and with the remedy. A new reason is
 * an entry in one of the other files, or in `reasons.ts` of a capability: without it, the code that refuses does not compile.
 */

import { FEATURE_REASONS } from '../features/declarations.js'
import { type Reason, reasons } from '../util/reason.js'
import { CLIENT_REASONS } from './clients.js'
import type { DocumentReason } from './document-error.js'
import { DOCUMENT_HINTS } from './documents.js'
import { GRANT_REASONS } from './grants.js'
import { MAIL_REASONS } from './mails.js'
import { PAGE_REASONS } from './pages.js'
import { REQUEST_REASONS } from './requests.js'
import { TOKEN_REASONS } from './tokens.js'

const REASONS = reasons({
  ...REQUEST_REASONS,
  ...CLIENT_REASONS,
  ...GRANT_REASONS,
  ...TOKEN_REASONS,
  ...PAGE_REASONS,
  ...MAIL_REASONS,
  ...FEATURE_REASONS,
})

/** A reason with an entry in the catalog. */
export type CatalogReason = keyof typeof REASONS

/** Why a request is refused, in events and logs. The client learns it nowhere. */
export type RefusalReason =
  | CatalogReason
  | `document_${DocumentReason}`
  | `assertion_keys_${DocumentReason}`
  // Of the subject token of an exchange: the reason of its own refusal follows.
  | `subject_token_${string}`
  // Of a policy of the application.
  | `application_${string}`

const CATALOG: ReadonlyMap<string, Reason> = new Map(
  Object.entries(REASONS).map(([reason, row]) => [
    reason,
    typeof row === 'string' ? { sent: null, hint: row } : row,
  ]),
)

/** Reasons that begin so are about something else that is refused for the rest of the reason. */
const PREFIXES = [
  ['document_', 'Of the metadata document of the client: '],
  ['assertion_keys_', 'Of the keys at the jwks_uri of the client: '],
  ['subject_token_', 'Of the subject_token: '],
] as const

/** Every reason in the catalog, for documentation and tests. */
export const catalogReasons = (): ReadonlyMap<string, Reason> => CATALOG

/** What to do about a refusal, for the developer or the operator; null for a reason that is not in the catalog. */
export function hintFor(reason: string): string | null {
  const own = CATALOG.get(reason)
  if (own) return own.hint
  if (reason.startsWith('application_')) return 'A policy of the application refused the request.'
  const prefix = PREFIXES.find(([name]) => reason.startsWith(name))
  if (!prefix) return isDocumentReason(reason) ? DOCUMENT_HINTS[reason] : null
  const [name, subject] = prefix
  const rest = hintFor(reason.slice(name.length))
  return rest === null ? null : subject + rest
}

/** The names of what was sent, as in {@link Reason}. */
export function sentNames(reason: string): readonly string[] {
  const own = CATALOG.get(reason)
  if (own) return own.sent?.split(' ') ?? []
  if (reason.startsWith('subject_token_')) return ['client_id']
  return reason.startsWith('document_') ? ['client_id'] : []
}

const isDocumentReason = (reason: string): reason is DocumentReason => Object.hasOwn(DOCUMENT_HINTS, reason)

const itself = (reason: string): string => reason

/** The events that refuse something, and what the reason of each is in the catalog. */
const REASON_OF_EVENT = new Map<string, (reason: string) => string>([
  ['request.refused', itself],
  ['authorization.refused', itself],
  ['client.authentication_failed', itself],
  ['bearer.refused', itself],
  ['account.refused', itself],
  ['logout.redirect_refused', itself],
  ['login.refused', (reason) => (CATALOG.has(`login_${reason}`) ? `login_${reason}` : reason)],
  ['client_document.refused', (reason) => `document_${reason}`],
  ['code.replayed', () => 'replayed_code'],
  ['refresh_token.reused', () => 'reused_refresh_token'],
  ['access_token.too_large', () => 'access_token_too_large'],
  ['logout.failed', deliveryReason],
  ['mail.failed', mailReason],
])

function deliveryReason(reason: string): string {
  if (reason.startsWith('status_')) return 'delivery_status'
  return CATALOG.has(`delivery_${reason}`) ? `delivery_${reason}` : 'delivery_failed'
}

/** The reasons of a mail server are many, and `mail test` says more of each. */
function mailReason(reason: string): string {
  if (reason === 'disabled') return reason
  return CATALOG.has(`unsent_${reason}`) ? `unsent_${reason}` : 'unsent'
}

/** The hint for an event of the provider or of its pages; null for one that refuses nothing. */
export function hintOfEvent({ type, reason = '' }: { type: string; reason?: string }): string | null {
  const reasonOf = REASON_OF_EVENT.get(type)
  return reasonOf === undefined ? null : hintFor(reasonOf(reason))
}
