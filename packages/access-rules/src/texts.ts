/** The texts of the page and of the section, in three languages. */

/** What stands before the name of an application, and after it. */
type Around = readonly [before: string, after: string]

/** In one language. */
interface AccessTexts {
  title: string
  heading: Around
  /** Before the name of the account. */
  signed_in: string
  /** Where the operator has no text. */
  ask: string
  /** Of an application that requires a stronger sign-in, where no request waits. */
  weak: Around
  again: string
  back: Around
  other: string
  applications: string
  applications_hint: string
}

const EN: AccessTexts = {
  title: 'No access',
  heading: ['Your account may not use ', ''],
  signed_in: 'You are signed in as',
  ask: 'Ask the people who manage your account for access.',
  weak: [
    '',
    ' needs a sign-in with a second step, such as a passkey. Sign out, sign in with it, and enter the code again.',
  ],
  again: 'Try again',
  back: ['Back to ', ''],
  other: 'Sign in with another account',
  applications: 'Applications you may use',
  applications_hint: 'Each opens its own page.',
}

const DE: AccessTexts = {
  title: 'Kein Zugriff',
  heading: ['Ihr Konto darf ', ' nicht verwenden'],
  signed_in: 'Sie sind angemeldet als',
  ask: 'Bitten Sie die Personen, die Ihr Konto verwalten, um Zugriff.',
  weak: [
    '',
    ' verlangt eine Anmeldung mit einem zweiten Schritt, etwa einem Passkey. Melden Sie sich ab, damit wieder an, und geben Sie den Code noch einmal ein.',
  ],
  again: 'Noch einmal versuchen',
  back: ['Zurück zu ', ''],
  other: 'Mit einem anderen Konto anmelden',
  applications: 'Anwendungen, die Sie verwenden dürfen',
  applications_hint: 'Jede öffnet ihre eigene Seite.',
}

const FR: AccessTexts = {
  title: 'Pas d’accès',
  heading: ['Votre compte ne peut pas utiliser ', ''],
  signed_in: 'Vous êtes connecté en tant que',
  ask: 'Demandez l’accès aux personnes qui gèrent votre compte.',
  weak: [
    '',
    ' exige une connexion avec une deuxième étape, par exemple une clé d’accès. Déconnectez-vous, connectez-vous avec elle, puis saisissez à nouveau le code.',
  ],
  again: 'Réessayer',
  back: ['Retour à ', ''],
  other: 'Se connecter avec un autre compte',
  applications: 'Applications que vous pouvez utiliser',
  applications_hint: 'Chacune ouvre sa propre page.',
}

const LANGUAGES: ReadonlyMap<string, AccessTexts> = new Map([
  ['de', DE],
  ['fr', FR],
])

/** English for a language that it has no texts in. @param language BCP 47. */
export const textsOf = (language: string): AccessTexts =>
  LANGUAGES.get(language.toLowerCase().split('-')[0] ?? '') ?? EN
