import { expect, it } from 'vitest'
import { auditFaults, createAudit, memoryAuditStore } from '../src/index.ts'

it('keep_days is from 1 to 3650, and events is one of two', () => {
  for (const keep_days of [1, 3650]) expect(auditFaults({ keep_days, events: 'all' })).toEqual([])
  for (const keep_days of [0, 3651, 1.5])
    expect(auditFaults({ keep_days, events: 'security' })).toMatchObject([{ path: 'keep_days' }])
  expect(auditFaults({ keep_days: 1, events: 'some' as 'all' })).toMatchObject([{ path: 'events' }])
  const settings = { keep_days: 0, events: 'all' } as const
  expect(() => createAudit({ store: memoryAuditStore(), settings })).toThrow('settings.keep_days')
})
