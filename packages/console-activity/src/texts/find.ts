/** Texts of the search, of the sign-ins and of explanations. */

import type { Translations } from '@ostiary/console'

export const FIND = {
  find: {
    title: ['Find', 'Suchen', 'Rechercher'],
    button: ['Go', 'Los', 'OK'],
    results: ['Found for “{text}”', 'Gefunden für „{text}“', 'Résultats pour « {text} »'],
    none: ['Nothing found', 'Nichts gefunden', 'Rien trouvé'],
    empty: ['What are you looking for?', 'Was suchen Sie?', 'Que cherchez-vous ?'],
    what: [
      'Give the beginning of a username, or the whole of an email address, an identifier (sub), a client ID, a key ID, a reference such as 7F3A-2C1D, a request ID, a flow or the ID of an audit row. Only what your roles let you see is found.',
      'Geben Sie den Anfang eines Benutzernamens ein, oder vollständig: eine E-Mail-Adresse, eine Kennung (sub), eine Client-ID, eine Schlüssel-ID, eine Referenz wie 7F3A-2C1D, eine Anfrage-ID, einen Ablauf (flow) oder die ID einer Audit-Zeile. Gefunden wird nur, was Ihre Rollen erlauben.',
      'Saisissez le début d’un nom d’utilisateur, ou en entier : une adresse e-mail, un identifiant (sub), un identifiant de client, de clé, une référence comme 7F3A-2C1D, un identifiant de requête, un flux (flow) ou une ligne d’audit. Seul ce que vos rôles permettent de voir est trouvé.',
    ],
    kind: ['Kind', 'Art', 'Type'],
    user: ['User', 'Benutzer', 'Utilisateur'],
    client: ['Client', 'Client', 'Client'],
    key: ['Signing key', 'Signaturschlüssel', 'Clé de signature'],
    row: ['Row of the audit', 'Zeile des Audits', 'Ligne de l’audit'],
    story: ['Explanation', 'Erklärung', 'Explication'],
    id: ['Identifier', 'Kennung', 'Identifiant'],
    more: [
      'There are more: type more of the name.',
      'Es gibt weitere: Geben Sie mehr vom Namen ein.',
      'Il y en a d’autres : saisissez la suite du nom.',
    ],
    key_signs: ['Signs from', 'Signiert ab', 'Signe à partir de'],
  },
  sign_ins: {
    title: ['Sign-ins', 'Anmeldungen', 'Connexions'],
    lead: [
      'Who signed in, and what was refused, the newest first. Each row explains itself.',
      'Wer sich angemeldet hat und was abgelehnt wurde, das Neueste zuerst. Jede Zeile lässt sich erklären.',
      'Qui s’est connecté, et ce qui a été refusé, du plus récent au plus ancien. Chaque ligne s’explique.',
    ],
    all: ['All', 'Alle', 'Tout'],
    refused: ['Refused', 'Abgelehnt', 'Refusées'],
    done: ['Successful', 'Erfolgreich', 'Réussies'],
    reason: ['Reason', 'Grund', 'Motif'],
    apply: ['Filter', 'Filtern', 'Filtrer'],
    times: ['once|{count} times', 'einmal|{count}-mal', 'une fois|{count} fois'],
    older: ['Older', 'Ältere', 'Plus anciennes'],
    none: ['No sign-ins yet', 'Noch keine Anmeldungen', 'Aucune connexion'],
    none_why: [
      'Each sign-in and each refusal stands here, with what to do.',
      'Jede Anmeldung und jede Ablehnung steht hier, mit dem, was zu tun ist.',
      'Chaque connexion et chaque refus figure ici, avec ce qu’il faut faire.',
    ],
    none_found: [
      'Nothing matches on this page',
      'Auf dieser Seite passt nichts',
      'Rien ne correspond sur cette page',
    ],
    none_found_why: [
      'A page looks at the newest rows of each kind: go on to older ones, or take the filter away.',
      'Eine Seite betrachtet die neuesten Zeilen jeder Art: Gehen Sie zu älteren weiter, oder entfernen Sie den Filter.',
      'Une page examine les lignes les plus récentes de chaque type : passez aux plus anciennes, ou retirez le filtre.',
    ],
  },
  explain: {
    title: ['Explain', 'Erklären', 'Expliquer'],
    of: ['What happened: {name}', 'Was geschehen ist: {name}', 'Ce qui s’est passé : {name}'],
    lead: [
      'Step by step, with what to do, as ostiary explain says it.',
      'Schritt für Schritt, mit dem, was zu tun ist, wie ostiary explain es auf Englisch sagt.',
      'Étape par étape, avec ce qu’il faut faire, comme ostiary explain le dit en anglais.',
    ],
    field: [
      'Reference, request ID or flow',
      'Referenz, Anfrage-ID oder Ablauf (flow)',
      'Référence, identifiant de requête ou flux (flow)',
    ],
    empty: ['Why was it refused?', 'Warum wurde es abgelehnt?', 'Pourquoi ce refus ?'],
    empty_why: [
      'An error page shows a reference, such as 7F3A-2C1D. Type it in the field: the page tells what to do.',
      'Eine Fehlerseite zeigt eine Referenz wie 7F3A-2C1D. Geben Sie sie in das Feld ein: Die Seite sagt, was zu tun ist.',
      'Une page d’erreur montre une référence comme 7F3A-2C1D. Saisissez-la dans le champ : la page dit que faire.',
    ],
    none: ['The audit has nothing of it', 'Das Audit hat nichts davon', 'L’audit n’en a rien'],
    none_why: [
      'It is of another realm, older than audit.keep_days, or of an event that only audit.events "all" keeps. An event may take a second to appear.',
      'Es gehört zu einem anderen Realm, ist älter als audit.keep_days, oder ein Ereignis, das nur audit.events "all" behält. Ein Ereignis erscheint nach etwa einer Sekunde.',
      'C’est d’un autre domaine, plus ancien que audit.keep_days, ou un événement que seul audit.events "all" garde. Un événement apparaît en une seconde environ.',
    ],
    unavailable: ['No explanation here', 'Hier keine Erklärung', 'Pas d’explication ici'],
    what_to_do: ['What to do', 'Was zu tun ist', 'Que faire'],
    before: ['What came before', 'Was vorher war', 'Ce qui a précédé'],
    before_none: [
      'No cause is among the newest 200 rows.',
      'Unter den neuesten 200 Zeilen ist keine Ursache.',
      'Aucune cause parmi les 200 lignes les plus récentes.',
    ],
  },
} satisfies Translations
