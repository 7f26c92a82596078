/** Texts of the pages of other providers. */

import type { Translations } from '@ostiary/console'

export const UPSTREAMS = {
  upstreams: {
    title: ['Other providers', 'Andere Anbieter', 'Autres fournisseurs'],
    lead: [
      'Where users of the realm have an account with which they sign in. The configuration has the list.',
      'Wo Benutzer des Realms ein Konto haben, mit dem sie sich anmelden. Die Konfiguration enthält die Liste.',
      'Où les utilisateurs du domaine ont un compte avec lequel ils se connectent. La configuration contient la liste.',
    ],
    none: [
      'There are no other providers',
      'Es gibt keine anderen Anbieter',
      'Il n’y a pas d’autres fournisseurs',
    ],
    none_why: [
      'With one, users sign in with an account at Google, Microsoft, Apple, GitHub, or the provider of your company.',
      'Mit einem melden sich Benutzer mit einem Konto bei Google, Microsoft, Apple, GitHub oder beim Anbieter Ihrer Firma an.',
      'Avec un fournisseur, les utilisateurs se connectent avec un compte Google, Microsoft, Apple, GitHub ou celui de votre entreprise.',
    ],
    add: ['Add one', 'Einen hinzufügen', 'En ajouter un'],
    add_how: [
      'These lines of the configuration add Google. Register this server there first, put the secret into the variable, and reload the server.',
      'Diese Zeilen der Konfiguration fügen Google hinzu. Registrieren Sie zuerst diesen Server dort, setzen Sie die Variable mit dem Geheimnis, und laden Sie die Konfiguration neu.',
      'Ces lignes de la configuration ajoutent Google. Enregistrez d’abord ce serveur chez Google, placez le secret dans la variable, puis rechargez le serveur.',
    ],
  },
  upstream: {
    name: ['Name', 'Name', 'Nom'],
    id: ['Id', 'Id', 'Identifiant'],
    issuer: ['Issuer', 'Aussteller', 'Émetteur'],
    users: ['New users', 'Neue Benutzer', 'Nouveaux utilisateurs'],
    client_id: ['Client ID there', 'Client-ID dort', 'Identifiant du client'],
    authentication: [
      'This server proves itself with',
      'Dieser Server weist sich aus mit',
      'Ce serveur s’authentifie avec',
    ],
    scopes: ['Asks for', 'Fragt nach', 'Demande'],
    scopes_usual: ['the usual scopes', 'den üblichen Scopes', 'les scopes habituels'],
    signup: [
      'Who is seen for the first time gets an account',
      'Wer zum ersten Mal kommt, erhält ein Konto',
      'Un nouvel arrivant reçoit un compte',
    ],
    domains: ['For addresses of', 'Für Adressen von', 'Pour les adresses de'],
    link: ['How an account is linked', 'Wie ein Konto verknüpft wird', 'Comment un compte est lié'],
    authoritative: [
      'Domains whose addresses it hands out',
      'Domains, deren Adressen er vergibt',
      'Domaines dont il attribue les adresses',
    ],
    only: [
      'These users have no password here',
      'Diese Benutzer haben hier kein Passwort',
      'Ces utilisateurs n’ont pas de mot de passe ici',
    ],
    second_factor: [
      'Asks for a second factor here, too',
      'Fragt auch hier nach einem zweiten Faktor',
      'Demande aussi un second facteur ici',
    ],
    tenants: ['Tenants', 'Mandanten', 'Locataires'],
    groups: [
      'Groups, by the claim {claim}',
      'Gruppen, nach dem Claim {claim}',
      'Groupes, selon la claim {claim}',
    ],
  },
  signup: {
    yes: ['get an account', 'erhalten ein Konto', 'reçoivent un compte'],
    no: ['get none', 'erhalten keines', 'n’en reçoivent pas'],
  },
  link: {
    signed_in: [
      'by its user, on the account page',
      'vom Benutzer, auf der Kontoseite',
      'par l’utilisateur, sur la page du compte',
    ],
    verified_email: [
      'also by an address that both sides have verified',
      'auch über eine Adresse, die beide Seiten geprüft haben',
      'aussi par une adresse vérifiée des deux côtés',
    ],
  },
  authentication: {
    client_secret: ['a client secret', 'einem Client-Geheimnis', 'un secret de client'],
    private_key: ['a private key', 'einem privaten Schlüssel', 'une clé privée'],
  },
  register: {
    title: ['To register there', 'Dort zu registrieren', 'À enregistrer chez lui'],
    lead: [
      'Give the provider these addresses, exactly so.',
      'Geben Sie dem Anbieter genau diese Adressen an.',
      'Indiquez au fournisseur exactement ces adresses.',
    ],
    redirect_uri: ['Redirect URI', 'Redirect-URI', 'URI de redirection'],
    logout_uri: [
      'For back-channel logout, where it offers that',
      'Für Back-Channel-Logout, wo er das anbietet',
      'Pour la déconnexion back-channel, s’il la propose',
    ],
  },
  settings: { title: ['Settings', 'Einstellungen', 'Réglages'] },
  change: {
    title: ['How to change it', 'So ändern Sie ihn', 'Comment le modifier'],
    lead: [
      'In the configuration, at this key. Then reload the server.',
      'In der Konfiguration, unter diesem Schlüssel. Laden Sie danach die Konfiguration neu.',
      'Dans la configuration, à cette clé. Rechargez ensuite le serveur.',
    ],
  },
  check: {
    title: ['Check', 'Prüfen', 'Vérifier'],
    lead: [
      'The server asks the provider for its discovery document and its keys. It takes a few seconds, and changes nothing.',
      'Der Server fragt den Anbieter nach seinem Discovery-Dokument und seinen Schlüsseln. Das dauert wenige Sekunden und ändert nichts.',
      'Le serveur demande au fournisseur son document de découverte et ses clés. Cela prend quelques secondes et ne change rien.',
    ],
    button: ['Ask the provider', 'Anbieter fragen', 'Interroger le fournisseur'],
    again: ['Check again', 'Noch einmal prüfen', 'Vérifier à nouveau'],
    back: ['To the provider', 'Zum Anbieter', 'Vers le fournisseur'],
  },
  checked: {
    ready: ['A sign-in can begin', 'Eine Anmeldung kann beginnen', 'Une connexion peut commencer'],
    not_ready: [
      'A sign-in cannot begin',
      'Eine Anmeldung kann nicht beginnen',
      'Une connexion ne peut pas commencer',
    ],
    answers: [
      'The provider answers. Whether it accepts client ID and secret, only a sign-in shows.',
      'Der Anbieter antwortet. Ob er Client-ID und Geheimnis annimmt, zeigt nur eine Anmeldung.',
      'Le fournisseur répond. Seule une connexion montre s’il accepte l’identifiant et le secret.',
    ],
    not_asked: [
      'GitHub has no document to ask for. Whether it accepts client ID and secret, only a sign-in shows.',
      'GitHub hat kein Dokument, nach dem sich fragen ließe. Ob es Client-ID und Geheimnis annimmt, zeigt nur eine Anmeldung.',
      'GitHub n’a pas de document à demander. Seule une connexion montre s’il accepte l’identifiant et le secret.',
    ],
    reason: ['Reason:', 'Grund:', 'Raison :'],
  },
} as const satisfies Translations
