export type { MailDelivery, MailOptions, RealmMail } from '../outbox/mail-options.js'
export type { ClaimedMail, MailClaim, MailQueue, QueuedMail } from '../outbox/mail-queue.js'
export {
  type MailResealReport,
  type MailSurvey,
  resealMails,
  type SealedMails,
  surveyMails,
} from '../outbox/mail-walk.js'
export { MailError, type Mailer, type OutgoingMail } from '../outbox/mailer.js'
export { memoryMailQueue } from '../outbox/memory-mail-queue.js'
export {
  type MailThrottle,
  type MailThrottleOptions,
  type MailThrottleSelection,
  type MailThrottles,
  mailThrottles,
} from './throttles.js'
