import { expect, it } from 'vitest'
import { importedTimeFault } from './imported-times.ts'

const NOW = 1_800_000_000
const DAY = 86_400
const YEAR = 366 * DAY

const PAST = [
  'client_id_issued_at',
  'revoked_at',
  'fetched_at',
  'changed_at',
  'created_at',
  'updated_at',
  'disabled_at',
]

it.each(PAST)('%s is at most 300 seconds ahead: clocks differ', (field) => {
  const fault = 'is more than 300 seconds in the future: compare the clocks of the two servers'
  expect(importedTimeFault({ [field]: NOW + 300 }, NOW)).toBeNull()
  expect(importedTimeFault({ [field]: NOW + 301 }, NOW)).toEqual({ field, fault })
  expect(importedTimeFault({ [field]: null }, NOW)).toBeNull()
})

it.each([
  ['fresh_until', DAY],
  ['expires_at', 90 * DAY],
])('%s of a document is at most %i seconds after fetched_at', (field, seconds) => {
  const fetched_at = NOW - 1000
  expect(importedTimeFault({ fetched_at, [field]: fetched_at + seconds }, NOW)).toBeNull()
  const fault = `is more than ${seconds} seconds after fetched_at`
  expect(importedTimeFault({ fetched_at, [field]: fetched_at + seconds + 1 }, NOW)).toEqual({ field, fault })
})

it.each(['expires_at', 'signs_from', 'not_before'])('%s is at most a year in the future', (field) => {
  expect(importedTimeFault({ [field]: NOW + YEAR }, NOW)).toBeNull()
  const fault = 'is more than a year in the future'
  expect(importedTimeFault({ [field]: NOW + YEAR + 1 }, NOW)).toEqual({ field, fault })
})

it('looks at no other member', () => {
  expect(importedTimeFault({ access_token_lifetime: 2 ** 53, client_name: 'later' }, NOW)).toBeNull()
})
