/** A command, a start and the doctor give one advice for a database that cannot be used. */

import { diagnoseFailure } from '@ostiary/storage-postgres'
import { expect, it } from 'vitest'
import { DATABASE_SUBJECT, storageError } from '../src/storage/storage-error.js'

const failure = (code: string) => Object.assign(new Error('as the driver says it'), { code })

it.each([
  ['ECONNREFUSED', 'Start it'],
  ['ENOTFOUND', 'Start it'],
  ['CONNECT_TIMEOUT', 'Start it'],
  ['57P03', 'Start it'],
  ['3D000', 'Create it (createdb)'],
  ['28P01', 'Correct both in DATABASE_URL'],
  ['28000', 'Correct both in DATABASE_URL'],
  ['42501', 'Grant the privilege'],
])('%s', (code, begin) => {
  const { advice } = diagnoseFailure(failure(code), 'the database') ?? {}
  expect(advice).toContain(begin)
  const { message } = storageError(DATABASE_SUBJECT, failure(code))
  expect(message).toBe(`${DATABASE_SUBJECT} cannot be used: as the driver says it. ${advice}`)
})

it('an error of several addresses has the code of the first one', () => {
  const error = new AggregateError([failure('ECONNREFUSED')], '')
  expect(storageError(DATABASE_SUBJECT, error).message).toContain('Start it')
})

it('an unknown error, and one of the embedded database, names no server', () => {
  expect(diagnoseFailure(failure('XX000'), 'the database')).toBeNull()
  expect(storageError(DATABASE_SUBJECT, failure('XX000')).message).toMatch(/driver says it$/)
  expect(storageError('The embedded database /x', failure('EACCES')).message).toMatch(/driver says it$/)
})
