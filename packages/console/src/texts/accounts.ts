/** Texts of the pages of users. */

import type { Translations } from './texts-of.js'

export const USERS = {
  users: {
    title: ['Users', 'Benutzer', 'Utilisateurs'],
    lead: [
      'The people who sign in to the applications of this realm.',
      'Die Personen, die sich bei den Anwendungen dieses Realms anmelden.',
      'Les personnes qui se connectent aux applications de ce domaine.',
    ],
    new: ['New user', 'Neuer Benutzer', 'Nouvel utilisateur'],
    new_lead: [
      'Without a password, the user cannot sign in until you invite the user.',
      'Ohne Passwort kann sich der Benutzer erst anmelden, wenn Sie ihn einladen.',
      'Sans mot de passe, l’utilisateur ne peut se connecter qu’après une invitation.',
    ],
    create: ['Create user', 'Benutzer anlegen', 'Créer l’utilisateur'],
    search: ['Username begins with', 'Benutzername beginnt mit', 'Le nom d’utilisateur commence par'],
    all: ['Show all users', 'Alle Benutzer anzeigen', 'Afficher tous les utilisateurs'],
    none: ['No users yet', 'Noch keine Benutzer', 'Aucun utilisateur'],
    none_why: [
      'A user is a person who signs in. Create one here, or let people sign up.',
      'Ein Benutzer ist eine Person, die sich anmeldet. Legen Sie hier einen an, oder lassen Sie Personen sich registrieren.',
      'Un utilisateur est une personne qui se connecte. Créez-en un ici, ou laissez les personnes s’inscrire.',
    ],
    none_found: ['No user found', 'Kein Benutzer gefunden', 'Aucun utilisateur trouvé'],
    none_found_why: [
      'The search compares the beginning of usernames.',
      'Die Suche vergleicht den Anfang der Benutzernamen.',
      'La recherche compare le début des noms d’utilisateur.',
    ],
  },
  user: {
    username: ['Username', 'Benutzername', 'Nom d’utilisateur'],
    name_hint: [
      'As applications show it.',
      'Wie Anwendungen ihn anzeigen.',
      'Tel que les applications l’affichent.',
    ],
    email: ['Email address', 'E-Mail-Adresse', 'Adresse e-mail'],
    email_verified: ['The address is verified', 'Die Adresse ist bestätigt', 'L’adresse est vérifiée'],
    email_verified_hint: [
      'Only if you know that the user receives mails there.',
      'Nur wenn Sie wissen, dass der Benutzer dort E-Mails erhält.',
      'Seulement si vous savez que l’utilisateur y reçoit ses e-mails.',
    ],
    verified: ['verified', 'bestätigt', 'vérifiée'],
    unverified: ['not verified', 'nicht bestätigt', 'non vérifiée'],
    groups: ['Groups', 'Gruppen', 'Groupes'],
    groups_hint: ['One a line.', 'Eine pro Zeile.', 'Un par ligne.'],
    password: ['Password', 'Passwort', 'Mot de passe'],
    password_hint: [
      'Leave it empty to invite the user afterwards.',
      'Lassen Sie es leer, um den Benutzer danach einzuladen.',
      'Laissez vide pour inviter l’utilisateur ensuite.',
    ],
    sub: ['Identifier (sub)', 'Kennung (sub)', 'Identifiant (sub)'],
    state: ['State', 'Zustand', 'État'],
    active: ['active', 'aktiv', 'actif'],
    disabled: ['disabled', 'gesperrt', 'désactivé'],
    changed: ['Changed', 'Geändert', 'Modifié'],
  },
  disable: {
    title: ['Disable the user', 'Benutzer sperren', 'Désactiver l’utilisateur'],
    lead: [
      'The user cannot sign in any more, until you enable the user again.',
      'Der Benutzer kann sich nicht mehr anmelden, bis Sie ihn entsperren.',
      'L’utilisateur ne peut plus se connecter jusqu’à sa réactivation.',
    ],
    button: ['Disable', 'Sperren', 'Désactiver'],
  },
  enable: {
    title: ['Enable the user', 'Benutzer entsperren', 'Réactiver l’utilisateur'],
    lead: [
      'The user can sign in again. What has ended stays ended.',
      'Der Benutzer kann sich wieder anmelden. Was beendet ist, bleibt beendet.',
      'L’utilisateur peut de nouveau se connecter. Ce qui a pris fin reste terminé.',
    ],
    button: ['Enable', 'Entsperren', 'Réactiver'],
  },
  end_access: {
    title: ['End all access', 'Allen Zugriff beenden', 'Mettre fin à tout accès'],
    lead: [
      'The user is signed out everywhere, and no application has access any more. The user may sign in again.',
      'Der Benutzer wird überall abgemeldet, und keine Anwendung hat mehr Zugriff. Er darf sich wieder anmelden.',
      'L’utilisateur est déconnecté partout, et aucune application n’a plus accès. Il peut se reconnecter.',
    ],
    button: ['End access', 'Zugriff beenden', 'Mettre fin à l’accès'],
  },
  delete_user: {
    lead: [
      'Everything that is stored about the user is deleted. This cannot be undone.',
      'Alles, was über den Benutzer gespeichert ist, wird gelöscht. Das lässt sich nicht rückgängig machen.',
      'Tout ce qui est enregistré sur l’utilisateur est supprimé. C’est irréversible.',
    ],
    button: ['Delete user', 'Benutzer löschen', 'Supprimer l’utilisateur'],
  },
  consents: {
    title: ['Withdraw a consent', 'Einwilligung zurücknehmen', 'Retirer un consentement'],
    lead: [
      'The application loses the access that the user has allowed, and asks again next time.',
      'Die Anwendung verliert den erlaubten Zugriff und fragt beim nächsten Mal wieder.',
      'L’application perd l’accès autorisé, et le redemandera la prochaine fois.',
    ],
    button: ['Withdraw', 'Zurücknehmen', 'Retirer'],
  },
  link: {
    lead: [
      'The link is shown once. Copy it now.',
      'Der Link wird einmal angezeigt. Kopieren Sie ihn jetzt.',
      'Le lien n’est affiché qu’une fois. Copiez-le maintenant.',
    ],
    label: ['Link', 'Link', 'Lien'],
    until: ['It works once, until', 'Er funktioniert einmal, bis', 'Il fonctionne une fois, jusqu’au'],
    back: ['Back to the user', 'Zurück zum Benutzer', 'Retour à l’utilisateur'],
  },
} satisfies Translations
