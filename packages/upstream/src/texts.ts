/** The texts of the buttons and pages, in three languages. */

import type { UpstreamReason } from './refusal.js'

/** In one language. */
export interface UpstreamTexts {
  /** E.g. "Sign in with Google". */
  sign_in(name: string): string
  /** The page of a refused sign-in. */
  refused(reason: UpstreamReason, name: string): { title: string; sentences: string[] }
  /** The section of the account page. */
  title: string
  hint: string
  add(name: string): string
  remove: string
  /** Of a link whose provider is not in the configuration any more. */
  unused: string
  last_way_in: string
  /** The account was changed at the same time. */
  changed: string
  /** Back to the sign-in. */
  back: string
  /** To a user who signed in too long ago, where the account has no other proof. */
  not_fresh: string
}

type Words = Omit<UpstreamTexts, 'refused' | 'sign_in' | 'add' | 'changed'> & {
  sign_in: string
  add: string
  cancelled: string
  failed: string
  sentences: Readonly<Record<Sentence, string>>
}

type Sentence =
  | 'cancelled'
  | 'unreachable'
  | 'wrong_answer'
  | 'over'
  | 'throttled'
  | 'no_account'
  | 'other_account'
  | 'linked_elsewhere'
  | 'changed'
  | 'again'
  | 'ask'

const EN: Words = {
  sign_in: 'Sign in with {name}',
  cancelled: 'Not signed in',
  failed: 'The sign-in with {name} did not work',
  sentences: {
    cancelled: 'The sign-in with {name} was cancelled.',
    unreachable: '{name} cannot be reached at the moment.',
    wrong_answer: 'The answer of {name} was not accepted. Nothing was changed.',
    over: 'This sign-in with {name} is over, or was begun in another browser.',
    throttled: 'There were too many sign-ins from your network. Wait a quarter of an hour.',
    no_account: 'Your account at {name} is not linked to an account here.',
    other_account: 'This is another account at {name} than the one that is linked to your account here.',
    linked_elsewhere: 'This account at {name} is linked to another account here.',
    changed: 'Your account was changed at the same time.',
    again: 'Try again, or sign in in another way.',
    ask: 'If you have an account here, sign in in another way and add {name} on your account page. Otherwise ask the administrator for an account.',
  },
  title: 'Linked accounts',
  hint: 'You can sign in with these accounts.',
  add: 'Add {name}',
  remove: 'Remove',
  unused: 'You cannot sign in with it at the moment.',
  last_way_in: 'You can sign in only with this account. Add another way to sign in first.',
  back: 'Back to the sign-in',
  not_fresh: 'You signed in some time ago. Sign out and sign in again, then repeat the change.',
}

const DE: Words = {
  sign_in: 'Mit {name} anmelden',
  cancelled: 'Nicht angemeldet',
  failed: 'Die Anmeldung mit {name} hat nicht geklappt',
  sentences: {
    cancelled: 'Die Anmeldung mit {name} wurde abgebrochen.',
    unreachable: '{name} ist zurzeit nicht erreichbar.',
    wrong_answer: 'Die Antwort von {name} wurde nicht angenommen. Es wurde nichts geändert.',
    over: 'Diese Anmeldung mit {name} ist vorbei oder wurde in einem anderen Browser begonnen.',
    throttled: 'Aus Ihrem Netz kamen zu viele Anmeldungen. Warten Sie eine Viertelstunde.',
    no_account: 'Ihr Konto bei {name} ist mit keinem Konto hier verknüpft.',
    other_account:
      'Das ist ein anderes Konto bei {name} als das, welches mit Ihrem Konto hier verknüpft ist.',
    linked_elsewhere: 'Dieses Konto bei {name} ist mit einem anderen Konto hier verknüpft.',
    changed: 'Ihr Konto wurde gleichzeitig geändert.',
    again: 'Versuchen Sie es noch einmal, oder melden Sie sich auf andere Weise an.',
    ask: 'Wenn Sie hier ein Konto haben, melden Sie sich auf andere Weise an und fügen Sie {name} auf Ihrer Kontoseite hinzu. Sonst bitten Sie die Administration um ein Konto.',
  },
  title: 'Verknüpfte Konten',
  hint: 'Mit diesen Konten können Sie sich anmelden.',
  add: '{name} hinzufügen',
  remove: 'Entfernen',
  unused: 'Damit können Sie sich zurzeit nicht anmelden.',
  last_way_in: 'Sie können sich nur mit diesem Konto anmelden. Fügen Sie zuerst einen anderen Weg hinzu.',
  back: 'Zurück zur Anmeldung',
  not_fresh:
    'Ihre Anmeldung ist eine Weile her. Melden Sie sich ab und wieder an, und wiederholen Sie die Änderung.',
}

