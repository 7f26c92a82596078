/** The texts of an invitation: its mail, and its pages where they differ from those of a recovery. */

import type { Texts } from '../texts.js'

export const invitationTexts = {
  'invite.subject': [
    'Your account at {provider}',
    'Ihr Konto bei {provider}',
    'Votre compte chez {provider}',
  ],
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
    'If you do not expect this mail, do nothing: without the link, the account cannot be used.',
    'Wenn Sie diese E-Mail nicht erwarten, müssen Sie nichts tun: Ohne den Link kann niemand das Konto benutzen.',
    'Si vous n’attendez pas cet e-mail, ne faites rien\u00a0: sans le lien, le compte ne peut pas être utilisé.',
  ],
  'invite.done': [
    'Your account is ready. From now on, sign in with what you have chosen.',
    'Ihr Konto ist bereit. Melden Sie sich künftig mit dem an, was Sie gewählt haben.',
    'Votre compte est prêt. À l’avenir, connectez-vous avec ce que vous avez choisi.',
  ],
} as const satisfies Texts
