/** The texts of the pages and of the mail that identity has not, in three languages. A name in braces is replaced. */

/** In one language. */
interface CodeTexts {
  /** The button on the sign-in page. */
  button: string
  /** The page that asks for the name. */
  title: string
  explained: string
  no_name: string
  /** The page that asks for the code. */
  sent: string
  code: string
  hint: string
  again: string
  other: string
  no_code: string
  wrong: string
  ended: string
  throttled: string
  /** The section of the account page. */
  section: string
  section_text: string
  /** The mail. */
  mail_title: string
  mail_asked: string
  mail_then: string
  mail_not_you: string
}

const EN: CodeTexts = {
  button: 'Email me a code',
  title: 'Sign in with a code',
  explained: 'You get an email with a code, which you enter here.',
  no_name: 'Enter your username.',
  sent: 'If there is an account {username} with a verified address, an email with a code is on its way. Enter the code here, in this browser, within 10 minutes.',
  code: 'Code',
  hint: '8 letters. Upper or lower case makes no difference.',
  again: 'Send a new code',
  other: 'Sign in another way',
  no_code: 'A code has 8 letters, such as BCDF-GHJK.',
  wrong: 'This is not the code. Use the newest email.',
  ended: 'This code does not work any more. Request a new one.',
  throttled: 'There were too many codes from your network. Wait {minutes} minutes, then try again.',
  section: 'Codes by email',
  section_text: 'You can sign in with a code that is sent to {email}.',
  mail_title: 'Your code to sign in',
  mail_asked: 'A code was requested to sign in to the account {username} at {provider}.',
  mail_then: 'Enter it in the browser in which you requested it. It works once, for 10 minutes.',
  mail_not_you: 'If it was not you, do nothing. Do not give the code to anyone who asks for it.',
}

const DE: CodeTexts = {
  button: 'Code per E-Mail senden',
  title: 'Mit einem Code anmelden',
  explained: 'Sie erhalten eine E-Mail mit einem Code, den Sie hier eingeben.',
  no_name: 'Geben Sie Ihren Benutzernamen ein.',
  sent: 'Wenn es ein Konto {username} mit einer bestätigten Adresse gibt, ist eine E-Mail mit einem Code unterwegs. Geben Sie den Code hier, in diesem Browser, innerhalb von 10 Minuten ein.',
  code: 'Code',
  hint: '8 Buchstaben, groß oder klein geschrieben.',
  again: 'Neuen Code senden',
  other: 'Anders anmelden',
  no_code: 'Ein Code hat 8 Buchstaben, zum Beispiel BCDF-GHJK.',
  wrong: 'Das ist nicht der Code. Verwenden Sie die neueste E-Mail.',
  ended: 'Dieser Code gilt nicht mehr. Fordern Sie einen neuen an.',
  throttled:
    'Aus Ihrem Netz kamen zu viele Codes. Warten Sie {minutes} Minuten, und versuchen Sie es dann noch einmal.',
  section: 'Codes per E-Mail',
  section_text: 'Sie können sich mit einem Code anmelden, der an {email} gesendet wird.',
  mail_title: 'Ihr Code für die Anmeldung',
  mail_asked: 'Es wurde ein Code angefordert, um sich bei {provider} im Konto {username} anzumelden.',
  mail_then:
    'Geben Sie ihn in dem Browser ein, in dem Sie ihn angefordert haben. Er gilt einmal, 10 Minuten lang.',
  mail_not_you:
    'Wenn Sie es nicht waren, müssen Sie nichts tun. Geben Sie den Code niemandem, auch nicht auf Nachfrage.',
}

const FR: CodeTexts = {
  button: 'Code par e-mail',
  title: 'Se connecter avec un code',
  explained: 'Vous recevez un e-mail avec un code, que vous saisissez ici.',
  no_name: 'Saisissez votre nom d’utilisateur.',
  sent: 'S’il existe un compte {username} avec une adresse vérifiée, un e-mail avec un code est en route. Saisissez le code ici, dans ce navigateur, dans les 10 minutes.',
  code: 'Code',
  hint: '8 lettres, en majuscules ou en minuscules.',
  again: 'Envoyer un nouveau code',
  other: 'Se connecter autrement',
  no_code: 'Un code a 8 lettres, par exemple BCDF-GHJK.',
  wrong: 'Ce n’est pas le code. Utilisez l’e-mail le plus récent.',
  ended: 'Ce code ne fonctionne plus. Demandez-en un nouveau.',
  throttled: 'Trop de codes sont venus de votre réseau. Attendez {minutes} minutes, puis réessayez.',
  section: 'Codes par e-mail',
  section_text: 'Vous pouvez vous connecter avec un code envoyé à {email}.',
  mail_title: 'Votre code de connexion',
  mail_asked: 'Un code a été demandé pour se connecter au compte {username} chez {provider}.',
  mail_then:
    'Saisissez-le dans le navigateur où vous l’avez demandé. Il fonctionne une fois, pendant 10 minutes.',
  mail_not_you:
    'Si ce n’était pas vous, ne faites rien. Ne donnez ce code à personne, même si l’on vous le demande.',
}

const LANGUAGES: ReadonlyMap<string, CodeTexts> = new Map([
  ['de', DE],
  ['fr', FR],
])

/** English for a language that it has no texts in. @param language BCP 47. */
export function textsOf(language: string) {
  const texts = LANGUAGES.get(language.toLowerCase().split('-')[0] ?? '') ?? EN
  return (name: keyof CodeTexts, values: Readonly<Record<string, string>> = {}): string =>
    texts[name].replace(/\{(\w+)\}/g, (whole, value: string) => values[value] ?? whole)
}

/** The two parts of a text around its value, which the page sets in bold. */
export function partsOf(language: string, name: 'sent' | 'section_text'): [string, string] {
  const [before = '', , after = ''] = textsOf(language)(name).split(/\{(\w+)\}/)
  return [before, after]
}
