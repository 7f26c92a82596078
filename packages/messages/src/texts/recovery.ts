/** The texts of recovery codes and of recovery links. */

import type { Texts } from '../texts.js'

export const recoveryTexts = {
  'recovery.use': ['Use a recovery code', 'Wiederherstellungscode verwenden', 'Utiliser un code de secours'],
  'recovery.code': ['Recovery code', 'Wiederherstellungscode', 'Code de secours'],
  'recovery.hint': [
    'One of the codes that you saved. It can be used once.',
    'Einer der Codes, die Sie gespeichert haben. Er gilt einmal.',
    'Un des codes que vous avez enregistrés. Il sert une seule fois.',
  ],
  'recovery.wrong': [
    'This is not one of your recovery codes, or it was used before.',
    'Das ist keiner Ihrer Wiederherstellungscodes, oder er wurde schon verwendet.',
    'Ce n’est pas un de vos codes de secours, ou il a déjà servi.',
  ],
  'recovery.title': [
    'Save your recovery codes',
    'Speichern Sie Ihre Wiederherstellungs\u00adcodes',
    'Enregistrez vos codes de secours',
  ],
  'recovery.meaning': [
    'If you lose your device, your password and one of these codes let you in. Without a password, ask the person who manages your account for a link. Each code works once. Keep them where you find them without your phone.',
    'Wenn Sie Ihr Gerät verlieren, kommen Sie mit Ihrem Passwort und einem dieser Codes in Ihr Konto. Ohne Passwort bitten Sie die Person, die Ihr Konto verwaltet, um einen Link. Jeder Code gilt einmal. Bewahren Sie sie so auf, dass Sie sie ohne Ihr Telefon finden.',
    'Si vous perdez votre appareil, votre mot de passe et un de ces codes vous font entrer. Sans mot de passe, demandez un lien à la personne qui gère votre compte. Chaque code sert une seule fois. Gardez-les là où vous les trouverez sans votre téléphone.',
  ],
  'recovery.once': [
    'They are shown only now.',
    'Sie werden nur jetzt angezeigt.',
    'Ils ne sont affichés que maintenant.',
  ],
  'recovery.download': ['Download as a file', 'Als Datei herunterladen', 'Télécharger un fichier'],
  'recovery.print': ['Print', 'Drucken', 'Imprimer'],
  'recovery.printed': [
    'Recovery codes for the account {username}, {day}',
    'Wiederherstellungscodes für das Konto {username}, {day}',
    'Codes de secours du compte {username}, {day}',
  ],
  'recovery.saved': ['I have saved them', 'Ich habe sie gespeichert', 'Je les ai enregistrés'],
  'recovery.file': [
    'Recovery codes for {provider}, account {username}',
    'Wiederherstellungscodes für {provider}, Konto {username}',
    'Codes de secours pour {provider}, compte {username}',
  ],
  'ticket.title': ['Get back into your account', 'Zurück in Ihr Konto', 'Retrouver votre compte'],
  'ticket.effect': [
    'With the button, your account is signed out everywhere, and all applications lose their access to it.',
    'Mit der Schaltfläche wird Ihr Konto überall abgemeldet, und alle Anwendungen verlieren den Zugriff darauf.',
    'Avec le bouton, votre compte est déconnecté partout et toutes les applications perdent leur accès.',
  ],
  'ticket.then': [
    'Then you choose how you sign in from now on. The link works once: have your new device or password at hand.',
    'Dann wählen Sie, wie Sie sich künftig anmelden. Der Link funktioniert einmal: Halten Sie Ihr neues Gerät oder Passwort bereit.',
    'Ensuite, vous choisissez comment vous connecter à l’avenir. Le lien fonctionne une seule fois : ayez votre nouvel appareil ou votre nouveau mot de passe à portée de main.',
  ],
  'ticket.submit': ['Continue', 'Weiter', 'Continuer'],
  'ticket.bad': ['This link does not work', 'Dieser Link funktioniert nicht', 'Ce lien ne fonctionne pas'],
  'ticket.bad_why': [
    'It may have been used, it may have expired, or your account has changed since.',
    'Vielleicht wurde er schon benutzt, er ist abgelaufen, oder Ihr Konto hat sich seitdem geändert.',
    'Il a peut-être déjà été utilisé, il a expiré, ou votre compte a changé depuis.',
  ],
  'ticket.bad_advice': [
    'If you cannot sign in, please ask your administrator for another link.',
    'Wenn Sie sich nicht anmelden können, bitten Sie Ihren Administrator um einen neuen Link.',
    'Si vous ne pouvez pas vous connecter, demandez un autre lien à votre administrateur.',
  ],
  'regain.decide': ['What do you still have?', 'Was haben Sie noch?', 'Qu’avez-vous encore ?'],
  'regain.decide_hint': [
    'Decide for each. Remove what is lost, and what you do not know.',
    'Entscheiden Sie für jeden Eintrag. Entfernen Sie, was verloren ist und was Sie nicht kennen.',
    'Décidez pour chaque élément. Supprimez ce qui est perdu et ce que vous ne connaissez pas.',
  ],
  'regain.keep': ['Keep', 'Behalten', 'Garder'],
  'regain.remove': ['Remove', 'Entfernen', 'Supprimer'],
  'regain.undecided': [
    'Choose “Keep” or “Remove” for each of them.',
    'Wählen Sie für jeden Eintrag „Behalten“ oder „Entfernen“.',
    'Choisissez « Garder » ou « Supprimer » pour chaque élément.',
  ],
  'regain.choose': [
    'How will you sign in from now on?',
    'Wie melden Sie sich künftig an?',
    'Comment vous connecterez\u2011vous à l’avenir ?',
  ],
  'regain.missing_way': [
    'Choose at least one way to continue.',
    'Wählen Sie mindestens einen Weg, um fortzufahren.',
    'Choisissez au moins un moyen pour continuer.',
  ],
  'regain.first_password': ['Set a password', 'Passwort festlegen', 'Définir un mot de passe'],
  'regain.password_set': [
    'Your password is set.',
    'Ihr Passwort ist gespeichert.',
    'Votre mot de passe est enregistré.',
  ],
  'regain.added': [
    'Your new way to sign in is added.',
    'Ihre neue Anmeldemöglichkeit ist hinzugefügt.',
    'Votre nouveau moyen de connexion est ajouté.',
  ],
  'regain.finish': ['Continue', 'Weiter', 'Continuer'],
  'regain.done': [
    'From now on, sign in with what you have chosen.',
    'Melden Sie sich künftig mit dem an, was Sie gewählt haben.',
    'À l’avenir, connectez-vous avec ce que vous avez choisi.',
  ],
} as const satisfies Texts
