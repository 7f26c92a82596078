/** The texts of the sessions on the account page. */

import type { Texts } from '../texts.js'

export const sessionsTexts = {
  // The sessions on the account page
  'sessions.title': ['Where you are signed in', 'Wo Sie angemeldet sind', 'Où vous êtes connecté'],
  'sessions.more': [
    { one: 'And 1 more, not shown.', other: 'And {count} more, not shown.' },
    {
      one: 'Eine weitere Anmeldung wird nicht angezeigt.',
      other: '{count} weitere Anmeldungen werden nicht angezeigt.',
    },
    {
      one: '{count} autre connexion n’est pas affichée.',
      other: '{count} autres connexions ne sont pas affichées.',
    },
  ],
  'sessions.end_others': [
    'Sign out everywhere else',
    'Überall sonst abmelden',
    'Se déconnecter partout ailleurs',
  ],
  'sessions.no_others': [
    'You are not signed in anywhere else.',
    'Sie sind sonst nirgends angemeldet.',
    'Vous n’êtes connecté nulle part ailleurs.',
  ],
  'session.current': ['This device', 'Dieses Gerät', 'Cet appareil'],
  'session.other': ['Another device', 'Anderes Gerät', 'Autre appareil'],
  'session.browser_on': ['{browser} on {system}', '{browser} unter {system}', '{browser} sur {system}'],
  'session.since': ['Signed in {time}', 'Angemeldet am {time}', 'Connecté le {time}'],
  'session.since_with': [
    'Signed in {time} with {methods}',
    'Angemeldet am {time} mit {methods}',
    'Connecté le {time} avec {methods}',
  ],
  'session.last_used': ['Last used {time}', 'Zuletzt verwendet am {time}', 'Dernière utilisation le {time}'],
  'session.used_for': [
    'Used for {applications}',
    'Verwendet für {applications}',
    'Utilisé pour {applications}',
  ],
  'session.used_for_more': [
    { one: 'Used for {applications} and 1 more', other: 'Used for {applications} and {count} more' },
    {
      one: 'Verwendet für {applications} und eine weitere Anwendung',
      other: 'Verwendet für {applications} und {count} weitere Anwendungen',
    },
    {
      one: 'Utilisé pour {applications} et {count} autre application',
      other: 'Utilisé pour {applications} et {count} autres applications',
    },
  ],
  'session.end': ['Sign out there', 'Dort abmelden', 'Déconnecter'],
  'session.sign_out': ['Sign out', 'Abmelden', 'Se déconnecter'],

  // Authentication methods (RFC 8176 §2), for the end of `session.since_with`
  'amr.pwd': ['your password', 'Ihrem Passwort', 'votre mot de passe'],
  'amr.pin': ['a PIN', 'einer PIN', 'un code PIN'],
  'amr.otp': ['a one-time code', 'einem Einmalcode', 'un code à usage unique'],
  'amr.sms': ['a code by text message', 'einem Code per SMS', 'un code reçu par SMS'],
  'amr.tel': ['a phone call', 'einem Telefonanruf', 'un appel téléphonique'],
  'amr.hwk': [
    'a passkey bound to one device',
    'einem gerätegebundenen Passkey',
    'une clé d’accès liée à un appareil',
  ],
  'amr.swk': ['a passkey', 'einem Passkey', 'une clé d’accès'],
  'amr.sc': ['a smart card', 'einer Chipkarte', 'une carte à puce'],
  'amr.fpt': ['your fingerprint', 'Ihrem Fingerabdruck', 'votre empreinte digitale'],
  'amr.face': ['your face', 'Ihrem Gesicht', 'votre visage'],
  'amr.elsewhere': [
    'an account elsewhere or a link',
    'einem Konto anderswo oder einem Link',
    'un compte ailleurs ou un lien',
  ],
} as const satisfies Texts
