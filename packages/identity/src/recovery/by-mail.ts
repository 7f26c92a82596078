/** What the pages of a recovery by mail are made with. */

import { addMail } from '../outbox/mail-content.js'
import type { Html } from '../pages/html.js'
import { timeFormats } from '../pages/time.js'
import type { MailParts, PageContext, RecoveryParts, RegainParts, Step } from '../sign-in/context.js'
import { deviceLabel } from '../sign-in/device-label.js'
import { pageVisitOf } from '../sign-in/extensions/visit.js'
import type { RecoveryVisit } from '../sign-in/regain/seam.js'
import { openTicket, secretIn } from '../users/invitation.js'
import { createLink, ticketHash } from '../users/recovery-link.js'
import type { User } from '../users/user-store.js'
import { REGAIN_PATH } from '../web/paths.js'
import { startFlow, ticketIn } from './flow.js'

/** Where users get in again by mail: the realm mails, and has tickets. */
interface RegainContext extends PageContext {
  regain: RegainParts
  recovery: RecoveryParts
  mail: MailParts
}

export const answerRegain = (c: PageContext): Promise<Response> => {
  const page = c as RegainContext
  return page.regain.ways.answer(regainVisit(page))
}

/** For the account page. */
export const recoveryBanner = (c: PageContext, user: User): Promise<Html | null> | null =>
  c.regain?.ways.banner(regainVisit(c as RegainContext), user) ?? null

const TICKETS = { purposes: ['regain', 'wait'] } as const

function regainVisit(c: RegainContext): RecoveryVisit {
  const { realm, recovery, mail, regain, factors } = c
  const { tickets } = recovery
  const users = c.users(realm.id)
  return {
    ...pageVisitOf(c, regain, REGAIN_PATH),
    async ticketIn(secret, takes = false) {
      const good = await ticketIn(c, secret, { ...TICKETS, takes })
      if (!('reason' in good)) return good
      c.emit({ type: 'recovery.refused', ...good })
      return null
    },
    waiting: (user) => openTicket(tickets, { user, purpose: 'wait' }, c.now()),
    end: async ({ ticket_hash }) => (await tickets.take(ticket_hash)) !== null,
    async signedIn() {
      const present = await c.provider.session(c.request, c.origin)
      return present && users.find(present.session.sub)
    },
    async link(user, seconds) {
      const use = { purpose: 'wait', path: REGAIN_PATH, seconds, to: user.claims.email } as const
      const made = await createLink(tickets, { realm, user, now: c.now() }, use)
      return { url: made.url, ticket_hash: ticketHash(secretIn(made)) ?? '' }
    },
    async send({ sub, claims }, waiting) {
      const origin = { language: c.language.tag, device: '', at: c.now() }
      const content = { kind: 'recovery', sub, to: String(claims.email), ...waiting, ...origin } as const
      await addMail(mail, realm.id, content)
      mail.start()
    },
    async useCode(user, params) {
      const method = factors?.methods.find(({ kind }) => kind === 'recovery')
      if (!factors || !method) throw new Error('No factors')
      // A code belongs to no form.
      const step = { user, factors: await factors.store.list(user.sub) } as unknown as Step
      const answer = await method.check({ ...c, factors }, step, params)
      if ('proof' in answer) return null
      const { reason, limit } = answer
      c.emit({ type: 'recovery.refused', reason, sub: user.sub, ...(limit && { limit }) })
      return answer
    },
    async begin(user, by) {
      c.emit({ type: 'recovery.started', sub: user.sub, by })
      return startFlow(c, { ...user, purpose: by === 'delay' ? 'wait' : 'regain' })
    },
    device: () => deviceLabel(c.request),
    time: (seconds, user) => timeFormats(c.language, user?.claims.zoneinfo).dateAndTimeText(seconds),
  }
}
