import { expect, it } from 'vitest'
import { firstLines } from './first-lines.js'

it('knows the first line of each text, however many there are', () => {
  const first = firstLines()
  // The table grows seven times.
  for (let line = 1; line <= 50_000; line += 1) expect(first(`user ${line}`, line)).toBeNull()
  for (let line = 1; line <= 50_000; line += 997) expect(first(`user ${line}`, 60_000)).toBe(line)
  expect(first('user 0', 60_000)).toBeNull()
  expect(first('user 0', 60_001)).toBe(60_000)
})
