/**
 * The English texts of all pages. The keys and parameters of this catalog are those of every language: a page that uses
 * another key, or omits a parameter, does not compile.
 */

import { factorsEn } from './factors/en.js'
import type { Message, ParameterOf } from './message.js'

export const en = {
  ...factorsEn,

  // The sign-in page
  'sign_in.title': 'Sign in',
  'sign_in.for_application': 'to continue to {application}',
  'sign_in.for_account': 'to see your account',
  'sign_in.for_device': 'to connect a device',
  'sign_in.again_for_application': 'Confirm that it is you, to continue to {application}',
  'sign_in.stronger_for_application':
    '{application} asks for a more secure sign-in. Sign in again to continue.',
  'sign_in.again_for_account': 'Confirm that it is you, to see your account',
  'sign_in.answer_target': 'After you sign in or go back, you will be sent to {host}.',
  'sign_in.username': 'Username',
  'sign_in.password': 'Password',
  'sign_in.submit': 'Sign in',
  'sign_in.back': 'Back to {application}',
  'sign_in.wrong': 'The username or password is not right.',
  'sign_in.not_confirmed':
    'Your browser could not confirm this form. Please allow cookies for this site, and try again.',
  'sign_in.throttled': {
    one: 'Too many attempts to sign in. Please wait a minute, then try again.',
    other: 'Too many attempts to sign in. Please wait {count} minutes, then try again.',
  },
  'sign_in.busy': 'Many people are signing in right now. Please try again in a few seconds.',

  // The page at the root of the realm
  'landing.title': 'Welcome',
  'landing.heading': 'This is where you sign in',
  'landing.advice':
    'Applications send you here to sign in. Open the application that you want to use, and sign in there.',
  'landing.account': 'Your account',

  // Clients
  'application.quoted': '“{name}”',
  'application.of_host': '{host} ({name})',
  'application.registered_itself': 'This application registered itself.',
  'application.published_at': 'This application is described at {host}.',
  'application.make_sure': 'Make sure that you know it.',
  'application.any_program': 'Any program on this computer could be asking in its name.',
  'application.only_if_started': 'Continue only if you have just started this in the application.',
  'application.list': '{applications}, {next}',
  'application.website': 'Website',
  'application.policy': 'Privacy policy',
  'application.terms': 'Terms of service',
  'host.marked': '{host} ({mark})',
  'host.this_computer': 'this computer',
  'host.not_encrypted': 'not encrypted',

  // The consent page
  'consent.title': 'Allow {application}?',
  'consent.heading': 'Allow {application} to use your account?',
  'consent.another_account': 'Use another account',
  'consent.scopes': 'It will be able to',
  'consent.scopes_high': 'It asks for sensitive access',
  'consent.scopes_also': 'It will also be able to',
  'consent.more': { one: 'Show 1 more', other: 'Show {count} more' },
  'consent.offline': 'Keep this access after you sign out',
  'consent.resources': 'With your account at',
  'consent.answer_target': 'After you answer, you will be sent to {host}.',
  'consent.allow': 'Allow',
  'consent.deny': 'Deny',

  // The pages that connect a device
  'device.title': 'Connect a device',
  'device.enter': 'Enter the code that your device shows.',
  'device.code': 'Code',
  'device.continue': 'Continue',
  'device.unknown':
    'This code is not right, or it is not valid any more. Enter the code that your device shows.',
  'device.expired': 'The page was open for too long, or it was answered already. Enter the code again.',
  'device.confirm_title': 'Connect this device?',
  'device.compare': 'Compare this code with the one that your device shows:',
  'device.sent_by_somebody': 'Did somebody send you this code?',
  'device.then_refuse': 'Then refuse.',
  'device.asks': '{application} asks to use your account on a device.',
  'device.any_program': 'Any program could be asking in its name.',
  'device.lasts': {
    one: 'It keeps this access after you sign out, for 1 day at most, until you end it on your account page.',
    other:
      'It keeps this access after you sign out, for {count} days at most, until you end it on your account page.',
  },
  'device.asked_at': 'The device asked on {time}.',
  'device.asked_from': 'The device asked on {time}, from the address {address}.',
  'device.other_address': 'That is not the address of this browser.',
  'device.allow': 'Connect',
  'device.refuse': 'Refuse',
  'device.approved_title': 'The device is connected',
  'device.approved': '{application} can use your account now. Continue on your device.',
  'device.refused_title': 'The device is refused',
  'device.refused': '{application} gets no access.',

  // What a client may do
  'scope.none': 'Know that you are signed in',
  'scope.high': '{scope} (sensitive)',
  // Core describes these scopes with the same texts, which tells them from descriptions of the operator.
  'scope.openid': 'Know who you are',
  'scope.profile': 'See your name and profile',
  'scope.email': 'See your email address',
  'scope.address': 'See your postal address',
  'scope.phone': 'See your phone number',

  // The signed-in user
  'user.signed_in_as': 'Signed in as {name}',

  // The sign-out pages
  'sign_out.title': 'Sign out',
  'sign_out.heading': 'Sign out?',
  'sign_out.asked_by': '{application} asks to sign you out.',
  'sign_out.submit': 'Sign out',
  'sign_out.stay': 'To stay signed in, close this page.',
  'signed_out.title': 'Signed out',
  'signed_out.heading': 'You are signed out',
  'signed_out.nobody': 'Nobody is signed in in this browser',
  'signed_out.redirect_refused':
    'The application wanted to send you to an address that is not registered for it, so you stay here.',
  'signed_out.close': 'You can close this page.',
  'signed_out.back': 'Back to {application}',
  'signed_out.kept': 'Applications that you allowed to stay connected may keep their access.',
  'signed_out.access': 'See and end it on your account page',
  'signed_out.again': 'Sign in again',

  // The account page
  'account.title': 'Your account',
  'account.user': 'Who you are',
  'account.username': 'Username',
  'account.name': 'Name',
  'account.email': 'Email',
  'account.email_unconfirmed': '(not confirmed)',
  'account.not_confirmed':
    'Your browser could not confirm this form, and nothing was changed. Please allow cookies for this site, and try again.',
  'account.throttled': {
    one: 'Too many attempts. Please wait a minute, then try again.',
    other: 'Too many attempts. Please wait {count} minutes, then try again.',
  },
  'account.busy': 'Many people are signing in right now. Please try again in a few seconds.',
  'account.changed_meanwhile':
    'Your account was changed somewhere else just now, so this was not saved. Please try again.',

  // What the account page reports after an action
  'notice.password':
    'Your password is changed. Everywhere else, and in applications, you have to sign in again.',
  'notice.session': 'The other device is signed out.',
  'notice.session_gone': 'That device was signed out already.',
  'notice.others': 'All other devices are signed out.',
  'notice.withdrawn': 'The access is withdrawn. The application has to ask you again.',
  'notice.withdrawn_before': 'This access was withdrawn already.',
  'notice.access_ended': 'The access of the application has ended.',

  // The password section of the account page
  'password.title': 'Password',
  'password.none': 'Your account has no password.',
  'password.change': 'Change your password',
  'password.current': 'Current password',
  'password.new': 'New password',
  'password.new_hint':
    'At least {min} characters. A few words are easier to remember than special characters.',
  'password.new_again': 'Repeat the new password',
  'password.submit': 'Change password',
  'password.effect':
    'You stay signed in here. Everywhere else, and in applications, you have to sign in again.',
  'password.wrong': 'That is not your current password.',
  'password.too_short': 'The new password has fewer than {min} characters.',
  'password.too_long': 'The new password has more than {max} characters.',
  'password.not_repeated': 'The new password is not the same in both fields.',
  'password.not_new': 'The new password is the current one. Choose another.',

  // The sessions on the account page
  'sessions.title': 'Where you are signed in',
  'sessions.more': { one: 'And 1 more, not shown.', other: 'And {count} more, not shown.' },
  'sessions.end_others': 'Sign out everywhere else',
  'sessions.no_others': 'You are not signed in anywhere else.',
  'session.current': 'This device',
  'session.other': 'Another device',
  'session.browser_on': '{browser} on {system}',
  'session.since': 'Signed in {time}',
  'session.since_with': 'Signed in {time} with {methods}',
  'session.last_used': 'Last used {time}',
  'session.used_for': 'Used for {applications}',
  'session.used_for_more': {
    one: 'Used for {applications} and 1 more',
    other: 'Used for {applications} and {count} more',
  },
  'session.end': 'Sign out there',
  'session.sign_out': 'Sign out',

  // Authentication methods (RFC 8176 §2), for the end of `session.since_with`
  'amr.pwd': 'your password',
  'amr.pin': 'a PIN',
  'amr.otp': 'a one-time code',
  'amr.sms': 'a code by text message',
  'amr.tel': 'a phone call',
  'amr.hwk': 'a passkey bound to one device',
  'amr.swk': 'a passkey',
  'amr.sc': 'a smart card',
  'amr.fpt': 'your fingerprint',
  'amr.face': 'your face',

  // The clients on the account page
  'access.title': 'Applications that you allowed',
  'access.none': 'You have not allowed any application to use your account.',
  'access.effect': 'When you withdraw access, the application has to ask you again.',
  'access.more': {
    one: 'And 1 more, which is shown when you have withdrawn some of these.',
    other: 'And {count} more, which are shown when you have withdrawn some of these.',
  },
  'access.withdraw': 'Withdraw',
  'access.withdraw_all': 'Withdraw all',
  'access.withdraw_this': 'Withdraw this',
  'access.inactive': 'This application is no longer in use.',
  'access.here': 'With your account here it can',
  'access.at': 'With your account at {resource} it can',
  'access.offline': 'Keep its access when you are not using it',
  'access.allowed': 'Allowed {day}',
  'access.allowed_again': 'Allowed {day}, last {last}',
  'access.since': 'Has access since {day}',

  // The devices on the account page
  'devices.title': 'Devices',
  'devices.effect': 'Withdrawing ends all access of the application that was given in this way.',
  'devices.since': 'Connected {day}',

  // The page that asks for the password
  'confirm.title': 'Confirm that it is you',
  'confirm.end_session':
    'You signed in here some time ago. To sign out the other device, enter the password of {username}.',
  'confirm.end_others':
    'You signed in here some time ago. To sign out all other devices, enter the password of {username}.',
  'confirm.submit_end_session': 'Sign out the other device',
  'confirm.submit_end_others': 'Sign out all other devices',
  'confirm.back': 'Back to your account',

  // The error page
  'error.code': 'Code: {code}',
  'error.reference': 'Reference: {reference}',
  'error.detail': 'Technical detail: {description}',
  'error.start_again': 'Please start again',
  'error.go_back': 'Go back to the application and start again.',
  'error.expired': 'This request has expired',
  'error.expired_here': 'It took too long, or it was completed already.',
  'error.answered': 'This page was answered before',
  'error.answered_here':
    'Your answer was sent to the application already, or the page was open for too long.',
  'error.answered_advice': 'Go back to the application. If it is still waiting for you, start again there.',
  'error.unknown_client': 'This application is not known here',
  'error.unknown_client_here':
    'The application that you come from is not registered here, or not any more. None of your data was passed on.',
  'error.unregistered_redirect_uri': 'The return address is not known',
  'error.unregistered_redirect_uri_here':
    'The application wants to send you to an address that is not registered for it. None of your data was passed on.',
  'error.foreign_request': 'This request belongs to another application',
  'error.foreign_request_here':
    'The application that you come from has sent a request that another application began. None of your data was passed on.',
  'error.tell_operator': 'Please contact the provider of the application.',
  'error.bad_request': 'The request of the application has a fault.',
  'error.refused': 'The request was refused.',
  'error.method': 'This address does not accept this kind of request.',
  'error.too_large': 'Too much data was sent.',
  'error.not_found': 'There is nothing at this address',
  'error.not_found_advice': 'Check the address, or go back to the application and start again.',
  'error.too_many': 'Too many requests',
  'error.too_many_from': 'There were too many requests from your network or your browser.',
  'error.too_many_advice': 'Please wait a few minutes, then load this page again.',
  'error.unavailable': 'Not available right now',
  'error.unavailable_here':
    'This service cannot answer at the moment. It has nothing to do with you or your account.',
  'error.unavailable_advice':
    'Please wait a few seconds, then load this page again. If that does not help, go back to the application and start again.',
  'error.server': 'Something went wrong',
  'error.server_here': 'The request failed because of an error on this server.',
  'error.server_advice': 'Please wait a moment, then try again.',

  // A form that cannot be read
  'form.wrong_type': 'The form arrived in a format that is not understood.',
  'form.too_large': 'The form arrived with more than {limit} KiB.',
  'form.malformed': 'The form arrived incomplete.',
  'form.account_advice': 'Open your account page and try again.',
} as const satisfies Record<string, Message>

/** The name of a message. */
export type MessageKey = keyof typeof en

/** The names of the parameters of the message with this key. */
export type MessageParameter<Key extends MessageKey> = ParameterOf<(typeof en)[Key]>

/** A message for each key. */
export type Catalog = Readonly<Record<MessageKey, Message>>
