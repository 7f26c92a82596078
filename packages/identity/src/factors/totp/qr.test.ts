import { encode } from 'uqr'
import { expect, it } from 'vitest'
import { qrCode } from './qr.js'

const TEXT = 'otpauth://totp/x:y?secret=GEZDGNBV'

/** The modules that a path covers. */
function modulesOf(svg: string, size: number): boolean[][] {
  const modules = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  const [, d = ''] = / d="([^"]*)"/.exec(svg) ?? []
  for (const [, x, y, width] of d.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    for (let index = 0; index < Number(width); index += 1)
      modules[Number(y)]?.splice(Number(x) + index, 1, true)
  return modules
}

it('draws the modules of the code, with a quiet zone of 4', async () => {
  const svg = String(await qrCode(TEXT, 'label'))
  const { data, size } = encode(TEXT, { ecc: 'L', border: 4 })
  expect(svg).toContain(`viewBox="0 0 ${size} ${size}"`)
  expect(modulesOf(svg, size)).toEqual(data)
  const edge = modulesOf(svg, size).flatMap((row, y) =>
    row.filter((dark, x) => dark && (Math.min(x, y) < 4 || Math.max(x, y) >= size - 4)),
  )
  expect(edge).toEqual([])
  // The finder pattern begins right after it.
  expect(modulesOf(svg, size)[4]?.slice(4, 12).join()).toBe('true,true,true,true,true,true,true,false')
})

it('has fixed colors, one path, and an escaped label', async () => {
  const svg = String(await qrCode(TEXT, '"><script>'))
  expect(svg).toContain('role="img" aria-label="&quot;&gt;&lt;script&gt;"')
  expect(svg).toMatch(/<rect width="\d+" height="\d+" fill="#fff"\/><path fill="#000" d="/)
  expect(svg.match(/<path/g)).toHaveLength(1)
  expect(svg).not.toMatch(/style|currentColor|<script/)
})
