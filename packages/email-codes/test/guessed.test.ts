/** The code is known to the one who tries it, though no mail had it: where no mail is sent, no code is right. */

import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import type { Extension } from '@ostiary/identity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserAt, isSignedIn, place, reasons } from './_place.js'

const CODE = 'BBBBBBBB'
const { randomInt } = crypto

function setRandomInt(value: () => number): void {
  crypto.randomInt = value as typeof randomInt
  syncBuiltinESMExports()
}

beforeAll(() => setRandomInt(() => 0))
afterAll(() => setRandomInt(randomInt as () => number))

describe('a code that was guessed', () => {
  it('is the right one', async () => {
    const b = browserAt(await place())
    expect(isSignedIn(await b.enter(await b.askAt('ada'), CODE))).toBe(true)
  })

  it.each([
    ['nil', 'stale_request'],
    ['una', 'wrong_code'],
    ['new', 'wrong_code'],
    ['off', 'disabled'],
  ])('signs no one in as %s', async (username, reason) => {
    const p = await place()
    const b = browserAt(p)
    const answer = await b.enter(await b.askAt(username), CODE)
    expect([answer.status, reasons(p)]).toEqual([422, [reason]])
  })

  it('signs no one in beyond the limit of mails', async () => {
    const p = await place()
    const b = browserAt(p)
    for (let number = 0; number < 3; number += 1) await b.ask('ada')
    const answer = await b.enter(await b.askAt('ada'), CODE)
    expect([answer.status, reasons(p)]).toEqual([422, ['wrong_code']])
  })
})

describe('a user of another provider, who has no password here', () => {
  const CORP = 'https://corp.example/authorize'
  const corp = {
    name: 'corp',
    begin: (c, { username }) =>
      username.endsWith('@corp.example') ? Promise.resolve(c.redirect(CORP)) : null,
    replacesPassword: (_, { username, claims }) =>
      [username, claims.email].some((name) => String(name).endsWith('@corp.example')),
  } satisfies Extension

  it('is led there by the name, known or not, and nothing is mailed', async () => {
    const p = await place({ others: [corp] })
    const b = browserAt(p)
    for (const username of ['ada@corp.example', 'nil@corp.example'])
      expect((await b.ask(username)).headers.get('location')).toBe(CORP)
    const page = await b.send('/login/code?return_to=%2Faccount')
    expect(page.headers.get('content-security-policy')).not.toContain('form-action')
    expect(p.queued).toEqual([])
  })

  it('gets no mail at an address of the provider, and no code signs in', async () => {
    const p = await place({ others: [corp] })
    const b = browserAt(p)
    const html = await b.askAt('ada')
    await p.deliver()
    expect(p.sent).toEqual([])
    expect(p.events).toMatchObject([{ type: 'mail.failed', reason: 'elsewhere' }])
    expect((await b.enter(html, CODE)).status).toBe(422)
    expect(reasons(p)).toEqual(['wrong_code'])
  })
})
