import { expect, it } from 'vitest'
import { parsedResponse } from '../src/response.js'

it.each([
  ['a response', '{"id":"x"}', { id: 'x' }],
  ['20,480 characters', `"${'x'.repeat(20_478)}"`, 'x'.repeat(20_478)],
  ['20,481 characters', `"${'x'.repeat(20_479)}"`, null],
  ['no JSON', '{', null],
  ['an empty field', '', null],
])('reads %s', (_, text, value) => {
  expect(parsedResponse(text)).toEqual(value)
})
