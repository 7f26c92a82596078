/** Programs of others read what we make: oathtool makes the code, and zbarimg reads the QR code. */

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installDebian, succeeds } from '@ostiary/test-kit/debian'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { acceptedStep, base32, groupedSecret, newTotpSecret, totpUri } from '@ostiary/totp'
import { beforeAll, expect, it } from 'vitest'
import { qrCode } from '../src/factors/totp/qr.js'

/** The packages of Debian, and their programs. */
const PROGRAMS: Record<string, string> = {
  oathtool: 'oathtool',
  'zbar-tools': 'zbarimg',
  'librsvg2-bin': 'rsvg-convert',
}

beforeAll(() => {
  const missing = Object.entries(PROGRAMS).flatMap(([name, program]) =>
    succeeds(program, '--version') ? [] : [name],
  )
  if (missing.length > 0 && !installDebian(missing, 'the tests of one-time codes'))
    throw new Error(
      `These tests need packages of Debian: apt-get install ${missing.join(' ')}. As root on Debian they install them themselves.`,
    )
})

const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' }).trim()

it('accepts the codes of oathtool for the text of a secret, and no other', () => {
  for (let round = 0; round < 20; round += 1) {
    const secret = newTotpSecret()
    const now = 1_700_000_000 + round * 12_345_678
    const text = round % 2 === 0 ? base32(secret) : groupedSecret(secret)
    // `--window 3`: the codes of this step and of the three after it.
    const options = ['--totp', '--base32', '--window', '3', '--now', `@${now - 30}`]
    const codes = run('oathtool', ...options, text).split('\n')
    const step = Math.floor(now / 30)
    const steps = codes.map((code) => acceptedStep(secret, code, { now, last_step: 0 }))
    expect(steps).toEqual([step - 1, step, step + 1, null])
  }
})

it.each([
  ['short names', 'Ostiary', 'ann'],
  ['punctuation', 'A/B: 100% (localhost:3000)', 'urn:a&secret=b?c#d+e'],
  ['a long Unicode name', 'Bücherstube Łódź 山田書店 (id.example)', 'Zoë 山田太郎 😀 عبد الله '.repeat(11)],
])('zbarimg reads the URI with %s from the picture', async (_, issuer, username) => {
  const folder = await temporaryFolder()
  const svg = join(folder, 'code.svg')
  const png = join(folder, 'code.png')
  const uri = totpUri(newTotpSecret(), { issuer, username })
  writeFileSync(svg, String(await qrCode(uri, 'QR code')))
  // A dark page: the code brings its own light ground.
  run('rsvg-convert', '--background-color', '#000', '--output', png, svg)
  expect(run('zbarimg', '--quiet', '--raw', png)).toBe(uri)
})
