import { expect, it } from 'vitest'
import { qrCode } from './qr.js'

const TEXT = 'otpauth://totp/x:y?secret=GEZDGNBV'

it('has fixed colors, one path, and an escaped label', async () => {
  const svg = String(await qrCode(TEXT, '"><script>'))
  expect(svg).toMatch(/viewBox="0 0 (\d+) \1" width="\d+" height="\d+"\s+role=/)
  expect(svg).toContain('role="img" aria-label="&quot;&gt;&lt;script&gt;"')
  expect(svg).toMatch(/<rect width="\d+" height="\d+" fill="#fff"\/>\s<path fill="#000" d="/)
  expect(svg.match(/<path/g)).toHaveLength(1)
  expect(svg).not.toMatch(/style|currentColor|<script/)
})
