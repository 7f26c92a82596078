/** The texts of mails, and of the pages that they lead to. */

import type { Texts } from '../texts.js'

export const mailTexts = {
  // The page that asks for a mail
  'forgot.title': ['Set a new password', 'Neues Passwort festlegen', 'Définir un nouveau mot de passe'],
  'forgot.explained': [
    'Enter your username. You get an email with a link.',
    'Geben Sie Ihren Benutzernamen ein. Sie erhalten eine E-Mail mit einem Link.',
    'Saisissez votre nom d’utilisateur. Vous recevrez un e-mail avec un lien.',
  ],
  'forgot.submit': ['Send the email', 'E-Mail senden', 'Envoyer l’e-mail'],
  'forgot.back': ['Back to the sign-in', 'Zurück zur Anmeldung', 'Retour à la connexion'],
  'forgot.sent_title': ['Check your email', 'Sehen Sie in Ihre E-Mails', 'Consultez vos e-mails'],
  'forgot.sent': [
    'If there is an account with this username, an email is on its way.',
    'Falls es ein Konto mit diesem Benutzernamen gibt, ist eine E-Mail unterwegs.',
    'S’il existe un compte avec ce nom d’utilisateur, un e-mail est en route.',
  ],
  'forgot.sent_hint': [
    'It comes within a few minutes. Look in the folder for spam too. If no email comes, ask the person who manages your account.',
    'Sie kommt in wenigen Minuten. Sehen Sie auch im Spam-Ordner nach. Kommt keine E-Mail, fragen Sie die Person, die Ihr Konto verwaltet.',
    'Il arrive en quelques minutes. Regardez aussi dans les courriers indésirables. Si rien ne vient, demandez à la personne qui gère votre compte.',
  ],
  // The page of the link
  'reset.submit': ['Set the password', 'Passwort speichern', 'Enregistrer le mot de passe'],
  'reset.effect': [
    'Your account is then signed out everywhere, and all applications lose their access to it.',
    'Ihr Konto wird dann überall abgemeldet, und alle Anwendungen verlieren den Zugriff darauf.',
    'Votre compte sera alors déconnecté partout et toutes les applications perdront leur accès.',
  ],
  'reset.bad_advice': [
    'Ask for another email.',
    'Fordern Sie eine neue E-Mail an.',
    'Demandez un autre e-mail.',
  ],
  'reset.done': [
    'Your new password is set. Sign in with it now.',
    'Ihr neues Passwort ist gespeichert. Melden Sie sich jetzt damit an.',
    'Votre nouveau mot de passe est enregistré. Connectez-vous avec lui maintenant.',
  ],
  // The mail for a forgotten password
  'mail.reset_subject': [
    'Set a new password for {provider}',
    'Neues Passwort für {provider} festlegen',
    'Définir un nouveau mot de passe pour {provider}',
  ],
  'mail.reset_asked': [
    'A new password was asked for, for the account {username} at {provider}.',
    'Für das Konto {username} bei {provider} wurde ein neues Passwort angefordert.',
    'Un nouveau mot de passe a été demandé pour le compte {username} chez {provider}.',
  ],
  'mail.reset_then': [
    'If it was you, choose the new password now. The link works once, for {count} minutes.',
    'Wenn Sie das waren, wählen Sie jetzt das neue Passwort. Der Link funktioniert einmal, {count} Minuten lang.',
    'Si c’était vous, choisissez maintenant le nouveau mot de passe. Le lien fonctionne une fois, pendant {count} minutes.',
  ],
  'mail.reset_not_you': [
    'If it was not you, do nothing: your password stays as it is.',
    'Wenn Sie es nicht waren, müssen Sie nichts tun: Ihr Passwort bleibt, wie es ist.',
    'Si ce n’était pas vous, ne faites rien : votre mot de passe ne change pas.',
  ],
  'mail.passkey_only': [
    'This account has no password: it signs in with a passkey. If you have lost it, ask the person who manages your account for a link.',
    'Dieses Konto hat kein Passwort: Es meldet sich mit einem Passkey an. Wenn Sie ihn verloren haben, bitten Sie die Person, die Ihr Konto verwaltet, um einen Link.',
    'Ce compte n’a pas de mot de passe : il se connecte avec une clé d’accès. Si vous l’avez perdue, demandez un lien à la personne qui gère votre compte.',
  ],
  'mail.elsewhere_only': [
    'This account has no password: sign in with the button of your organization on the sign-in page.',
    'Dieses Konto hat hier kein Passwort: Melden Sie sich auf der Anmeldeseite mit dem Knopf Ihrer Organisation an.',
    'Ce compte n’a pas de mot de passe ici : connectez-vous avec le bouton de votre organisation sur la page de connexion.',
  ],
  // The mails about changes of an account
  'mail.notice_subject': [
    'Your account at {provider} was changed',
    'Ihr Konto bei {provider} wurde geändert',
    'Votre compte chez {provider} a été modifié',
  ],
  'mail.notice_account': [
    'The account {username} at {provider} was changed:',
    'Das Konto {username} bei {provider} wurde geändert:',
    'Le compte {username} chez {provider} a été modifié :',
  ],
  'mail.password_changed': [
    'A new password was set. The account is signed out everywhere else.',
    'Ein neues Passwort wurde festgelegt. Das Konto ist überall sonst abgemeldet.',
    'Un nouveau mot de passe a été défini. Le compte est déconnecté partout ailleurs.',
  ],
  'mail.password_removed': [
    'The password was removed.',
    'Das Passwort wurde entfernt.',
    'Le mot de passe a été supprimé.',
  ],
  'mail.passkey_added': [
    'A passkey was added.',
    'Ein Passkey wurde hinzugefügt.',
    'Une clé d’accès a été ajoutée.',
  ],
  'mail.passkey_removed': [
    'A passkey was removed.',
    'Ein Passkey wurde entfernt.',
    'Une clé d’accès a été supprimée.',
  ],
  'mail.totp_added': [
    'An authenticator app was added.',
    'Eine Authentifizierungs-App wurde hinzugefügt.',
    'Une application d’authentification a été ajoutée.',
  ],
  'mail.totp_removed': [
    'An authenticator app was removed.',
    'Eine Authentifizierungs-App wurde entfernt.',
    'Une application d’authentification a été supprimée.',
  ],
  'mail.codes_created': [
    'New recovery codes were made. The former ones no longer work.',
    'Neue Wiederherstellungscodes wurden erstellt. Die bisherigen gelten nicht mehr.',
    'De nouveaux codes de secours ont été créés. Les anciens ne fonctionnent plus.',
  ],
  'mail.code_used': [
    {
      one: 'A recovery code was used. One is left.',
      other: 'A recovery code was used. {count} are left.',
    },
    {
      one: 'Ein Wiederherstellungscode wurde verwendet. Einer ist übrig.',
      other: 'Ein Wiederherstellungscode wurde verwendet. {count} sind übrig.',
    },
    {
      one: 'Un code de secours a servi. Il en reste {count}.',
      other: 'Un code de secours a servi. Il en reste {count}.',
    },
  ],
  'mail.device_copied': [
    'A remembered device was used in two places, so its cookie may have been stolen. The device is no longer remembered.',
    'Ein gemerktes Gerät wurde an zwei Orten verwendet, sein Cookie wurde vielleicht gestohlen. Das Gerät ist nicht mehr gemerkt.',
    'Un appareil mémorisé a servi à deux endroits : son cookie a peut-être été volé. L’appareil n’est plus mémorisé.',
  ],
  'mail.link_added': [
    'An account at another provider was linked: it signs in to your account now.',
    'Ein Konto bei einem anderen Anbieter wurde verknüpft: Damit meldet man sich jetzt bei Ihrem Konto an.',
    'Un compte chez un autre fournisseur a été lié : il permet la connexion à votre compte.',
  ],
  'mail.recovered': [
    'A recovery link was used, and the ways to sign in were chosen anew.',
    'Ein Wiederherstellungslink wurde verwendet, und die Anmeldemöglichkeiten wurden neu gewählt.',
    'Un lien de récupération a servi, et les moyens de connexion ont été choisis de nouveau.',
  ],
  'mail.notice_not_you': [
    'If it was not you, set a new password now, and look at the ways to sign in on the page of your account.',
    'Wenn Sie es nicht waren, legen Sie jetzt ein neues Passwort fest, und prüfen Sie auf der Seite Ihres Kontos die Anmeldemöglichkeiten.',
    'Si ce n’était pas vous, définissez maintenant un nouveau mot de passe et vérifiez les moyens de connexion sur la page de votre compte.',
  ],
  'mail.notice_not_you_without_password': [
    'If it was not you, tell the person who manages your account.',
    'Wenn Sie es nicht waren, sagen Sie es der Person, die Ihr Konto verwaltet.',
    'Si ce n’était pas vous, prévenez la personne qui gère votre compte.',
  ],
  'mail.when': ['{time}, {device}', '{time}, {device}', '{time}, {device}'],
} as const satisfies Texts
