/** A sign-in with a code that is mailed. */

import { describe, expect, it } from 'vitest'
import { createEmailCodes } from '../src/index.js'
import { browserAt, isSignedIn, lastCode, place } from './_place.js'

const ADA = 'ada@corp.example'

describe('a sign-in', () => {
  it('goes on with the code of the mail, in the browser that asked', async () => {
    const p = await place()
    const b = browserAt(p)
    expect(await b.open()).toContain('Email me a code')
    const html = await b.askAt(ADA)
    expect(html).toContain('Check your email')
    expect(html).toContain('<bdi>ada@corp.example</bdi>')
    await p.deliver()
    expect(p.sent.map(({ to, subject }) => [to, subject])).toEqual([
      [ADA, 'Your code to sign in – id.example'],
    ])
    const answer = await b.enter(html, lastCode(p))
    expect(answer.status).toBe(303)
    expect(isSignedIn(answer)).toBe(true)
    expect(answer.headers.get('location')).toMatch(/^https:\/\/app\.example\/cb\?code=/)
    expect(p.sent[0]?.text).not.toContain('http')
    expect(p.sent[0]?.html).not.toContain('href')
  })
})
