import { MIGRATIONS } from '@ostiary/storage-postgres'
import { expect, it } from 'vitest'
import { SCHEMA, schemaOf } from '../src/schema.js'

it('the checksum in schema.ts is that of the migrations', () => {
  expect(SCHEMA).toBe(schemaOf(MIGRATIONS))
})
