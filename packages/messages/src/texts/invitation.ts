/** The texts of an invitation: its mail, and its pages where they differ from those of a recovery. */

import type { Texts } from '../texts.js'

export const invitationTexts = {
  'invite.title': ['Welcome', 'Willkommen', 'Bienvenue'],
  'invite.made': [
    'An account at {provider} was made for you: {username}',
    'Für Sie wurde ein Konto bei {provider} angelegt: {username}',
    'Un compte chez {provider} a été créé pour vous\u00a0: {username}',
  ],
  'invite.then': [
    'Choose how you sign in. The link works once, until {time}.',
    'Wählen Sie, wie Sie sich anmelden. Der Link funktioniert einmal, bis {time}.',
    'Choisissez comment vous connecter. Le lien fonctionne une seule fois, jusqu’au {time}.',
  ],
  'invite.unexpected': [
    'If you do not expect this email, do nothing.',
    'Wenn Sie diese E-Mail nicht erwarten, müssen Sie nichts tun.',
    'Si vous n’attendez pas cet e-mail, ne faites rien.',
  ],
} as const satisfies Texts
