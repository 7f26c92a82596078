/** Texts of every page: the navigation, lists, forms and commands. */

import type { Translations } from './texts-of.js'

/** Words of many pages. */
export const WORDS = {
  word: {
    name: ['Name', 'Name', 'Nom'],
    until: ['Until', 'Bis', 'Jusqu’au'],
    created: ['Created', 'Angelegt', 'Créé'],
    edit: ['Edit', 'Bearbeiten', 'Modifier'],
    save: ['Save', 'Speichern', 'Enregistrer'],
    since: ['Since', 'Seit', 'Depuis'],
    used: ['Last used', 'Zuletzt verwendet', 'Dernière utilisation'],
  },
} satisfies Translations

export const SHELL = {
  nav: {
    skip: ['Skip to the content', 'Zum Inhalt springen', 'Aller au contenu'],
    label: ['Console', 'Konsole', 'Console'],
    trail: ['Where you are', 'Wo Sie sind', 'Où vous êtes'],
    realm: ['Realm', 'Realm', 'Domaine'],
    signed_in: ['Signed in as', 'Angemeldet als', 'Connecté en tant que'],
    sign_out: ['Sign out', 'Abmelden', 'Se déconnecter'],
  },
  list: {
    search: ['Search', 'Suchen', 'Rechercher'],
    next: ['Next page', 'Nächste Seite', 'Page suivante'],
    action: ['Action', 'Aktion', 'Action'],
  },
  ...WORDS,
  act: {
    cancel: ['Cancel', 'Abbrechen', 'Annuler'],
  },
  confirm: {
    label: [
      'To confirm, type {name}',
      'Geben Sie zur Bestätigung {name} ein',
      'Pour confirmer, saisissez {name}',
    ],
    wrong: [
      'Type the name exactly as it is shown',
      'Geben Sie den Namen genau so ein, wie er angezeigt wird',
      'Saisissez le nom exactement comme il est affiché',
    ],
  },
  command: {
    title: ['As command', 'Als Befehl', 'En ligne de commande'],
    show: ['Show as command', 'Als Befehl anzeigen', 'Afficher la commande'],
    line: ['Command line', 'Befehlszeile', 'Ligne de commande'],
    request: ['HTTP request', 'HTTP-Anfrage', 'Requête HTTP'],
    none: [
      'No command does this: use the request.',
      'Dafür gibt es keinen Befehl: Verwenden Sie die Anfrage.',
      'Aucune commande ne fait cela : utilisez la requête.',
    ],
    unwritable: [
      'A value has a line break or a control character: use the request.',
      'Ein Wert enthält einen Zeilenumbruch oder ein Steuerzeichen: Verwenden Sie die Anfrage.',
      'Une valeur contient un saut de ligne ou un caractère de contrôle : utilisez la requête.',
    ],
  },
  advice: {
    here: ['In the console:', 'In der Konsole:', 'Dans la console :'],
    roles: [
      'Who may do it: administrators with the role {roles}.',
      'Wer das darf: Administratoren mit der Rolle {roles}.',
      'Qui peut le faire : les administrateurs avec le rôle {roles}.',
    ],
  },
  effects: {
    title: ['This ends at once:', 'Damit enden sofort:', 'Cela prend fin immédiatement :'],
    none: [
      'No session and no access ends.',
      'Keine Sitzung, kein Zugriff endet.',
      'Ni session ni accès ne prend fin.',
    ],
    users: [
      '{count} user|{count} users',
      '{count} Benutzer|{count} Benutzer',
      '{count} utilisateur|{count} utilisateurs',
    ],
    'users.all': ['all users', 'alle Benutzer', 'tous les utilisateurs'],
    clients: [
      '{count} client|{count} clients',
      '{count} Client|{count} Clients',
      '{count} client|{count} clients',
    ],
    'clients.all': ['all clients', 'alle Clients', 'tous les clients'],
    sessions: [
      '{count} session|{count} sessions',
      '{count} Sitzung|{count} Sitzungen',
      '{count} session|{count} sessions',
    ],
    'sessions.all': ['all sessions', 'alle Sitzungen', 'toutes les sessions'],
    grants: [
      'access of {count} application|access of applications: {count}',
      'Zugriff von {count} Anwendung|Zugriff von {count} Anwendungen',
      'l’accès de {count} application|l’accès de {count} applications',
    ],
    'grants.all': [
      'the access that users have given to it',
      'der Zugriff, den Benutzer gegeben haben',
      'l’accès que des utilisateurs ont donné',
    ],
    consents: [
      '{count} consent|{count} consents',
      '{count} Einwilligung|{count} Einwilligungen',
      '{count} consentement|{count} consentements',
    ],
    'consents.all': [
      'the consents of users to it',
      'die Einwilligungen der Benutzer',
      'les consentements des utilisateurs',
    ],
    keys: [
      '{count} signing key, and what it has signed',
      '{count} Signaturschlüssel, und was er signiert hat',
      '{count} clé de signature, et ce qu’elle a signé',
    ],
  },
  done: {
    user_created: ['The user is created.', 'Der Benutzer ist angelegt.', 'L’utilisateur est créé.'],
    user_changed: ['The user is changed.', 'Der Benutzer ist geändert.', 'L’utilisateur est modifié.'],
    user_deleted: ['The user is deleted.', 'Der Benutzer ist gelöscht.', 'L’utilisateur est supprimé.'],
    disabled: ['The user is disabled.', 'Der Benutzer ist gesperrt.', 'L’utilisateur est désactivé.'],
    enabled: ['The user is enabled.', 'Der Benutzer ist entsperrt.', 'L’utilisateur est réactivé.'],
    access_ended: [
      'All access of the user has ended.',
      'Aller Zugriff des Benutzers ist beendet.',
      'Tout accès de l’utilisateur a pris fin.',
    ],
    limits_reset: [
      'The limits are reset.',
      'Die Begrenzungen sind zurückgesetzt.',
      'Les limites sont réinitialisées.',
    ],
    consent_revoked: [
      'The consent is withdrawn.',
      'Die Einwilligung ist zurückgenommen.',
      'Le consentement est retiré.',
    ],
    factor_removed: [
      'The way to sign in is removed.',
      'Die Anmeldemöglichkeit ist entfernt.',
      'Le moyen de connexion est supprimé.',
    ],
    link_removed: ['The account is unlinked.', 'Das Konto ist getrennt.', 'Le compte est dissocié.'],
    session_ended: ['The session has ended.', 'Die Sitzung ist beendet.', 'La session a pris fin.'],
    invited: ['The invitation is on its way.', 'Die Einladung ist unterwegs.', 'L’invitation est en route.'],
  },
} satisfies Translations
