/** The texts of the pages and mails that identity has not, in three languages. A name in braces is replaced. */

/** In one language. */
interface RecoveryTexts {
  /** The mail with the link of a recovery. */
  title: string
  asked: string
  asked_then: string
  asked_not_you: string
  /** In the mail for a new password. */
  lost: string
  /** The page of the link. */
  code: string
  wait: string
  wait_submit: string
  waits_title: string
  waits: string
  early: string
  /** The mails and pages of a recovery that waits. */
  notice_title: string
  notice: string
  notice_was_you: string
  not_me: string
  over: string
  over_not_you: string
  banner: string
  /** The end of one that waits. */
  cancel: string
  cancel_effect: string
  cancelled: string
  cancelled_advice: string
  none: string
  none_why: string
  go_on: string
}

const EN: RecoveryTexts = {
  title: 'Get back into your account',
  asked: 'An email was requested to get back into the account {username} at {provider}.',
  asked_then: 'If it was you, go on with the link. It works once, for 30 minutes.',
  asked_not_you: 'If it was not you, do nothing: your account stays as it is.',
  lost: 'If you have lost your passkey or your app, get back into your account with this link:',
  code: 'With one of your recovery codes, you get in at once.',
  wait: 'Without a code, there is a waiting time: you get in from {time} on. Until then, emails and the page of your account tell of it, and it can be cancelled there.',
  wait_submit: 'Wait, without a code',
  waits_title: 'The waiting time has begun',
  waits:
    'It ends at {time}. Then you get an email with a link. The email that you get now has a link that cancels the recovery.',
  early: 'You get in from {time} on. Use the link again then.',
  notice_title: 'A recovery of your account waits',
  notice:
    'A recovery of the account {username} at {provider} was requested, without a recovery code. Unless it is cancelled, it can begin at {time}: new ways to sign in can then be chosen, with a link in your mailbox.',
  notice_was_you: 'If it was you, do nothing. At that time, you get an email with a link.',
  not_me: 'This was not me: cancel it',
  over: 'The waiting time for the account {username} at {provider} is over. Choose now how you sign in. The link works once, until {time}.',
  over_not_you: 'If it was not you, cancel it with this link:',
  banner:
    'A recovery of this account was requested by email, without a recovery code. Unless it is cancelled, it can begin at {time}. If you did not request it, cancel it.',
  cancel: 'Cancel the recovery',
  cancel_effect: 'The recovery of the account ends. Nothing else changes.',
  cancelled: 'The recovery is cancelled',
  cancelled_advice:
    'Your account stays as it is. If you did not request the recovery, another person may read your emails: change the password of your mailbox.',
  none: 'No recovery waits',
  none_why:
    'It was cancelled, it has ended, or it has begun. If you cannot sign in any more, tell the person who manages your account.',
  go_on: 'Go on without cancelling',
}

const DE: RecoveryTexts = {
  title: 'Zurück in Ihr Konto',
  asked: 'Es wurde eine E-Mail angefordert, um wieder in das Konto {username} bei {provider} zu kommen.',
  asked_then: 'Wenn Sie das waren, fahren Sie mit dem Link fort. Er funktioniert einmal, 30 Minuten lang.',
  asked_not_you: 'Wenn Sie es nicht waren, müssen Sie nichts tun: Ihr Konto bleibt, wie es ist.',
  lost: 'Wenn Sie Ihren Passkey oder Ihre App verloren haben, kommen Sie mit diesem Link wieder in Ihr Konto:',
  code: 'Mit einem Ihrer Wiederherstellungscodes kommen Sie sofort in Ihr Konto.',
  wait: 'Ohne Code gibt es eine Wartezeit: Sie kommen ab {time} in Ihr Konto. Bis dahin weisen E-Mails und die Seite Ihres Kontos darauf hin, und dort lässt es sich abbrechen.',
  wait_submit: 'Ohne Code warten',
  waits_title: 'Die Wartezeit hat begonnen',
  waits:
    'Sie endet am {time}. Dann erhalten Sie eine E-Mail mit einem Link. Die E-Mail, die Sie jetzt erhalten, hat einen Link, der die Wiederherstellung abbricht.',
  early: 'Sie kommen ab {time} in Ihr Konto. Verwenden Sie den Link dann noch einmal.',
  notice_title: 'Eine Wiederherstellung Ihres Kontos wartet',
  notice:
    'Für das Konto {username} bei {provider} wurde eine Wiederherstellung ohne Wiederherstellungscode angefordert. Wird sie nicht abgebrochen, kann sie am {time} beginnen: Mit einem Link in Ihrem Postfach lassen sich dann neue Anmeldemöglichkeiten wählen.',
  notice_was_you: 'Wenn Sie das waren, müssen Sie nichts tun. Sie erhalten dann eine E-Mail mit einem Link.',
  not_me: 'Das war ich nicht: abbrechen',
  over: 'Die Wartezeit für das Konto {username} bei {provider} ist vorbei. Wählen Sie jetzt, wie Sie sich anmelden. Der Link funktioniert einmal, bis {time}.',
  over_not_you: 'Wenn Sie es nicht waren, brechen Sie mit diesem Link ab:',
  banner:
    'Für dieses Konto wurde per E-Mail eine Wiederherstellung ohne Wiederherstellungscode angefordert. Wird sie nicht abgebrochen, kann sie am {time} beginnen. Wenn Sie sie nicht angefordert haben, brechen Sie sie ab.',
  cancel: 'Wiederherstellung abbrechen',
  cancel_effect: 'Die Wiederherstellung des Kontos endet. Sonst ändert sich nichts.',
  cancelled: 'Die Wiederherstellung ist abgebrochen',
  cancelled_advice:
    'Ihr Konto bleibt, wie es ist. Wenn Sie die Wiederherstellung nicht angefordert haben, liest vielleicht eine andere Person Ihre E-Mails: Ändern Sie das Passwort Ihres Postfachs.',
  none: 'Keine Wiederherstellung wartet',
  none_why:
    'Sie wurde abgebrochen, ist beendet oder hat begonnen. Wenn Sie sich nicht mehr anmelden können, sagen Sie es der Person, die Ihr Konto verwaltet.',
  go_on: 'Weiter, ohne abzubrechen',
}

