/** The texts of the pages that connect a device, and of what says so elsewhere. */

import type { Texts } from '../texts.js'

export const deviceTexts = {
  // The pages that connect a device
  'device.title': ['Connect a device', 'Ein Gerät verbinden', 'Connecter un appareil'],
  'device.enter': [
    'Enter the code that your device shows.',
    'Geben Sie den Code ein, den Ihr Gerät anzeigt.',
    'Saisissez le code qu’affiche votre appareil.',
  ],
  'device.code': ['Code', 'Code', 'Code'],
  'device.continue': ['Continue', 'Weiter', 'Continuer'],
  'device.unknown': [
    'This code is not right, or it is not valid any more. Enter the code that your device shows.',
    'Dieser Code ist nicht richtig oder nicht mehr gültig. Geben Sie den Code ein, den Ihr Gerät anzeigt.',
    'Ce code n’est pas correct ou n’est plus valable. Saisissez le code qu’affiche votre appareil.',
  ],
  'device.expired': [
    'The page was open for too long, or it was answered already. Enter the code again.',
    'Die Seite war zu lange geöffnet oder wurde schon beantwortet. Geben Sie den Code noch einmal ein.',
    'La page est restée ouverte trop longtemps, ou vous y avez déjà répondu. Saisissez à nouveau le code.',
  ],
  'device.confirm_title': ['Connect this device?', 'Dieses Gerät verbinden?', 'Connecter cet appareil ?'],
  'device.compare': [
    'Compare this code with the one that your device shows:',
    'Vergleichen Sie diesen Code mit dem, den Ihr Gerät anzeigt:',
    'Comparez ce code avec celui qu’affiche votre appareil :',
  ],
  'device.sent_by_somebody': [
    'Did somebody send you this code?',
    'Hat Ihnen jemand diesen Code geschickt?',
    'Quelqu’un vous a envoyé ce code ?',
  ],
  'device.then_refuse': ['Then refuse.', 'Dann lehnen Sie ab.', 'Alors, refusez.'],
  'device.asks': [
    '{application} asks to use your account on a device.',
    '{application} möchte Ihr Konto auf einem Gerät verwenden.',
    '{application} demande à utiliser votre compte sur un appareil.',
  ],
  'device.any_program': [
    'Any program could be asking in its name.',
    'Jedes Programm könnte in ihrem Namen anfragen.',
    'N’importe quel programme pourrait le demander en son nom.',
  ],
  'device.lasts': [
    {
      one: 'It keeps this access after you sign out, for 1 day at most, until you end it on your account page.',
      other:
        'It keeps this access after you sign out, for {count} days at most, until you end it on your account page.',
    },
    {
      one: 'Der Zugriff bleibt nach dem Abmelden bestehen, höchstens 1 Tag, bis Sie ihn auf Ihrer Kontoseite beenden.',
      other:
        'Der Zugriff bleibt nach dem Abmelden bestehen, höchstens {count} Tage, bis Sie ihn auf Ihrer Kontoseite beenden.',
    },
    {
      one: 'L’accès demeure après votre déconnexion, pendant 1 jour au plus, tant que vous n’y mettez pas fin sur la page de votre compte.',
      other:
        'L’accès demeure après votre déconnexion, pendant {count} jours au plus, tant que vous n’y mettez pas fin sur la page de votre compte.',
    },
  ],
  'device.asked_at': [
    'The device asked on {time}.',
    'Das Gerät hat am {time} angefragt.',
    'L’appareil a fait sa demande le {time}.',
  ],
  'device.asked_from': [
    'The device asked on {time}, from the address {address}.',
    'Das Gerät hat am {time} von der Adresse {address} angefragt.',
    'L’appareil a fait sa demande le {time}, depuis l’adresse {address}.',
  ],
  'device.other_address': [
    'That is not the address of this browser.',
    'Das ist nicht die Adresse dieses Browsers.',
    'Ce n’est pas l’adresse de ce navigateur.',
  ],
  'device.allow': ['Connect', 'Verbinden', 'Connecter'],
  'device.refuse': ['Refuse', 'Ablehnen', 'Refuser'],
  'device.approved_title': ['The device is connected', 'Das Gerät ist verbunden', 'L’appareil est connecté'],
  'device.approved': [
    '{application} can use your account now. Continue on your device.',
    '{application} kann Ihr Konto jetzt verwenden. Machen Sie auf Ihrem Gerät weiter.',
    '{application} peut maintenant utiliser votre compte. Continuez sur votre appareil.',
  ],
  'device.refused_title': ['The device is refused', 'Das Gerät ist abgelehnt', 'L’appareil est refusé'],
  'device.refused': [
    '{application} gets no access.',
    '{application} erhält keinen Zugriff.',
    '{application} n’obtient aucun accès.',
  ],
  // The sign-in before them, and the account page
  'sign_in.for_device': ['to connect a device', 'um ein Gerät zu verbinden', 'pour connecter un appareil'],
  'devices.title': ['Devices', 'Geräte', 'Appareils'],
  'devices.effect': [
    'Withdrawing ends all access of the application that was given in this way.',
    'Entziehen beendet allen Zugriff der Anwendung, der so gegeben wurde.',
    'Retirer met fin à tous les accès donnés ainsi à l’application.',
  ],
  'devices.since': ['Connected {day}', 'Verbunden am {day}', 'Connecté le {day}'],
} as const satisfies Texts
