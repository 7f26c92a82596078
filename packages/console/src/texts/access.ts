/** Texts of what a user has: ways to sign in, sessions and applications. */

import type { Translations } from './texts-of.js'

export const ACCESS = {
  ways: {
    title: ['Ways to sign in', 'Anmelde\u00admöglichkeiten', 'Moyens de connexion'],
    way: ['Way', 'Möglichkeit', 'Moyen'],
    password: ['Password', 'Passwort', 'Mot de passe'],
    passkey: ['Passkey', 'Passkey', 'Clé d’accès'],
    totp: ['Authenticator app', 'Authenticator-App', 'Application d’authentification'],
    link: ['Account at {upstream}', 'Konto bei {upstream}', 'Compte chez {upstream}'],
    codes: [
      '{count} recovery code is left.|{count} recovery codes are left.',
      '{count} Wiederherstellungscode ist übrig.|{count} Wiederherstellungscodes sind übrig.',
      'Il reste {count} code de récupération.|Il reste {count} codes de récupération.',
    ],
    recovery: [
      'A recovery by mail waits until',
      'Eine Wiederherstellung per E-Mail wartet bis',
      'Une récupération par e-mail attend jusqu’au',
    ],
    none: ['No way to sign in', 'Keine Anmeldemöglichkeit', 'Aucun moyen de connexion'],
    none_why: [
      'Invite the user: with a link, the user chooses a password or a passkey.',
      'Laden Sie den Benutzer ein: Mit einem Link wählt er ein Passwort oder einen Passkey.',
      'Invitez l’utilisateur : avec un lien, il choisit un mot de passe ou une clé d’accès.',
    ],
    last: [
      'It is the last way to sign in, so it stays. Give the user a recovery link: with it, the user chooses anew how to sign in.',
      'Es ist die letzte Anmeldemöglichkeit und bleibt daher. Geben Sie dem Benutzer einen Wiederherstellungslink: Damit wählt er neu, wie er sich anmeldet.',
      'C’est le dernier moyen de connexion, il est donc conservé. Donnez un lien de récupération à l’utilisateur : avec lui, il choisit de nouveau comment se connecter.',
    ],
    invited: ['invited', 'eingeladen', 'invité'],
    invited_until: ['The link works until', 'Der Link funktioniert bis', 'Le lien fonctionne jusqu’au'],
  },
  factors: {
    title: [
      'Remove a way to sign in',
      'Anmelde\u00admöglichkeit entfernen',
      'Supprimer un moyen de connexion',
    ],
    lead: [
      'The user cannot sign in with it any more, and is signed out everywhere. With the last passkey or app, the recovery codes and the second step end too.',
      'Der Benutzer kann sich damit nicht mehr anmelden und wird überall abgemeldet. Mit dem letzten Passkey oder der letzten App enden auch die Wiederherstellungscodes und der zweite Schritt.',
      'L’utilisateur ne peut plus se connecter avec, et il est déconnecté partout. Avec la dernière clé d’accès ou application, les codes de récupération et la deuxième étape prennent fin aussi.',
    ],
    button: ['Remove', 'Entfernen', 'Supprimer'],
  },
  links: {
    title: ['Unlink an account', 'Konto trennen', 'Dissocier un compte'],
    lead: [
      'The user cannot sign in with the account any more, and is signed out everywhere. The account at the other provider stays.',
      'Der Benutzer kann sich mit dem Konto nicht mehr anmelden und wird überall abgemeldet. Das Konto beim anderen Anbieter bleibt.',
      'L’utilisateur ne peut plus se connecter avec ce compte, et il est déconnecté partout. Le compte chez l’autre fournisseur demeure.',
    ],
    button: ['Unlink', 'Trennen', 'Dissocier'],
  },
  session: {
    title: ['End a session', 'Sitzung beenden', 'Mettre fin à une session'],
    lead: [
      'The user is signed out in this browser, and of the applications of the session. What has offline access keeps it.',
      'Der Benutzer wird in diesem Browser und in den Anwendungen der Sitzung abgemeldet. Was Offline-Zugriff hat, behält ihn.',
      'L’utilisateur est déconnecté dans ce navigateur et des applications de la session. Ce qui a un accès hors ligne le garde.',
    ],
    button: ['End', 'Beenden', 'Terminer'],
  },
  sessions: {
    title: ['Sessions', 'Sitzungen', 'Sessions'],
    none: [
      'The user is signed in nowhere.',
      'Der Benutzer ist nirgends angemeldet.',
      'L’utilisateur n’est connecté nulle part.',
    ],
    browser: ['Browser', 'Browser', 'Navigateur'],
    began: ['Began', 'Begonnen', 'Début'],
    clients: ['Applications', 'Anwendungen', 'Applications'],
  },
  applications: {
    title: ['Applications', 'Anwendungen', 'Applications'],
    lead: [
      'What the user has allowed, and what has access now.',
      'Was der Benutzer erlaubt hat, und was jetzt Zugriff hat.',
      'Ce que l’utilisateur a autorisé, et ce qui a accès maintenant.',
    ],
    none: ['No application has access.', 'Keine Anwendung hat Zugriff.', 'Aucune application n’a accès.'],
    consents: ['Allowed by the user', 'Vom Benutzer erlaubt', 'Autorisé par l’utilisateur'],
    grants: ['Access now', 'Zugriff jetzt', 'Accès actuel'],
    client: ['Allowed', 'Erlaubt', 'Autorisée'],
    grant: ['Has access', 'Hat Zugriff', 'A accès'],
    scopes: ['For', 'Wofür', 'Pour'],
  },
  invite: {
    title: ['Invite the user', 'Benutzer einladen', 'Inviter l’utilisateur'],
    lead: [
      'With the link, the user chooses how to sign in. It works once, for 7 days; an older one ends.',
      'Mit dem Link wählt der Benutzer, wie er sich anmeldet. Er funktioniert einmal, 7 Tage lang; ein älterer endet.',
      'Avec le lien, l’utilisateur choisit comment se connecter. Il fonctionne une fois, pendant 7 jours ; un lien plus ancien prend fin.',
    ],
    print: [
      'Show the link here, and mail nothing',
      'Den Link hier anzeigen und nichts senden',
      'Afficher le lien ici, sans envoyer d’e-mail',
    ],
    print_hint: [
      'A realm that mails nothing shows it in any case.',
      'Ein Realm, der keine E-Mails sendet, zeigt ihn in jedem Fall.',
      'Un domaine qui n’envoie pas d’e-mails l’affiche toujours.',
    ],
    button: ['Invite', 'Einladen', 'Inviter'],
  },
  recovery: {
    disabled: [
      'The user is disabled: enable the user first.',
      'Der Benutzer ist gesperrt: Entsperren Sie ihn zuerst.',
      'L’utilisateur est désactivé : réactivez-le d’abord.',
    ],
    title: ['Recovery link', 'Wieder\u00adherstellungs\u00adlink', 'Lien de récupération'],
    lead: [
      'For a user who cannot sign in any more. With the link, the user chooses anew how to sign in. It works once, for one hour: give it only to the user.',
      'Für einen Benutzer, der sich nicht mehr anmelden kann. Mit dem Link wählt er neu, wie er sich anmeldet. Er funktioniert einmal, eine Stunde lang: Geben Sie ihn nur dem Benutzer.',
      'Pour un utilisateur qui ne peut plus se connecter. Avec le lien, il choisit de nouveau comment se connecter. Il fonctionne une fois, pendant une heure : ne le donnez qu’à l’utilisateur.',
    ],
    button: ['Make a recovery link', 'Wiederherstellungslink erstellen', 'Créer un lien de récupération'],
  },
} satisfies Translations
