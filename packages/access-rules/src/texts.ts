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
  /** Of a device whose application requires a stronger sign-in. */
  stronger: Around
  weak: string
  sign_in: string
  again: string
  back: Around
  other: string
  applications: string
  hint: string
}

const EN: AccessTexts = {
  title: 'No access',
  heading: ['Your account may not use ', ''],
  signed_in: 'You are signed in as',
  ask: 'Ask the people who manage your account for access.',
  stronger: ['', ' needs a stronger sign-in'],
  weak: 'Sign in with a second step, such as a passkey, and enter the code again. Add one to your account first if it has none.',
  sign_in: 'Sign in again',
  again: 'Try again',
  back: ['Back to ', ''],
  other: 'Sign in with another account',
  applications: 'Applications you may use',
  hint: 'Each opens its own page.',
}

const DE: AccessTexts = {
  title: 'Kein Zugriff',
  heading: ['Ihr Konto darf ', ' nicht verwenden'],
  signed_in: 'Sie sind angemeldet als',
  ask: 'Bitten Sie die Personen, die Ihr Konto verwalten, um Zugriff.',
  stronger: ['', ' verlangt eine stärkere Anmeldung'],
  weak: 'Melden Sie sich mit einem zweiten Schritt an, etwa einem Passkey, und geben Sie den Code noch einmal ein. Hat Ihr Konto keinen, fügen Sie zuerst einen hinzu.',
  sign_in: 'Noch einmal anmelden',
  again: 'Noch einmal versuchen',
  back: ['Zurück zu ', ''],
  other: 'Mit einem anderen Konto anmelden',
  applications: 'Anwendungen, die Sie verwenden dürfen',
  hint: 'Jede öffnet ihre eigene Seite.',
}

const FR: AccessTexts = {
  title: 'Pas d’accès',
  heading: ['Votre compte ne peut pas utiliser ', ''],
  signed_in: 'Vous êtes connecté en tant que',
  ask: 'Demandez l’accès aux personnes qui gèrent votre compte.',
  stronger: ['', ' exige une connexion plus forte'],
  weak: 'Connectez-vous avec une deuxième étape, par exemple une clé d’accès, puis saisissez à nouveau le code. Si votre compte n’en a pas, ajoutez-en d’abord une.',
  sign_in: 'Se connecter à nouveau',
  again: 'Réessayer',
  back: ['Retour à ', ''],
  other: 'Se connecter avec un autre compte',
  applications: 'Applications que vous pouvez utiliser',
  hint: 'Chacune ouvre sa propre page.',
}

const LANGUAGES: ReadonlyMap<string, AccessTexts> = new Map([
  ['de', DE],
  ['fr', FR],
])

/** English for a language that it has no texts in. @param language BCP 47. */
export const textsOf = (language: string): AccessTexts =>
  LANGUAGES.get(language.toLowerCase().split('-')[0] ?? '') ?? EN
