import { describe, expect, it } from 'vitest'
import { MAX_MIN_LENGTH, type PasswordRulesOptions, passwordRules } from './password-rules.js'

const REALM = {
  id: 'default',
  issuer: 'https://id.example.com/oidc',
  product: 'Example Shop',
  second_factor_required: false,
}
const ANN = { username: 'ann.smith', email: 'Ann@Mail.example' }

const check = (password: string, options: PasswordRulesOptions = {}, owner: Partial<typeof ANN> = {}) =>
  passwordRules(options)(REALM).check({ ...ANN, ...owner, password })

describe('the minimum length', () => {
  it.each([
    ['a password alone signs in', false, undefined, 15],
    ['a second factor is required', true, undefined, 8],
    ['it is set to the lowest', false, 8, 8],
    ['it is set to the highest', true, MAX_MIN_LENGTH, 64],
  ])('where %s', (...[, second_factor_required, min_length, expected]) => {
    const options = min_length === undefined ? {} : { min_length }
    expect(passwordRules(options)({ ...REALM, second_factor_required }).min_length).toBe(expected)
  })

  it.each([7, MAX_MIN_LENGTH + 1, 8.5, Number.NaN])('cannot be %d', (min_length) => {
    expect(() => passwordRules({ min_length })).toThrow('min_length: give a whole number from 8 to 64')
  })
})

describe('a new password', () => {
  it.each([
    // Fewer than five different characters.
    ['abcdabcdabcdabcd', 'few_characters'],
    ['abcdeabcdabcdabc', 'accepted'],
    ['', 'few_characters'],
    ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'few_characters'],
    // One emoji is one character of two code units, and a combined letter is one character in either form.
    ['😀😁😂😃😀😁😂😃😀😁😂😃😀😁😂', 'few_characters'],
    ['😀😁😂😃😄😀😁😂😃😄😀😁😂😃😄', 'accepted'],
    ['éèêëe\u0301e\u0300e\u0302e\u0308', 'few_characters'],
    ['éèêëa\u0308e\u0301e\u0300e\u0302e\u0308', 'accepted'],
    ['\ud800\ud801\ud802\ud803\ud800\ud801', 'few_characters'],
    ['\ud800\ud801\ud802\ud803\udc00\ud804\ud805', 'accepted'],
    // The name, the address, the product and the host.
    ['ann.smith', 'own_name'],
    ['Ann.Smith20261', 'own_name'],
    ['ann.smith 2026', 'accepted'],
    ['ann.smith2026!', 'accepted'],
    ['2026ann.smith', 'accepted'],
    ['ann@mail.example', 'own_name'],
    ['ANN@mail.example123', 'own_name'],
    ['ann@mail.example.123', 'accepted'],
    ['example shop', 'own_name'],
    ['Example Shop12345678', 'own_name'],
    ['example shops', 'accepted'],
    ['id.example.com', 'own_name'],
    ['ID.EXAMPLE.COM1', 'own_name'],
    ['id.example.co', 'accepted'],
    // Variants of width and of composition.
    ['ａｎｎ．ｓｍｉｔｈ２０２６', 'own_name'],
    // Common.
    ['1q2w3e4r5t6y7u8i', 'accepted'],
    ['password1', 'common'],
    ['PASSWORD1', 'common'],
    ['ｐａｓｓｗｏｒｄ１', 'common'],
    // With digits after it.
    ['password123456789', 'common'],
    ['Password1234567', 'common'],
    ['ｐａｓｓｗｏｒｄ２０２６２０２６', 'common'],
    ['12345678password', 'accepted'],
    ['83719283712938471', 'accepted'],
    ['password 1', 'accepted'],
    ['password1\u0301', 'accepted'],
    ['correct horse battery staple', 'accepted'],
  ])('%j: %s', async (password, expected) => {
    expect(await check(password)).toBe(expected)
  })

  it('of 1,024 characters is checked, and of a million too, in linear time', async () => {
    expect(await check(`${'abcdefgh'.repeat(128)}`)).toBe('accepted')
    expect(await check(`ann.smith${'7'.repeat(1015)}`)).toBe('own_name')
    expect(await check(`ann.smith${'12345'.repeat(200_000)}x`)).toBe('accepted')
  })

  it.each([
    ['whose name ends with digits', 'annie2024', 'annie2024', 'own_name'],
    ['whose name ends with digits, and more of them', 'annie2024', 'annie20249', 'own_name'],
    ['whose name ends with digits, and fewer of them', 'ann.smith2024', 'ann.smith202', 'accepted'],
    ['whose name is an address: the part before @', 'bob.jones@x.example', 'Bob.Jones99', 'own_name'],
    ['whose name is in another composition', 'Ame\u0301lie-x', 'amélie-x1', 'own_name'],
    ['whose name has a letter of two cases in Turkish', 'İstanbul-x', 'i̇stanbul-x1', 'own_name'],
  ])('of a user %s', async (...[, username, password, expected]) => {
    expect(await check(password, {}, { username })).toBe(expected)
  })

  it('of two users is compared with the name of its own user alone', async () => {
    expect(await check('ann.smith1')).toBe('own_name')
    expect(await check('ann.smith1', {}, { username: 'bob' })).toBe('accepted')
  })

  it('is compared with no name where there is none', async () => {
    const realm = passwordRules()({ ...REALM, product: null })
    expect(await realm.check({ username: 'ann', email: null, password: '12345987' })).toBe('accepted')
  })
})

