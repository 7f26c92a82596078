/** The mail with the code. It has no link: there is nothing to follow, and the code is of use in one browser alone. */

import { isolated } from '@ostiary/core/common'
import type { SignInVisit } from '@ostiary/identity'
import { shownCode } from './code.js'
import { textsOf } from './texts.js'

type Letter = Parameters<SignInVisit['send']>[0]['letter']

export function letterWith(
  { language, provider }: Pick<SignInVisit, 'language' | 'provider'>,
  { code, username }: { code: string; username: string },
): Letter {
  const text = textsOf(language.tag)
  const title = text('mail_title')
  return {
    subject: `${title} – ${provider}`,
    title,
    before: [text('mail_asked', { username: isolated(username), provider })],
    code: shownCode(code),
    button: null,
    after: [text('mail_then'), text('mail_not_you')],
  }
}
