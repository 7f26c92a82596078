/**
 * What is loaded with the first request to the account page, to a page of links or mails, or with the first mail: one file, since each is
 * small and they have much in common.
 */

export { accountVisit, getAccount, postAccount } from './account/account.js'
export { sendCode, sendSignUp, sendToAddress } from './mail/ask-mail.js'
export { createMailSender } from './mail/delivery.js'
export { getForgot, postForgot } from './mail/forgot.js'
export { inviteUser } from './mail/invite-user.js'
export { addNotices } from './mail/notices.js'
export { getReset, postReset } from './mail/reset.js'
export { answerRegain as getRegain, answerRegain as postRegain } from './recovery/by-mail.js'
export { getTicket, postTicket } from './recovery/tickets.js'
