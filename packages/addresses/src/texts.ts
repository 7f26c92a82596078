/** The texts of the pages and mails that identity has not, in three languages. A name in braces is replaced. */

/** In one language. */
interface AddressTexts {
  /** The section of the account page. */
  title: string
  hint: string
  verified: string
  not_verified: string
  send: string
  waits: string
  waits_hint: string
  cancel: string
  change: string
  add: string
  new_address: string
  new_hint: string
  no_address: string
  /** About an address whose users sign in at another provider. */
  elsewhere: string
  /** To a user who signed in too long ago, where the account has no other proof. */
  not_fresh: string
  throttled: string
  sent: string
  /** The page of the link that confirms. */
  confirm_title: string
  confirm_text: string
  confirm_effect: string
  confirm_not_you: string
  confirm: string
  changed: string
  changed_text: string
  other: string
  other_text: string
  taken: string
  taken_text: string
  /** The page of the link that undoes. */
  undo_title: string
  undo_text: string
  undo: string
  undone: string
  undone_text: string
  /** The mail to the new address. */
  asked: string
  asked_then: string
  known: string
  known_text: string
  /** The mail to the former address. */
  told: string
  told_text: string
  told_undo: string
  told_not_you: string
  told_you: string
  /** The mail after an undo. */
  undone_mail: string
  undone_mail_text: string
}

const EN: AddressTexts = {
  title: 'Email address',
  hint: 'Emails about your account go to this address. With them, you get in again when you cannot sign in.',
  verified: 'Confirmed',
  not_verified: 'Not confirmed',
  send: 'Send a link',
  waits: 'An address waits for its confirmation',
  waits_hint: 'It counts when the link in the email to it is used. The link works for 7 days.',
  cancel: 'Cancel',
  change: 'Change the address',
  add: 'Add an address',
  new_address: 'New email address',
  new_hint: 'You get an email with a link there. Nothing changes before you use the link.',
  no_address: 'Enter one address, such as ann@example.com.',
  elsewhere: 'Accounts with this address sign in at their organization. Choose another address.',
  not_fresh: 'You signed in some time ago. Sign out and sign in again, then repeat the change.',
  throttled: 'You have asked for several links. Wait an hour before you ask for another one.',
  sent: 'If the address can be used, an email with a link is on its way. It comes within a few minutes. Look in the folder for spam too.',
  confirm_title: 'Confirm your address',
  confirm_text: 'With the button, this becomes the address of the account:',
  confirm_effect:
    'Emails about the account go there from then on, and a username that is the former address changes with it.',
  confirm_not_you: 'If you did not ask for this, or the account is not yours, close this page.',
  confirm: 'Confirm the address',
  changed: 'The address is confirmed',
  changed_text: 'If the former address was your username, sign in with the new one from now on.',
  other: 'This link is for another account',
  other_text:
    'In this browser, you are signed in as {username}. If the other account is yours too, sign out and use the link again. If not, do nothing.',
  taken: 'There is an account with this username',
  taken_text:
    'The address is the username of another account. Nothing has changed: sign in to that account, or take another address.',
  undo_title: 'Undo the change of the address',
  undo_text: 'This becomes the address of the account again:',
  undo: 'Undo the change',
  undone: 'The change is undone',
  undone_text:
    'If it was not you who changed the address, another person could sign in to your account: set a new password, and look on the page of your account for passkeys and apps that are not yours.',
  asked: 'At {provider}, this was given as the email address of an account:',
  asked_then: 'If it was you, confirm the address now. The link works once, for 7 days.',
  known: 'There is an account with this address',
  known_text:
    'The address is the username of an account already, and cannot become that of another one. Sign in with it as the username.',
  told: 'Your email address was changed',
  told_text:
    'The account {username} at {provider} has another email address. Emails about the account go there from now on.',
  told_undo: 'If it was not you, undo the change. The link works once, for 7 days.',
  told_not_you: 'If it was not you, tell the person who manages your account.',
  told_you: 'If it was you, do nothing.',
  undone_mail: 'The change of an email address was undone',
  undone_mail_text:
    'The account {username} at {provider} has its former email address again. It was signed out everywhere, and applications have lost their access to it.',
}

