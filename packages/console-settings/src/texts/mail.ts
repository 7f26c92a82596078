/** Texts of the pages of mails. */

import type { Translations } from '@ostiary/console'

export const MAIL = {
  done: {
    mail_sent: [
      'The mail server has accepted the test mail.',
      'Der Mailserver hat die Testmail angenommen.',
      'Le serveur de messagerie a accepté l’e-mail de test.',
    ],
  },
  mail: {
    title: ['Mail', 'E-Mails', 'E-mails'],
    lead: [
      'Mails of the realm that wait to be sent. What they say, and to whom, is encrypted.',
      'E-Mails des Realms, die auf den Versand warten. Inhalt und Empfänger sind verschlüsselt.',
      'E-mails du domaine en attente d’envoi. Leur contenu et leur destinataire sont chiffrés.',
    ],
    none: ['No mail waits', 'Keine E-Mail wartet', 'Aucun e-mail en attente'],
    none_why: [
      'Invitations, recoveries and confirmations stay here until the mail server has taken them: usually for a second.',
      'Einladungen, Wiederherstellungen und Bestätigungen bleiben hier, bis der Mailserver sie angenommen hat: meist eine Sekunde.',
      'Invitations, récupérations et confirmations restent ici jusqu’à ce que le serveur de messagerie les prenne : en général une seconde.',
    ],
    id: ['Id', 'Id', 'Identifiant'],
    created: ['Since', 'Seit', 'Depuis'],
    attempts: ['Attempts', 'Versuche', 'Tentatives'],
    next: ['Next attempt', 'Nächster Versuch', 'Prochaine tentative'],
    waiting: ['Waiting', 'Wartend', 'En attente'],
    oldest: ['The oldest since', 'Die älteste seit', 'Le plus ancien depuis'],
  },
  test: {
    title: ['Test mail', 'Testmail', 'E-mail de test'],
    lead: [
      'One mail is sent at once. The page says whether the mail server has accepted it. At most ten an hour.',
      'Eine E-Mail wird sofort gesendet. Die Seite sagt, ob der Mailserver sie angenommen hat. Höchstens zehn je Stunde.',
      'Un e-mail est envoyé aussitôt. La page dit si le serveur de messagerie l’a accepté. Dix par heure au plus.',
    ],
    to: ['To', 'An', 'À'],
    button: ['Send', 'Senden', 'Envoyer'],
    failed: ['The mail was not sent', 'Die E-Mail wurde nicht gesendet', 'L’e-mail n’a pas été envoyé'],
    failed_how: [
      'On the server, ostiary mail test shows what the mail server answers, and ostiary doctor checks the settings.',
      'Auf dem Server zeigt ostiary mail test, was der Mailserver antwortet, und ostiary doctor prüft die Einstellungen.',
      'Sur le serveur, ostiary mail test montre ce que répond le serveur de messagerie, et ostiary doctor vérifie les réglages.',
    ],
    again: ['Try again', 'Noch einmal versuchen', 'Réessayer'],
  },
  reason: {
    unreachable: [
      'The mail server cannot be reached, or ends the connection.',
      'Der Mailserver ist nicht erreichbar oder beendet die Verbindung.',
      'Le serveur de messagerie est injoignable, ou ferme la connexion.',
    ],
    timeout: [
      'The mail server does not answer in time.',
      'Der Mailserver antwortet nicht rechtzeitig.',
      'Le serveur de messagerie ne répond pas à temps.',
    ],
    tls: [
      'The certificate of the mail server is not trusted, or it has no TLS.',
      'Dem Zertifikat des Mailservers wird nicht vertraut, oder er hat kein TLS.',
      'Le certificat du serveur de messagerie n’est pas reconnu, ou il n’a pas de TLS.',
    ],
    starttls: [
      'The mail server offers no STARTTLS.',
      'Der Mailserver bietet kein STARTTLS an.',
      'Le serveur de messagerie ne propose pas STARTTLS.',
    ],
    auth: [
      'The mail server refuses the credentials, or asks for some.',
      'Der Mailserver lehnt die Zugangsdaten ab oder verlangt welche.',
      'Le serveur de messagerie refuse les identifiants, ou en demande.',
    ],
    invalid: [
      'This is not exactly one address.',
      'Das ist nicht genau eine Adresse.',
      'Ce n’est pas exactement une adresse.',
    ],
    other: [
      'The mail server has refused it: {reason}.',
      'Der Mailserver hat sie abgelehnt: {reason}.',
      'Le serveur de messagerie l’a refusé : {reason}.',
    ],
  },
} as const satisfies Translations
