/** The lines of a text field. */

import { expect, it } from 'vitest'
import { linesIn } from '../src/pages/parts.ts'

it('lines have no spaces around them, and empty ones are left out', () => {
  expect(linesIn(' a \r\n\n  \rb c\n')).toEqual(['a', 'b c'])
})

it('a line that was stored with spaces stays as it is', () => {
  expect(linesIn(' a\n b\n ', [' a', ' '])).toEqual([' a', 'b', ' '])
})
