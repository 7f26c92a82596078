/** Texts of the audit. */

import type { Translations } from '@ostiary/console'

export const AUDIT = {
  audit: {
    title: ['Audit', 'Audit', 'Audit'],
    lead: [
      'What happened and who changed what, the newest first.',
      'Was geschehen ist und wer was geändert hat, das Neueste zuerst.',
      'Ce qui s’est passé et qui a changé quoi, du plus récent au plus ancien.',
    ],
    time: ['Time', 'Zeit', 'Heure'],
    event: ['Event', 'Ereignis', 'Événement'],
    outcome: ['Outcome', 'Ergebnis', 'Résultat'],
    actor: ['By', 'Durch', 'Par'],
    about: ['About', 'Über', 'Sujet'],
    address: ['Address', 'Adresse', 'Adresse'],
    user: ['User', 'Benutzer', 'Utilisateur'],
    client: ['Client', 'Client', 'Client'],
    type: ['Type', 'Typ', 'Type'],
    references: ['References', 'Referenzen', 'Références'],
    flow: ['Flow', 'Ablauf', 'Flux'],
    count: ['Count', 'Anzahl', 'Nombre'],
    id: ['Row', 'Zeile', 'Ligne'],
    filter: ['Filter', 'Filter', 'Filtre'],
    apply: ['Show', 'Anzeigen', 'Afficher'],
    no_filter: ['Show all', 'Alle anzeigen', 'Tout afficher'],
    command: [
      'the command line on {host}, by {user}',
      'die Befehlszeile auf {host}, durch {user}',
      'la ligne de commande sur {host}, par {user}',
    ],
    actor_hint: [
      'sub:…, client:…, cli:user@host, configuration, system.',
      'sub:…, client:…, cli:user@host, configuration, system.',
      'sub:…, client:…, cli:user@host, configuration, system.',
    ],
    user_hint: ['The identifier (sub).', 'Die Kennung (sub).', 'L’identifiant (sub).'],
    type_hint: [
      'client.update, or client. for all that begin so.',
      'client.update, oder client. für alle, die so beginnen.',
      'client.update, ou client. pour tous ceux qui commencent ainsi.',
    ],
    since: ['Since (UTC)', 'Seit (UTC)', 'Depuis (UTC)'],
    none: ['Nothing is kept yet', 'Noch ist nichts festgehalten', 'Rien n’est encore gardé'],
    none_why: [
      'Each change, sign-in and refusal has a row here.',
      'Jede Änderung, Anmeldung und Ablehnung hat hier eine Zeile.',
      'Chaque changement, connexion et refus a une ligne ici.',
    ],
    none_found: ['No row matches', 'Keine Zeile passt', 'Aucune ligne ne correspond'],
    none_found_why: [
      'Every part of the filter has to match exactly.',
      'Jeder Teil des Filters muss genau passen.',
      'Chaque partie du filtre doit correspondre exactement.',
    ],
  },
  outcome: {
    done: ['done', 'erledigt', 'fait'],
    begun: ['not completed', 'nicht abgeschlossen', 'non terminé'],
    failed: ['failed', 'gescheitert', 'échoué'],
    refused: ['refused', 'abgelehnt', 'refusé'],
  },
  row: {
    changed: ['What was changed', 'Was geändert wurde', 'Ce qui a été modifié'],
    origin: [
      'The values are stored words of operators, users and applications.',
      'Die Werte sind gespeicherte Angaben von Betreibern, Benutzern und Anwendungen.',
      'Les valeurs sont des mots enregistrés d’opérateurs, d’utilisateurs et d’applications.',
    ],
    member: ['Member', 'Feld', 'Champ'],
    before: ['Before', 'Vorher', 'Avant'],
    after: ['After', 'Nachher', 'Après'],
    absent: ['not set', 'nicht gesetzt', 'non défini'],
    more: ['Details', 'Einzelheiten', 'Détails'],
    erased: [
      'The address and what was changed were erased with the data of the user.',
      'Adresse und Änderung wurden mit den Daten des Benutzers gelöscht.',
      'L’adresse et le changement ont été effacés avec les données de l’utilisateur.',
    ],
  },
  undo: {
    title: ['Undo a change', 'Änderung zurücknehmen', 'Annuler un changement'],
    button: ['Undo', 'Zurücknehmen', 'Annuler'],
    lead: [
      'These members get their former values. If one has changed again since, nothing is undone.',
      'Diese Felder erhalten ihre früheren Werte. Hat sich eines inzwischen wieder geändert, wird nichts zurückgenommen.',
      'Ces champs retrouvent leurs anciennes valeurs. Si l’un a encore changé depuis, rien n’est annulé.',
    ],
    now: ['Now', 'Jetzt', 'Maintenant'],
    later: ['Afterwards', 'Danach', 'Ensuite'],
  },
  done: {
    undone: [
      'The change is undone. The newest row is that of the undoing.',
      'Die Änderung ist zurückgenommen. Die neueste Zeile ist die der Rücknahme.',
      'Le changement est annulé. La ligne la plus récente est celle de l’annulation.',
    ],
  },
} satisfies Translations
