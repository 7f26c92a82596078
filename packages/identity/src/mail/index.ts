export type { ClaimedMail, MailClaim, MailQueue, QueuedMail } from './mail-queue.js'
export { MailError, type Mailer, type OutgoingMail } from './mailer.js'
export { memoryMailQueue } from './memory-mail-queue.js'
