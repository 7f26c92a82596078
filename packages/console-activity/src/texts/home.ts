/** Texts of the first page. */

import type { Translations } from '@ostiary/console'

export const HOME = {
  home: {
    title: ['Home', 'Übersicht', 'Accueil'],
    lead: [
      'How the server is, what changed today, and what was refused. A day begins at midnight, UTC.',
      'Wie es dem Server geht, was heute geändert und was abgelehnt wurde. Ein Tag beginnt um Mitternacht, UTC.',
      'L’état du serveur, ce qui a changé aujourd’hui, et ce qui a été refusé. Un jour commence à minuit, UTC.',
    ],
    nothing: ['Nothing to show here', 'Hier gibt es nichts zu zeigen', 'Rien à afficher ici'],
    nothing_why: [
      'The state of the server and the audit need other roles than yours.',
      'Der Zustand des Servers und das Audit brauchen andere Rollen als Ihre.',
      'L’état du serveur et l’audit demandent d’autres rôles que les vôtres.',
    ],
  },
  health: {
    title: ['Is it healthy?', 'Läuft alles?', 'Tout va bien ?'],
    part: ['Part', 'Teil', 'Élément'],
    state: ['State', 'Zustand', 'État'],
    ok: ['works', 'läuft', 'fonctionne'],
    down: ['does not work', 'läuft nicht', 'ne fonctionne pas'],
    waits: ['waits', 'wartet', 'attend'],
    late: ['late', 'verspätet', 'en retard'],
    server: ['Server', 'Server', 'Serveur'],
    version: ['Version {version}', 'Version {version}', 'Version {version}'],
    database: [
      'records in a database, schema {schema}',
      'Daten in einer Datenbank, Schema {schema}',
      'données dans une base, schéma {schema}',
    ],
    memory: [
      'records in memory: they end with the server',
      'Daten im Arbeitsspeicher: Sie enden mit dem Server',
      'données en mémoire : elles disparaissent avec le serveur',
    ],
    not_ok: ['not in order: {parts}', 'nicht in Ordnung: {parts}', 'en défaut : {parts}'],
    clock: ['Clock', 'Uhr', 'Horloge'],
    clock_why: [
      'Compare it with yours: codes and tokens expire by it.',
      'Vergleichen Sie sie mit Ihrer: Nach ihr laufen Codes und Tokens ab.',
      'Comparez-la à la vôtre : les codes et jetons expirent selon elle.',
    ],
    keys: ['Signing keys', 'Signaturschlüssel', 'Clés de signature'],
    key_made: ['made', 'erstellt', 'créée'],
    key_signs: ['signs from', 'signiert ab', 'signe à partir de'],
    mails: ['Emails', 'E-Mails', 'E-mails'],
    deliveries: ['Sign-outs sent to clients', 'Abmeldungen an Clients', 'Déconnexions envoyées'],
    none_waits: ['None waits.', 'Keine wartet.', 'Aucune attente.'],
    waiting: [
      '{count} waits, the oldest|{count} wait, the oldest',
      '{count} wartet, die älteste|{count} warten, die älteste',
      '{count} en attente, depuis|{count} en attente, la plus ancienne',
    ],
    refused_mails: [
      'The mail server has not taken {count} of them yet.',
      '{count} davon hat der Mailserver noch nicht angenommen.',
      'Le serveur de messagerie n’en a pas encore accepté {count}.',
    ],
  },
  today: {
    title: ['What changed today', 'Was heute geändert wurde', 'Ce qui a changé aujourd’hui'],
    none: ['No change today', 'Heute keine Änderung', 'Aucun changement aujourd’hui'],
    none_why: [
      'Changes of clients, users, keys and roles are shown here.',
      'Hier stehen Änderungen an Clients, Benutzern, Schlüsseln und Rollen.',
      'Les changements de clients, d’utilisateurs, de clés et de rôles sont ici.',
    ],
    all: ['All rows of the audit', 'Alle Zeilen des Audits', 'Toutes les lignes de l’audit'],
    off: ['The audit is off', 'Das Audit ist aus', 'L’audit est désactivé'],
    off_why: [
      'With audit.enabled, the server keeps who changed what, who signed in, and what was refused.',
      'Mit audit.enabled hält der Server fest, wer was geändert hat, wer sich angemeldet hat und was abgelehnt wurde.',
      'Avec audit.enabled, le serveur garde qui a changé quoi, qui s’est connecté, et ce qui a été refusé.',
    ],
  },
  refusals: {
    title: [
      'What is refused most today',
      'Was heute am häufigsten abgelehnt wird',
      'Ce qui est le plus refusé',
    ],
    none: ['Nothing was refused today', 'Heute wurde nichts abgelehnt', 'Rien n’a été refusé aujourd’hui'],
    none_why: [
      'Refused sign-ins and requests are counted here by reason.',
      'Hier werden abgelehnte Anmeldungen und Anfragen nach Grund gezählt.',
      'Les connexions et requêtes refusées sont comptées ici par motif.',
    ],
    count: ['How often', 'Wie oft', 'Nombre'],
  },
} satisfies Translations
