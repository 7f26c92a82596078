/** Texts of the pages of clients. */

import type { Translations } from '@ostiary/console'

export const CLIENTS = {
  clients: {
    title: ['Clients', 'Clients', 'Clients'],
    lead: [
      'The applications to which people sign in, and programs with tokens of their own.',
      'Die Anwendungen, bei denen sich Personen anmelden, und Programme mit eigenen Tokens.',
      'Les applications auxquelles on se connecte, et les programmes qui ont leurs propres jetons.',
    ],
    new: ['New client', 'Neuer Client', 'Nouveau client'],
    new_lead: [
      'The kind sets what the client may do.',
      'Die Art legt fest, was der Client darf.',
      'Le type fixe ce que le client peut faire.',
    ],
    create: ['Create client', 'Client anlegen', 'Créer le client'],
    none: ['No clients yet', 'Noch keine Clients', 'Aucun client'],
    none_why: [
      'Create one, and copy the code that connects it.',
      'Legen Sie einen an, und kopieren Sie den Code, der ihn verbindet.',
      'Créez-en un, et copiez le code qui le connecte.',
    ],
  },
  kind: {
    web: ['Web application', 'Webanwendung', 'Application web'],
    'web.about': [
      'Runs on a server, which can keep a secret.',
      'Läuft auf einem Server, der ein Geheimnis bewahren kann.',
      'S’exécute sur un serveur, qui peut garder un secret.',
    ],
    spa: ['Single-page application', 'Single-Page-Anwendung', 'Application monopage'],
    'spa.about': [
      'Runs in the browser. It has no secret: PKCE protects its codes.',
      'Läuft im Browser. Sie hat kein Geheimnis: PKCE schützt ihre Codes.',
      'S’exécute dans le navigateur. Elle n’a pas de secret : PKCE protège ses codes.',
    ],
    native: ['Native application', 'Native Anwendung', 'Application native'],
    'native.about': [
      'Runs on a phone or a computer. It has no secret.',
      'Läuft auf einem Telefon oder Computer. Sie hat kein Geheimnis.',
      'S’exécute sur un téléphone ou un ordinateur. Elle n’a pas de secret.',
    ],
    machine: ['Machine', 'Maschine', 'Machine'],
    'machine.about': [
      'A program that calls an API in its own name.',
      'Ein Programm, das eine API im eigenen Namen aufruft.',
      'Un programme qui appelle une API en son propre nom.',
    ],
  },
  origin: {
    operator: ['made here', 'hier angelegt', 'créé ici'],
    registered: ['registered itself', 'selbst registriert', 'auto-enregistré'],
    metadata_document: [
      'has a metadata document',
      'hat ein Metadaten-Dokument',
      'a un document de métadonnées',
    ],
  },
  client: {
    name_hint: [
      'Users see it when they sign in.',
      'Benutzer sehen ihn bei der Anmeldung.',
      'Les utilisateurs le voient à la connexion.',
    ],
    id: ['Client ID', 'Client-ID', 'Identifiant du client'],
    id_hint: [
      'Letters, digits and dashes. Empty: made of the name. It cannot change later.',
      'Buchstaben, Ziffern und Striche. Leer: aus dem Namen. Sie lässt sich später nicht ändern.',
      'Lettres, chiffres et tirets. Vide : tiré du nom. Il ne peut pas changer ensuite.',
    ],
    id_needed: [
      'Give a name, or an id.',
      'Geben Sie einen Namen oder eine ID an.',
      'Donnez un nom, ou un identifiant.',
    ],
    kind: ['Kind', 'Art', 'Type'],
    origin: ['Origin', 'Herkunft', 'Origine'],
    revoked: ['revoked', 'widerrufen', 'révoqué'],
    auth: ['Authentication', 'Authentifizierung', 'Authentification'],
    redirect_uris: ['Redirect URIs', 'Redirect-URIs', 'URI de redirection'],
    redirect_hint: [
      'Where codes may be sent, one a line. They are compared exactly.',
      'Wohin Codes gesendet werden dürfen, eine pro Zeile. Sie werden genau verglichen.',
      'Où les codes peuvent être envoyés, une par ligne. La comparaison est exacte.',
    ],
    post_logout: [
      'Addresses after a sign-out',
      'Adressen nach einer Abmeldung',
      'Adresses après une déconnexion',
    ],
    post_logout_hint: [
      'One a line. It may be empty.',
      'Eine pro Zeile. Es darf leer sein.',
      'Une par ligne. Peut rester vide.',
    ],
    consent: [
      'Users are asked for consent',
      'Benutzer werden um Einwilligung gebeten',
      'Le consentement est demandé',
    ],
    'consent.yes': ['yes', 'ja', 'oui'],
    'consent.no': ['no', 'nein', 'non'],
    groups: ['Allowed groups', 'Erlaubte Gruppen', 'Groupes autorisés'],
    groups_all: ['all users', 'alle Benutzer', 'tous les utilisateurs'],
    groups_hint: [
      'Only users in one of these groups may use it, one a line. Empty: every user may.',
      'Nur Benutzer in einer dieser Gruppen dürfen ihn nutzen, eine pro Zeile. Leer: jeder Benutzer.',
      'Seuls les utilisateurs d’un de ces groupes peuvent s’en servir, un par ligne. Vide : tous les utilisateurs.',
    ],
    opens: [
      'Now, only users in {groups} may use it. Afterwards, every user may.',
      'Jetzt dürfen ihn nur Benutzer in {groups} nutzen. Danach darf es jeder Benutzer.',
      'Maintenant, seuls les utilisateurs de {groups} peuvent s’en servir. Ensuite, tous le pourront.',
    ],
    acr: ['Sign-in at least', 'Anmeldung mindestens', 'Connexion au minimum'],
    acr_hint: [
      'A weaker sign-in is raised: the user adds a second step.',
      'Eine schwächere Anmeldung wird angehoben: Der Benutzer fügt einen zweiten Schritt hinzu.',
      'Une connexion plus faible est renforcée : l’utilisateur ajoute une seconde étape.',
    ],
    'acr.any': ['any', 'beliebig', 'au choix'],
    'acr.one': ['{acr}: with one step', '{acr}: mit einem Schritt', '{acr} : en une étape'],
    'acr.two': ['{acr}: with two steps', '{acr}: mit zwei Schritten', '{acr} : en deux étapes'],
    'acr.former': [
      '{acr}: no sign-in reaches it any more',
      '{acr}: keine Anmeldung erreicht es mehr',
      '{acr} : plus aucune connexion ne l’atteint',
    ],
    asks_consent: [
      'Ask users for consent',
      'Benutzer um Einwilligung bitten',
      'Demander le consentement aux utilisateurs',
    ],
    asks_consent_hint: [
      'Only for an application of your own is it safe not to ask.',
      'Nur bei einer eigenen Anwendung ist es sicher, nicht zu fragen.',
      'Ne pas demander n’est sûr que pour une application à vous.',
    ],
    trusted_hint: [
      'The client is trusted: users are not asked in any case.',
      'Der Client ist vertrauenswürdig: Benutzer werden in keinem Fall gefragt.',
      'Le client est de confiance : les utilisateurs ne sont jamais interrogés.',
    ],
    to: ['To the client', 'Zum Client', 'Vers le client'],
    document: [
      'Its document sets this: change it at its address.',
      'Das legt sein Dokument fest: Ändern Sie es an seiner Adresse.',
      'Son document fixe cela : modifiez-le à son adresse.',
    ],
    own_words: [
      'Its name and its addresses are its own words.',
      'Name und Adressen sind seine eigenen Angaben.',
      'Son nom et ses adresses sont ses propres mots.',
    ],
  },
  connect: {
    title: ['Connect it', 'Verbinden', 'Le connecter'],
    issuer: ['Issuer', 'Aussteller', 'Émetteur'],
    lead: ['In JavaScript:', 'In JavaScript:', 'En JavaScript :'],
  },
  secret: {
    title: ['New secret', 'Neues Geheimnis', 'Nouveau secret'],
    lead: [
      'The present secret is refused at once: the application has to get the new one.',
      'Das jetzige Geheimnis wird sofort abgelehnt: Die Anwendung muss das neue erhalten.',
      'Le secret actuel est refusé immédiatement : l’application doit recevoir le nouveau.',
    ],
    button: ['Make a new secret', 'Neues Geheimnis erstellen', 'Créer un nouveau secret'],
    once: [
      'The secret is shown once. Copy it now.',
      'Das Geheimnis wird einmal angezeigt. Kopieren Sie es jetzt.',
      'Le secret n’est affiché qu’une fois. Copiez-le maintenant.',
    ],
    label: ['Client secret', 'Client-Geheimnis', 'Secret du client'],
  },
  delete_client: {
    lead: [
      'The application loses all access. This cannot be undone.',
      'Die Anwendung verliert allen Zugriff. Das lässt sich nicht rückgängig machen.',
      'L’application perd tout accès. C’est irréversible.',
    ],
    button: ['Delete client', 'Client löschen', 'Supprimer le client'],
  },
  done: {
    client_created: ['The client is created.', 'Der Client ist angelegt.', 'Le client est créé.'],
    client_changed: ['The client is changed.', 'Der Client ist geändert.', 'Le client est modifié.'],
    client_deleted: ['The client is deleted.', 'Der Client ist gelöscht.', 'Le client est supprimé.'],
  },
} satisfies Translations
