/** The texts of the pages and of the mail that identity has not, in three languages. */

/** In one language. */
export interface SignUpTexts {
  /** The link on the sign-in page, and the title. */
  title: string
  explained: string
  address: string
  /** Where only some domains are accepted. */
  domains: string
  no_address: string
  sent: string
  /** The page of the link. */
  confirm: string
  confirm_text: string
  lasts: string
  known: string
  known_text: string
  /** The mail. */
  asked: string
  go_on: string
  known_mail: string
  invited: string
}

const EN: SignUpTexts = {
  title: 'Create an account',
  explained: 'Enter your email address. You get an email with a link.',
  address: 'Email address',
  domains: 'Only addresses of these domains can be used:',
  no_address: 'Enter one address, such as ann@example.com.',
  sent: 'If the address can be used, an email is on its way. It comes within a few minutes. Look in the folder for spam too.',
  confirm: 'Confirm your address',
  confirm_text: 'The name of your account is your address:',
  lasts: 'Then you have 10 minutes to choose how you sign in.',
  known: 'You already have an account',
  known_text: 'Sign in with your address as the username.',
  asked: 'An account was asked for with this address:',
  go_on: 'If it was you, confirm the address now. The link works once, for 24 hours.',
  known_mail: 'It has an account already: sign in with the address as the username.',
  invited: 'If you were invited, use the link of the invitation first.',
}

const DE: SignUpTexts = {
  title: 'Konto anlegen',
  explained: 'Geben Sie Ihre E-Mail-Adresse ein. Sie erhalten eine E-Mail mit einem Link.',
  address: 'E-Mail-Adresse',
  domains: 'Nur Adressen dieser Domains sind möglich:',
  no_address: 'Geben Sie eine Adresse ein, zum Beispiel ann@example.com.',
  sent: 'Falls die Adresse verwendet werden kann, ist eine E-Mail unterwegs. Sie kommt in wenigen Minuten. Sehen Sie auch im Spam-Ordner nach.',
  confirm: 'Adresse bestätigen',
  confirm_text: 'Der Name Ihres Kontos ist Ihre Adresse:',
  lasts: 'Danach haben Sie 10 Minuten, um zu wählen, wie Sie sich anmelden.',
  known: 'Sie haben schon ein Konto',
  known_text: 'Melden Sie sich mit Ihrer Adresse als Benutzernamen an.',
  asked: 'Mit dieser Adresse wurde ein Konto angefordert:',
  go_on:
    'Wenn Sie das waren, bestätigen Sie jetzt die Adresse. Der Link funktioniert einmal, 24 Stunden lang.',
  known_mail: 'Sie hat schon ein Konto: Melden Sie sich mit der Adresse als Benutzernamen an.',
  invited: 'Wenn Sie eingeladen wurden, verwenden Sie zuerst den Link der Einladung.',
}

const FR: SignUpTexts = {
  title: 'Créer un compte',
  explained: 'Saisissez votre adresse e-mail. Vous recevrez un e-mail avec un lien.',
  address: 'Adresse e-mail',
  domains: 'Seules les adresses de ces domaines sont acceptées\u00a0:',
  no_address: 'Saisissez une adresse, par exemple ann@example.com.',
  sent: 'Si l’adresse peut être utilisée, un e-mail est en route. Il arrive en quelques minutes. Regardez aussi dans les courriers indésirables.',
  confirm: 'Confirmer votre adresse',
  confirm_text: 'Le nom de votre compte est votre adresse\u00a0:',
  lasts: 'Vous avez ensuite 10 minutes pour choisir comment vous connecter.',
  known: 'Vous avez déjà un compte',
  known_text: 'Connectez-vous avec votre adresse comme nom d’utilisateur.',
  asked: 'Un compte a été demandé avec cette adresse\u00a0:',
  go_on: 'Si c’était vous, confirmez maintenant l’adresse. Le lien fonctionne une fois, pendant 24 heures.',
  known_mail: 'Elle a déjà un compte\u00a0: connectez-vous avec l’adresse comme nom d’utilisateur.',
  invited: 'Si vous avez été invité, utilisez d’abord le lien de l’invitation.',
}

const LANGUAGES: ReadonlyMap<string, SignUpTexts> = new Map([
  ['de', DE],
  ['fr', FR],
])

/** English for a language that it has no texts in. @param language BCP 47. */
export const textsOf = (language: string): SignUpTexts =>
  LANGUAGES.get(language.toLowerCase().split('-')[0] ?? '') ?? EN
