/**
 * The texts of all pages and mails, by language. The names and the parameters are those of every language: a page that uses another
 * name, or omits a parameter, does not compile.
 */

import type { Message } from './message.js'
import type { MessageParameters } from './parameters.js'
import { accessTexts } from './texts/access.js'
import { accountTexts } from './texts/account.js'
import { clientsTexts } from './texts/clients.js'
import { consentTexts } from './texts/consent.js'
import { deviceTexts } from './texts/device.js'
import { errorsTexts } from './texts/errors.js'
import { factorsTexts } from './texts/factors.js'
import { invitationTexts } from './texts/invitation.js'
import { mailTexts } from './texts/mail.js'
import { recoveryTexts } from './texts/recovery.js'
import { rememberedTexts } from './texts/remembered.js'
import { sessionsTexts } from './texts/sessions.js'
import { signInTexts } from './texts/sign-in.js'
import { signOutTexts } from './texts/sign-out.js'
import { waysTexts } from './texts/ways.js'
import { type Translated, withSameParameters } from './texts.js'

const TEXTS = withSameParameters({
  ...factorsTexts,
  ...recoveryTexts,
  ...waysTexts,
  ...rememberedTexts,
  ...signInTexts,
  ...clientsTexts,
  ...consentTexts,
  ...deviceTexts,
  ...signOutTexts,
  ...accountTexts,
  ...sessionsTexts,
  ...accessTexts,
  ...errorsTexts,
  ...mailTexts,
  ...invitationTexts,
})

/** The name of a message. */
export type MessageKey = keyof MessageParameters

/** The names of the parameters of the message with this key. */
export type MessageParameter<Key extends MessageKey> = MessageParameters[Key]

/** A message for each key. */
export type Catalog = Readonly<Record<MessageKey, Message>>

const catalogOf = (language: keyof Translated & (0 | 1 | 2)): Catalog =>
  Object.fromEntries(Object.entries(TEXTS).map(([key, texts]) => [key, texts[language]])) as Catalog

/** The texts in English. */
export const en: Catalog = catalogOf(0)
/** The texts in German: the polite form. */
export const de: Catalog = catalogOf(1)
/** The texts in French. */
export const fr: Catalog = catalogOf(2)