const FR: Words = {
  sign_in: 'Se connecter avec {name}',
  cancelled: 'Non connecté',
  failed: 'La connexion avec {name} a échoué',
  sentences: {
    cancelled: 'La connexion avec {name} a été annulée.',
    unreachable: '{name} est injoignable pour le moment.',
    wrong_answer: 'La réponse de {name} n’a pas été acceptée. Rien n’a été modifié.',
    over: 'Cette connexion avec {name} est terminée, ou a été commencée dans un autre navigateur.',
    throttled: 'Il y a eu trop de connexions depuis votre réseau. Attendez un quart d’heure.',
    no_account: 'Votre compte chez {name} n’est lié à aucun compte ici.',
    other_account: 'C’est un autre compte chez {name} que celui qui est lié à votre compte ici.',
    linked_elsewhere: 'Ce compte chez {name} est lié à un autre compte ici.',
    changed: 'Votre compte a été modifié au même moment.',
    again: 'Réessayez, ou connectez-vous d’une autre manière.',
    ask: 'Si vous avez un compte ici, connectez-vous d’une autre manière et ajoutez {name} sur la page de votre compte. Sinon, demandez un compte à l’administration.',
  },
  title: 'Comptes liés',
  hint: 'Vous pouvez vous connecter avec ces comptes.',
  add: 'Ajouter {name}',
  remove: 'Retirer',
  unused: 'Vous ne pouvez pas vous connecter avec lui pour le moment.',
  last_way_in:
    'Vous ne pouvez vous connecter qu’avec ce compte. Ajoutez d’abord un autre moyen de connexion.',
  back: 'Retour à la connexion',
  not_fresh:
    'Votre connexion date d’un moment. Déconnectez-vous, reconnectez-vous, puis répétez la modification.',
}

const LANGUAGES: Readonly<Record<string, Words>> = { en: EN, de: DE, fr: FR }

/** What the user did not cause is one sentence, whatever it was: the event has the reason. */
const SENTENCES: Partial<Record<UpstreamReason, readonly Sentence[]>> = {
  access_denied: ['cancelled', 'again'],
  unreachable: ['unreachable', 'again'],
  state_unknown: ['over', 'again'],
  throttled: ['throttled'],
  busy: ['changed', 'again'],
  changed_meanwhile: ['changed', 'again'],
  no_account: ['no_account', 'ask'],
  domain: ['no_account', 'ask'],
  email_unverified: ['no_account', 'ask'],
  // As for an account that is not known: a stranger learns nothing of it.
  disabled: ['no_account', 'ask'],
  linked_elsewhere: ['linked_elsewhere'],
  other_account: ['other_account', 'again'],
}

/** English for a language that it has no texts in. @param language BCP 47. */
export function textsOf(language: string): UpstreamTexts {
  const [primary = ''] = language.toLowerCase().split('-')
  const { sign_in, add, cancelled, failed, sentences, ...words } = LANGUAGES[primary] ?? EN
  const named = (text: string, name: string): string => text.split('{name}').join(name)
  return {
    ...words,
    changed: `${sentences.changed} ${sentences.again}`,
    sign_in: (name) => named(sign_in, name),
    add: (name) => named(add, name),
    refused: (reason, name) => ({
      title: named(reason === 'access_denied' ? cancelled : failed, name),
      sentences: (SENTENCES[reason] ?? ['wrong_answer', 'again']).map((key) => named(sentences[key], name)),
    }),
  }
}