const DE: AddressTexts = {
  title: 'E-Mail-Adresse',
  hint: 'E-Mails zu Ihrem Konto gehen an diese Adresse. Mit ihnen kommen Sie wieder in Ihr Konto, wenn Sie sich nicht anmelden können.',
  verified: 'Bestätigt',
  not_verified: 'Nicht bestätigt',
  send: 'Link senden',
  waits: 'Eine Adresse wartet auf ihre Bestätigung',
  waits_hint:
    'Sie gilt, sobald der Link in der E-Mail an sie benutzt wurde. Der Link funktioniert 7 Tage lang.',
  cancel: 'Abbrechen',
  change: 'Adresse ändern',
  add: 'Adresse hinzufügen',
  new_address: 'Neue E-Mail-Adresse',
  new_hint: 'Sie erhalten dort eine E-Mail mit einem Link. Vorher ändert sich nichts.',
  no_address: 'Geben Sie eine Adresse ein, zum Beispiel ann@example.com.',
  elsewhere:
    'Konten mit dieser Adresse melden sich bei ihrer Organisation an. Wählen Sie eine andere Adresse.',
  not_fresh:
    'Ihre Anmeldung ist eine Weile her. Melden Sie sich ab und wieder an, und wiederholen Sie die Änderung.',
  throttled:
    'Sie haben mehrere Links angefordert. Warten Sie eine Stunde, bevor Sie einen weiteren anfordern.',
  sent: 'Falls die Adresse verwendet werden kann, ist eine E-Mail mit einem Link unterwegs. Sie kommt in wenigen Minuten. Sehen Sie auch im Spam-Ordner nach.',
  confirm_title: 'Adresse bestätigen',
  confirm_text: 'Mit der Schaltfläche wird dies die Adresse des Kontos:',
  confirm_effect:
    'E-Mails zum Konto gehen dann dorthin. Ein Benutzername, der die bisherige Adresse ist, ändert sich mit.',
  confirm_not_you:
    'Wenn Sie das nicht angefordert haben oder das Konto nicht Ihres ist, schließen Sie diese Seite.',
  confirm: 'Adresse bestätigen',
  changed: 'Die Adresse ist bestätigt',
  changed_text: 'Wenn die bisherige Adresse Ihr Benutzername war, melden Sie sich ab jetzt mit der neuen an.',
  other: 'Dieser Link ist für ein anderes Konto',
  other_text:
    'In diesem Browser sind Sie als {username} angemeldet. Wenn das andere Konto auch Ihres ist, melden Sie sich ab und benutzen Sie den Link noch einmal. Sonst müssen Sie nichts tun.',
  taken: 'Es gibt ein Konto mit diesem Benutzernamen',
  taken_text:
    'Die Adresse ist der Benutzername eines anderen Kontos. Nichts hat sich geändert: Melden Sie sich bei jenem Konto an, oder nehmen Sie eine andere Adresse.',
  undo_title: 'Änderung der Adresse rückgängig machen',
  undo_text: 'Dies wird wieder die Adresse des Kontos:',
  undo: 'Rückgängig machen',
  undone: 'Die Änderung ist rückgängig gemacht',
  undone_text:
    'Wenn nicht Sie die Adresse geändert haben, konnte sich eine andere Person bei Ihrem Konto anmelden: Legen Sie ein neues Passwort fest, und sehen Sie auf der Seite Ihres Kontos nach, ob dort Passkeys oder Apps sind, die nicht Ihnen gehören.',
  asked: 'Bei {provider} wurde dies als E-Mail-Adresse eines Kontos angegeben:',
  asked_then:
    'Wenn Sie das waren, bestätigen Sie jetzt die Adresse. Der Link funktioniert einmal, 7 Tage lang.',
  known: 'Es gibt ein Konto mit dieser Adresse',
  known_text:
    'Die Adresse ist schon der Benutzername eines Kontos und kann nicht der eines anderen werden. Melden Sie sich mit ihr als Benutzernamen an.',
  told: 'Ihre E-Mail-Adresse wurde geändert',
  told_text:
    'Das Konto {username} bei {provider} hat eine andere E-Mail-Adresse. E-Mails zum Konto gehen ab jetzt dorthin.',
  told_undo:
    'Wenn Sie das nicht waren, machen Sie die Änderung rückgängig. Der Link funktioniert einmal, 7 Tage lang.',
  told_not_you: 'Wenn Sie das nicht waren, sagen Sie es der Person, die Ihr Konto verwaltet.',
  told_you: 'Wenn Sie das waren, müssen Sie nichts tun.',
  undone_mail: 'Die Änderung einer E-Mail-Adresse wurde rückgängig gemacht',
  undone_mail_text:
    'Das Konto {username} bei {provider} hat wieder seine frühere E-Mail-Adresse. Es wurde überall abgemeldet, und Anwendungen haben den Zugriff darauf verloren.',
}

