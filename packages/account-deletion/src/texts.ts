/** The texts of the pages, in three languages. */

/** In one language. */
interface DeletionTexts {
  /** On the account page. */
  section: string
  section_hint: string
  section_button: string
  not_fresh: string
  /** The page that asks. */
  title: string
  effects: readonly string[]
  type_name: string
  name_is: string
  wrong_name: string
  submit: string
  back: string
  /** After it. */
  requested: string
  requested_text: (date: string) => string
  may_keep: string
  /** At a sign-in. */
  waits: string
  waits_text: (date: string) => string
  keep: string
  or_close: string
  kept: string
  kept_text: string
  sign_in: string
  gone: string
  gone_text: string
  /** The mail about the request. */
  mail_asked: (username: string, provider: string) => string
  mail_keep: (date: string) => string
  mail_not_you: string
}

const EN: DeletionTexts = {
  section: 'Delete your account',
  section_hint: 'You have seven days to change your mind.',
  section_button: 'Delete your account…',
  not_fresh: 'Sign out and sign in again, then delete your account within five minutes.',
  title: 'Delete your account?',
  effects: [
    'You are signed out everywhere, and applications lose access to your account, now.',
    'For seven days you can sign in to keep the account.',
    'After that, the account and everything stored here about you is deleted. It cannot be brought back.',
    'Applications may keep what they have stored about you. Ask them to delete it.',
  ],
  type_name: 'Type your username to confirm',
  name_is: 'It is',
  wrong_name: 'This is not your username. Nothing has changed.',
  submit: 'Delete my account',
  back: 'Keep the account and go back',
  requested: 'Your account will be deleted',
  requested_text: (date) => `It is deleted on ${date}. You are signed out everywhere.`,
  may_keep: 'To keep it, sign in before that day.',
  waits: 'Your account is about to be deleted',
  waits_text: (date) => `You have asked for it. It is deleted on ${date}, unless you keep it.`,
  keep: 'Keep my account',
  or_close: 'To let it be deleted, close this page.',
  kept: 'You keep your account',
  kept_text: 'It is not deleted. Applications get access again when you sign in to them.',
  sign_in: 'Sign in',
  gone: 'Your account is being deleted',
  gone_text: 'It was too late to keep it.',
  mail_asked: (username, provider) => `The deletion of the account ${username} at ${provider} was asked for.`,
  mail_keep: (date) => `The account is deleted on ${date}. To keep it, sign in before that day.`,
  mail_not_you:
    'If it was not you, sign in, keep the account, and look at the ways to sign in on the page of your account.',
}

const DE: DeletionTexts = {
  section: 'Konto löschen',
  section_hint: 'Sie haben sieben Tage Zeit, es sich anders zu überlegen.',
  section_button: 'Konto löschen …',
  not_fresh: 'Melden Sie sich ab und wieder an, und löschen Sie das Konto dann innerhalb von fünf Minuten.',
  title: 'Konto löschen?',
  effects: [
    'Sie werden jetzt überall abgemeldet, und Anwendungen verlieren den Zugriff auf Ihr Konto.',
    'Sieben Tage lang können Sie sich anmelden, um das Konto zu behalten.',
    'Danach werden das Konto und alles, was hier über Sie gespeichert ist, gelöscht. Das lässt sich nicht rückgängig machen.',
    'Anwendungen behalten vielleicht, was sie über Sie gespeichert haben. Bitten Sie dort um die Löschung.',
  ],
  type_name: 'Geben Sie zur Bestätigung Ihren Benutzernamen ein',
  name_is: 'Er lautet',
  wrong_name: 'Das ist nicht Ihr Benutzername. Es hat sich nichts geändert.',
  submit: 'Mein Konto löschen',
  back: 'Konto behalten und zurück',
  requested: 'Ihr Konto wird gelöscht',
  requested_text: (date) => `Es wird am ${date} gelöscht. Sie sind überall abgemeldet.`,
  may_keep: 'Um es zu behalten, melden Sie sich vor diesem Tag an.',
  waits: 'Ihr Konto wird bald gelöscht',
  waits_text: (date) => `Sie haben darum gebeten. Es wird am ${date} gelöscht, wenn Sie es nicht behalten.`,
  keep: 'Mein Konto behalten',
  or_close: 'Um es löschen zu lassen, schließen Sie diese Seite.',
  kept: 'Sie behalten Ihr Konto',
  kept_text: 'Es wird nicht gelöscht. Anwendungen bekommen wieder Zugriff, wenn Sie sich bei ihnen anmelden.',
  sign_in: 'Anmelden',
  gone: 'Ihr Konto wird gerade gelöscht',
  gone_text: 'Es war zu spät, um es zu behalten.',
  mail_asked: (username, provider) =>
    `Für das Konto ${username} bei ${provider} wurde die Löschung verlangt.`,
  mail_keep: (date) =>
    `Das Konto wird am ${date} gelöscht. Um es zu behalten, melden Sie sich vor diesem Tag an.`,
  mail_not_you:
    'Wenn Sie es nicht waren, melden Sie sich an, behalten Sie das Konto, und prüfen Sie auf der Seite Ihres Kontos die Anmeldewege.',
}

