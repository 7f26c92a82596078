/** One attempt to send a queued mail: what it says is read and written now, and its outcome is stored. */

import type { Provider, Realm } from '@ostiary/core'
import type { IdentityEvent } from '../events.js'
import type { Letter } from '../outbox/letter.js'
import {
  type MailContent,
  type MailLink,
  type MailOrigin,
  openMail,
  sealMail,
} from '../outbox/mail-content.js'
import type { MailOptions, RealmMail } from '../outbox/mail-options.js'
import type { QueuedMail } from '../outbox/mail-queue.js'
import { MailError } from '../outbox/mailer.js'
import type { Languages } from '../pages/languages.js'
import { providerName } from '../pages/page.js'
import type { Theme } from '../pages/theme.js'
import type { SignInSettings } from '../settings.js'
import { isAsked } from '../sign-in/enrolment.js'
import { isElsewhere } from '../sign-in/passwords-of.js'
import type { MailRecovery } from '../sign-in/regain/seam.js'
import type { Factors } from '../users/factor-store.js'
import { createLink } from '../users/recovery-link.js'
import { isJustSignedUp } from '../users/signed-up.js'
import type { User } from '../users/user-store.js'
import { REGAIN_PATH, RESET_PATH } from '../web/paths.js'
import type { Sealer } from '../web/sealed.js'
import { htmlOf, textOf } from './letter.js'
import { inviteLetter, type LetterContext, noticeLetter, resetLetter, whenAndWhere } from './letters.js'
import { type Recipient, type RecipientParts, recipientOf } from './recipient.js'

/** What the delivery has of `createIdentity`. */
export interface DeliveryParts extends RecipientParts {
  mail: MailOptions
  sealer: Sealer
  factors: Factors | null
  /** Absent where users do not get in again by mail. */
  recovery?: MailRecovery
  /** Null for a realm that offers no factors. */
  settings(realm: Realm): SignInSettings | null
  languages: Languages
  theme: Theme
  emit(realm: string, event: MailEvent): void
}

type Named<E> = E extends { type: 'mail.sent' | 'mail.failed' | 'server.error' }
  ? Omit<E, 'time' | 'realm' | 'request_id'>
  : never

/** An event of the delivery; `time` and `realm` are added later. */
type MailEvent = Named<IdentityEvent>

/** How long the link for a new password works. */
const RESET_SECONDS = 1800
/** A link that works for less than this is replaced by the next attempt. */
const MIN_LINK_SECONDS = 900
/** Seconds for which a claimed mail is kept from other servers: longer than an attempt can take. */
export const LEASE_SECONDS = 60
const HOUR_SECONDS = 3600
/** Seconds after the request: mail servers that ask to come again later (greylisting) accept after 5 to 15 minutes. */
const ATTEMPT_OFFSETS = [
  0,
  10,
  60,
  300,
  900,
  ...Array.from({ length: 24 }, (_, hour) => (hour + 1) * HOUR_SECONDS),
]

/** Makes one attempt. Afterwards the mail is deleted, or due again. */
export async function attemptMail(parts: DeliveryParts, provider: Provider, mail: QueuedMail): Promise<void> {
  const content = openMail(parts.sealer, mail)
  const realm = await realmOf(provider, mail.realm)
  const settings = realm && parts.mail.of(mail.realm)
  // A server with the newer configuration may be able to send it.
  if (content === null)
    return fail(parts, { mail, content: null, sub: null }, { reason: 'other_secret', again: true })
  if (!realm || !settings)
    return fail(parts, { mail, content, sub: null }, { reason: 'no_realm', again: true })
  const found = await recipientOf(parts, content, mail.realm)
  if (typeof found === 'string')
    return fail(parts, { mail, content, sub: null }, { reason: found, again: false })
  const attempt = { mail, content, sub: content.kind === 'address' ? content.by : (found.user?.sub ?? null) }
  const sending = { ...attempt, ...found, realm, settings }
  const letter = await letterOf(parts, sending)
  if (letter === null) return
  const failure = await send(sending, { letter, theme: parts.theme, languages: parts.languages })
  if (failure !== null) return fail(parts, attempt, failure)
  await parts.mail.queue.settle(mail, null)
  parts.emit(mail.realm, { type: 'mail.sent', mail: content.kind, sub: attempt.sub, attempts: mail.attempts })
}

/** Null for a realm that was removed. */
async function realmOf(provider: Provider, id: string): Promise<Realm | null> {
  try {
    const located = await provider.locate(new Request(provider.url('oidc.discovery', { realm: id })))
    return located?.realm.id === id ? located.realm : null
  } catch {
    return null
  }
}

interface Attempt {
  mail: QueuedMail
  content: MailContent | null
  sub: string | null
}

interface Failure {
  reason: string
  /** Whether another attempt may succeed. */
  again: boolean
}

async function fail(
  parts: DeliveryParts,
  { mail, content, sub }: Attempt,
  { reason, again }: Failure,
): Promise<void> {
  const { attempts, realm, data } = mail
  const next_attempt_at = again ? nextAttempt(mail, parts.now()) : null
  await parts.mail.queue.settle(mail, next_attempt_at === null ? null : { data, next_attempt_at })
  parts.emit(realm, {
    type: 'mail.failed',
    mail: content?.kind ?? null,
    sub,
    attempts,
    reason,
    next_attempt_at,
  })
}