describe('passwords of the operator', () => {
  it('are refused beside the common ones, in every case and width', async () => {
    const options = { also_refused: ['Straßenbahn 7', 'ＡＣＭＥ rocket'] }
    expect(await check('STRASSENBAHN 7', options)).toBe('accepted')
    expect(await check('straßenbahn 7', options)).toBe('common')
    expect(await check('Acme Rocket', options)).toBe('common')
    expect(await check('Acme Rockets', options)).toBe('accepted')
    expect(await check('password1', options)).toBe('common')
  })

  it('may replace the common ones, in a runtime without files', async () => {
    const asked: string[] = []
    const has = (folded: string) => {
      asked.push(folded)
      return folded === 'tiger-lily'
    }
    expect(await check('Tiger-Lily', { blocklist: { has } })).toBe('common')
    expect(await check('password1', { blocklist: { has } })).toBe('accepted')
    expect(asked).toEqual(['tiger-lily', 'password1', 'password'])
  })
})

describe('a service of compromised passwords', () => {
  const PASSWORD = 'Tiger lily 77'
  const hashOf = async (text: string) =>
    Buffer.from(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text)))
      .toString('hex')
      .toUpperCase()

  it('learns five digits of the hash, and nothing of a password that is refused anyway', async () => {
    const asked: unknown[][] = []
    const compromised = async (...given: unknown[]) => {
      asked.push(given)
      return []
    }
    const hash = await hashOf(PASSWORD)
    for (const password of ['password1', 'aaaaaaaaaaaa', 'ann.smith1', PASSWORD])
      await check(password, { compromised })
    expect(asked).toEqual([[hash.slice(0, 5), expect.any(AbortSignal)]])
  })

  it.each([
    ['upper case', (rest: string) => ['0'.repeat(35), rest], 'compromised'],
    ['lower case', (rest: string) => [rest.toLowerCase()], 'compromised'],
    ['no end of this hash', () => ['0'.repeat(35)], 'accepted'],
    ['a part of the end', (rest: string) => [rest.slice(1), `${rest}0`], 'accepted'],
    ['it as the last end that is read', (rest: string) => [...Array(19_999).fill('0'), rest], 'compromised'],
    ['as many ends as are read, without it', () => Array(20_000).fill('0'), 'accepted'],
    ['more ends than are read', (rest: string) => [...Array(20_000).fill('0'), rest], 'unchecked'],
  ])('that answers with %s', async (_, answer, expected) => {
    const hash = await hashOf(PASSWORD)
    const compromised = async () => answer(hash.slice(5))
    expect(await check(PASSWORD, { compromised })).toBe(expected)
  })

  it('is not read for ever', async () => {
    const endless = function* () {
      for (;;) yield ''
    }
    expect(await check(PASSWORD, { compromised: async () => endless() })).toBe('unchecked')
  })

  it.each([
    ['rejects', () => Promise.reject(new Error('down'))],
    [
      'throws',
      () => {
        throw new Error('down')
      },
    ],
    ['answers with what is no list', () => Promise.resolve(null as unknown as string[])],
    ['never answers', () => new Promise<never>(() => {})],
  ])('that %s lets the password through, and the answer says so', async (_, compromised) => {
    // The timer of a signal keeps no process alive.
    const alive = setInterval(() => {}, 1000)
    expect(await check(PASSWORD, { compromised })).toBe('unchecked')
    clearInterval(alive)
  })
})
