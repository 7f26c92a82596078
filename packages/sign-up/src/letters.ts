/** The two mails, of which the delivery takes one: for an address without an account, and for one that has one. */

import type { SignUpVisit } from '@ostiary/identity'
import { textsOf } from './texts.js'

/** @param url The link that confirms the address. */
export function lettersTo(
  { language, provider, realm, text, has_passwords }: SignUpVisit,
  to: string,
  url: string,
): Parameters<SignUpVisit['send']>[0]['letters'] {
  const texts = textsOf(language.tag)
  const { issuer } = realm.urls
  const asked = `${texts.asked} ${to}`
  const subject = (title: string) => ({ title, subject: `${title} – ${provider}` })
  const unexpected = text('invite.unexpected')
  return [
    {
      ...subject(texts.confirm),
      before: [asked, texts.go_on],
      button: { text: texts.confirm, url },
      after: [unexpected],
    },
    {
      ...subject(texts.known),
      before: [asked, texts.known_mail],
      button: { text: text('sign_in.title'), url: `${issuer}/login` },
      after: [
        ...(has_passwords ? [`${text('sign_in.forgot')} ${issuer}/login/recover`] : []),
        texts.invited,
        unexpected,
      ],
    },
  ]
}
