import { describe, expect, it } from 'vitest'
import { isAddress, parseMailbox } from '../src/network/mailbox.ts'

describe('a mailbox', () => {
  it.each([
    ['id@example.com', '', 'id@example.com'],
    ['<id@example.com>', '', 'id@example.com'],
    ['Example <id@example.com>', 'Example', 'id@example.com'],
    ['Example Inc. <id@example.com>', 'Example Inc.', 'id@example.com'],
    ['"Example, Inc." <id@example.com>', 'Example, Inc.', 'id@example.com'],
    ['"a \\"b\\" \\\\" <id@example.com>', 'a "b" \\', 'id@example.com'],
    ['Müller <müller@exämple.com>', 'Müller', 'müller@exämple.com'],
    ["o'neil+tag=x@a-b.example", '', "o'neil+tag=x@a-b.example"],
    [`${'a'.repeat(200)} <id@example.com>`, 'a'.repeat(200), 'id@example.com'],
  ])('%s', (text, name, address) => {
    expect(parseMailbox(text)).toEqual({ name, address })
  })

  it.each([
    '',
    'Example',
    'id@',
    '@example.com',
    'id@@example.com',
    '.id@example.com',
    'i..d@example.com',
    'id.@example.com',
    'id@example..com',
    'id@example.com.',
    'id@[192.0.2.1]',
    '"i d"@example.com',
    'i d@example.com',
    'Example, Inc. <id@example.com>',
    'Example <id@example.com',
    'Example id@example.com>',
    'Example <id@example.com> x',
    'a <b@example.com> <id@example.com>',
    'id@example.com, eve@example.net',
    '"Example <id@example.com>',
    '"a"b" <id@example.com>',
    'Exam\nple <id@example.com>',
    'Example <id@example.com\r\n>',
    `${'a'.repeat(201)} <id@example.com>`,
  ])('is refused: %j', (text) => {
    expect(parseMailbox(text)).toBeNull()
  })
})

it('an address has 254 characters at most', () => {
  const longest = `id@${'a'.repeat(240)}.example.com`
  expect(longest).toHaveLength(255)
  expect(isAddress(longest)).toBe(false)
  expect(isAddress(longest.replace('aa', 'a'))).toBe(true)
})