/** When to try again, or null to give up. After an outage, overdue attempts are at least 10 seconds apart. */
function nextAttempt({ created_at, attempts }: QueuedMail, now: number): number | null {
  const offset = ATTEMPT_OFFSETS[attempts]
  return offset === undefined ? null : Math.max(created_at + offset, now + 10)
}

interface Sending extends Recipient {
  mail: QueuedMail
  content: MailContent
  realm: Realm
  settings: RealmMail
}

/** Null when there is nothing to say any more: the attempt has ended. */
async function letterOf(parts: DeliveryParts, sending: Sending): Promise<Letter | null> {
  const { content, realm, user } = sending
  const language = languageOf(parts, content)
  if ('expires_at' in content) {
    const is_code = content.kind === 'code'
    const letter = is_code ? content.letter : content.letters[user === null || isJustSignedUp(user) ? 0 : 1]
    // That of a sign-up is without the time zone of the user: it would tell that there is one.
    const asked = whenAndWhere({ language, user: (is_code && user) || { claims: {} } }, content)
    return { ...letter, before: [...letter.before, asked] }
  }
  if (user === null) return null
  if (content.kind === 'recovery') return content.letter
  const is_elsewhere = isElsewhere({ ...parts, realm }, user)
  const c: LetterContext = {
    language,
    realm,
    provider: providerName(parts.theme, realm),
    user,
    passwords: (parts.settings(realm)?.password ?? true) && !is_elsewhere,
    is_elsewhere,
    now: parts.now(),
  }
  if (content.kind === 'notice') return noticeLetter(c, content)
  if (content.kind === 'invite') return inviteLetter(c, content.link)
  const factors = (await parts.factors?.(realm.id).list(user.sub)) ?? []
  // A password for an account without one would be a way around its passkeys.
  const has_none = !c.passwords || (user.password_hash === null && factors.length > 0)
  const link = has_none ? null : await linkOf(parts, { ...sending, user }, content)
  if (link === 'changed') return null
  const letter = resetLetter(c, content, link)
  const may_regain = !is_elsewhere && parts.recovery?.offered(realm.id) && (has_none || factors.some(isAsked))
  return may_regain ? regainLetter(parts, { ...c, user, content }, link && letter) : letter
}

/** Its link is for the second factor. A newer one ends it. */
async function regainLetter(
  { recovery, tickets, now }: DeliveryParts,
  c: LetterContext & { user: User; content: MailOrigin },
  reset: Letter | null,
): Promise<Letter | null> {
  const { realm, user, language, provider, content } = c
  const to = user.claims.email
  const use = { purpose: 'regain', path: REGAIN_PATH, seconds: RESET_SECONDS, to } as const
  const { url } = await createLink(tickets(realm.id), { realm, user, now: now() }, use)
  const when = whenAndWhere(c, content)
  return (
    recovery?.letter({ language: language.tag, provider, username: user.username, when, url, reset }) ?? null
  )
}

const languageOf = ({ languages }: Pick<DeliveryParts, 'languages'>, { language }: MailContent) =>
  languages.choose([language], new Request('http://localhost'))

/**
 * The link of the attempt before, or a new one, which is stored before it is sent: when this process ends meanwhile, the next attempt sends
 * the same link.
 */
async function linkOf(
  parts: DeliveryParts,
  { mail, realm, user }: Sending & { user: User },
  content: Extract<MailContent, { kind: 'reset' }>,
): Promise<MailLink | 'changed'> {
  const { credential_version } = user
  const now = parts.now()
  const former = content.link
  if (former !== undefined && former.credential_version !== credential_version) {
    await fail(parts, { mail, content, sub: user.sub }, { reason: 'changed_meanwhile', again: false })
    return 'changed'
  }
  if (former !== undefined && former.expires_at - now >= MIN_LINK_SECONDS) return former
  const use = { purpose: 'reset', path: RESET_PATH, seconds: RESET_SECONDS } as const
  const made = await createLink(parts.tickets(realm.id), { realm, user, now }, use)
  const link = { ...made, credential_version }
  mail.data = sealMail(parts.sealer, mail, { ...content, link })
  const is_ours = await parts.mail.queue.settle(mail, {
    data: mail.data,
    next_attempt_at: now + LEASE_SECONDS,
  })
  return is_ours ? link : 'changed'
}

async function send(
  { mail, content, realm, settings, to }: Sending,
  { letter, theme, languages }: { letter: Letter } & Pick<DeliveryParts, 'theme' | 'languages'>,
): Promise<Failure | null> {
  const { from, reply_to, mailer } = settings
  const provider = providerName(theme, realm)
  const style = {
    language: languageOf({ languages }, content),
    provider,
    variables: theme.variables ?? {},
  }
  try {
    await mailer.send({
      from,
      ...(reply_to !== undefined && { reply_to }),
      to,
      subject: letter.subject,
      text: textOf(letter, provider),
      html: htmlOf(letter, style),
      message_id: `${mail.mail_id}@${new URL(realm.issuer).hostname}`,
      // RFC 3834 §5: no out-of-office answers.
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
    return null
  } catch (cause) {
    if (cause instanceof MailError) return { reason: cause.reason, again: !cause.permanent }
    return { reason: 'mailer', again: true }
  }
}
