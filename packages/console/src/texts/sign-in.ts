/** Texts of the sign-in and the sign-out. */

import type { Translations } from './texts-of.js'

export const SIGN_IN = {
  sign_in: {
    continue: ['Continue', 'Weiter', 'Continuer'],
    leads: [
      'You are signed in. The console opens.',
      'Sie sind angemeldet. Die Konsole öffnet sich.',
      'Vous êtes connecté. La console s’ouvre.',
    ],
    leads_title: ['Signed in', 'Angemeldet', 'Connecté'],
    opens_title: ['The console opens', 'Die Konsole öffnet sich', 'La console s’ouvre'],
    opens: [
      'If nothing happens, continue.',
      'Wenn nichts geschieht, fahren Sie fort.',
      'Si rien ne se passe, continuez.',
    ],
    again: ['Sign in again', 'Neu anmelden', 'Se reconnecter'],
    'no_sign_in.title': [
      'This sign-in cannot go on',
      'Diese Anmeldung kann nicht fortgesetzt werden',
      'Cette connexion ne peut pas continuer',
    ],
    'no_sign_in.text': [
      'It began in another browser, or too long ago.',
      'Sie hat in einem anderen Browser begonnen oder ist zu lange her.',
      'Elle a commencé dans un autre navigateur, ou il y a trop longtemps.',
    ],
    'answer.title': ['The sign-in has failed', 'Die Anmeldung ist fehlgeschlagen', 'La connexion a échoué'],
    'answer.text': [
      'The answer does not belong to the sign-in that this browser has begun.',
      'Die Antwort gehört nicht zu der Anmeldung, die dieser Browser begonnen hat.',
      'La réponse n’appartient pas à la connexion que ce navigateur a commencée.',
    ],
    'denied.title': [
      'You have not signed in',
      'Sie haben sich nicht angemeldet',
      'Vous ne vous êtes pas connecté',
    ],
    'denied.text': [
      'The sign-in was cancelled.',
      'Die Anmeldung wurde abgebrochen.',
      'La connexion a été annulée.',
    ],
    ended_title: ['Your sign-in has ended', 'Ihre Anmeldung ist beendet', 'Votre connexion a pris fin'],
    ended: [
      'The form was not sent. Sign in again, then send it again.',
      'Das Formular wurde nicht gesendet. Melden Sie sich neu an und senden Sie es noch einmal.',
      'Le formulaire n’a pas été envoyé. Reconnectez-vous, puis renvoyez-le.',
    ],
  },
  fresh: {
    title: ['Confirm that it is you', 'Bestätigen Sie, dass Sie es sind', 'Confirmez que c’est bien vous'],
    text: [
      'For this, a sign-in of the last five minutes is needed. You sign in again, and come back here. Other applications in this browser may ask you to sign in again, too.',
      'Dafür ist eine Anmeldung aus den letzten fünf Minuten nötig. Sie melden sich neu an und kommen hierher zurück. Andere Anwendungen in diesem Browser bitten vielleicht auch um eine neue Anmeldung.',
      'Il faut pour cela une connexion datant de moins de cinq minutes. Vous vous reconnectez, puis revenez ici. D’autres applications de ce navigateur peuvent aussi demander une nouvelle connexion.',
    ],
  },
  sign_out: {
    title: ['You are signed out', 'Sie sind abgemeldet', 'Vous êtes déconnecté'],
    text: [
      'Your session in the console has ended. You are still signed in at {provider}.',
      'Ihre Sitzung in der Konsole ist beendet. Bei {provider} sind Sie noch angemeldet.',
      'Votre session dans la console a pris fin. Vous êtes encore connecté chez {provider}.',
    ],
    everywhere: [
      'Sign out of {provider}, too',
      'Auch bei {provider} abmelden',
      'Se déconnecter aussi de {provider}',
    ],
  },
} satisfies Translations