const FR: RecoveryTexts = {
  title: 'Retrouver votre compte',
  asked: 'Un e-mail a été demandé pour retrouver le compte {username} chez {provider}.',
  asked_then: 'Si c’était vous, continuez avec le lien. Il fonctionne une fois, pendant 30 minutes.',
  asked_not_you: 'Si ce n’était pas vous, ne faites rien\u00a0: votre compte ne change pas.',
  lost: 'Si vous avez perdu votre clé d’accès ou votre application, retrouvez votre compte avec ce lien\u00a0:',
  code: 'Avec un de vos codes de secours, vous entrez tout de suite.',
  wait: 'Sans code, il y a un délai\u00a0: vous entrez à partir du {time}. Jusque-là, des e-mails et la page de votre compte le signalent, et l’on peut y annuler la demande.',
  wait_submit: 'Attendre, sans code',
  waits_title: 'Le délai a commencé',
  waits:
    'Il se termine le {time}. Vous recevrez alors un e-mail avec un lien. L’e-mail que vous recevez maintenant a un lien qui annule la récupération.',
  early: 'Vous entrez à partir du {time}. Utilisez de nouveau le lien à ce moment-là.',
  notice_title: 'Une récupération de votre compte est en attente',
  notice:
    'Une récupération du compte {username} chez {provider} a été demandée, sans code de secours. Si elle n’est pas annulée, elle peut commencer le {time}\u00a0: un lien dans votre boîte permettra alors de choisir de nouveaux moyens de connexion.',
  notice_was_you: 'Si c’était vous, ne faites rien. À ce moment-là, vous recevrez un e-mail avec un lien.',
  not_me: 'Ce n’était pas moi\u00a0: annuler',
  over: 'Le délai du compte {username} chez {provider} est terminé. Choisissez maintenant comment vous connecter. Le lien fonctionne une fois, jusqu’au {time}.',
  over_not_you: 'Si ce n’était pas vous, annulez avec ce lien\u00a0:',
  banner:
    'Une récupération de ce compte a été demandée par e-mail, sans code de secours. Si elle n’est pas annulée, elle peut commencer le {time}. Si vous ne l’avez pas demandée, annulez-la.',
  cancel: 'Annuler la récupération',
  cancel_effect: 'La récupération du compte prend fin. Rien d’autre ne change.',
  cancelled: 'La récupération est annulée',
  cancelled_advice:
    'Votre compte ne change pas. Si vous n’avez pas demandé la récupération, une autre personne lit peut-être vos e-mails\u00a0: changez le mot de passe de votre boîte.',
  none: 'Aucune récupération n’est en attente',
  none_why:
    'Elle a été annulée, elle est terminée, ou elle a commencé. Si vous ne pouvez plus vous connecter, prévenez la personne qui gère votre compte.',
  go_on: 'Continuer sans annuler',
}

const LANGUAGES: ReadonlyMap<string, RecoveryTexts> = new Map([
  ['de', DE],
  ['fr', FR],
])

/** English for a language that it has no texts in. @param language BCP 47. */
export function textsOf(language: string) {
  const texts = LANGUAGES.get(language.toLowerCase().split('-')[0] ?? '') ?? EN
  return (name: keyof RecoveryTexts, values: Readonly<Record<string, string>> = {}): string =>
    texts[name].replace(/\{(\w+)\}/g, (whole, value: string) => values[value] ?? whole)
}
