/** Texts of the pages of roles. */

import type { Translations } from '@ostiary/console'

export const ROLES = {
  done: {
    role_granted: [
      'The role is given. It counts from the next request on.',
      'Die Rolle ist vergeben. Sie gilt ab der nächsten Anfrage.',
      'Le rôle est attribué. Il compte dès la prochaine requête.',
    ],
    role_revoked: [
      'The role is taken away. It counts no more from the next request on.',
      'Die Rolle ist entzogen. Sie gilt ab der nächsten Anfrage nicht mehr.',
      'Le rôle est retiré. Il ne compte plus dès la prochaine requête.',
    ],
  },
  roles: {
    title: ['Roles', 'Rollen', 'Rôles'],
    lead: [
      'Who administers, and in which realms: users, and programs with a client of their own.',
      'Wer verwaltet, und in welchen Realms: Benutzer, und Programme mit einem eigenen Client.',
      'Qui administre, et dans quels domaines : des utilisateurs, et des programmes avec leur propre client.',
    ],
    none: ['There are no roles here', 'Hier gibt es keine Rollen', 'Il n’y a pas de rôles ici'],
    none_why: [
      'A role says what an administrator may read and change.',
      'Eine Rolle sagt, was ein Administrator lesen und ändern darf.',
      'Un rôle dit ce qu’un administrateur peut lire et modifier.',
    ],
  },
  role: {
    holder: ['Holder', 'Wer', 'Titulaire'],
    role: ['Role', 'Rolle', 'Rôle'],
    realms: ['Realms', 'Realms', 'Domaines'],
    all_realms: ['All realms', 'Alle Realms', 'Tous les domaines'],
    client: ['Client', 'Client', 'Client'],
    auditor: [
      'Reads everything but secrets, and changes nothing.',
      'Liest alles außer Geheimnissen und ändert nichts.',
      'Lit tout sauf les secrets, et ne modifie rien.',
    ],
    support: [
      'Changes users, consents and sessions.',
      'Ändert Benutzer, Einwilligungen und Sitzungen.',
      'Modifie les utilisateurs, les consentements et les sessions.',
    ],
    manager: [
      'Changes users, consents, sessions and clients.',
      'Ändert Benutzer, Einwilligungen, Sitzungen und Clients.',
      'Modifie les utilisateurs, les consentements, les sessions et les clients.',
    ],
    owner: [
      'Changes everything: also keys, and who administers.',
      'Ändert alles: auch Schlüssel, und wer verwaltet.',
      'Modifie tout : aussi les clés, et qui administre.',
    ],
  },
  grant: {
    title: ['Give a role', 'Rolle vergeben', 'Attribuer un rôle'],
    choose: ['Which one?', 'Welche?', 'Lequel ?'],
    holder: ['User or client', 'Benutzer oder Client', 'Utilisateur ou client'],
    holder_hint: [
      'The username, or the client_id',
      'Der Benutzername, oder die client_id',
      'Le nom d’utilisateur, ou le client_id',
    ],
    is_client: ['It is a client', 'Es ist ein Client', 'C’est un client'],
    realms_hint: [
      'The ids of realms, one a line. Empty: {all}. They replace those that the role has now.',
      'Die Ids der Realms, eine je Zeile. Leer: {all}. Sie ersetzen die, die die Rolle jetzt hat.',
      'Les identifiants des domaines, un par ligne. Vide : {all}. Ils remplacent ceux que le rôle a maintenant.',
    ],
    button: ['Give the role', 'Rolle vergeben', 'Attribuer le rôle'],
  },
  stays: {
    beyond: ['You do not hold it yourself', 'Sie haben sie selbst nicht', 'Vous ne l’avez pas vous-même'],
    last_owner: [
      'The last owner stays: make another one first',
      'Der letzte Eigentümer bleibt: Ernennen Sie erst einen anderen',
      'Le dernier propriétaire reste : nommez-en d’abord un autre',
    ],
  },
  take: {
    title: ['Take this role away?', 'Diese Rolle entziehen?', 'Retirer ce rôle ?'],
    lead: [
      'From the next request on, the holder may do no more what only this role allows.',
      'Ab der nächsten Anfrage ist nicht mehr erlaubt, was nur diese Rolle erlaubt.',
      'Dès la prochaine requête, ce que seul ce rôle permet n’est plus permis.',
    ],
    button: ['Take away', 'Entziehen', 'Retirer'],
  },
} as const satisfies Translations
