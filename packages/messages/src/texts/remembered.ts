/** The texts of remembered devices, at the second step and on the account page. */

import type { Texts } from '../texts.js'

export const rememberedTexts = {
  'remembered.box': [
    { one: 'Do not ask on this device for one day', other: 'Do not ask on this device for {count} days' },
    {
      one: 'Auf diesem Gerät einen Tag lang nicht fragen',
      other: 'Auf diesem Gerät {count} Tage lang nicht fragen',
    },
    {
      one: 'Ne pas demander sur cet appareil pendant un jour',
      other: 'Ne pas demander sur cet appareil pendant {count} jours',
    },
  ],
  'remembered.title': [
    'Devices without a second step',
    'Geräte ohne zweiten Schritt',
    'Appareils sans seconde étape',
  ],
  'remembered.effect': [
    'Your password alone signs you in on these devices. A new password ends this on all of them.',
    'Auf diesen Geräten genügt Ihr Passwort zur Anmeldung. Ein neues Passwort beendet das auf allen.',
    'Sur ces appareils, votre mot de passe suffit pour vous connecter. Un nouveau mot de passe y met fin partout.',
  ],
  'remembered.until': ['Until {day}', 'Bis {day}', 'Jusqu’au {day}'],
  'remembered.forget': ['Ask again', 'Wieder fragen', 'Demander à nouveau'],
  'notice.device_forgotten': [
    'The next sign-in on that device asks for the second step.',
    'Die nächste Anmeldung auf diesem Gerät verlangt den zweiten Schritt.',
    'La prochaine connexion sur cet appareil demandera la seconde étape.',
  ],
} as const satisfies Texts
