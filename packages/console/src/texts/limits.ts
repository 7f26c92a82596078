/** Texts of the limits of a user. */

import type { Translations } from './texts-of.js'

export const LIMITS = {
  limits: {
    title: ['Limits', 'Begrenzungen', 'Limites'],
    none: [
      'No limit counts anything for this user.',
      'Keine Begrenzung zählt etwas für diesen Benutzer.',
      'Aucune limite ne compte rien pour cet utilisateur.',
    ],
    limit: ['Limit', 'Begrenzung', 'Limite'],
    counted: ['Counted', 'Gezählt', 'Compté'],
    reached: ['reached', 'erreicht', 'atteinte'],
    locked: ['locked', 'ausgesperrt', 'verrouillé'],
    locked_until: ['Locked until', 'Ausgesperrt bis', 'Verrouillé jusqu’au'],
    everywhere: [
      'There were too many failed attempts: only browsers that have signed in before may try.',
      'Es gab zu viele fehlgeschlagene Versuche: Nur Browser, die sich schon einmal angemeldet haben, dürfen es versuchen.',
      'Trop de tentatives ont échoué : seuls les navigateurs déjà connectés auparavant peuvent essayer.',
    ],
    at_one_place: [
      'There were too many failed attempts at one address or in one browser: from elsewhere, the user may try.',
      'Es gab zu viele fehlgeschlagene Versuche bei einer Adresse oder in einem Browser: Von anderswo darf es der Benutzer versuchen.',
      'Trop de tentatives ont échoué depuis une adresse ou un navigateur : d’ailleurs, l’utilisateur peut essayer.',
    ],
    reset: ['Reset the limits', 'Begrenzungen zurücksetzen', 'Réinitialiser les limites'],
    lead: [
      'The user may try again at once. Do it only if you know who is trying: a limit may have stopped an attacker.',
      'Der Benutzer darf es sofort wieder versuchen. Tun Sie es nur, wenn Sie wissen, wer es versucht: Eine Begrenzung hat vielleicht einen Angreifer aufgehalten.',
      'L’utilisateur peut réessayer tout de suite. Ne le faites que si vous savez qui essaie : une limite a peut-être arrêté un attaquant.',
    ],
  },
  limit: {
    account: [
      'Failed sign-ins from all addresses',
      'Fehlgeschlagene Anmeldungen von allen Adressen',
      'Connexions échouées depuis toutes les adresses',
    ],
    account_and_address: [
      'Failed sign-ins from one address',
      'Fehlgeschlagene Anmeldungen von einer Adresse',
      'Connexions échouées depuis une adresse',
    ],
    device: [
      'Failed sign-ins in a browser that is known',
      'Fehlgeschlagene Anmeldungen in einem bekannten Browser',
      'Connexions échouées dans un navigateur connu',
    ],
    session: [
      'Failed attempts in a session',
      'Fehlgeschlagene Versuche in einer Sitzung',
      'Tentatives échouées dans une session',
    ],
    code: ['Wrong codes in 5 minutes', 'Falsche Codes in 5 Minuten', 'Codes erronés en 5 minutes'],
    code_day: ['Wrong codes in a day', 'Falsche Codes an einem Tag', 'Codes erronés en un jour'],
    code_device: [
      'Wrong codes in a browser that is known, in 5 minutes',
      'Falsche Codes in einem bekannten Browser, in 5 Minuten',
      'Codes erronés dans un navigateur connu, en 5 minutes',
    ],
    code_device_day: [
      'Wrong codes in a browser that is known, in a day',
      'Falsche Codes in einem bekannten Browser, an einem Tag',
      'Codes erronés dans un navigateur connu, en un jour',
    ],
    mail_account: [
      'Emails that were asked for, in an hour',
      'Angeforderte E-Mails in einer Stunde',
      'E-mails demandés en une heure',
    ],
    mail_device: [
      'Emails that a known browser asked for, in an hour',
      'E-Mails, die ein bekannter Browser angefordert hat, in einer Stunde',
      'E-mails demandés par un navigateur connu, en une heure',
    ],
    'mail_account (invitations)': [
      'Invitations in an hour',
      'Einladungen in einer Stunde',
      'Invitations en une heure',
    ],
    'mail_account (notices)': [
      'Notices by email in an hour',
      'Benachrichtigungen per E-Mail in einer Stunde',
      'Notifications par e-mail en une heure',
    ],
  },
} satisfies Translations
