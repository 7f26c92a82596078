/** The commands about the audit and administrators over the admin API: they do what they do on the machine. */

import { describe, it } from 'vitest'
import { LONG } from '../../../../vitest.shared.ts'
import { AUDIT_ROWS } from './_audit-rows.ts'
import { casesOf, compareBoth } from './_compare.ts'

const CASES = casesOf(AUDIT_ROWS)

describe('a command over the admin API', () => {
  it.each(LONG ? CASES.slice(2) : CASES.slice(0, 2))('$title', (one) => compareBoth(one))
})
