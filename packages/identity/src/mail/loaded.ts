/** What is loaded with the first page or mail of a realm that mails. */

export { createMailSender } from './delivery.js'
export { getForgot, postForgot, sendSignUp } from './forgot.js'
export { inviteUser } from './invite-user.js'
export { addNotices } from './notices.js'
export { getReset, postReset } from './reset.js'
