/** The texts about clients, on several pages. */

import type { Texts } from '../texts.js'

export const clientsTexts = {
  // Clients
  'application.quoted': ['“{name}”', '„{name}“', '« {name} »'],
  'application.of_host': ['{host} ({name})', '{host} ({name})', '{host} ({name})'],
  'application.registered_itself': [
    'This application registered itself.',
    'Diese Anwendung hat sich selbst registriert.',
    'Cette application s’est enregistrée elle-même.',
  ],
  'application.published_at': [
    'This application is described at {host}.',
    'Diese Anwendung ist bei {host} beschrieben.',
    'Cette application est décrite sur {host}.',
  ],
  'application.make_sure': [
    'Make sure that you know it.',
    'Vergewissern Sie sich, dass Sie sie kennen.',
    'Assurez-vous que vous la connaissez.',
  ],
  'application.any_program': [
    'Any program on this computer could be asking in its name.',
    'Jedes Programm auf diesem Computer könnte in ihrem Namen fragen.',
    'N’importe quel programme de cet ordinateur pourrait demander en son nom.',
  ],
  'application.only_if_started': [
    'Continue only if you have just started this in the application.',
    'Fahren Sie nur fort, wenn Sie dies gerade in der Anwendung begonnen haben.',
    'Ne continuez que si vous venez de lancer cette demande dans l’application.',
  ],
  'application.list': ['{applications}, {next}', '{applications}, {next}', '{applications}, {next}'],
  'application.website': ['Website', 'Website', 'Site web'],
  'application.policy': ['Privacy policy', 'Datenschutzerklärung', 'Politique de confidentialité'],
  'application.terms': ['Terms of service', 'Nutzungsbedingungen', 'Conditions d’utilisation'],
  'host.marked': ['{host} ({mark})', '{host} ({mark})', '{host} ({mark})'],
  'host.this_computer': ['this computer', 'dieser Computer', 'cet ordinateur'],
  'host.not_encrypted': ['not encrypted', 'unverschlüsselt', 'non chiffré'],
} as const satisfies Texts
