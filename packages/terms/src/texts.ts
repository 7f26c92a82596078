/** The texts of the page, in three languages. */

/** In one language. */
interface TermsTexts {
  title: string
  /** For a user who has not accepted any. */
  asked: string
  /** For a user who has accepted another version. */
  changed: string
  /** The links, and what stands beside them. */
  terms: string
  version: string
  privacy: string
  privacy_hint: string
  new_tab: string
  accept: string
  decline: string
  effect: string
  not_confirmed: string
  /** After the second button, where no application waits. */
  declined: string
  declined_text: string
  back: string
}

const EN: TermsTexts = {
  title: 'Terms of service',
  asked: 'Accept the terms of service to go on.',
  changed: 'The terms of service have changed. Accept the new version to go on.',
  terms: 'Read the terms of service',
  version: 'Version',
  privacy: 'Read the privacy notice',
  privacy_hint: 'It says what is stored about you. You do not have to accept it.',
  new_tab: '(opens in a new tab)',
  accept: 'Accept and continue',
  decline: 'Do not accept',
  effect: 'If you do not accept them, the sign-in ends.',
  not_confirmed:
    'Your browser could not confirm this form. Please allow cookies for this site, and try again.',
  declined: 'The sign-in has ended',
  declined_text: 'You have not accepted the terms of service. Nothing about your account has changed.',
  back: 'Back to the sign-in',
}

const DE: TermsTexts = {
  // With a place to break the word.
  title: 'Nutzungs\u00adbedingungen',
  asked: 'Um fortzufahren, stimmen Sie den Nutzungsbedingungen zu.',
  changed: 'Die Nutzungsbedingungen haben sich geändert. Um fortzufahren, stimmen Sie der neuen Fassung zu.',
  terms: 'Nutzungsbedingungen lesen',
  version: 'Fassung',
  privacy: 'Datenschutzerklärung lesen',
  privacy_hint: 'Sie sagt, was über Sie gespeichert wird. Sie müssen ihr nicht zustimmen.',
  new_tab: '(öffnet einen neuen Tab)',
  accept: 'Zustimmen und fortfahren',
  decline: 'Nicht zustimmen',
  effect: 'Wenn Sie nicht zustimmen, endet die Anmeldung.',
  not_confirmed:
    'Ihr Browser konnte dieses Formular nicht bestätigen. Bitte erlauben Sie Cookies für diese Website, und versuchen Sie es noch einmal.',
  declined: 'Die Anmeldung ist beendet',
  declined_text:
    'Sie haben den Nutzungsbedingungen nicht zugestimmt. An Ihrem Konto hat sich nichts geändert.',
  back: 'Zurück zur Anmeldung',
}

const FR: TermsTexts = {
  title: 'Conditions d’utilisation',
  asked: 'Pour continuer, acceptez les conditions d’utilisation.',
  changed: 'Les conditions d’utilisation ont changé. Pour continuer, acceptez la nouvelle version.',
  terms: 'Lire les conditions d’utilisation',
  version: 'Version',
  privacy: 'Lire la politique de confidentialité',
  privacy_hint: 'Elle dit ce qui est enregistré à votre sujet. Vous n’avez pas à l’accepter.',
  new_tab: '(s’ouvre dans un nouvel onglet)',
  accept: 'Accepter et continuer',
  decline: 'Ne pas accepter',
  effect: 'Si vous ne les acceptez pas, la connexion prend fin.',
  not_confirmed:
    'Votre navigateur n’a pas pu confirmer ce formulaire. Veuillez autoriser les cookies de ce site, puis réessayer.',
  declined: 'La connexion a pris fin',
  declined_text: 'Vous n’avez pas accepté les conditions d’utilisation. Rien n’a changé dans votre compte.',
  back: 'Retour à la connexion',
}

const LANGUAGES: ReadonlyMap<string, TermsTexts> = new Map([
  ['de', DE],
  ['fr', FR],
])

/** English for a language that it has no texts in. @param language BCP 47. */
export const textsOf = (language: string): TermsTexts =>
  LANGUAGES.get(language.toLowerCase().split('-')[0] ?? '') ?? EN
