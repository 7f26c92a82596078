/** The texts of the error page, and of forms that cannot be read. */

import type { Texts } from '../texts.js'

export const errorsTexts = {
  // The error page
  'error.code': ['Code: {code}', 'Code: {code}', 'Code : {code}'],
  'error.reference': ['Reference: {reference}', 'Referenz: {reference}', 'Référence : {reference}'],
  'error.detail': [
    'Technical detail: {description}',
    'Technische Angabe: {description}',
    'Détail technique : {description}',
  ],
  'error.start_again': ['Please start again', 'Bitte beginnen Sie noch einmal', 'Veuillez recommencer'],
  'error.go_back': [
    'Go back to the application and start again.',
    'Gehen Sie zurück zur Anwendung, und beginnen Sie dort noch einmal.',
    'Retournez à l’application et recommencez.',
  ],
  'error.expired': ['This request has expired', 'Dieser Vorgang ist abgelaufen', 'Cette demande a expiré'],
  'error.expired_here': [
    'It took too long, or it was completed already.',
    'Er hat zu lange gedauert, oder er wurde schon abgeschlossen.',
    'Elle a pris trop de temps, ou elle est déjà terminée.',
  ],
  'error.answered': [
    'This page was answered before',
    'Diese Seite wurde schon beantwortet',
    'Une réponse a déjà été donnée à cette page',
  ],
  'error.answered_here': [
    'Your answer was sent to the application already, or the page was open for too long.',
    'Ihre Antwort ist schon an die Anwendung gesendet worden, oder die Seite war zu lange offen.',
    'Votre réponse a déjà été envoyée à l’application, ou la page est restée ouverte trop longtemps.',
  ],
  'error.answered_advice': [
    'Go back to the application. If it is still waiting for you, start again there.',
    'Gehen Sie zur Anwendung zurück. Wenn sie noch auf Sie wartet, beginnen Sie dort von vorn.',
    'Retournez à l’application. Si elle vous attend encore, recommencez-y.',
  ],
  'error.unknown_client': [
    'This application is not known here',
    'Diese Anwendung ist hier nicht bekannt',
    'Cette application n’est pas connue ici',
  ],
  'error.unknown_client_here': [
    'The application that you come from is not registered here, or not any more. None of your data was passed on.',
    'Die Anwendung, von der Sie kommen, ist hier nicht oder nicht mehr registriert. Ihre Daten wurden nicht weitergegeben.',
    'L’application d’où vous venez n’est pas ou n’est plus enregistrée ici. Aucune de vos données n’a été transmise.',
  ],
  'error.unregistered_redirect_uri': [
    'The return address is not known',
    'Die Rückadresse ist nicht bekannt',
    'L’adresse de retour n’est pas connue',
  ],
  'error.unregistered_redirect_uri_here': [
    'The application wants to send you to an address that is not registered for it. None of your data was passed on.',
    'Die Anwendung möchte Sie zu einer Adresse weiterleiten, die für sie nicht registriert ist. Ihre Daten wurden nicht weitergegeben.',
    'L’application veut vous rediriger vers une adresse qui n’est pas enregistrée pour elle. Aucune de vos données n’a été transmise.',
  ],
  'error.foreign_request': [
    'This request belongs to another application',
    'Dieser Vorgang gehört zu einer anderen Anwendung',
    'Cette demande appartient à une autre application',
  ],
  'error.foreign_request_here': [
    'The application that you come from has sent a request that another application began. None of your data was passed on.',
    'Die Anwendung, von der Sie kommen, hat einen Vorgang geschickt, den eine andere begonnen hat. Ihre Daten wurden nicht weitergegeben.',
    'L’application d’où vous venez a envoyé une demande commencée par une autre application. Aucune de vos données n’a été transmise.',
  ],
  'error.tell_operator': [
    'Please contact the provider of the application.',
    'Bitte wenden Sie sich an den Anbieter der Anwendung.',
    'Veuillez vous adresser au fournisseur de l’application.',
  ],
  'error.bad_request': [
    'The request of the application has a fault.',
    'Die Anfrage der Anwendung ist fehlerhaft.',
    'La demande de l’application est incorrecte.',
  ],
  'error.refused': ['The request was refused.', 'Die Anfrage wurde abgelehnt.', 'La demande a été refusée.'],
  'error.method': [
    'This address does not accept this kind of request.',
    'Diese Adresse nimmt diese Art von Anfrage nicht an.',
    'Cette adresse n’accepte pas ce type de requête.',
  ],
  'error.too_large': [
    'Too much data was sent.',
    'Es wurden zu viele Daten gesendet.',
    'Trop de données ont été envoyées.',
  ],
  'error.not_found': [
    'There is nothing at this address',
    'Unter dieser Adresse gibt es nichts',
    'Il n’y a rien à cette adresse',
  ],
  'error.not_found_advice': [
    'Check the address, or go back to the application and start again.',
    'Prüfen Sie die Adresse, oder gehen Sie zurück zur Anwendung, und beginnen Sie dort noch einmal.',
    'Vérifiez l’adresse, ou retournez à l’application et recommencez.',
  ],
  'error.too_many': ['Too many requests', 'Zu viele Anfragen', 'Trop de requêtes'],
  'error.too_many_from': [
    'There were too many requests from your network or your browser.',
    'Aus Ihrem Netz oder von Ihrem Browser kamen zu viele Anfragen.',
    'Trop de requêtes proviennent de votre réseau ou de votre navigateur.',
  ],
  'error.too_many_advice': [
    'Please wait a few minutes, then load this page again.',
    'Bitte warten Sie einige Minuten, und laden Sie diese Seite dann neu.',
    'Veuillez patienter quelques minutes, puis recharger cette page.',
  ],
  'error.unavailable': ['Not available right now', 'Zurzeit nicht verfügbar', 'Indisponible pour le moment'],
  'error.unavailable_here': [
    'This service cannot answer at the moment. It has nothing to do with you or your account.',
    'Dieser Dienst kann im Moment nicht antworten. Das hat nichts mit Ihnen oder Ihrem Konto zu tun.',
    'Ce service ne peut pas répondre pour le moment. Cela n’a rien à voir avec vous ni avec votre compte.',
  ],
  'error.unavailable_advice': [
    'Please wait a few seconds, then load this page again. If that does not help, go back to the application and start again.',
    'Bitte warten Sie einige Sekunden, und laden Sie diese Seite dann neu. Wenn das nicht hilft, gehen Sie zurück zur Anwendung, und beginnen Sie dort noch einmal.',
    'Veuillez patienter quelques secondes, puis recharger cette page. Si cela ne suffit pas, retournez à l’application et recommencez.',
  ],
  'error.server': ['Something went wrong', 'Etwas ist schiefgegangen', 'Une erreur s’est produite'],
  'error.server_here': [
    'The request failed because of an error on this server.',
    'Die Anfrage ist an einem Fehler auf diesem Server gescheitert.',
    'La demande a échoué à cause d’une erreur sur ce serveur.',
  ],
  'error.server_advice': [
    'Please wait a moment, then try again.',
    'Bitte warten Sie einen Moment, und versuchen Sie es dann noch einmal.',
    'Veuillez patienter un instant, puis réessayer.',
  ],

  // A form that cannot be read
  'form.wrong_type': [
    'The form arrived in a format that is not understood.',
    'Das Formular kam in einem Format an, das nicht verstanden wird.',
    'Le formulaire est arrivé dans un format qui n’est pas compris.',
  ],
  'form.too_large': [
    'The form arrived with more than {limit} KiB.',
    'Das Formular kam mit mehr als {limit} KiB an.',
    'Le formulaire est arrivé avec plus de {limit} Kio.',
  ],
  'form.malformed': [
    'The form arrived incomplete.',
    'Das Formular kam unvollständig an.',
    'Le formulaire est arrivé incomplet.',
  ],
  'form.account_advice': [
    'Open your account page and try again.',
    'Öffnen Sie Ihre Kontoseite, und versuchen Sie es noch einmal.',
    'Ouvrez la page de votre compte et réessayez.',
  ],
} as const satisfies Texts
