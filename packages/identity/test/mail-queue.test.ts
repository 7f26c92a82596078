import { mailQueueRules } from '@ostiary/test-kit/mail/mail-queue-rules'
import { memoryMailQueue } from '../src/mail/index.js'

mailQueueRules('mails in memory', async () => ({ mails: memoryMailQueue(), close: async () => {} }))
