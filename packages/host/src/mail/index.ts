/** What sends mails: loaded only where a realm sends some. Its folder of dist has a size limit of its own. */

export { checkMail } from './check-mail.js'
export { smtpMailers } from './smtp-mailers.js'
