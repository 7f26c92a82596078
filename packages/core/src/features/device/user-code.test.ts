import { describe, expect, it } from 'vitest'
import { newUserCode, parseUserCode, shownUserCode } from './user-code.js'

describe('a user code', () => {
  it('has 8 characters, of which each of the 20 is as likely as the others', () => {
    let next = 0
    // Every byte as often as the others.
    const random = (length: number) => Uint8Array.from({ length }, () => next++ % 256)
    const counts = new Map<string, number>()
    for (let n = 0; n < 3000; n += 1)
      for (const character of newUserCode(random)) counts.set(character, (counts.get(character) ?? 0) + 1)
    expect([...counts.keys()].sort().join('')).toBe('BCDFGHJKLMNPQRSTVWXZ')
    expect(new Set(counts.values())).toEqual(new Set([1200]))
  })

  it('is shown with a dash', () => {
    expect(shownUserCode('WDJBMJHT')).toBe('WDJB-MJHT')
  })

  it.each([
    ['WDJB-MJHT', 'WDJBMJHT'],
    ['wdjb mjht', 'WDJBMJHT'],
    ['\tw d j b\u2010m\u2013j\u2014h t\n', 'WDJBMJHT'],
    ['WDJB-MJH', null],
    ['WDJB-MJHTT', null],
    ['WDJB-MJHA', null],
    ['WDJB_MJHT', null],
    ['', null],
    ['ſDJB-MJHT', 'SDJBMJHT'],
  ])('that is entered as %j is %j', (entered, code) => {
    expect(parseUserCode(entered)).toBe(code)
  })
})
