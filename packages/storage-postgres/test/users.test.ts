import { memoryUsers } from '@ostiary/identity'
import { userRules } from '@ostiary/test-kit/user-rules'
import { expect, it } from 'vitest'
import { postgresUsers } from '../src/index.js'
import { migratedDatabase } from './_setup.js'
import { recorded, unexplained } from './_statements.js'

userRules('users in memory', async () => ({ users: memoryUsers(), close: async () => {} }))

let texts = new Set<string>()
userRules('users in PostgreSQL', async () => {
  const { executor, drop } = await migratedDatabase()
  const recording = recorded(executor)
  texts = recording.texts
  return { users: postgresUsers(recording.executor), close: drop }
})

it('plans.long.test.ts explains every statement that the rules for users cause', async () => {
  expect(texts.size).toBeGreaterThan(5)
  expect(await unexplained(texts)).toEqual([])
})
