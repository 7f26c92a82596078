import { mailQueueRules } from '@ostiary/test-kit/mail/mail-queue-rules'
import { createLog, openStorage } from '../src/index.ts'

mailQueueRules('mails of a server whose records are in memory', () =>
  openStorage({ kind: 'memory' }, createLog({ write: () => {} })),
)
