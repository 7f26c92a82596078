/** Texts of these pages. */

import type { KeyOf, Translations } from '@ostiary/console'

export const TEXTS = {
  done: {
    realm_created: ['The realm is made.', 'Der Realm ist angelegt.', 'Le domaine est créé.'],
    realm_changed: [
      'The realm is changed. All servers use it within 10 seconds.',
      'Der Realm ist geändert. Alle Server verwenden es binnen 10 Sekunden.',
      'Le domaine est modifié. Tous les serveurs l’utilisent dans les 10 secondes.',
    ],
    realm_deleted: [
      'The realm is deleted. Its records are deleted in seven days.',
      'Der Realm ist gelöscht. Seine Daten werden in sieben Tagen gelöscht.',
      'Le domaine est supprimé. Ses données seront supprimées dans sept jours.',
    ],
  },
  realms: {
    title: ['Realms', 'Realms', 'Domaines'],
    lead: [
      'Each realm has its own users, clients, keys and settings.',
      'Jeder Realm hat eigene Benutzer, Clients, Schlüssel und Einstellungen.',
      'Chaque domaine a ses propres utilisateurs, clients, clés et réglages.',
    ],
    new_needs: [
      'Only an owner of all realms makes new ones.',
      'Nur ein Eigentümer aller Realms legt neue an.',
      'Seul un propriétaire de tous les domaines en crée.',
    ],
    new: ['New realm', 'Neuer Realm', 'Nouveau domaine'],
    none: ['There are no realms here', 'Hier gibt es keine Realms', 'Il n’y a pas de domaines ici'],
    none_why: [
      'A realm is a provider of its own, for one customer or one organization.',
      'Ein Realm ist ein eigener Anbieter, für einen Kunden oder eine Organisation.',
      'Un domaine est un fournisseur à part, pour un client ou une organisation.',
    ],
  },
  realm: {
    id: ['Id', 'Id', 'Identifiant'],
    source: ['Origin', 'Herkunft', 'Origine'],
    created: ['Made', 'Angelegt', 'Créé'],
    changed: ['Changed', 'Geändert', 'Modifié'],
    open: ['Open', 'Öffnen', 'Ouvrir'],
    file: ['File', 'Datei', 'Fichier'],
    environment: ['environment variables', 'Umgebungsvariablen', 'variables d’environnement'],
    key: ['Key', 'Schlüssel', 'Clé'],
    settings: ['Settings (JSON)', 'Einstellungen (JSON)', 'Réglages (JSON)'],
    configured: [
      'The configuration has its settings: change them there, and reload the server.',
      'Die Konfiguration enthält seine Einstellungen: Ändern Sie sie dort und laden Sie den Server neu.',
      'La configuration a ses réglages : modifiez-les là, et rechargez le serveur.',
    ],
  },
  source: {
    configuration: ['configuration', 'Konfiguration', 'configuration'],
    run_time: ['made here', 'hier angelegt', 'créé ici'],
  },
  create: {
    lead: [
      'It works at once. An id is never used again, also after the realm is deleted.',
      'Er funktioniert sofort. Eine Id wird nie wieder verwendet, auch nach dem Löschen nicht.',
      'Il fonctionne tout de suite. Un identifiant n’est jamais réutilisé, même après la suppression.',
    ],
    id_hint: [
      'Lower-case letters, digits and hyphens: it is a part of all addresses of the realm.',
      'Kleinbuchstaben, Ziffern und Bindestriche: Sie ist Teil aller Adressen des Realms.',
      'Minuscules, chiffres et tirets : il fait partie de toutes les adresses du domaine.',
    ],
    button: ['Make the realm', 'Realm anlegen', 'Créer le domaine'],
  },
  edit: {
    title: ['Change settings', 'Einstellungen ändern', 'Modifier les réglages'],
    hint: [
      'Keys of oidc and identity, as in the configuration. What is left out is that of all realms.',
      'Schlüssel von oidc und identity, wie in der Konfiguration. Was fehlt, gilt wie für alle Realms.',
      'Clés de oidc et identity, comme dans la configuration. Ce qui manque est celui de tous les domaines.',
    ],
    button: ['Save', 'Speichern', 'Enregistrer'],
    no_json: [
      'This is not JSON: look at line {line}',
      'Das ist kein JSON: Sehen Sie in Zeile {line} nach',
      'Ce n’est pas du JSON : regardez la ligne {line}',
    ],
    no_object: [
      'Type a JSON object: { "oidc": { }, "identity": { } }',
      'Geben Sie ein JSON-Objekt ein: { "oidc": { }, "identity": { } }',
      'Saisissez un objet JSON : { "oidc": { }, "identity": { } }',
    ],
  },
  delete: {
    button: ['Delete this realm', 'Diesen Realm löschen', 'Supprimer ce domaine'],
    lead: [
      'Its pages, clients, users and tokens are refused within 10 seconds. In seven days its records are deleted. This cannot be undone.',
      'Seine Seiten, Clients, Benutzer und Tokens werden binnen 10 Sekunden abgewiesen. In sieben Tagen werden seine Daten gelöscht. Das lässt sich nicht rückgängig machen.',
      'Ses pages, clients, utilisateurs et jetons sont refusés dans les 10 secondes. Dans sept jours, ses données sont supprimées. C’est irréversible.',
    ],
  },
} as const satisfies Translations

export type OwnKey = KeyOf<typeof TEXTS>
