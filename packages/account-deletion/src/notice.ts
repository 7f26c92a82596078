/** The mail that tells the user of the request, in case another person has made it. */

import { isAddress, isolated } from '@ostiary/core/common'
import type { Arrival, Mails, User } from '@ostiary/identity'
import { dateIn, textsOf } from './texts.js'

/** Mails about one account in an hour: who can sign in could ask, keep the account, and ask again. */
const MAX_MAILS = 5
const WINDOW_SECONDS = 3600

type Letter = Parameters<Mails['send']>[0]['letters'][0]

/** Queues it, where the realm mails and the user has a verified address. @param due_at Epoch seconds. */
export async function mailRequest(c: Arrival, user: User, due_at: number): Promise<void> {
  const { sub, claims } = user
  const { email: to, email_verified } = claims
  if (c.mails === null || email_verified !== true || !isAddress(to)) return
  if ((await c.count([{ name: sub, maximum: MAX_MAILS }], WINDOW_SECONDS)) !== null) return
  const letter = letterOf(c, user, due_at)
  // Mails that strangers ask for must not use up the limits before.
  await c.mails.send({ to, by: sub, letters: [letter, letter], expires_at: due_at, uncounted: true })
}

function letterOf(c: Arrival, { username }: User, due_at: number): Letter {
  const texts = textsOf(c.language.tag)
  const { provider } = c
  return {
    subject: `${texts.requested} – ${provider}`,
    title: texts.requested,
    before: [texts.mail_asked(isolated(username), provider), texts.mail_keep(dateIn(c.language.tag, due_at))],
    button: { text: texts.sign_in, url: `${c.realm.urls.issuer}/account` },
    after: [texts.mail_not_you],
  }
}
