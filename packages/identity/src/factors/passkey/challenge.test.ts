import { expect, it } from 'vitest'
import { acceptedHashes } from '../../web/keyed-hash.js'
import { type ChallengeBinding, createChallenges } from './challenge.js'

const SECRET = 'a secret of this test, 32 characters'
const OTHER_SECRET = 'another secret of this test, 32 char'
const NOW = 1_800_000_000
const USE = 'passkey'
const challenges = createChallenges(acceptedHashes({ secret: SECRET }, USE))
const binding: ChallengeBinding = { realm: 'main', browser: 'b'.repeat(43), bound_to: '/login?x=1' }

it('is verified with the same challenge, and has an id of its own', () => {
  const one = challenges.issue(binding, NOW)
  const two = challenges.issue(binding, NOW)
  const first = challenges.verify(one.ticket, binding, NOW)
  expect(first).toEqual({
    challenge: one.challenge,
    id: expect.stringMatching(/^[\w-]{43}$/),
    expires_at: NOW + 600,
  })
  expect(Buffer.from(one.challenge, 'base64url')).toHaveLength(32)
  expect(challenges.verify(one.ticket, binding, NOW)).toEqual(first)
  expect(two.challenge).not.toBe(one.challenge)
  expect(challenges.verify(two.ticket, binding, NOW)?.id).not.toBe(first?.id)
  expect(first?.id).not.toBe(one.challenge)
})

it.each([
  ['another browser', { browser: 'c'.repeat(43) }],
  ['another binding', { bound_to: '/login?x=2' }],
  ['another realm', { realm: 'other' }],
  ['values that are divided elsewhere', { realm: `main","${'b'.repeat(43)}`, browser: '' }],
])('is refused for %s', (_, other) => {
  const { ticket } = challenges.issue(binding, NOW)
  expect(challenges.verify(ticket, { ...binding, ...other }, NOW)).toBeNull()
})

it.each([
  [0, true],
  [299, true],
  [300, true],
  [301, false],
  [86_400, false],
  [-5, true],
  [-6, false],
])('after %i seconds is good: %s', (seconds, good) => {
  const { ticket } = challenges.issue(binding, NOW)
  expect(challenges.verify(ticket, binding, NOW + seconds) !== null).toBe(good)
})

it('is refused when any character of the ticket is another', () => {
  const { ticket } = challenges.issue(binding, NOW)
  expect(ticket).toHaveLength(50)
  for (let i = 0; i < ticket.length; i++) {
    const altered = ticket.slice(0, i) + (ticket[i] === 'A' ? 'B' : 'A') + ticket.slice(i + 1)
    expect(challenges.verify(altered, binding, NOW)).toBeNull()
  }
})

it.each(['', 'x', 'x'.repeat(49), 'x'.repeat(51), '='.repeat(50), 'é'.repeat(50)])(
  'refuses the ticket %j',
  (ticket) => {
    expect(challenges.verify(ticket, binding, NOW)).toBeNull()
  },
)

it('refuses a ticket with more at its end', () => {
  const { ticket } = challenges.issue(binding, NOW)
  for (const more of ['A', '=', '\n', ' ']) expect(challenges.verify(ticket + more, binding, NOW)).toBeNull()
})

it('is good under the previous secret, and new ones are made under the current one', () => {
  const { ticket, challenge } = challenges.issue(binding, NOW)
  const changed = createChallenges(acceptedHashes({ secret: OTHER_SECRET, previous_secret: SECRET }, USE))
  expect(changed.verify(ticket, binding, NOW)).toMatchObject({ challenge })
  expect(challenges.verify(changed.issue(binding, NOW).ticket, binding, NOW)).toBeNull()
})

it('is refused under another secret, and for another use of the same', () => {
  const { ticket } = challenges.issue(binding, NOW)
  for (const hashes of [
    acceptedHashes({ secret: OTHER_SECRET }, USE),
    acceptedHashes({ secret: SECRET }, 'csrf'),
  ])
    expect(createChallenges(hashes).verify(ticket, binding, NOW)).toBeNull()
})

it('does not show the challenge in the ticket', () => {
  const { ticket, challenge } = challenges.issue(binding, NOW)
  expect(challenge.startsWith(ticket.slice(28))).toBe(false)
})
