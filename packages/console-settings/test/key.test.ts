/** What a signing key does now. */

import { expect, it } from 'vitest'
import { type ShownKey, stateOf } from '../src/keys/key.ts'

const NOW = 1000
const key = (kid: string, signs_from: number, alg = 'ES256'): ShownKey => ({
  kid,
  alg,
  created_at: 1,
  signs_from,
})

it.each<[string, readonly ShownKey[], readonly string[]]>([
  ['the only key signs', [key('a', 5)], ['signs']],
  ['a key that signs from now on signs', [key('a', NOW), key('b', 5)], ['signs', 'rests']],
  ['a key that signs from the next second on waits', [key('a', NOW + 1), key('b', 5)], ['waits', 'signs']],
  ['a key of another algorithm follows none', [key('a', 9, 'RS256'), key('b', 5)], ['signs', 'signs']],
  [
    'of three, the newest whose time has come signs',
    [key('a', 2), key('b', 7), key('c', 5)],
    ['rests', 'signs', 'rests'],
  ],
])('%s', (_name, keys, states) => {
  expect(keys.map((each) => stateOf(each, keys, NOW))).toEqual(states)
})
