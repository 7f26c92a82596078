/** The texts of the account page, and of the page that asks for the password. */

import type { Texts } from '../texts.js'

export const accountTexts = {
  // The account page
  'account.title': ['Your account', 'Ihr Konto', 'Votre compte'],
  'account.user': ['Who you are', 'Ihre Angaben', 'Vos informations'],
  'account.username': ['Username', 'Benutzername', 'Nom d’utilisateur'],
  'account.name': ['Name', 'Name', 'Nom'],
  'account.email': ['Email', 'E-Mail-Adresse', 'Adresse e-mail'],
  'account.email_unconfirmed': ['(not confirmed)', '(nicht bestätigt)', '(non confirmée)'],
  'account.not_confirmed': [
    'Your browser could not confirm this form, and nothing was changed. Please allow cookies for this site, and try again.',
    'Ihr Browser konnte dieses Formular nicht bestätigen. Es wurde nichts geändert. Bitte erlauben Sie Cookies für diese Website, und versuchen Sie es noch einmal.',
    'Votre navigateur n’a pas pu confirmer ce formulaire, et rien n’a été modifié. Veuillez autoriser les cookies de ce site, puis réessayer.',
  ],
  'account.throttled': [
    {
      one: 'Too many attempts. Please wait a minute, then try again.',
      other: 'Too many attempts. Please wait {count} minutes, then try again.',
    },
    {
      one: 'Zu viele Versuche. Bitte warten Sie eine Minute, und versuchen Sie es dann noch einmal.',
      other: 'Zu viele Versuche. Bitte warten Sie {count} Minuten, und versuchen Sie es dann noch einmal.',
    },
    {
      one: 'Trop de tentatives. Veuillez patienter {count} minute, puis réessayer.',
      other: 'Trop de tentatives. Veuillez patienter {count} minutes, puis réessayer.',
    },
  ],
  'account.changed_meanwhile': [
    'Your account was changed somewhere else just now, so this was not saved. Please try again.',
    'Ihr Konto wurde gerade an anderer Stelle geändert. Deshalb wurde nichts gespeichert. Bitte versuchen Sie es noch einmal.',
    'Votre compte vient d’être modifié ailleurs. Rien n’a donc été enregistré. Veuillez réessayer.',
  ],

  // What the account page reports after an action
  'notice.password': [
    'Your password is changed. Everywhere else, and in applications, you have to sign in again.',
    'Ihr Passwort ist geändert. Auf allen anderen Geräten und in Anwendungen müssen Sie sich neu anmelden.',
    'Votre mot de passe a été modifié. Vous devrez vous reconnecter sur vos autres appareils et dans les applications.',
  ],
  'notice.session': [
    'The other device is signed out.',
    'Das andere Gerät ist abgemeldet.',
    'L’autre appareil a été déconnecté.',
  ],
  'notice.session_gone': [
    'That device was signed out already.',
    'Dieses Gerät war bereits abgemeldet.',
    'Cet appareil était déjà déconnecté.',
  ],
  'notice.others': [
    'All other devices are signed out.',
    'Alle anderen Geräte sind abgemeldet.',
    'Tous les autres appareils ont été déconnectés.',
  ],
  'notice.withdrawn': [
    'The access is withdrawn. The application has to ask you again.',
    'Der Zugriff ist entzogen. Die Anwendung muss Sie erneut fragen.',
    'L’accès a été retiré. L’application devra vous le redemander.',
  ],
  'notice.withdrawn_before': [
    'This access was withdrawn already.',
    'Dieser Zugriff war bereits entzogen.',
    'Cet accès était déjà retiré.',
  ],
  'notice.access_ended': [
    'The access of the application has ended.',
    'Der Zugriff der Anwendung ist beendet.',
    'L’accès de l’application a pris fin.',
  ],

  // The password section of the account page
  'password.title': ['Password', 'Passwort', 'Mot de passe'],
  'password.none': [
    'Your account has no password.',
    'Ihr Konto hat kein Passwort.',
    'Votre compte n’a pas de mot de passe.',
  ],
  'password.change': ['Change your password', 'Ihr Passwort ändern', 'Modifier votre mot de passe'],
  'password.current': ['Current password', 'Aktuelles Passwort', 'Mot de passe actuel'],
  'password.new': ['New password', 'Neues Passwort', 'Nouveau mot de passe'],
  'password.show': ['Show password', 'Passwort zeigen', 'Afficher le mot de passe'],
  'password.new_hint': [
    'At least {min} characters. A few words are easier to remember than special characters.',
    'Mindestens {min} Zeichen. Einige Wörter lassen sich leichter merken als Sonderzeichen.',
    'Au moins {min} caractères. Quelques mots se retiennent plus facilement que des caractères spéciaux.',
  ],
  'password.new_again': [
    'Repeat the new password',
    'Neues Passwort wiederholen',
    'Répétez le nouveau mot de passe',
  ],
  'password.submit': ['Change password', 'Passwort ändern', 'Modifier le mot de passe'],
  'password.effect': [
    'You stay signed in here. Everywhere else, and in applications, you have to sign in again.',
    'Hier bleiben Sie angemeldet. Auf allen anderen Geräten und in Anwendungen müssen Sie sich neu anmelden.',
    'Vous restez connecté ici. Vous devrez vous reconnecter sur vos autres appareils et dans les applications.',
  ],
  'password.wrong': [
    'That is not your current password.',
    'Das ist nicht Ihr aktuelles Passwort.',
    'Ce n’est pas votre mot de passe actuel.',
  ],
  'password.too_short': [
    'The new password has fewer than {min} characters.',
    'Das neue Passwort hat weniger als {min} Zeichen.',
    'Le nouveau mot de passe compte moins de {min} caractères.',
  ],
  'password.too_long': [
    'The new password has more than {max} characters.',
    'Das neue Passwort hat mehr als {max} Zeichen.',
    'Le nouveau mot de passe compte plus de {max} caractères.',
  ],
  'password.few_characters': [
    'The new password repeats the same few characters. Choose one with more different ones.',
    'Das neue Passwort wiederholt dieselben wenigen Zeichen. Bitte wählen Sie eines mit mehr verschiedenen.',
    'Le nouveau mot de passe répète les mêmes caractères. Choisissez-en un avec plus de caractères différents.',
  ],
  'password.own_name': [
    'The new password must not be your username, your address or the name of this site, nor one of them with digits.',
    'Das neue Passwort darf nicht Ihr Benutzername, Ihre Adresse oder der Name dieser Website sein, auch nicht mit Ziffern dahinter.',
    'Le nouveau mot de passe ne doit pas être votre nom d’utilisateur, votre adresse ou le nom de ce site, même suivi de chiffres.',
  ],
  'password.common': [
    'The new password is a common one, which attackers try first. Choose another.',
    'Das neue Passwort ist häufig, und Angreifer probieren es zuerst. Bitte wählen Sie ein anderes.',
    'Le nouveau mot de passe est courant, et les attaquants l’essaient en premier. Veuillez en choisir un autre.',
  ],
  'password.compromised': [
    'The new password is known from a data breach. Choose another, and change it wherever you use it.',
    'Das neue Passwort ist aus einem Datenleck bekannt. Bitte wählen Sie ein anderes, und ändern Sie es überall, wo Sie es verwenden.',
    'Le nouveau mot de passe est connu à la suite d’une fuite de données. Veuillez en choisir un autre, et le modifier partout où vous l’utilisez.',
  ],
  'password.not_repeated': [
    'The new password is not the same in both fields.',
    'Das neue Passwort ist nicht in beiden Feldern gleich.',
    'Le nouveau mot de passe n’est pas le même dans les deux champs.',
  ],
  'password.not_new': [
    'The new password is the current one. Choose another.',
    'Das neue Passwort ist das aktuelle. Bitte wählen Sie ein anderes.',
    'Le nouveau mot de passe est identique à l’actuel. Veuillez en choisir un autre.',
  ],

  // The page that asks for the password
  'confirm.title': [
    'Confirm that it is you',
    'Bestätigen Sie bitte, dass Sie es sind',
    'Confirmez votre identité',
  ],
  'confirm.end_session': [
    'You signed in here some time ago. To sign out the other device, enter the password of {username}.',
    'Ihre Anmeldung hier liegt schon etwas zurück. Um das andere Gerät abzumelden, geben Sie bitte das Passwort von {username} ein.',
    'Votre connexion ici date déjà de quelque temps. Pour déconnecter l’autre appareil, saisissez le mot de passe de {username}.',
  ],
  'confirm.end_others': [
    'You signed in here some time ago. To sign out all other devices, enter the password of {username}.',
    'Ihre Anmeldung hier liegt schon etwas zurück. Um alle anderen Geräte abzumelden, geben Sie bitte das Passwort von {username} ein.',
    'Votre connexion ici date déjà de quelque temps. Pour déconnecter tous les autres appareils, saisissez le mot de passe de {username}.',
  ],
  'confirm.submit_end_session': [
    'Sign out the other device',
    'Das andere Gerät abmelden',
    'Déconnecter l’autre appareil',
  ],
  'confirm.submit_end_others': [
    'Sign out all other devices',
    'Alle anderen Geräte abmelden',
    'Déconnecter tous les autres appareils',
  ],
  'confirm.back': ['Back to your account', 'Zurück zu Ihrem Konto', 'Retour à votre compte'],
} as const satisfies Texts
