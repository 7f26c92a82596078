/** Texts of the pages of clients that register or describe themselves. */

import type { Translations } from '@ostiary/console'

export const REGISTRATION = {
  done: {
    document_forgotten: [
      'The document is forgotten: every user is asked for consent again.',
      'Das Dokument ist vergessen: Jeder Benutzer wird neu um seine Einwilligung gebeten.',
      'Le document est oublié : chaque utilisateur devra de nouveau donner son accord.',
    ],
  },
  registration: {
    title: ['Registration', 'Registrierung', 'Enregistrement'],
    lead: [
      'What applications may do by themselves: register, or describe themselves in a document at their own address.',
      'Was Anwendungen von selbst dürfen: sich registrieren, oder sich in einem Dokument an ihrer eigenen Adresse beschreiben.',
      'Ce que les applications peuvent faire seules : s’enregistrer, ou se décrire dans un document à leur propre adresse.',
    ],
  },
  allowed: {
    title: ['What is allowed', 'Was erlaubt ist', 'Ce qui est permis'],
    what: ['Setting', 'Einstellung', 'Réglage'],
    value: ['Value', 'Wert', 'Valeur'],
    key: ['Key', 'Schlüssel', 'Clé'],
    registration: ['Dynamic registration', 'Dynamische Registrierung', 'Enregistrement dynamique'],
    documents: ['Metadata documents', 'Metadaten-Dokumente', 'Documents de métadonnées'],
    redirect_domains: ['Hosts of redirect URIs', 'Hosts von Redirect-URIs', 'Hôtes des URI de redirection'],
    schemes: [
      'Schemes beside http and https',
      'Schemata neben http und https',
      'Schémas en plus de http et https',
    ],
    private: ['Schemes of apps', 'Schemata von Apps', 'Schémas d’applications'],
    reuse: [
      'The same metadata get the same client',
      'Gleiche Metadaten erhalten denselben Client',
      'Les mêmes métadonnées reçoivent le même client',
    ],
    unused: [
      'An unused client ends after',
      'Ein unbenutzter Client endet nach',
      'Un client inutilisé expire après',
    ],
    never: ['never', 'nie', 'jamais'],
    seconds: [
      '{count} second|{count} seconds',
      '{count} Sekunde|{count} Sekunden',
      '{count} seconde|{count} secondes',
    ],
    per_minute: [
      'Registrations a minute and address',
      'Registrierungen je Minute und Adresse',
      'Enregistrements par minute et adresse',
    ],
    per_day: ['Registrations a day', 'Registrierungen am Tag', 'Enregistrements par jour'],
    hosts: ['Hosts of documents', 'Hosts von Dokumenten', 'Hôtes des documents'],
    any: ['any', 'beliebig', 'tous'],
    endpoint: ['Clients register at', 'Clients registrieren sich bei', 'Les clients s’enregistrent à'],
    how: [
      'Change the keys in the configuration, and reload the server.',
      'Ändern Sie die Schlüssel in der Konfiguration, und laden Sie sie neu.',
      'Modifiez les clés dans la configuration, puis rechargez le serveur.',
    ],
  },
  registered: {
    title: [
      'Clients that registered themselves',
      'Clients, die sich selbst registriert haben',
      'Clients qui se sont enregistrés eux-mêmes',
    ],
    none: [
      'No client has registered',
      'Kein Client hat sich registriert',
      'Aucun client ne s’est enregistré',
    ],
    none_why: [
      'An application that registers itself, such as an MCP client, is listed here until it ends.',
      'Eine Anwendung, die sich selbst registriert, etwa ein MCP-Client, steht hier, bis sie endet.',
      'Une application qui s’enregistre elle-même, par exemple un client MCP, figure ici jusqu’à sa fin.',
    ],
    off: [
      'Dynamic registration is off: applications are made here, by you. To let them register, set oidc.clients.registration.enabled to true.',
      'Die dynamische Registrierung ist aus: Anwendungen werden hier von Ihnen angelegt. Damit sie sich registrieren können, setzen Sie oidc.clients.registration.enabled auf true.',
      'L’enregistrement dynamique est désactivé : c’est vous qui créez les applications. Pour qu’elles puissent s’enregistrer, mettez oidc.clients.registration.enabled à true.',
    ],
    own_words: [
      'Names and addresses are the words of the applications: one may call itself anything.',
      'Namen und Adressen sind die Worte der Anwendungen: Eine kann sich nennen, wie sie will.',
      'Les noms et adresses viennent des applications : l’une peut prendre n’importe quel nom.',
    ],
    name: ['Name', 'Name', 'Nom'],
    id: ['Client ID', 'Client-ID', 'Identifiant du client'],
    redirects: ['Redirects to', 'Leitet weiter zu', 'Redirige vers'],
    since: ['Registered', 'Registriert', 'Enregistré'],
    origin: ['registered itself', 'selbst registriert', 'auto-enregistré'],
    revoked: ['revoked', 'widerrufen', 'révoqué'],
    search: ['Name, id or address', 'Name, Id oder Adresse', 'Nom, identifiant ou adresse'],
    find: ['Search', 'Suchen', 'Chercher'],
    no_match: [
      'None of this page matches.',
      'Auf dieser Seite passt keiner.',
      'Aucun ne correspond sur cette page.',
    ],
    more: [
      'There are more clients. Each page is sorted and searched for itself, so newer ones may follow.',
      'Es gibt weitere Clients. Jede Seite wird für sich sortiert und durchsucht, also können neuere folgen.',
      'Il y a d’autres clients. Chaque page est triée et parcourue séparément : de plus récents peuvent suivre.',
    ],
  },
  documents: {
    title: ['Metadata documents', 'Metadaten-Dokumente', 'Documents de métadonnées'],
    lead: [
      'Documents of applications whose client_id is their address, which users have used.',
      'Dokumente von Anwendungen, deren client_id ihre Adresse ist und die Benutzer verwendet haben.',
      'Documents des applications dont le client_id est leur adresse, et que des utilisateurs ont utilisées.',
    ],
    none: ['No document is in use', 'Kein Dokument wird verwendet', 'Aucun document n’est utilisé'],
    none_why: [
      'When a user signs in with an application whose client_id is the URL of its metadata, its document is stored here.',
      'Wenn sich ein Benutzer mit einer Anwendung anmeldet, deren client_id die URL ihrer Metadaten ist, wird ihr Dokument hier gespeichert.',
      'Quand un utilisateur se connecte avec une application dont le client_id est l’URL de ses métadonnées, son document est conservé ici.',
    ],
  },
  document: {
    title: ['Metadata document', 'Metadaten-Dokument', 'Document de métadonnées'],
    url: ['Address', 'Adresse', 'Adresse'],
    fetched: ['Confirmed', 'Bestätigt', 'Confirmé'],
    changed: ['Changed', 'Geändert', 'Modifié'],
    expires: ['Stored until', 'Gespeichert bis', 'Conservé jusqu’au'],
    text: ['What it says', 'Was es sagt', 'Ce qu’il dit'],
    own_words: [
      'These are the words of the application: it may call itself anything.',
      'Das sind die Worte der Anwendung: Sie kann sich nennen, wie sie will.',
      'Ce sont les mots de l’application : elle peut prendre n’importe quel nom.',
    ],
  },
  forget: {
    title: ['Forget the document', 'Dokument vergessen', 'Oublier le document'],
    lead: [
      'Every user is asked for consent again at the next sign-in with the application. Access that was given stays.',
      'Jeder Benutzer wird bei der nächsten Anmeldung mit der Anwendung neu um seine Einwilligung gebeten. Bestehender Zugriff bleibt.',
      'Chaque utilisateur devra de nouveau donner son accord à la prochaine connexion avec l’application. Les accès existants restent.',
    ],
    refuse: [
      'To refuse the application, leave its host out of oidc.clients.metadata_documents.allowed_hosts.',
      'Um die Anwendung abzulehnen, lassen Sie ihren Host aus oidc.clients.metadata_documents.allowed_hosts weg.',
      'Pour refuser l’application, retirez son hôte de oidc.clients.metadata_documents.allowed_hosts.',
    ],
    button: ['Forget', 'Vergessen', 'Oublier'],
  },
} as const satisfies Translations