const FR: DeletionTexts = {
  section: 'Supprimer le compte',
  section_hint: 'Vous avez sept jours pour changer d’avis.',
  section_button: 'Supprimer le compte…',
  not_fresh: 'Déconnectez-vous et reconnectez-vous, puis supprimez le compte dans les cinq minutes.',
  title: 'Supprimer le compte ?',
  effects: [
    'Dès maintenant, vous êtes déconnecté partout et les applications perdent l’accès à votre compte.',
    'Pendant sept jours, vous pouvez vous connecter pour garder le compte.',
    'Ensuite, le compte et tout ce qui est enregistré ici à votre sujet sont supprimés. C’est définitif.',
    'Les applications gardent peut-être ce qu’elles ont enregistré à votre sujet. Demandez-leur de le supprimer.',
  ],
  type_name: 'Pour confirmer, saisissez votre nom d’utilisateur',
  name_is: 'C’est',
  wrong_name: 'Ce n’est pas votre nom d’utilisateur. Rien n’a changé.',
  submit: 'Supprimer mon compte',
  back: 'Garder le compte et revenir',
  requested: 'Votre compte sera supprimé',
  requested_text: (date) => `Il sera supprimé le ${date}. Vous êtes déconnecté partout.`,
  may_keep: 'Pour le garder, connectez-vous avant ce jour.',
  waits: 'Votre compte va être supprimé',
  waits_text: (date) => `Vous l’avez demandé. Il sera supprimé le ${date}, sauf si vous le gardez.`,
  keep: 'Garder mon compte',
  or_close: 'Pour le laisser supprimer, fermez cette page.',
  kept: 'Vous gardez votre compte',
  kept_text: 'Il n’est pas supprimé. Les applications retrouvent l’accès quand vous vous y connectez.',
  sign_in: 'Se connecter',
  gone: 'Votre compte est en cours de suppression',
  gone_text: 'Il était trop tard pour le garder.',
  mail_asked: (username, provider) => `La suppression du compte ${username} chez ${provider} a été demandée.`,
  mail_keep: (date) => `Le compte sera supprimé le ${date}. Pour le garder, connectez-vous avant ce jour.`,
  mail_not_you:
    'Si ce n’était pas vous, connectez-vous, gardez le compte et vérifiez les moyens de connexion sur la page de votre compte.',
}

const LANGUAGES: ReadonlyMap<string, DeletionTexts> = new Map([
  ['de', DE],
  ['fr', FR],
])

/** English for a language that it has no texts in. @param language BCP 47. */
export const textsOf = (language: string): DeletionTexts =>
  LANGUAGES.get(language.toLowerCase().split('-')[0] ?? '') ?? EN

/** The day, in UTC. @param time Epoch seconds. */
export const dateIn = (language: string, time: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(time * 1000)
