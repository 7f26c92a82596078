/** The texts of the account page about clients with access. */

import type { Texts } from '../texts.js'

export const accessTexts = {
  // The clients on the account page
  'access.title': [
    'Applications that you allowed',
    'Anwendungen, denen Sie den Zugriff erlaubt haben',
    'Applications que vous avez autorisées',
  ],
  'access.none': [
    'You have not allowed any application to use your account.',
    'Sie haben keiner Anwendung den Zugriff auf Ihr Konto erlaubt.',
    'Vous n’avez autorisé aucune application à utiliser votre compte.',
  ],
  'access.effect': [
    'When you withdraw access, the application has to ask you again.',
    'Wenn Sie den Zugriff entziehen, muss die Anwendung Sie erneut fragen.',
    'Si vous retirez l’accès, l’application devra vous le redemander.',
  ],
  'access.more': [
    {
      one: 'And 1 more, which is shown when you have withdrawn some of these.',
      other: 'And {count} more, which are shown when you have withdrawn some of these.',
    },
    {
      one: 'Eine weitere Anwendung wird angezeigt, sobald Sie einigen von diesen den Zugriff entzogen haben.',
      other:
        '{count} weitere Anwendungen werden angezeigt, sobald Sie einigen von diesen den Zugriff entzogen haben.',
    },
    {
      one: '{count} autre application sera affichée lorsque vous aurez retiré l’accès à certaines de celles-ci.',
      other:
        '{count} autres applications seront affichées lorsque vous aurez retiré l’accès à certaines de celles-ci.',
    },
  ],
  'access.withdraw': ['Withdraw', 'Zugriff entziehen', 'Retirer l’accès'],
  'access.withdraw_all': ['Withdraw all', 'Jeden Zugriff entziehen', 'Retirer tous les accès'],
  'access.withdraw_this': ['Withdraw this', 'Diesen Zugriff entziehen', 'Retirer cet accès'],
  'access.inactive': [
    'This application is no longer in use.',
    'Diese Anwendung wird nicht mehr verwendet.',
    'Cette application n’est plus utilisée.',
  ],
  'access.here': [
    'With your account here it can',
    'Mit Ihrem Konto hier darf sie',
    'Avec votre compte ici, elle peut',
  ],
  'access.at': [
    'With your account at {resource} it can',
    'Mit Ihrem Konto bei {resource} darf sie',
    'Avec votre compte sur {resource}, elle peut',
  ],
  'access.offline': [
    'Keep its access when you are not using it',
    'Den Zugriff behalten, auch wenn Sie die Anwendung nicht verwenden',
    'Conserver son accès lorsque vous ne l’utilisez pas',
  ],
  'access.allowed': ['Allowed {day}', 'Erlaubt am {day}', 'Autorisée le {day}'],
  'access.allowed_again': [
    'Allowed {day}, last {last}',
    'Erlaubt am {day}, zuletzt am {last}',
    'Autorisée le {day}, la dernière fois le {last}',
  ],
  'access.since': ['Has access since {day}', 'Hat Zugriff seit dem {day}', 'A accès depuis le {day}'],

  // The devices on the account page
} as const satisfies Texts
