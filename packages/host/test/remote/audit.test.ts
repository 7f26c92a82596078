/** The commands about the audit and administrators over the admin API: they do what they do on the machine. */

import { describe, it } from 'vitest'
import { AUDIT_ROWS } from './_audit-rows.ts'
import { casesOf, compareBoth } from './_compare.ts'

describe('a command over the admin API', () => {
  it.each(casesOf(AUDIT_ROWS))('$title', (one) => compareBoth(one))
})
