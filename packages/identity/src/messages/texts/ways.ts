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
  'ways.back_codes': [
    {
      one: 'If you lose this device: you can get back in with a recovery code (1 left).',
      other: 'If you lose this device: you can get back in with a recovery code ({count} left).',
    },
    {
      one: 'Wenn Sie dieses Gerät verlieren: Mit einem Wiederherstellungscode kommen Sie wieder hinein (noch 1).',
      other:
        'Wenn Sie dieses Gerät verlieren: Mit einem Wiederherstellungscode kommen Sie wieder hinein (noch {count}).',
    },
    {
      one: 'Si vous perdez cet appareil : vous pouvez revenir avec un code de secours (il en reste 1).',
      other:
        'Si vous perdez cet appareil : vous pouvez revenir avec un code de secours (il en reste {count}).',
    },
  ],
  'ways.back_codes_other': [
    {
      one: 'If you lose a device: you can get back in with the other ways below, or a recovery code (1 left).',
      other:
        'If you lose a device: you can get back in with the other ways below, or a recovery code ({count} left).',
    },
    {
      one: 'Wenn Sie ein Gerät verlieren: Mit den anderen Wegen unten oder einem Wiederherstellungscode kommen Sie wieder hinein (noch 1).',
      other:
        'Wenn Sie ein Gerät verlieren: Mit den anderen Wegen unten oder einem Wiederherstellungscode kommen Sie wieder hinein (noch {count}).',
    },
    {
      one: 'Si vous perdez un appareil : vous pouvez revenir avec les autres moyens ci-dessous, ou un code de secours (il en reste 1).',
      other:
        'Si vous perdez un appareil : vous pouvez revenir avec les autres moyens ci-dessous, ou un code de secours (il en reste {count}).',
    },
  ],
  'ways.back_other': [
    'If you lose a device: you can get back in with the other ways below. You have no recovery codes left: get new ones.',
    'Wenn Sie ein Gerät verlieren: Mit den anderen Wegen unten kommen Sie wieder hinein. Sie haben keine Wiederherstellungscodes mehr: Holen Sie sich neue.',
    'Si vous perdez un appareil : vous pouvez revenir avec les autres moyens ci-dessous. Vous n’avez plus de codes de secours : demandez-en de nouveaux.',
  ],
  'ways.back_none': [
    'If you lose this device, you cannot get back in: you have no recovery codes left. Get new ones, or add another way.',
    'Wenn Sie dieses Gerät verlieren, kommen Sie nicht wieder hinein: Sie haben keine Wiederherstellungscodes mehr. Holen Sie sich neue, oder fügen Sie einen weiteren Weg hinzu.',
    'Si vous perdez cet appareil, vous ne pourrez pas revenir : vous n’avez plus de codes de secours. Demandez-en de nouveaux, ou ajoutez un autre moyen.',
  ],
  'ways.back_passkeys': [
    'If you lose a device: you can get back in with another passkey. Recovery codes do not sign you in, since your account has no password.',
    'Wenn Sie ein Gerät verlieren: Mit einem anderen Passkey kommen Sie wieder hinein. Mit Wiederherstellungscodes können Sie sich nicht anmelden, denn Ihr Konto hat kein Passwort.',
    'Si vous perdez un appareil : vous pourrez revenir avec une autre clé d’accès. Les codes de secours ne permettent pas de se connecter, car votre compte n’a pas de mot de passe.',
  ],
  'ways.back_one_passkey': [
    'If you lose this device, you cannot get back in: recovery codes do not sign you in, since your account has no password. Add another passkey.',
    'Wenn Sie dieses Gerät verlieren, kommen Sie nicht wieder hinein: Mit Wiederherstellungscodes können Sie sich nicht anmelden, denn Ihr Konto hat kein Passwort. Fügen Sie einen weiteren Passkey hinzu.',
    'Si vous perdez cet appareil, vous ne pourrez pas revenir : les codes de secours ne permettent pas de se connecter, car votre compte n’a pas de mot de passe. Ajoutez une autre clé d’accès.',
  ],
  'ways.codes': ['Recovery codes', 'Wiederherstellungscodes', 'Codes de secours'],
  'ways.codes_hint': [
    'Each code works once, in the place of your passkey or your app.',
    'Jeder Code gilt einmal, anstelle Ihres Passkeys oder Ihrer App.',
    'Chaque code sert une seule fois, à la place de votre clé d’accès ou de votre application.',
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
  'factor.added': ['Added {day}', 'Hinzugefügt am {day}', 'Ajouté le {day}'],
  'factor.rename': ['Rename', 'Umbenennen', 'Renommer'],
  'factor.name': ['Name', 'Name', 'Nom'],
  'factor.save': ['Save', 'Speichern', 'Enregistrer'],
  'factor.remove': ['Remove', 'Entfernen', 'Retirer'],
} as const satisfies Texts
