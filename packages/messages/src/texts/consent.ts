/** The texts of the consent page. */

import type { Texts } from '../texts.js'

export const consentTexts = {
  // The consent page
  'consent.title': ['Allow {application}?', '{application} erlauben?', 'Autoriser {application} ?'],
  'consent.heading': [
    'Allow {application} to use your account?',
    '{application} den Zugriff auf Ihr Konto erlauben?',
    'Autoriser {application} à utiliser votre compte ?',
  ],
  'consent.another_account': ['Use another account', 'Konto wechseln', 'Changer de compte'],
  'consent.scopes': ['It will be able to', 'Die Anwendung darf dann', 'Cette application pourra'],
  'consent.scopes_high': [
    'It asks for sensitive access',
    'Die Anwendung bittet um sensiblen Zugriff',
    'Cette application demande un accès sensible',
  ],
  'consent.scopes_also': ['It will also be able to', 'Außerdem darf sie', 'Elle pourra aussi'],
  'consent.more': [
    { one: 'Show 1 more', other: 'Show {count} more' },
    { one: '1 weiteres anzeigen', other: '{count} weitere anzeigen' },
    { one: 'Afficher 1 autre', other: 'Afficher {count} autres' },
  ],
  'consent.offline': [
    'Keep this access after you sign out',
    'Diesen Zugriff behalten, auch nachdem Sie sich abgemeldet haben',
    'Conserver cet accès après votre déconnexion',
  ],
  'consent.resources': ['With your account at', 'Mit Ihrem Konto bei', 'Avec votre compte sur'],
  'consent.answer_target': [
    'After you answer, you will be sent to {host}.',
    'Danach werden Sie zu {host} weitergeleitet.',
    'Vous serez ensuite redirigé vers {host}.',
  ],
  'consent.allow': ['Allow', 'Erlauben', 'Autoriser'],
  'consent.deny': ['Deny', 'Ablehnen', 'Refuser'],

  // What a client may do
  'scope.none': [
    'Know that you are signed in',
    'Wissen, dass Sie angemeldet sind',
    'Savoir que vous êtes connecté',
  ],
  'scope.high': ['{scope} (sensitive)', '{scope} (sensibel)', '{scope} (sensible)'],

  // Core describes these scopes with the same texts, which tells them from descriptions of the operator.
  'scope.openid': ['Know who you are', 'Wissen, wer Sie sind', 'Savoir qui vous êtes'],
  'scope.profile': [
    'See your name and profile',
    'Ihren Namen und Ihr Profil sehen',
    'Voir votre nom et votre profil',
  ],
  'scope.email': ['See your email address', 'Ihre E-Mail-Adresse sehen', 'Voir votre adresse e-mail'],
  'scope.address': ['See your postal address', 'Ihre Postanschrift sehen', 'Voir votre adresse postale'],
  'scope.phone': ['See your phone number', 'Ihre Telefonnummer sehen', 'Voir votre numéro de téléphone'],
} as const satisfies Texts
