/** The texts of the sign-in page and of the page at the root of the realm. */

import type { Texts } from '../texts.js'

export const signInTexts = {
  // The sign-in page
  'sign_in.title': ['Sign in', 'Anmelden', 'Se connecter'],
  'sign_in.for_application': [
    'to continue to {application}',
    'Weiter zu {application}',
    'pour continuer vers {application}',
  ],
  'sign_in.for_account': ['to see your account', 'Weiter zu Ihrem Konto', 'pour accéder à votre compte'],
  'sign_in.again_for_application': [
    'Confirm that it is you, to continue to {application}',
    'Bestätigen Sie bitte, dass Sie es sind. Danach geht es weiter zu {application}.',
    'Confirmez votre identité pour continuer vers {application}',
  ],
  'sign_in.stronger_for_application': [
    '{application} asks for a more secure sign-in. Sign in again to continue.',
    '{application} verlangt eine sicherere Anmeldung. Melden Sie sich bitte noch einmal an.',
    '{application} demande une connexion plus sûre. Connectez-vous à nouveau pour continuer.',
  ],
  'sign_in.answer_target': [
    'After you sign in or go back, you will be sent to {host}.',
    'Nach der Anmeldung, oder wenn Sie zurückgehen, werden Sie zu {host} weitergeleitet.',
    'Une fois connecté, ou si vous revenez en arrière, vous serez redirigé vers {host}.',
  ],
  'sign_in.username': ['Username', 'Benutzername', 'Nom d’utilisateur'],
  'sign_in.password': ['Password', 'Passwort', 'Mot de passe'],
  'sign_in.submit': ['Sign in', 'Anmelden', 'Se connecter'],
  'sign_in.forgot': ['Forgot your password?', 'Passwort vergessen?', 'Mot de passe oublié ?'],
  'sign_in.back': ['Back to {application}', 'Zurück zu {application}', 'Retour à {application}'],
  'sign_in.wrong': [
    'The username or password is not right.',
    'Der Benutzername oder das Passwort ist falsch.',
    'Le nom d’utilisateur ou le mot de passe est incorrect.',
  ],
  'sign_in.not_confirmed': [
    'Your browser could not confirm this form. Please allow cookies for this site, and try again.',
    'Ihr Browser konnte dieses Formular nicht bestätigen. Bitte erlauben Sie Cookies für diese Website, und versuchen Sie es noch einmal.',
    'Votre navigateur n’a pas pu confirmer ce formulaire. Veuillez autoriser les cookies de ce site, puis réessayer.',
  ],
  'sign_in.throttled': [
    {
      one: 'Too many attempts to sign in. Please wait a minute, then try again.',
      other: 'Too many attempts to sign in. Please wait {count} minutes, then try again.',
    },
    {
      one: 'Zu viele Anmeldeversuche. Bitte warten Sie eine Minute, und versuchen Sie es dann noch einmal.',
      other:
        'Zu viele Anmeldeversuche. Bitte warten Sie {count} Minuten, und versuchen Sie es dann noch einmal.',
    },
    {
      one: 'Trop de tentatives de connexion. Veuillez patienter {count} minute, puis réessayer.',
      other: 'Trop de tentatives de connexion. Veuillez patienter {count} minutes, puis réessayer.',
    },
  ],
  'sign_in.busy': [
    'Many people are signing in right now. Please try again in a few seconds.',
    'Im Moment melden sich sehr viele Personen an. Bitte versuchen Sie es in einigen Sekunden noch einmal.',
    'De nombreuses personnes se connectent en ce moment. Veuillez réessayer dans quelques secondes.',
  ],

  // The page at the root of the realm
  'landing.title': ['Welcome', 'Willkommen', 'Bienvenue'],
  'landing.heading': [
    'This is where you sign in',
    'Hier melden Sie sich an',
    'C’est ici que vous vous connectez',
  ],
  'landing.advice': [
    'Applications send you here to sign in. Open the application that you want to use, and sign in there.',
    'Anwendungen schicken Sie zur Anmeldung hierher. Öffnen Sie die Anwendung, die Sie verwenden möchten, und melden Sie sich dort an.',
    'Les applications vous envoient ici pour vous connecter. Ouvrez l’application que vous voulez utiliser et connectez-vous depuis celle-ci.',
  ],
  'landing.account': ['Your account', 'Ihr Konto', 'Votre compte'],
} as const satisfies Texts
