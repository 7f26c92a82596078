/** The French texts of all pages. `\u00a0` stands before a colon and in quotation marks, `\u202f` before ? ! and ; */

import { factorsFr } from './factors/fr.js'
import { translation } from './translation.js'

export const fr = translation({
  ...factorsFr,

  // The sign-in page
  'sign_in.title': 'Se connecter',
  'sign_in.for_application': 'pour continuer vers {application}',
  'sign_in.for_account': 'pour accéder à votre compte',
  'sign_in.for_device': 'pour connecter un appareil',
  'sign_in.again_for_application': 'Confirmez votre identité pour continuer vers {application}',
  'sign_in.stronger_for_application':
    '{application} demande une connexion plus sûre. Connectez-vous à nouveau pour continuer.',
  'sign_in.again_for_account': 'Confirmez votre identité pour accéder à votre compte',
  'sign_in.answer_target':
    'Une fois connecté, ou si vous revenez en arrière, vous serez redirigé vers {host}.',
  'sign_in.username': 'Nom d’utilisateur',
  'sign_in.password': 'Mot de passe',
  'sign_in.submit': 'Se connecter',
  'sign_in.back': 'Retour à {application}',
  'sign_in.wrong': 'Le nom d’utilisateur ou le mot de passe est incorrect.',
  'sign_in.not_confirmed':
    'Votre navigateur n’a pas pu confirmer ce formulaire. Veuillez autoriser les cookies de ce site, puis réessayer.',
  'sign_in.throttled': {
    one: 'Trop de tentatives de connexion. Veuillez patienter {count} minute, puis réessayer.',
    other: 'Trop de tentatives de connexion. Veuillez patienter {count} minutes, puis réessayer.',
  },
  'sign_in.busy':
    'De nombreuses personnes se connectent en ce moment. Veuillez réessayer dans quelques secondes.',

  // Clients
  'application.quoted': '«\u00a0{name}\u00a0»',
  'application.of_host': '{host} ({name})',
  'application.registered_itself': 'Cette application s’est enregistrée elle-même.',
  'application.published_at': 'Cette application est décrite sur {host}.',
  'application.make_sure': 'Assurez-vous que vous la connaissez.',
  'application.any_program': 'N’importe quel programme de cet ordinateur pourrait demander en son nom.',
  'application.only_if_started': 'Ne continuez que si vous venez de lancer cette demande dans l’application.',
  'application.list': '{applications}, {next}',
  'application.website': 'Site web',
  'application.policy': 'Politique de confidentialité',
  'application.terms': 'Conditions d’utilisation',
  'host.marked': '{host} ({mark})',
  'host.this_computer': 'cet ordinateur',
  'host.not_encrypted': 'non chiffré',

  // The consent page
  'consent.title': 'Autoriser {application}\u202f?',
  'consent.heading': 'Autoriser {application} à utiliser votre compte\u202f?',
  'consent.another_account': 'Changer de compte',
  'consent.scopes': 'Cette application pourra',
  'consent.scopes_high': 'Cette application demande un accès sensible',
  'consent.scopes_also': 'Elle pourra aussi',
  'consent.more': { one: 'Afficher 1 autre', other: 'Afficher {count} autres' },
  'consent.offline': 'Conserver cet accès après votre déconnexion',
  'consent.resources': 'Avec votre compte sur',
  'consent.answer_target': 'Vous serez ensuite redirigé vers {host}.',
  'consent.allow': 'Autoriser',
  'consent.deny': 'Refuser',

  // The pages that connect a device
  'device.title': 'Connecter un appareil',
  'device.enter': 'Saisissez le code qu’affiche votre appareil.',
  'device.code': 'Code',
  'device.continue': 'Continuer',
  'device.unknown':
    'Ce code n’est pas correct ou n’est plus valable. Saisissez le code qu’affiche votre appareil.',
  'device.expired':
    'La page est restée ouverte trop longtemps, ou vous y avez déjà répondu. Saisissez à nouveau le code.',
  'device.confirm_title': 'Connecter cet appareil\u202f?',
  'device.compare': 'Comparez ce code avec celui qu’affiche votre appareil\u00a0:',
  'device.sent_by_somebody': 'Quelqu’un vous a envoyé ce code\u202f?',
  'device.then_refuse': 'Alors, refusez.',
  'device.asks': '{application} demande à utiliser votre compte sur un appareil.',
  'device.any_program': 'N’importe quel programme pourrait le demander en son nom.',
  'device.lasts': {
    one: 'L’accès demeure après votre déconnexion, pendant 1 jour au plus, tant que vous n’y mettez pas fin sur la page de votre compte.',
    other:
      'L’accès demeure après votre déconnexion, pendant {count} jours au plus, tant que vous n’y mettez pas fin sur la page de votre compte.',
  },
  'device.asked_at': 'L’appareil a fait sa demande le {time}.',
  'device.asked_from': 'L’appareil a fait sa demande le {time}, depuis l’adresse {address}.',
  'device.other_address': 'Ce n’est pas l’adresse de ce navigateur.',
  'device.allow': 'Connecter',
  'device.refuse': 'Refuser',
  'device.approved_title': 'L’appareil est connecté',
  'device.approved': '{application} peut maintenant utiliser votre compte. Continuez sur votre appareil.',
  'device.refused_title': 'L’appareil est refusé',
  'device.refused': '{application} n’obtient aucun accès.',

  // What a client may do
  'scope.none': 'Savoir que vous êtes connecté',
  'scope.high': '{scope} (sensible)',
  'scope.openid': 'Savoir qui vous êtes',
  'scope.profile': 'Voir votre nom et votre profil',
  'scope.email': 'Voir votre adresse e-mail',
  'scope.address': 'Voir votre adresse postale',
  'scope.phone': 'Voir votre numéro de téléphone',

  // The signed-in user
  'user.signed_in_as': 'Connecté en tant que {name}',

  // The sign-out pages
  'sign_out.title': 'Se déconnecter',
  'sign_out.heading': 'Voulez-vous vous déconnecter\u202f?',
  'sign_out.asked_by': '{application} demande à vous déconnecter.',
  'sign_out.submit': 'Se déconnecter',
  'sign_out.stay': 'Pour rester connecté, fermez cette page.',
  'signed_out.title': 'Déconnecté',
  'signed_out.heading': 'Vous êtes déconnecté',
  'signed_out.nobody': 'Personne n’est connecté dans ce navigateur',
  'signed_out.redirect_refused':
    'L’application voulait vous envoyer vers une adresse qui n’est pas enregistrée pour elle. Vous restez donc ici.',
  'signed_out.close': 'Vous pouvez fermer cette page.',
  'signed_out.back': 'Retour à {application}',
  'signed_out.kept':
    'Les applications que vous avez autorisées à rester connectées peuvent conserver leur accès.',
  'signed_out.access': 'Le voir et y mettre fin sur la page de votre compte',
  'signed_out.again': 'Se connecter à nouveau',

  // The page at the root of the realm
  'landing.title': 'Bienvenue',
  'landing.heading': 'C’est ici que vous vous connectez',
  'landing.advice':
    'Les applications vous envoient ici pour vous connecter. Ouvrez l’application que vous voulez utiliser et connectez-vous depuis celle-ci.',
  'landing.account': 'Votre compte',

  // The account page
  'account.title': 'Votre compte',
  'account.user': 'Vos informations',
  'account.username': 'Nom d’utilisateur',
  'account.name': 'Nom',
  'account.email': 'Adresse e-mail',
  'account.email_unconfirmed': '(non confirmée)',
  'account.not_confirmed':
    'Votre navigateur n’a pas pu confirmer ce formulaire, et rien n’a été modifié. Veuillez autoriser les cookies de ce site, puis réessayer.',
  'account.throttled': {
    one: 'Trop de tentatives. Veuillez patienter {count} minute, puis réessayer.',
    other: 'Trop de tentatives. Veuillez patienter {count} minutes, puis réessayer.',
  },
  'account.busy':
    'De nombreuses personnes se connectent en ce moment. Veuillez réessayer dans quelques secondes.',
  'account.changed_meanwhile':
    'Votre compte vient d’être modifié ailleurs. Rien n’a donc été enregistré. Veuillez réessayer.',

  // What the account page reports after an action
  'notice.password':
    'Votre mot de passe a été modifié. Vous devrez vous reconnecter sur vos autres appareils et dans les applications.',
  'notice.session': 'L’autre appareil a été déconnecté.',
  'notice.session_gone': 'Cet appareil était déjà déconnecté.',
  'notice.others': 'Tous les autres appareils ont été déconnectés.',
  'notice.withdrawn': 'L’accès a été retiré. L’application devra vous le redemander.',
  'notice.withdrawn_before': 'Cet accès était déjà retiré.',
  'notice.access_ended': 'L’accès de l’application a pris fin.',

  // The password section of the account page
  'password.title': 'Mot de passe',
  'password.none': 'Votre compte n’a pas de mot de passe.',
  'password.change': 'Modifier votre mot de passe',
  'password.current': 'Mot de passe actuel',
  'password.new': 'Nouveau mot de passe',
  'password.new_hint':
    'Au moins {min} caractères. Quelques mots se retiennent plus facilement que des caractères spéciaux.',
  'password.new_again': 'Répétez le nouveau mot de passe',
  'password.submit': 'Modifier le mot de passe',
  'password.effect':
    'Vous restez connecté ici. Vous devrez vous reconnecter sur vos autres appareils et dans les applications.',
  'password.wrong': 'Ce n’est pas votre mot de passe actuel.',
  'password.too_short': 'Le nouveau mot de passe compte moins de {min} caractères.',
  'password.too_long': 'Le nouveau mot de passe compte plus de {max} caractères.',
  'password.not_repeated': 'Le nouveau mot de passe n’est pas le même dans les deux champs.',
  'password.not_new': 'Le nouveau mot de passe est identique à l’actuel. Veuillez en choisir un autre.',

  // The sessions on the account page
  'sessions.title': 'Où vous êtes connecté',
  'sessions.more': {
    one: '{count} autre connexion n’est pas affichée.',
    other: '{count} autres connexions ne sont pas affichées.',
  },
  'sessions.end_others': 'Se déconnecter partout ailleurs',
  'sessions.no_others': 'Vous n’êtes connecté nulle part ailleurs.',
  'session.current': 'Cet appareil',
  'session.other': 'Autre appareil',
  'session.browser_on': '{browser} sur {system}',
  'session.last_used': 'Dernière utilisation le {time}',
  'session.since': 'Connecté le {time}',
  'session.since_with': 'Connecté le {time} avec {methods}',
  'session.used_for': 'Utilisé pour {applications}',
  'session.used_for_more': {
    one: 'Utilisé pour {applications} et {count} autre application',
    other: 'Utilisé pour {applications} et {count} autres applications',
  },
  'session.end': 'Déconnecter',
  'session.sign_out': 'Se déconnecter',

  // Authentication methods (RFC 8176 §2), for the end of `session.since_with`
  'amr.pwd': 'votre mot de passe',
  'amr.pin': 'un code PIN',
  'amr.otp': 'un code à usage unique',
  'amr.sms': 'un code reçu par SMS',
  'amr.tel': 'un appel téléphonique',
  'amr.hwk': 'une clé d’accès liée à un appareil',
  'amr.swk': 'une clé d’accès',
  'amr.sc': 'une carte à puce',
  'amr.fpt': 'votre empreinte digitale',
  'amr.face': 'votre visage',

  // The clients on the account page
  'access.title': 'Applications que vous avez autorisées',
  'access.none': 'Vous n’avez autorisé aucune application à utiliser votre compte.',
  'access.effect': 'Si vous retirez l’accès, l’application devra vous le redemander.',
  'access.more': {
    one: '{count} autre application sera affichée lorsque vous aurez retiré l’accès à certaines de celles-ci.',
    other:
      '{count} autres applications seront affichées lorsque vous aurez retiré l’accès à certaines de celles-ci.',
  },
  'access.withdraw': 'Retirer l’accès',
  'access.withdraw_all': 'Retirer tous les accès',
  'access.withdraw_this': 'Retirer cet accès',
  'access.inactive': 'Cette application n’est plus utilisée.',
  'access.here': 'Avec votre compte ici, elle peut',
  'access.at': 'Avec votre compte sur {resource}, elle peut',
  'access.offline': 'Conserver son accès lorsque vous ne l’utilisez pas',
  'access.allowed': 'Autorisée le {day}',
  'access.allowed_again': 'Autorisée le {day}, la dernière fois le {last}',
  'access.since': 'A accès depuis le {day}',

  // The devices on the account page
  'devices.title': 'Appareils',
  'devices.effect': 'Retirer met fin à tous les accès donnés ainsi à l’application.',
  'devices.since': 'Connecté le {day}',

  // The page that asks for the password
  'confirm.title': 'Confirmez votre identité',
  'confirm.end_session':
    'Votre connexion ici date déjà de quelque temps. Pour déconnecter l’autre appareil, saisissez le mot de passe de {username}.',
  'confirm.end_others':
    'Votre connexion ici date déjà de quelque temps. Pour déconnecter tous les autres appareils, saisissez le mot de passe de {username}.',
  'confirm.submit_end_session': 'Déconnecter l’autre appareil',
  'confirm.submit_end_others': 'Déconnecter tous les autres appareils',
  'confirm.back': 'Retour à votre compte',

  // The error page
  'error.code': 'Code\u00a0: {code}',
  'error.reference': 'Référence\u00a0: {reference}',
  'error.detail': 'Détail technique\u00a0: {description}',
  'error.start_again': 'Veuillez recommencer',
  'error.go_back': 'Retournez à l’application et recommencez.',
  'error.expired': 'Cette demande a expiré',
  'error.expired_here': 'Elle a pris trop de temps, ou elle est déjà terminée.',
  'error.answered': 'Une réponse a déjà été donnée à cette page',
  'error.answered_here':
    'Votre réponse a déjà été envoyée à l’application, ou la page est restée ouverte trop longtemps.',
  'error.answered_advice': 'Retournez à l’application. Si elle vous attend encore, recommencez-y.',
  'error.unknown_client': 'Cette application n’est pas connue ici',
  'error.unknown_client_here':
    'L’application d’où vous venez n’est pas ou n’est plus enregistrée ici. Aucune de vos données n’a été transmise.',
  'error.unregistered_redirect_uri': 'L’adresse de retour n’est pas connue',
  'error.unregistered_redirect_uri_here':
    'L’application veut vous rediriger vers une adresse qui n’est pas enregistrée pour elle. Aucune de vos données n’a été transmise.',
  'error.foreign_request': 'Cette demande appartient à une autre application',
  'error.foreign_request_here':
    'L’application d’où vous venez a envoyé une demande commencée par une autre application. Aucune de vos données n’a été transmise.',
  'error.tell_operator': 'Veuillez vous adresser au fournisseur de l’application.',
  'error.bad_request': 'La demande de l’application est incorrecte.',
  'error.refused': 'La demande a été refusée.',
  'error.method': 'Cette adresse n’accepte pas ce type de requête.',
  'error.too_large': 'Trop de données ont été envoyées.',
  'error.not_found': 'Il n’y a rien à cette adresse',
  'error.not_found_advice': 'Vérifiez l’adresse, ou retournez à l’application et recommencez.',
  'error.too_many': 'Trop de requêtes',
  'error.too_many_from': 'Trop de requêtes proviennent de votre réseau ou de votre navigateur.',
  'error.too_many_advice': 'Veuillez patienter quelques minutes, puis recharger cette page.',
  'error.unavailable': 'Indisponible pour le moment',
  'error.unavailable_here':
    'Ce service ne peut pas répondre pour le moment. Cela n’a rien à voir avec vous ni avec votre compte.',
  'error.unavailable_advice':
    'Veuillez patienter quelques secondes, puis recharger cette page. Si cela ne suffit pas, retournez à l’application et recommencez.',
  'error.server': 'Une erreur s’est produite',
  'error.server_here': 'La demande a échoué à cause d’une erreur sur ce serveur.',
  'error.server_advice': 'Veuillez patienter un instant, puis réessayer.',

  // A form that cannot be read
  'form.wrong_type': 'Le formulaire est arrivé dans un format qui n’est pas compris.',
  'form.too_large': 'Le formulaire est arrivé avec plus de {limit} Kio.',
  'form.malformed': 'Le formulaire est arrivé incomplet.',
  'form.account_advice': 'Ouvrez la page de votre compte et réessayez.',
})
