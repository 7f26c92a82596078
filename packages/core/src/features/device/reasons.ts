/** The catalog: why a device authorization request, a poll, or a user code is refused (RFC 8628). */

import { reasons } from '../../util/reason.js'

export const DEVICE_REASONS = reasons({
  not_a_device_client: {
    sent: 'client_id',
    hint: 'Add urn:ietf:params:oauth:grant-type:device_code to the grant_types of the client. oidc.clients.device_authorization says which clients may have it; one that registered itself never may.',
  },
  authorization_pending:
    'Nothing is wrong: the user has not answered yet. The device polls again after the interval.',
  slow_down: 'The device polls too often: it has to wait 5 seconds longer between two polls (RFC 8628 §3.5).',
  expired_token:
    'The user has not answered in time, or the device has not polled: start a new device authorization request.',
  device_refused:
    'The user has refused the device: start a new device authorization request only if the user asks for it.',
  device_approval_ended:
    'After the approval and before the poll, the user has signed out, changed the password or withdrawn the access, or was disabled.',
  unknown_device_code:
    'The device_code is not known here: send it as it came, to the issuer that made it. 20 minutes after its request it is forgotten.',
  redeemed_device_code:
    'The device_code has given its tokens already. Stop polling with the first answer that has tokens.',
  too_many_device_requests: {
    sent: 'client_id',
    hint: 'More than 20 devices of this client have begun from one address within ten minutes: answer or wait.',
  },
  unknown_user_code:
    'The code was mistyped, has expired, or was answered already. Many of these from one address are guesses.',
  too_many_user_codes:
    'Too many codes that are not right were entered within ten minutes. To reset the counters: throttle reset.',
  bad_device_confirmation:
    'The page that asks was open for too long or in another session, or the device was answered before, or its client has changed.',
  bad_device_answer: {
    sent: 'answer',
    hint: 'The form of an own page has to send answer with the value allow or refuse.',
  },
})