const FR: AddressTexts = {
  title: 'Adresse e-mail',
  hint: 'Les e-mails sur votre compte vont à cette adresse. Ils vous permettent de le retrouver si vous ne pouvez plus vous connecter.',
  verified: 'Confirmée',
  not_verified: 'Non confirmée',
  send: 'Envoyer un lien',
  waits: 'Une adresse attend sa confirmation',
  waits_hint:
    'Elle compte dès que le lien de l’e-mail qui lui est envoyé est utilisé. Le lien fonctionne pendant 7 jours.',
  cancel: 'Annuler',
  change: 'Changer l’adresse',
  add: 'Ajouter une adresse',
  new_address: 'Nouvelle adresse e-mail',
  new_hint: 'Vous y recevrez un e-mail avec un lien. Rien ne change avant que vous l’utilisiez.',
  no_address: 'Saisissez une adresse, par exemple ann@example.com.',
  elsewhere:
    'Les comptes avec cette adresse se connectent auprès de leur organisation. Choisissez une autre adresse.',
  not_fresh:
    'Votre connexion date d’un moment. Déconnectez-vous, reconnectez-vous, puis répétez la modification.',
  throttled: 'Vous avez demandé plusieurs liens. Attendez une heure avant d’en demander un autre.',
  sent: 'Si l’adresse peut être utilisée, un e-mail avec un lien est en route. Il arrive en quelques minutes. Regardez aussi dans les courriers indésirables.',
  confirm_title: 'Confirmer votre adresse',
  confirm_text: 'Avec le bouton, voici l’adresse que prend le compte\u00a0:',
  confirm_effect:
    'Les e-mails sur le compte iront alors à cette adresse. Un nom d’utilisateur qui est l’ancienne adresse change avec elle.',
  confirm_not_you: 'Si vous ne l’avez pas demandé, ou si le compte n’est pas le vôtre, fermez cette page.',
  confirm: 'Confirmer l’adresse',
  changed: 'L’adresse est confirmée',
  changed_text:
    'Si l’ancienne adresse était votre nom d’utilisateur, connectez-vous désormais avec la nouvelle.',
  other: 'Ce lien est pour un autre compte',
  other_text:
    'Dans ce navigateur, vous êtes connecté en tant que {username}. Si l’autre compte est aussi le vôtre, déconnectez-vous et utilisez à nouveau le lien. Sinon, ne faites rien.',
  taken: 'Il y a un compte avec ce nom d’utilisateur',
  taken_text:
    'L’adresse est le nom d’utilisateur d’un autre compte. Rien n’a changé\u00a0: connectez-vous à ce compte, ou prenez une autre adresse.',
  undo_title: 'Annuler le changement d’adresse',
  undo_text: 'Voici l’adresse que reprend le compte\u00a0:',
  undo: 'Annuler le changement',
  undone: 'Le changement est annulé',
  undone_text:
    'Si ce n’est pas vous qui avez changé l’adresse, une autre personne a pu se connecter à votre compte\u00a0: définissez un nouveau mot de passe, et vérifiez sur la page de votre compte qu’il n’y a pas de clés d’accès ou d’applications qui ne sont pas à vous.',
  asked: 'Chez {provider}, cette adresse a été indiquée comme adresse e-mail d’un compte\u00a0:',
  asked_then:
    'Si c’était vous, confirmez maintenant l’adresse. Le lien fonctionne une fois, pendant 7 jours.',
  known: 'Il y a un compte avec cette adresse',
  known_text:
    'L’adresse est déjà le nom d’utilisateur d’un compte, et ne peut pas devenir celui d’un autre. Connectez-vous avec elle comme nom d’utilisateur.',
  told: 'Votre adresse e-mail a été changée',
  told_text:
    'Le compte {username} chez {provider} a une autre adresse e-mail. Les e-mails sur le compte y vont désormais.',
  told_undo: 'Si ce n’était pas vous, annulez le changement. Le lien fonctionne une fois, pendant 7 jours.',
  told_not_you: 'Si ce n’était pas vous, prévenez la personne qui gère votre compte.',
  told_you: 'Si c’était vous, ne faites rien.',
  undone_mail: 'Le changement d’une adresse e-mail a été annulé',
  undone_mail_text:
    'Le compte {username} chez {provider} a de nouveau son ancienne adresse e-mail. Il a été déconnecté partout, et les applications ont perdu leur accès.',
}

const LANGUAGES: ReadonlyMap<string, AddressTexts> = new Map([
  ['de', DE],
  ['fr', FR],
])

/** English for a language that it has no texts in. @param language BCP 47. */
export const textsOf = (language: string): AddressTexts =>
  LANGUAGES.get(language.toLowerCase().split('-')[0] ?? '') ?? EN

/** @param values By the names in braces. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
