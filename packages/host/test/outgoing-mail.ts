import type { OutgoingMail } from '@ostiary/identity/mail'

/** A mail to Ann. */
export const outgoing = (changes: Partial<OutgoingMail> = {}): OutgoingMail => ({
  from: 'Example <id@example.com>',
  to: 'ann@example.org',
  subject: 'Confirm your address',
  text: 'Open this link:\nhttps://id.example.com/login/ticket?t=abc\n',
  html: '<p>Open <a href="https://id.example.com/login/ticket?t=abc">this link</a></p>',
  message_id: 'AAAAAAAAAAAAAAAAAAAAAA@id.example.com',
  headers: { 'Auto-Submitted': 'auto-generated' },
  ...changes,
})
