/** The texts of the sign-out pages. */

import type { Texts } from '../texts.js'

export const signOutTexts = {
  // The signed-in user
  'user.signed_in_as': ['Signed in as {name}', 'Angemeldet als {name}', 'Connecté en tant que {name}'],

  // The sign-out pages
  'sign_out.title': ['Sign out', 'Abmelden', 'Se déconnecter'],
  'sign_out.heading': ['Sign out?', 'Möchten Sie sich abmelden?', 'Voulez-vous vous déconnecter ?'],
  'sign_out.asked_by': [
    '{application} asks to sign you out.',
    '{application} möchte Sie abmelden.',
    '{application} demande à vous déconnecter.',
  ],
  'sign_out.submit': ['Sign out', 'Abmelden', 'Se déconnecter'],
  'sign_out.stay': [
    'To stay signed in, close this page.',
    'Um angemeldet zu bleiben, schließen Sie diese Seite.',
    'Pour rester connecté, fermez cette page.',
  ],
  'signed_out.title': ['Signed out', 'Abgemeldet', 'Déconnecté'],
  'signed_out.heading': ['You are signed out', 'Sie sind abgemeldet', 'Vous êtes déconnecté'],
  'signed_out.nobody': [
    'Nobody is signed in in this browser',
    'In diesem Browser ist niemand angemeldet',
    'Personne n’est connecté dans ce navigateur',
  ],
  'signed_out.redirect_refused': [
    'The application wanted to send you to an address that is not registered for it, so you stay here.',
    'Die Anwendung wollte Sie zu einer Adresse weiterleiten, die nicht für sie registriert ist. Deshalb bleiben Sie hier.',
    'L’application voulait vous envoyer vers une adresse qui n’est pas enregistrée pour elle. Vous restez donc ici.',
  ],
  'signed_out.close': [
    'You can close this page.',
    'Sie können diese Seite schließen.',
    'Vous pouvez fermer cette page.',
  ],
  'signed_out.kept': [
    'Applications that you allowed to stay connected may keep their access.',
    'Anwendungen, denen Sie dauerhaften Zugriff erlaubt haben, können ihn behalten.',
    'Les applications que vous avez autorisées à rester connectées peuvent conserver leur accès.',
  ],
  'signed_out.access': [
    'See and end it on your account page',
    'Auf Ihrer Kontoseite ansehen und beenden',
    'Le voir et y mettre fin sur la page de votre compte',
  ],
  'signed_out.again': ['Sign in again', 'Wieder anmelden', 'Se connecter à nouveau'],
} as const satisfies Texts
