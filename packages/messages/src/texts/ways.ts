/** The texts of the account page about the ways to sign in. */

import type { Texts } from '../texts.js'

export const waysTexts = {
  // The page that asks for a proof, and what the account page reports
  'confirm.before_change': [
    'Before your account is changed: confirm that you are {username}.',
    'Bevor Ihr Konto geändert wird: Bestätigen Sie, dass Sie {username} sind.',
    'Avant que votre compte soit modifié : confirmez que vous êtes {username}.',
  ],
  'confirm.submit': ['Confirm', 'Bestätigen', 'Confirmer'],
  'confirm.sign_in_again': [
    'To do that, sign out and sign in again.',
    'Melden Sie sich dafür ab und wieder an.',
    'Pour cela, déconnectez-vous et reconnectez-vous.',
  ],
  'notice.confirmed': [
    'Thank you. You can change your password now.',
    'Danke. Sie können Ihr Passwort jetzt ändern.',
    'Merci. Vous pouvez maintenant changer votre mot de passe.',
  ],
  'notice.password_set': [
    'Your password is set. Everywhere else, and in applications, you have to sign in again.',
    'Ihr Passwort ist eingerichtet. Auf allen anderen Geräten und in Anwendungen müssen Sie sich neu anmelden.',
    'Votre mot de passe est défini. Vous devrez vous reconnecter sur vos autres appareils et dans les applications.',
  ],
  'notice.password_removed': [
    'Your password is removed. You sign in with your passkeys from now on.',
    'Ihr Passwort ist entfernt. Sie melden sich von jetzt an mit Ihren Passkeys an.',
    'Votre mot de passe a été supprimé. Vous vous connectez désormais avec vos clés d’accès.',
  ],
  'notice.factor_added': [
    'It is added. You can use it the next time you sign in.',
    'Hinzugefügt. Ab der nächsten Anmeldung können Sie es verwenden.',
    'C’est ajouté. Vous pourrez l’utiliser à votre prochaine connexion.',
  ],
  'notice.factor_removed': [
    'It is removed. It cannot be used to sign in any more.',
    'Entfernt. Damit kann man sich nicht mehr anmelden.',
    'C’est retiré. On ne peut plus se connecter avec.',
  ],
  'notice.factor_renamed': ['The name is changed.', 'Der Name ist geändert.', 'Le nom est changé.'],
  'notice.factor_gone': ['It was removed already.', 'Das war bereits entfernt.', 'C’était déjà retiré.'],
  'notice.too_many_factors': [
    'There are too many on your account. Remove one first.',
    'Ihr Konto hat zu viele davon. Entfernen Sie zuerst einen Eintrag.',
    'Votre compte en a trop. Retirez-en d’abord un.',
  ],
  'notice.second_step_on': [
    'From now on, signing in with your password asks for a second step.',
    'Ab jetzt verlangt die Anmeldung mit Ihrem Passwort einen zweiten Schritt.',
    'Désormais, la connexion par mot de passe demande une seconde étape.',
  ],
  'notice.second_step_off': [
    'Signing in with your password does not ask for a second step any more.',
    'Die Anmeldung mit Ihrem Passwort verlangt keinen zweiten Schritt mehr.',
    'La connexion par mot de passe ne demande plus de seconde étape.',
  ],

  // The ways to sign in, on the account page
  'ways.title': ['Ways to sign in', 'Anmeldewege', 'Moyens de connexion'],
  'ways.password_alone': [
    'You sign in with your password alone. Add a second way, so that a stolen password is not enough.',
    'Sie melden sich nur mit Ihrem Passwort an. Fügen Sie einen zweiten Weg hinzu, damit ein gestohlenes Passwort nicht genügt.',
    'Vous vous connectez avec votre mot de passe seul. Ajoutez un second moyen, pour qu’un mot de passe volé ne suffise pas.',
  ],
  'ways.invited': [
    'You sign in with your password alone. To add a second way, ask the person who manages your account for a link.',
    'Sie melden sich nur mit Ihrem Passwort an. Um einen zweiten Weg hinzuzufügen, bitten Sie die Person, die Ihr Konto verwaltet, um einen Link.',
    'Vous vous connectez avec votre mot de passe seul. Pour ajouter un second moyen, demandez un lien à la personne qui gère votre compte.',
  ],
  'ways.none': [
    'There is no other way to sign in to your account yet.',
    'Für Ihr Konto gibt es noch keinen weiteren Anmeldeweg.',
    'Il n’y a pas encore d’autre moyen de se connecter à votre compte.',
  ],
  'ways.back_password': [
    'If you lose a device: sign in with your password.',
    'Wenn Sie ein Gerät verlieren: Melden Sie sich mit Ihrem Passwort an.',
    'Si vous perdez un appareil : connectez-vous avec votre mot de passe.',
  ],
  'ways.codes_for_changes': [
    'To change your account, you then need a recovery code ({count} left) or a way below that you still have.',
    'Um Ihr Konto zu ändern, brauchen Sie dann einen Wiederherstellungscode (noch {count} übrig) oder einen Weg unten, den Sie noch haben.',
    'Pour modifier votre compte, il vous faudra un code de secours (il en reste {count}) ou un moyen ci-dessous que vous avez encore.',
  ],
  'ways.no_codes': [
    'You have no recovery codes left: get new ones.',
    'Sie haben keine Wiederherstellungscodes mehr: Holen Sie sich neue.',
    'Vous n’avez plus de codes de secours : demandez-en de nouveaux.',
  ],
  'ways.back_codes': [
    'If you lose this device: sign in with your password and a recovery code ({count} left).',
    'Wenn Sie dieses Gerät verlieren: Melden Sie sich mit Ihrem Passwort und einem Wiederherstellungscode an (noch {count} übrig).',
    'Si vous perdez cet appareil : connectez-vous avec votre mot de passe et un code de secours (il en reste {count}).',
  ],
  'ways.back_codes_other': [
    'If you lose a device: sign in with your password and a recovery code ({count} left), or with a way below that you still have.',
    'Wenn Sie ein Gerät verlieren: Melden Sie sich mit Ihrem Passwort und einem Wiederherstellungscode an (noch {count} übrig), oder mit einem Weg unten, den Sie noch haben.',
    'Si vous perdez un appareil : connectez-vous avec votre mot de passe et un code de secours (il en reste {count}), ou avec un moyen ci-dessous que vous avez encore.',
  ],
  'ways.back_other': [
    'If you lose a device, you can sign in only with a way below that you still have. You have no recovery codes left: get new ones.',
    'Wenn Sie ein Gerät verlieren, können Sie sich nur mit einem Weg unten anmelden, der nicht darauf ist. Sie haben keine Wiederherstellungscodes mehr: Holen Sie sich neue.',
    'Si vous perdez un appareil, vous ne pourrez vous connecter qu’avec un moyen ci-dessous que vous avez encore. Vous n’avez plus de codes de secours : demandez-en de nouveaux.',
  ],
  'ways.back_none': [
    'If you lose this device, you cannot get back in: you have no recovery codes left. Get new ones, or add a way on another device.',
    'Wenn Sie dieses Gerät verlieren, kommen Sie nicht wieder hinein: Sie haben keine Wiederherstellungscodes mehr. Holen Sie sich neue, oder fügen Sie einen Weg auf einem anderen Gerät hinzu.',
    'Si vous perdez cet appareil, vous ne pourrez pas revenir : vous n’avez plus de codes de secours. Demandez-en de nouveaux, ou ajoutez un moyen sur un autre appareil.',
  ],
  'ways.back_passkeys': [
    'If you lose a device: sign in with a passkey of another device or of your password manager. Recovery codes do not sign you in, since your account has no password.',
    'Wenn Sie ein Gerät verlieren: Melden Sie sich mit einem Passkey eines anderen Geräts oder Ihres Passwort-Managers an. Mit Wiederherstellungscodes können Sie sich nicht anmelden, denn Ihr Konto hat kein Passwort.',
    'Si vous perdez un appareil : connectez-vous avec une clé d’accès d’un autre appareil ou de votre gestionnaire de mots de passe. Les codes de secours ne permettent pas de se connecter, car votre compte n’a pas de mot de passe.',
  ],
  'ways.back_link': [
    'If you lose a device: sign in with a linked account. Recovery codes do not sign you in, since your account has no password.',
    'Wenn Sie ein Gerät verlieren: Melden Sie sich mit einem verknüpften Konto an. Mit Wiederherstellungscodes können Sie sich nicht anmelden, denn Ihr Konto hat kein Passwort.',
    'Si vous perdez un appareil : connectez-vous avec un compte lié. Les codes de secours ne permettent pas de se connecter, car votre compte n’a pas de mot de passe.',
  ],
  'ways.back_one_passkey': [
    'Without your one passkey you cannot get back in: recovery codes do not sign you in, since your account has no password. Add a passkey on another device.',
    'Ohne Ihren einzigen Passkey kommen Sie nicht wieder hinein: Mit Wiederherstellungscodes können Sie sich nicht anmelden, denn Ihr Konto hat kein Passwort. Fügen Sie einen Passkey auf einem anderen Gerät hinzu.',
    'Sans votre seule clé d’accès, vous ne pourrez pas revenir : les codes de secours ne permettent pas de se connecter, car votre compte n’a pas de mot de passe. Ajoutez une clé d’accès sur un autre appareil.',
  ],
  'ways.back_synced_passkey': [
    'If you lose a device: set up your password manager on a new one, and sign in there. If you cannot open your password manager any more, you cannot get back in. Create a second passkey outside of it, for example on a USB security key.',
    'Wenn Sie ein Gerät verlieren: Richten Sie Ihren Passwort-Manager auf einem neuen ein, und melden Sie sich dort an. Wenn Sie Ihren Passwort-Manager nicht mehr öffnen können, kommen Sie nicht wieder hinein. Erstellen Sie einen zweiten Passkey, der nicht darin liegt, zum Beispiel auf einem USB-Sicherheitsschlüssel.',
    'Si vous perdez un appareil : installez votre gestionnaire de mots de passe sur un nouveau et connectez-vous depuis celui-ci. Si vous ne pouvez plus ouvrir votre gestionnaire de mots de passe, vous ne pourrez pas revenir. Créez une seconde clé d’accès hors de ce gestionnaire, par exemple sur une clé de sécurité USB.',
  ],
  'ways.codes': ['Recovery codes', 'Wiederherstellungscodes', 'Codes de secours'],
  'ways.codes_hint': [
    'After your password, each code works once in the place of a passkey or an app. New codes end the old ones.',
    'Nach Ihrem Passwort gilt jeder Code einmal anstelle eines Passkeys oder einer App. Neue Codes beenden die alten.',
    'Après votre mot de passe, chaque code sert une seule fois à la place d’une clé d’accès ou d’une application. De nouveaux codes remplacent les anciens.',
  ],
  'ways.new_codes': ['Get new codes', 'Neue Codes holen', 'Obtenir de nouveaux codes'],
  'password.set': ['Set a password', 'Ein Passwort einrichten', 'Définir un mot de passe'],
  'password.remove': ['Remove your password', 'Ihr Passwort entfernen', 'Supprimer votre mot de passe'],
  'password.removal': [
    'You sign in with your passkeys alone then. Without a password, nobody can guess it or steal it.',
    'Danach melden Sie sich nur noch mit Ihren Passkeys an. Ein Passwort, das es nicht gibt, kann niemand erraten oder stehlen.',
    'Vous vous connecterez alors uniquement avec vos clés d’accès. Un mot de passe qui n’existe pas ne peut être ni deviné ni volé.',
  ],
  'password.needs_passkeys': [
    'Without a password you need two passkeys. Add another one first, then remove the password.',
    'Ohne Passwort brauchen Sie zwei Passkeys. Fügen Sie zuerst einen weiteren hinzu, und entfernen Sie dann das Passwort.',
    'Sans mot de passe, il vous faut deux clés d’accès. Ajoutez-en d’abord une autre, puis supprimez le mot de passe.',
  ],
  'ways.last_way_in': [
    'This is the only way to sign in to your account. Add another one first, then remove it.',
    'Das ist der einzige Weg in Ihr Konto. Fügen Sie zuerst einen anderen hinzu, und entfernen Sie dann diesen.',
    'C’est le seul moyen de se connecter à votre compte. Ajoutez-en d’abord un autre, puis retirez celui-ci.',
  ],
  'ways.last_factor': [
    'Your account needs a second factor. Add another one first, then remove this one.',
    'Ihr Konto braucht einen zweiten Faktor. Fügen Sie zuerst einen anderen hinzu, und entfernen Sie dann diesen.',
    'Votre compte a besoin d’un second facteur. Ajoutez-en d’abord un autre, puis retirez celui-ci.',
  ],
  'ways.bad_name': [
    'Give a name of 1 to {max} characters.',
    'Geben Sie einen Namen mit 1 bis {max} Zeichen an.',
    'Donnez un nom de 1 à {max} caractères.',
  ],
  'ways.second_step': ['Second step', 'Zweiter Schritt', 'Seconde étape'],
  'ways.second_step_on': [
    'Always ask for a second step',
    'Immer einen zweiten Schritt verlangen',
    'Toujours demander une seconde étape',
  ],
  'ways.second_step_off': [
    'Do not ask for a second step',
    'Keinen zweiten Schritt verlangen',
    'Ne pas demander de seconde étape',
  ],
  'ways.second_step_is_on': [
    'Signing in with your password asks for a second step.',
    'Die Anmeldung mit Ihrem Passwort verlangt einen zweiten Schritt.',
    'La connexion par mot de passe demande une seconde étape.',
  ],
  'ways.second_step_is_off': [
    'Signing in with your password does not ask for a second step.',
    'Die Anmeldung mit Ihrem Passwort verlangt keinen zweiten Schritt.',
    'La connexion par mot de passe ne demande pas de seconde étape.',
  ],
  'factor.passkey': ['Passkey', 'Passkey', 'Clé d’accès'],
  'factor.totp': ['App', 'App', 'Application'],
  'factor.synced': [
    'Kept by your password manager, for all its devices',
    'In Ihrem Passwort-Manager, für alle seine Geräte',
    'Conservée par votre gestionnaire de mots de passe, pour tous ses appareils',
  ],
  'factor.one_device': ['On one device alone', 'Nur auf einem Gerät', 'Sur un seul appareil'],
  'factor.added': ['Added {day}', 'Hinzugefügt am {day}', 'Ajouté le {day}'],
  'factor.rename': ['Rename', 'Umbenennen', 'Renommer'],
  'factor.name': ['Name', 'Name', 'Nom'],
  'factor.save': ['Save', 'Speichern', 'Enregistrer'],
  'factor.remove': ['Remove', 'Entfernen', 'Retirer'],
} as const satisfies Texts
