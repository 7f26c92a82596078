/** Texts of what is refused. */

import type { Translations } from './texts-of.js'

export const REFUSALS = {
  error: {
    reference: ['Reference: {reference}', 'Referenz: {reference}', 'Référence : {reference}'],
    home: ['To the console', 'Zur Konsole', 'Vers la console'],
    'not_found.title': ['There is nothing here', 'Hier gibt es nichts', 'Il n’y a rien ici'],
    'not_found.text': [
      'It does not exist, it was deleted, or your roles do not let you see it.',
      'Es gibt es nicht, es wurde gelöscht, oder Ihre Rollen erlauben nicht, es zu sehen.',
      'Cela n’existe pas, a été supprimé, ou vos rôles ne permettent pas de le voir.',
    ],
    'not_permitted.title': [
      'This is not yours to do',
      'Das dürfen Sie nicht',
      'Vous ne pouvez pas faire cela',
    ],
    'not_permitted.text': [
      'Your account has no role for it. Ask an owner of the realm to give you one.',
      'Ihr Konto hat dafür keine Rolle. Bitten Sie einen Eigentümer des Realms um eine.',
      'Votre compte n’a pas de rôle pour cela. Demandez-en un à un propriétaire du domaine.',
    ],
    'method.title': ['This is no form', 'Das ist kein Formular', 'Ce n’est pas un formulaire'],
    'method.text': [
      'Go back, and load the page again.',
      'Gehen Sie zurück und laden Sie die Seite neu.',
      'Revenez en arrière et rechargez la page.',
    ],
    'form_origin.title': [
      'The form was refused',
      'Das Formular wurde abgelehnt',
      'Le formulaire a été refusé',
    ],
    'form_origin.text': [
      'It came from another site. Nothing was changed.',
      'Es kam von einer anderen Website. Nichts wurde geändert.',
      'Il venait d’un autre site. Rien n’a été modifié.',
    ],
    'form_old.title': ['The form is too old', 'Das Formular ist zu alt', 'Le formulaire est trop ancien'],
    'form_old.text': [
      'It belongs to an earlier sign-in. Nothing was changed: load the page again.',
      'Es gehört zu einer früheren Anmeldung. Nichts wurde geändert: Laden Sie die Seite neu.',
      'Il appartient à une connexion antérieure. Rien n’a été modifié : rechargez la page.',
    ],
    'form_size.title': ['The form is too large', 'Das Formular ist zu groß', 'Le formulaire est trop grand'],
    'form_size.text': [
      'It has at most 64 KiB and 200 fields. Nothing was changed.',
      'Es hat höchstens 64 KiB und 200 Felder. Nichts wurde geändert.',
      'Il a au plus 64 Kio et 200 champs. Rien n’a été modifié.',
    ],
    'unavailable.title': [
      'Not available at the moment',
      'Zurzeit nicht verfügbar',
      'Indisponible pour le moment',
    ],
    'unavailable.text': [
      'Wait a minute, and load the page again.',
      'Warten Sie eine Minute und laden Sie die Seite neu.',
      'Attendez une minute et rechargez la page.',
    ],
    'failed.title': ['Something went wrong', 'Etwas ist schiefgegangen', 'Une erreur s’est produite'],
    'failed.text': [
      'Wait a moment, and load the page again. If it stays, look for the reference in the log of the server.',
      'Warten Sie einen Moment und laden Sie die Seite neu. Bleibt es dabei, suchen Sie die Referenz im Protokoll des Servers.',
      'Patientez un instant et rechargez la page. Si cela persiste, cherchez la référence dans le journal du serveur.',
    ],
  },
  protected: {
    role: [
      'Only an administrator with the role {role} ({realms}) can change this: ask one of them.',
      'Das kann nur ändern, wer die Rolle {role} hat ({realms}): Fragen Sie dort nach.',
      'Seul un administrateur qui a le rôle {role} ({realms}) peut modifier cela : demandez-lui.',
    ],
    everywhere: ['all realms', 'alle Realms', 'tous les domaines'],
    configured: [
      'The configuration sets this: change it there, and reload the server. The key is',
      'Das legt die Konfiguration fest: Ändern Sie es dort und laden Sie den Server neu. Der Schlüssel ist',
      'La configuration fixe cela : modifiez-le là, et rechargez le serveur. La clé est',
    ],
  },
  problem: {
    other: ['This was refused.', 'Das wurde abgelehnt.', 'Cela a été refusé.'],
    invalid_request: ['A value is not valid.', 'Ein Wert ist ungültig.', 'Une valeur n’est pas valide.'],
    forbidden: [
      'This is beyond your own role.',
      'Das geht über Ihre eigene Rolle hinaus.',
      'Cela dépasse votre propre rôle.',
    ],
    conflict: [
      'This contradicts what is stored.',
      'Das widerspricht dem, was gespeichert ist.',
      'Cela contredit ce qui est enregistré.',
    ],
    owned_by_configuration: [
      'The configuration has this record.',
      'Die Konfiguration hat diesen Eintrag.',
      'La configuration contient cet enregistrement.',
    ],
    changed_meanwhile: [
      'The record was changed after you opened this page. Load the page again, and repeat the change.',
      'Der Eintrag wurde geändert, seit Sie diese Seite geöffnet haben. Laden Sie die Seite neu und wiederholen Sie die Änderung.',
      'L’enregistrement a été modifié depuis l’ouverture de cette page. Rechargez la page et recommencez.',
    ],
    not_found: [
      'It is not there any more, or your roles do not let you see it.',
      'Es ist nicht mehr da, oder Ihre Rollen erlauben nicht, es zu sehen.',
      'Ce n’est plus là, ou vos rôles ne permettent pas de le voir.',
    ],
    too_many_requests: [
      'Too many requests. Wait a minute.',
      'Zu viele Anfragen. Warten Sie eine Minute.',
      'Trop de requêtes. Attendez une minute.',
    ],
  },
} satisfies Translations
