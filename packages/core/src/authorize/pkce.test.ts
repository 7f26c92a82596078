import { describe, expect, it } from 'vitest'
import { portableHashes, sha256 } from '../util/secret.js'
import { isCodeChallenge, verifyPkce } from './pkce.js'

// RFC 7636, Appendix B.
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

describe('isCodeChallenge: 43 to 128 characters of the unreserved set', () => {
  it.each<[string, string, boolean]>([
    ['the example', CHALLENGE, true],
    ['43', 'x'.repeat(43), true],
    ['128', 'x'.repeat(128), true],
    ['all kinds', `AZaz09-._~${'x'.repeat(33)}`, true],
    ['empty', '', false],
    ['42', 'x'.repeat(42), false],
    ['129', 'x'.repeat(129), false],
    ...['=', '+', '/', ' ', '%', 'é', '\n', '\0'].map((character): [string, string, boolean] => [
      JSON.stringify(character),
      'x'.repeat(50) + character,
      false,
    ]),
  ])('%s', (_, value, expected) => {
    expect(isCodeChallenge(value)).toBe(expected)
  })
})

describe('verifyPkce', () => {
  it.each<[string, string, string, boolean]>([
    ['the example', VERIFIER, CHALLENGE, true],
    ['another verifier', VERIFIER.replace('d', 'e'), CHALLENGE, false],
    ['another challenge', VERIFIER, CHALLENGE.replace('E', 'F'), false],
    ['the challenge as its own verifier (plain)', CHALLENGE, CHALLENGE, false],
    ['the challenge cut short', VERIFIER, CHALLENGE.slice(0, -1), false],
    ['the challenge with more', VERIFIER, `${CHALLENGE}x`, false],
    ['empty', '', CHALLENGE, false],
  ])('%s', async (...[_, verifier, challenge, expected]) => {
    expect(await verifyPkce(verifier, challenge, portableHashes)).toBe(expected)
  })

  it.each([42, 129])('a verifier of %i characters is refused although its hash fits', async (length) => {
    const verifier = 'x'.repeat(length)
    expect(await verifyPkce(verifier, sha256(verifier), portableHashes)).toBe(false)
  })
})
