import { encode } from 'uqr'
import { expect, it } from 'vitest'
import { qrPath } from '../src/index.js'

const TEXT = 'otpauth://totp/x:y?secret=GEZDGNBV'

/** The modules that a path covers. */
function modulesOf(d: string, size: number): boolean[][] {
  const modules = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  for (const [, x, y, width] of d.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    for (let index = 0; index < Number(width); index += 1)
      modules[Number(y)]?.splice(Number(x) + index, 1, true)
  return modules
}

it('draws the modules of the code, with a quiet zone of 4', async () => {
  const { d, size: drawn } = await qrPath(TEXT)
  const { data, size } = encode(TEXT, { ecc: 'L', border: 4 })
  expect(drawn).toBe(size)
  const modules = modulesOf(d, size)
  expect(modules).toEqual(data)
  const edge = modules.flatMap((row, y) =>
    row.filter((dark, x) => dark && (Math.min(x, y) < 4 || Math.max(x, y) >= size - 4)),
  )
  expect(edge).toEqual([])
  // The finder pattern begins right after it.
  expect(modules[4]?.slice(4, 12).join()).toBe('true,true,true,true,true,true,true,false')
})
