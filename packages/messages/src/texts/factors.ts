/** The texts of the second step, and of adding a factor. */

import type { Texts } from '../texts.js'

export const factorsTexts = {
  'step.account': ['Account: {username}', 'Konto: {username}', 'Compte : {username}'],
  'step.none': [
    'None of your passkeys works here any more, and you have no recovery codes left. Please contact the provider.',
    'Keiner Ihrer Passkeys funktioniert hier noch, und Sie haben keine Wiederherstellungscodes mehr. Bitte wenden Sie sich an den Anbieter.',
    'Aucune de vos clés d’accès ne fonctionne plus ici, et vous n’avez plus de codes de secours. Veuillez contacter le fournisseur.',
  ],
  'passkey.sign_in': ['Sign in with a passkey', 'Mit Passkey anmelden', 'Se connecter avec une clé d’accès'],
  'passkey.use': ['Use a passkey', 'Passkey verwenden', 'Utiliser une clé d’accès'],
  'passkey.create': ['Create the passkey', 'Passkey erstellen', 'Créer la clé d’accès'],
  'passkey.explained': [
    'Your device will ask you to confirm with your finger, your face or its PIN. These never leave your device.',
    'Ihr Gerät bittet Sie, mit Fingerabdruck, Gesicht oder PIN zu bestätigen. Diese verlassen Ihr Gerät nie.',
    'Votre appareil vous demandera de confirmer avec votre doigt, votre visage ou son code. Ceux-ci ne quittent jamais votre appareil.',
  ],
  'passkey.cancelled': [
    'No passkey was used. You can try again.',
    'Es wurde kein Passkey verwendet. Sie können es noch einmal versuchen.',
    'Aucune clé d’accès n’a été utilisée. Vous pouvez réessayer.',
  ],
  'passkey.not_created': [
    'No passkey was created. You can try again.',
    'Es wurde kein Passkey erstellt. Sie können es noch einmal versuchen.',
    'Aucune clé d’accès n’a été créée. Vous pouvez réessayer.',
  ],
  'passkey.exists': [
    'There is a passkey for your account on this device already.',
    'Auf diesem Gerät gibt es bereits einen Passkey für Ihr Konto.',
    'Il y a déjà une clé d’accès pour votre compte sur cet appareil.',
  ],
  'passkey.unsupported': [
    'This browser or device cannot use passkeys here.',
    'Dieser Browser oder dieses Gerät kann hier keine Passkeys verwenden.',
    'Ce navigateur ou cet appareil ne peut pas utiliser de clé d’accès ici.',
  ],
  'sign_in.passkey_alone': [
    'This sign-in needs a browser with JavaScript and passkeys.',
    'Für diese Anmeldung brauchen Sie einen Browser mit JavaScript und Passkeys.',
    'Pour vous connecter ici, il vous faut un navigateur avec JavaScript et des clés d’accès.',
  ],
  'passkey.no_script': [
    'Passkeys need JavaScript, which is turned off in this browser.',
    'Passkeys brauchen JavaScript. Es ist in diesem Browser ausgeschaltet.',
    'Les clés d’accès ont besoin de JavaScript, qui est désactivé dans ce navigateur.',
  ],
  'passkey.refused': [
    'This passkey could not be used. If you have removed it from your account, use another one, or sign in another way.',
    'Dieser Passkey konnte nicht verwendet werden. Falls Sie ihn aus Ihrem Konto entfernt haben, nehmen Sie einen anderen oder melden Sie sich anders an.',
    'Cette clé d’accès n’a pas pu être utilisée. Si vous l’avez retirée de votre compte, prenez-en une autre, ou connectez-vous autrement.',
  ],
  'passkey.not_accepted': [
    'This passkey could not be added. Try again, or use another device.',
    'Dieser Passkey konnte nicht hinzugefügt werden. Versuchen Sie es noch einmal oder mit einem anderen Gerät.',
    'Cette clé d’accès n’a pas pu être ajoutée. Réessayez, ou prenez un autre appareil.',
  ],
  'passkey.name': ['Passkey', 'Passkey', 'Clé d’accès'],
  'totp.code': [
    'Code from your authenticator app',
    'Code aus Ihrer Authentifizierungs-App',
    'Code de votre application d’authentification',
  ],
  'totp.submit': ['Confirm', 'Bestätigen', 'Confirmer'],
  'totp.wrong': [
    'This code is not right. Enter the code that your app shows now.',
    'Dieser Code stimmt nicht. Geben Sie den Code ein, den Ihre App jetzt anzeigt.',
    'Ce code n’est pas correct. Saisissez le code que votre application affiche maintenant.',
  ],
  'totp.reused': [
    'This code was used already. Wait for the next one in your app.',
    'Dieser Code wurde bereits verwendet. Warten Sie auf den nächsten in Ihrer App.',
    'Ce code a déjà été utilisé. Attendez le suivant dans votre application.',
  ],
  'totp.scan': [
    'Scan this picture with an authenticator app on your phone.',
    'Scannen Sie dieses Bild mit einer Authentifizierungs-App auf Ihrem Telefon.',
    'Scannez cette image avec une application d’authentification sur votre téléphone.',
  ],
  'totp.picture': [
    'QR code for your authenticator app',
    'QR-Code für Ihre Authentifizierungs-App',
    'Code QR pour votre application d’authentification',
  ],
  'totp.by_hand': [
    'Or enter this key in the app:',
    'Oder geben Sie diesen Schlüssel in der App ein:',
    'Ou saisissez cette clé dans l’application :',
  ],
  'totp.then': [
    'Then enter the code that the app shows.',
    'Geben Sie dann den Code ein, den die App anzeigt.',
    'Puis saisissez le code que l’application affiche.',
  ],
  'totp.expired': [
    'The page was open for too long. Scan the new picture.',
    'Die Seite war zu lange offen. Scannen Sie das neue Bild.',
    'La page est restée ouverte trop longtemps. Scannez la nouvelle image.',
  ],
  'totp.name': ['Authenticator app', 'Authentifizierungs-App', 'Application d’authentification'],
  'enrol.title': [
    'Make your account safer',
    'Sichern Sie Ihr Konto besser ab',
    'Protégez mieux votre compte',
  ],
  'enrol.needed': [
    'Your account needs a second way to confirm that it is you. Choose one to continue.',
    'Ihr Konto braucht einen zweiten Weg, mit dem Sie sich ausweisen. Wählen Sie einen, um fortzufahren.',
    'Votre compte a besoin d’un second moyen de confirmer que c’est vous. Choisissez-en un pour continuer.',
  ],
  'enrol.needed_by': [
    '{application} needs a second way to confirm that it is you. Choose one to continue.',
    '{application} verlangt einen zweiten Weg, mit dem Sie sich ausweisen. Wählen Sie einen, um fortzufahren.',
    '{application} a besoin d’un second moyen de confirmer que c’est vous. Choisissez-en un pour continuer.',
  ],
  'enrol.invited': [
    'Your account needs a second way to confirm that it is you. Ask the person who manages your account for a link: with it, you can add one.',
    'Ihr Konto braucht einen zweiten Weg, mit dem Sie sich ausweisen. Bitten Sie die Person, die Ihr Konto verwaltet, um einen Link: Damit können Sie einen hinzufügen.',
    'Votre compte a besoin d’un second moyen de confirmer que c’est vous. Demandez un lien à la personne qui gère votre compte : il vous permet d’en ajouter un.',
  ],
  'enrol.invited_by': [
    '{application} needs a second way to confirm that it is you. Ask the person who manages your account for a link: with it, you can add one.',
    '{application} verlangt einen zweiten Weg, mit dem Sie sich ausweisen. Bitten Sie die Person, die Ihr Konto verwaltet, um einen Link: Damit können Sie einen hinzufügen.',
    '{application} a besoin d’un second moyen de confirmer que c’est vous. Demandez un lien à la personne qui gère votre compte : il vous permet d’en ajouter un.',
  ],
  'enrol.passkey': ['Create a passkey', 'Passkey erstellen', 'Créer une clé d’accès'],
  'enrol.passkey_hint': [
    'You confirm with your finger, your face, the PIN of your device or a security key.',
    'Sie bestätigen mit Fingerabdruck, Gesicht, der PIN Ihres Geräts oder einem Sicherheitsschlüssel.',
    'Vous confirmez avec votre doigt, votre visage, le code de votre appareil ou une clé de sécurité.',
  ],
  'enrol.totp': [
    'Add an authenticator app',
    'Authentifizierungs-App hinzufügen',
    'Ajouter une application d’authentification',
  ],
  'enrol.totp_hint': [
    'An app on your phone shows a code, which you enter when you sign in.',
    'Eine App auf Ihrem Telefon zeigt einen Code, den Sie beim Anmelden eingeben.',
    'Une application sur votre téléphone affiche un code, que vous saisissez à la connexion.',
  ],
  'enrol.other': ['Choose another way', 'Einen anderen Weg wählen', 'Choisir un autre moyen'],
  'offer.title': [
    'Sign in faster next time',
    'Beim nächsten Mal schneller anmelden',
    'Se connecter plus vite la prochaine fois',
  ],
  'offer.explained': [
    'Create a passkey, and sign in with your finger, your face or the PIN of this device instead of your password. These never leave your device.',
    'Erstellen Sie einen Passkey, und melden Sie sich mit Fingerabdruck, Gesicht oder PIN dieses Geräts statt mit Ihrem Passwort an. Diese verlassen Ihr Gerät nie.',
    'Créez une clé d’accès, et connectez-vous avec votre doigt, votre visage ou le code de cet appareil à la place de votre mot de passe. Ceux-ci ne quittent jamais votre appareil.',
  ],
  'offer.later': ['Not now', 'Jetzt nicht', 'Pas maintenant'],
  'offer.never': [
    'Do not ask on this device',
    'Auf diesem Gerät nicht fragen',
    'Ne pas demander sur cet appareil',
  ],
} as const satisfies Texts
