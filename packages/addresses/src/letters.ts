/** The mails. */

import { isolated } from '@ostiary/core/common'
import type { Mails, Visit } from '@ostiary/identity'
import { filled, textsOf } from './texts.js'

type Letters = Parameters<Mails['send']>[0]['letters']
type Letter = Letters[0]

/**
 * To the new address. It does not name the account: an attacker could choose that name as a message to a stranger.
 * @param may_be_taken The address becomes the username too, unless it is that of another account: then the mail says so.
 */
export function verifyLetters(
  c: Visit,
  { to, url, may_be_taken }: { to: string; url: string; may_be_taken: boolean },
): Letters {
  const texts = textsOf(c.language.tag)
  const { provider } = c
  const asked = `${filled(texts.asked, { provider })} ${to}`
  const after = [c.text('invite.unexpected')]
  const confirm: Letter = {
    subject: `${texts.confirm_title} – ${provider}`,
    title: texts.confirm_title,
    before: [asked, texts.asked_then],
    button: { text: texts.confirm, url },
    after,
  }
  const known: Letter = {
    subject: `${texts.known} – ${provider}`,
    title: texts.known,
    before: [asked, texts.known_text],
    button: { text: c.text('sign_in.title'), url: `${c.realm.urls.issuer}/login` },
    after,
  }
  return [confirm, may_be_taken ? known : confirm]
}

/** To the former address. @param url Null where the change cannot be undone from there. */
export function changedLetter(c: Visit, { username, url }: { username: string; url: string | null }): Letter {
  const texts = textsOf(c.language.tag)
  const { provider } = c
  return {
    subject: `${texts.told} – ${provider}`,
    title: texts.told,
    before: [
      filled(texts.told_text, { username: isolated(username), provider }),
      url === null ? texts.told_not_you : texts.told_undo,
    ],
    button: url === null ? null : { text: texts.undo, url },
    after: [texts.told_you],
  }
}

/** To both addresses. */
export function undoneLetter(c: Visit, username: string): Letter {
  const texts = textsOf(c.language.tag)
  const { provider } = c
  return {
    subject: `${texts.undone_mail} – ${provider}`,
    title: texts.undone_mail,
    before: [filled(texts.undone_mail_text, { username: isolated(username), provider })],
    button: null,
    after: [texts.told_not_you],
  }
}
