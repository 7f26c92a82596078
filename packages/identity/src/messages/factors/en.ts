/** The English texts of passkeys, codes and the ways to sign in. */

import type { Message } from '../message.js'

export const factorsEn = {
  // The second step of a sign-in, and the ways to sign in
  'step.account': 'Account: {username}',
  'step.none':
    'None of your passkeys works here any more, and you have no recovery codes left. Please contact the provider.',
  'passkey.sign_in': 'Sign in with a passkey',
  'passkey.use': 'Use a passkey',
  'passkey.create': 'Create the passkey',
  'passkey.explained':
    'Your device will ask you to confirm with your finger, your face or its PIN. These never leave your device.',
  'passkey.cancelled': 'No passkey was used. You can try again.',
  'passkey.not_created': 'No passkey was created. You can try again.',
  'passkey.exists': 'There is a passkey for your account on this device already.',
  'passkey.unsupported': 'This browser or device cannot use passkeys here.',
  'sign_in.passkey_alone': 'This sign-in needs a browser with JavaScript and passkeys.',
  'passkey.no_script': 'Passkeys need JavaScript, which is turned off in this browser.',
  'passkey.refused':
    'This passkey could not be used. If you have removed it from your account, use another one, or sign in another way.',
  'passkey.not_accepted': 'This passkey could not be added. Try again, or use another device.',
  'passkey.name': 'Passkey',
  'totp.code': 'Code from your authenticator app',
  'totp.submit': 'Confirm',
  'totp.wrong': 'This code is not right. Enter the code that your app shows now.',
  'totp.reused': 'This code was used already. Wait for the next one in your app.',
  'totp.title': 'Add an authenticator app',
  'totp.scan': 'Scan this picture with an authenticator app on your phone.',
  'totp.picture': 'QR code for your authenticator app',
  'totp.by_hand': 'Or enter this key in the app:',
  'totp.then': 'Then enter the code that the app shows.',
  'totp.expired': 'The page was open for too long. Scan the new picture.',
  'totp.name': 'Authenticator app',
  'recovery.use': 'Use a recovery code',
  'recovery.code': 'Recovery code',
  'recovery.hint': 'One of the codes that you saved. It can be used once.',
  'recovery.wrong': 'This is not one of your recovery codes, or it was used before.',
  'recovery.title': 'Save your recovery codes',
  'recovery.meaning':
    'If you lose your device, one of these codes lets you in instead of your passkey or your app. Each one works once. Keep them where you find them without your phone.',
  'recovery.once': 'They are shown only now.',
  'recovery.download': 'Download as a file',
  'recovery.print': 'Print',
  'recovery.printed': 'Recovery codes for the account {username}, {day}',
  'recovery.saved': 'I have saved them',
  'recovery.file': 'Recovery codes for {provider}, account {username}',
  'ticket.title': 'Get back into your account',
  'ticket.effect':
    'With the button, your account is signed out everywhere, and all applications lose their access to it.',
  'ticket.then':
    'Then you choose how you sign in from now on. The link works once: have your new device or password at hand.',
  'ticket.submit': 'Continue',
  'ticket.bad': 'This link does not work',
  'ticket.bad_why': 'It may have been used, it may have expired, or your account has changed since.',
  'ticket.bad_advice': 'Please ask your administrator for another link.',
  'regain.decide': 'What do you still have?',
  'regain.decide_hint': 'Decide for each. Remove what is lost, and what you do not know.',
  'regain.keep': 'Keep',
  'regain.remove': 'Remove',
  'regain.undecided': 'Choose “Keep” or “Remove” for each of them.',
  'regain.choose': 'How will you sign in from now on?',
  'regain.missing_way': 'Choose at least one way to continue.',
  'regain.missing_factor':
    'Your account needs a second way to confirm that it is you. Choose one to continue.',
  'regain.first_password': 'Set a password',
  'regain.new_password': 'Set a new password',
  'regain.set_password': 'Set the password',
  'regain.password_set': 'Your password is set.',
  'regain.added': 'Your new way to sign in is added.',
  'regain.finish': 'Continue',
  'regain.done': 'Your account is yours again. From now on, sign in with what you have chosen.',
  'enrol.title': 'Make your account safer',
  'enrol.needed': 'Your account needs a second way to confirm that it is you. Choose one to continue.',
  'enrol.needed_by': '{application} needs a second way to confirm that it is you. Choose one to continue.',
  'enrol.invited':
    'Your account needs a second way to confirm that it is you. Ask the person who manages your account for a link: with it, you can add one.',
  'enrol.invited_by':
    '{application} needs a second way to confirm that it is you. Ask the person who manages your account for a link: with it, you can add one.',
  'enrol.passkey': 'Create a passkey',
  'enrol.passkey_hint': 'You confirm with your finger, your face or the PIN of your device. Nothing to type.',
  'enrol.totp': 'Add an authenticator app',
  'enrol.totp_hint': 'An app on your phone shows a code, which you enter when you sign in.',
  'enrol.other': 'Choose another way',
  'offer.title': 'Sign in faster next time',
  'offer.explained':
    'Create a passkey, and sign in with your finger, your face or the PIN of this device instead of your password. These never leave your device.',
  'offer.later': 'Not now',
  'offer.never': 'Do not ask on this device',

  // The page that asks for a proof, and what the account page reports
  'confirm.before_change': 'Before your account is changed: confirm that you are {username}.',
  'confirm.submit': 'Confirm',
  'confirm.sign_in_again': 'To do that, sign out and sign in again.',
  'notice.confirmed': 'Thank you. You can change your password now.',
  'notice.password_set':
    'Your password is set. Everywhere else, and in applications, you have to sign in again.',
  'notice.password_removed': 'Your password is removed. You sign in with your passkeys from now on.',
  'notice.factor_added': 'It is added. You can use it the next time you sign in.',
  'notice.factor_removed': 'It is removed. It cannot be used to sign in any more.',
  'notice.factor_renamed': 'The name is changed.',
  'notice.factor_gone': 'It was removed already.',
  'notice.too_many_factors': 'There are too many on your account. Remove one first.',
  'notice.second_step_on': 'From now on, signing in with your password asks for a second step.',
  'notice.second_step_off': 'Signing in with your password does not ask for a second step any more.',

  // The ways to sign in, on the account page
  'ways.title': 'Ways to sign in',
  'ways.password_alone':
    'You sign in with your password alone. Add a second way, so that a stolen password is not enough.',
  'ways.invited':
    'You sign in with your password alone. To add a second way, ask the person who manages your account for a link.',
  'ways.none': 'There is no other way to sign in to your account yet.',
  'ways.back_codes': {
    one: 'If you lose this device: you can get back in with a recovery code (1 left).',
    other: 'If you lose this device: you can get back in with a recovery code ({count} left).',
  },
  'ways.back_codes_other': {
    one: 'If you lose a device: you can get back in with the other ways below, or a recovery code (1 left).',
    other:
      'If you lose a device: you can get back in with the other ways below, or a recovery code ({count} left).',
  },
  'ways.back_other':
    'If you lose a device: you can get back in with the other ways below. You have no recovery codes left: get new ones.',
  'ways.back_none':
    'If you lose this device, you cannot get back in: you have no recovery codes left. Get new ones, or add another way.',
  'ways.back_passkeys':
    'If you lose a device: you can get back in with another passkey. Recovery codes do not sign you in, since your account has no password.',
  'ways.back_one_passkey':
    'If you lose this device, you cannot get back in: recovery codes do not sign you in, since your account has no password. Add another passkey.',
  'ways.codes': 'Recovery codes',
  'ways.codes_hint': 'Each code works once, in the place of your passkey or your app.',
  'ways.new_codes': 'Get new codes',
  'password.set': 'Set a password',
  'password.remove': 'Remove your password',
  'password.removal':
    'You sign in with your passkeys alone then. Without a password, nobody can guess it or steal it.',
  'password.needs_passkeys':
    'Without a password you need two passkeys. Add another one first, then remove the password.',
  'ways.last_way_in':
    'This is the only way to sign in to your account. Add another one first, then remove it.',
  'ways.last_factor': 'Your account needs a second factor. Add another one first, then remove this one.',
  'ways.bad_name': 'Give a name of 1 to {max} characters.',
  'ways.second_step': 'Second step',
  'ways.second_step_on': 'Always ask for a second step',
  'ways.second_step_off': 'Do not ask for a second step',
  'ways.second_step_is_on': 'Signing in with your password asks for a second step.',
  'ways.second_step_is_off': 'Signing in with your password does not ask for a second step.',
  'factor.passkey': 'Passkey',
  'factor.totp': 'App',
  'factor.added': 'Added {day}',
  'factor.rename': 'Rename',
  'factor.name': 'Name',
  'factor.save': 'Save',
  'factor.remove': 'Remove',
} as const satisfies Record<string, Message>
