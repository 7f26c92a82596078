/** What a stranger does with the codes of others, and what ends a code. */

import { createUser, setDisabled, setPassword, type User, updateUser } from '@ostiary/identity'
import { describe, expect, it } from 'vitest'
import {
  browserAt,
  HASH,
  hiddenOf,
  isSignedIn,
  lastCode,
  type Place,
  place,
  reasons,
  withoutTokens,
  wrong,
} from './_place.js'

const COOKIE = '__Host-ostiary_email_code'
const ENDED = 'This code does not work any more.'

/** A browser at the page for the code of ada, and the code. */
async function asked(p: Place, url?: string) {
  const b = browserAt(p)
  const [html, code] = await b.codeFor('ada', url)
  return { p, b, html, code }
}

async function expectEnded(answer: Response): Promise<void> {
  expect(answer.status).toBe(422)
  expect(await answer.text()).toContain(ENDED)
}

/** The page as it is for every name. */
const neutral = (html: string, username: string): string =>
  withoutTokens(html).replace(`<bdi>${username}</bdi>`, '').replace(`value="${username}"`, '')

describe('who learns of accounts', () => {
  const NAMES = ['ada', 'ann', 'cem', 'off', 'una', 'new', 'nil']

  it('no one: each name gets the same bytes, and one mail that waits', async () => {
    const answers = []
    for (const username of NAMES) {
      const p = await place()
      const b = browserAt(p)
      const answer = await b.ask(username)
      const cookie = answer.headers
        .getSetCookie()
        .map((one) => one.replace(/=[^;]+/, (value) => `${value.length}`))
      const page = await b.read(answer.headers.get('location') ?? '')
      expect(p.queued).toHaveLength(1)
      answers.push([answer.status, cookie, neutral(page, username)])
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  })

  it('no one, by a guess: the answers are the same', async () => {
    const answers = []
    for (const username of NAMES) {
      const p = await place()
      const b = browserAt(p)
      let html = await b.askAt(username)
      const pages = []
      for (let number = 0; number < 6; number += 1) {
        const answer = await b.enter(html, 'BBBB-BBBB')
        html = await answer.text()
        pages.push([answer.status, neutral(html, username)])
      }
      answers.push(pages)
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  })

  it('only a verified address of an account that is not disabled gets the mail', async () => {
    const p = await place()
    for (const username of NAMES) await browserAt(p).ask(username)
    await p.deliver()
    expect(p.sent.map(({ to }) => to).sort()).toEqual([
      'ada@corp.example',
      'ann@corp.example',
      'cem@corp.example',
    ])
    const failed = p.events.flatMap((event) => (event.type === 'mail.failed' ? [event.reason] : []))
    expect(failed.sort()).toEqual(['disabled', 'invited', 'no_verified_email', 'unknown_user'])
  })

  it('a mail that comes too late is dropped', async () => {
    const p = await place()
    await browserAt(p).ask('ada')
    p.clock.now += 600
    await p.deliver()
    expect(p.sent).toEqual([])
    expect(p.events).toMatchObject([{ type: 'mail.failed', reason: 'expired', mail: 'code' }])
  })
})

describe('a code of another browser', () => {
  it('is of no use without its cookie', async () => {
    const { p, code } = await asked(await place())
    const thief = browserAt(p)
    const own = await thief.askAt('ada')
    const answer = await thief.enter(own, code)
    expect(answer.status).toBe(422)
    const none = browserAt(p)
    const html = await none.read(await none.authorize())
    await expectEnded(await none.enter(html, code))
    expect(reasons(p)).toEqual(['wrong_code', 'stale_request'])
  })

  it('is of no use for another sign-in of the same browser', async () => {
    const { p, b, code } = await asked(await place())
    const html = await b.read(await b.authorize({ state: 'another' }))
    await expectEnded(await b.enter(html, code))
    expect(reasons(p)).toEqual(['stale_request'])
  })

  it('is of no use in another realm with the same name', async () => {
    const p = await place({ realms: ['a', 'b'] })
    const b = browserAt(p, { realm: 'a' })
    const [, code] = await b.codeFor('ada')
    const other = browserAt(p, { realm: 'b' })
    for (const [name, value] of b.cookies) other.cookies.set(name, value)
    const url = await other.authorize()
    const html = await other.read(url)
    const { return_to } = hiddenOf(html)
    expect(return_to).not.toBe('')
    expect((await other.enter(html, code)).status).toBe(422)
    expect(await other.read(url.replace('/login?', '/login/code?'))).not.toContain('one-time-code')
  })

  it('a form of another site is refused', async () => {
    const { p, b, html, code } = await asked(await place())
    const { return_to } = hiddenOf(html)
    const forged = await b.post('/login/code', { return_to, csrf_token: 'x', code })
    expect([forged.status, isSignedIn(forged)]).toEqual([403, false])
    const sent = await b.post('/login/code', { return_to, csrf_token: 'x', username: 'ann' })
    expect(sent.status).toBe(403)
    expect(p.queued).toHaveLength(1)
    expect(reasons(p)).toEqual(['csrf', 'csrf'])
  })

  it('a cookie that no server has sealed is none', async () => {
    const { b, html, code } = await asked(await place())
    const sealed = b.cookies.get(COOKIE) ?? ''
    b.cookies.set(COOKIE, (sealed.startsWith('A') ? 'B' : 'A') + sealed.slice(1))
    await expectEnded(await b.enter(html, code))
  })
})

describe('the use of a code', () => {
  it('is one: not twice with a copied cookie', async () => {
    const { p, b, html, code } = await asked(await place())
    const copy = b.cookies.get(COOKIE) ?? ''
    expect(isSignedIn(await b.enter(html, code))).toBe(true)
    expect(b.cookies.get(COOKIE)).toBeUndefined()
    b.cookies.set(COOKIE, copy)
    const url = `/login/code?${new URLSearchParams({ return_to: hiddenOf(html).return_to })}`
    expect((await b.send(url)).status).toBe(200)
    await expectEnded(await b.enter(html, code))
    expect(reasons(p)).toEqual(['code_reused'])
  })

  it('is one of 50 at once', async () => {
    const { b, html, code } = await asked(await place())
    const answers = await Promise.all(Array.from({ length: 50 }, () => b.enter(html, code)))
    expect(answers.filter(isSignedIn)).toHaveLength(1)
  })

  it('GET, HEAD and a prefetch change nothing', async () => {
    const { b, html, code } = await asked(await place())
    const url = `/login/code?${new URLSearchParams({ return_to: hiddenOf(html).return_to, code })}`
    for (const method of ['GET', 'HEAD'])
      for (let number = 0; number < 10; number += 1) {
        const answer = await b.send(url, { method, headers: { purpose: 'prefetch' } })
        expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []])
      }
    expect(isSignedIn(await b.enter(html, code))).toBe(true)
  })

  it('ends after 10 minutes', async () => {
    for (const [seconds, is_good] of [
      [599, true],
      [600, false],
    ] as const) {
      // A request of an application ends then too.
      const { p, b, html, code } = await asked(await place(), '/login?return_to=%2Faccount')
      p.clock.now += seconds
      const answer = await b.enter(html, code)
      if (is_good) expect(isSignedIn(answer)).toBe(true)
      else await expectEnded(answer)
    }
  })

  it('ends with a newer code in this browser', async () => {
    const { p, b, html, code } = await asked(await place())
    await b.post('/login/code', hiddenOf(html))
    await p.deliver()
    const newer = lastCode(p)
    expect((await b.enter(html, code)).status).toBe(422)
    expect(isSignedIn(await b.enter(html, newer))).toBe(true)
  })

  type Change = (p: Place) => Promise<unknown>
  const options = ({ clock }: Place) => ({ passwords: HASH, now: () => clock.now })
  const claims =
    (changed: object): Change =>
    async (p) => {
      const { sub } = await p.user('ada')
      const change = ({ claims }: User) => ({ claims: { ...claims, ...changed } })
      return updateUser(p.users('default'), { sub, change }, options(p))
    }

  it.each<[string, Change]>([
    [
      'a new password',
      async (p) =>
        setPassword(
          p.users('default'),
          { sub: (await p.user('ada')).sub, password: 'another one, long' },
          options(p),
        ),
    ],
    [
      'a disabled account',
      async (p) =>
        setDisabled(p.users('default'), { sub: (await p.user('ada')).sub, disabled: true }, options(p)),
    ],
    ['another address', claims({ email: 'eve@corp.example' })],
    ['an address that is not verified any more', claims({ email_verified: false })],
    [
      'a deleted account whose name is used again',
      async (p) => {
        const { sub, claims: old } = await p.user('ada')
        await p.users('default').delete(sub)
        const { email, email_verified } = old
        await createUser(p.users('default'), { username: 'ada', email, email_verified } as never, options(p))
      },
    ],
    ['a deleted account', async (p) => p.users('default').delete((await p.user('ada')).sub)],
  ])('ends with %s', async (_, change) => {
    const { p, b, html, code } = await asked(await place())
    p.clock.now += 1
    await change(p)
    await expectEnded(await b.enter(html, code))
  })

  it('a disabled account is refused, also when its version is as before', async () => {
    const { p, b, html, code } = await asked(await place())
    const user = await p.user('ada')
    await p
      .users('default')
      .update({ ...user, disabled_at: p.clock.now, updated_at: user.updated_at + 1 }, user.updated_at)
    await expectEnded(await b.enter(html, code))
    expect(reasons(p)).toEqual(['disabled'])
  })
})

describe('the tries', () => {
  it('are five: then the right code is of no use', async () => {
    const { p, b, html, code } = await asked(await place())
    for (let number = 0; number < 5; number += 1)
      expect(await (await b.enter(html, wrong(code))).text()).toContain('This is not the code')
    const copy = b.cookies.get(COOKIE) ?? ''
    await expectEnded(await b.enter(html, code))
    b.cookies.set(COOKIE, copy)
    await expectEnded(await b.enter(html, code))
    expect(reasons(p)).toEqual(Array.from({ length: 7 }, () => 'wrong_code'))
  })

  it.each([0, 1, 299, 599, 600, 601, 1199])(
    'are five, %d seconds after a window begins: it does not end before the code',
    async (seconds) => {
      const p = await place()
      p.clock.now += 1200 - (p.clock.now % 1200) + seconds
      const { b, html, code } = await asked(p, '/login?return_to=%2Faccount')
      for (let number = 0; number < 5; number += 1) {
        await b.enter(html, wrong(code))
        p.clock.now += number === 3 ? 590 : 1
      }
      await expectEnded(await b.enter(html, code))
    },
  )

  it('have a window that fits each code', async () => {
    const { windowUntil } = await import('../src/limits.js')
    for (let expires_at = 1_800_000_000; expires_at < 1_800_010_000; expires_at += 1) {
      const window = windowUntil(expires_at)
      expect(Math.floor((expires_at - 600) / window)).toBe(Math.floor((expires_at - 1) / window))
      expect(window).toBeLessThan(7200)
    }
  })

  it('are four and the right one', async () => {
    const { b, html, code } = await asked(await place())
    for (let number = 0; number < 4; number += 1) await b.enter(html, wrong(code))
    expect(isSignedIn(await b.enter(html, code))).toBe(true)
  })

  it('are five of 50 at once', async () => {
    const { b, html, code } = await asked(await place())
    const answers = await Promise.all(Array.from({ length: 50 }, () => b.enter(html, wrong(code))))
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    expect(texts.filter((text) => text.includes('This is not the code'))).toHaveLength(5)
    await expectEnded(await b.enter(html, code))
  })

  it('of a stranger do not lock the owner out', async () => {
    const p = await place()
    const stranger = browserAt(p, { address: '192.0.2.66' })
    const page = await stranger.askAt('ada')
    for (let number = 0; number < 20; number += 1) await stranger.enter(page, 'BBBB-BBBB')
    const { b, html, code } = await asked(p)
    expect(isSignedIn(await b.enter(html, code))).toBe(true)
  })

  it('beyond the limit of mails, no code is right, and the page is the same', async () => {
    const p = await place()
    const b = browserAt(p)
    let html = ''
    for (let number = 0; number < 3; number += 1) [html] = await b.codeFor('ada')
    expect(p.sent).toHaveLength(3)
    const before = withoutTokens(html)
    const answer = await b.ask('ada')
    await p.deliver()
    expect(p.sent).toHaveLength(3)
    const page = await b.read(answer.headers.get('location') ?? '')
    expect(withoutTokens(page)).toBe(before)
    const tried = await b.enter(page, lastCode(p))
    expect(await tried.text()).toContain('This is not the code')
    expect(p.events.filter(({ type }) => type === 'mail.throttled')).toMatchObject([
      { mail: 'code', limit: 'mail_account', sub: (await p.user('ada')).sub },
    ])
  })

  it('of a network are 100 in a quarter of an hour, whatever the codes', async () => {
    const p = await place()
    const from = { address: '2001:db8::1' }
    const pages = []
    for (let number = 0; number < 21; number += 1) {
      const b = browserAt(p, from)
      pages.push({ b, html: await b.askAt(`name-${number}`) })
    }
    for (const { b, html } of pages.slice(0, 20))
      for (let number = 0; number < 5; number += 1)
        expect((await b.enter(html, 'BBBB-BBBB')).status).toBe(422)
    const [last] = pages.slice(20)
    const answer = await last?.b.enter(last.html, 'BBBB-BBBB')
    expect(answer?.status).toBe(429)
    expect(await answer?.text()).toContain('Wait 15 minutes')
    expect(reasons(p).at(-1)).toBe('throttled')
    const elsewhere = browserAt(p, { address: '2001:db8:1::1' })
    expect((await elsewhere.enter(await elsewhere.askAt('name'), 'BBBB-BBBB')).status).toBe(422)
    p.clock.now += 900
    const b = browserAt(p, from)
    expect((await b.enter(await b.askAt('name-x'), 'BBBB-BBBB')).status).toBe(422)
  })
})

describe('the limits of a network', () => {
  /** Tries in turn from these addresses, with new codes, until one is refused. How many were not. */
  async function triesFrom(p: Place, from: (number: number) => { address: string; peer?: string }) {
    for (let tries = 0; tries < 2000; tries += 5) {
      const b = browserAt(p, from(tries))
      const html = await b.askAt(`name-${tries}`)
      for (let number = 0; number < 5; number += 1)
        if ((await b.enter(html, 'BBBB-BBBB')).status === 429) return tries + number
    }
    return 2000
  }

  it('are those of an IPv6 /48, too: four times as many', async () => {
    const p = await place()
    expect(await triesFrom(p, (number) => ({ address: `2001:db8:0:${number.toString(16)}::1` }))).toBe(400)
  })

  it('are those of a peer that claims addresses, too: ten times as many', async () => {
    const p = await place()
    const from = (number: number) => ({
      address: `10.0.${Math.floor(number / 250)}.${number % 250}`,
      peer: '192.0.2.9',
    })
    expect(await triesFrom(p, from)).toBe(1000)
  })
})

describe('the code', () => {
  it('is in no event, in no cookie and in no stored mail', async () => {
    const p = await place()
    const b = browserAt(p)
    const html = await b.askAt('ada')
    await p.deliver()
    const code = lastCode(p)
    await b.enter(html, wrong(code))
    await b.enter(html, code)
    const plain = [code, code.replace('-', ''), wrong(code)]
    const kept = JSON.stringify([p.events, [...b.cookies], p.queued, await p.user('ada')])
    for (const text of plain) expect(kept).not.toContain(text)
  })

  it('has another hash in each cookie', async () => {
    const { newWaiting } = await import('../src/waiting.js')
    const asked = { username: 'ada', return_to: '/account', user: null, code: 'BCDFGHJK' }
    const [one, two] = [newWaiting(asked, 0), newWaiting(asked, 0)]
    expect(one.code_hash).not.toBe(two.code_hash)
    expect(one.account_hash).not.toBe(two.account_hash)
  })

  it('is another one each time, of all letters alike', async () => {
    const { newCode } = await import('../src/code.js')
    const codes = Array.from({ length: 5000 }, newCode)
    expect(new Set(codes).size).toBe(5000)
    const letters = new Map<string, number>()
    for (const letter of codes.join('')) letters.set(letter, (letters.get(letter) ?? 0) + 1)
    expect([...letters.keys()].sort().join('')).toBe('BCDFGHJKLMNPQRSTVWXZ')
    // 40,000 letters: 2,000 each, with a standard deviation of 44.
    for (const count of letters.values()) expect(Math.abs(count - 2000)).toBeLessThan(400)
  })
})

describe('text of strangers', () => {
  it('is escaped on the page, and does not turn the mail around', async () => {
    const p = await place()
    const b = browserAt(p)
    const html = await b.askAt('<img src=x>"')
    expect(html).toContain('<bdi>&lt;img src=x&gt;&quot;</bdi>')
    expect(html).not.toContain('<img')
    const arabic = 'علي'
    await createUser(
      p.users('default'),
      { username: arabic, email: 'ali@corp.example', email_verified: true },
      { now: () => p.clock.now },
    )
    await b.codeFor(arabic)
    expect(p.sent[0]?.text).toContain(`\u2068${arabic}\u2069`)
  })

  it('a name that no account can have is refused before the store is asked', async () => {
    const p = await place()
    const b = browserAt(p)
    const html = await b.read(await b.authorize())
    for (const username of ['a\u0000b', 'x'.repeat(256)]) {
      const answer = await b.post('/login/code', { ...hiddenOf(html), username })
      expect(answer.status).toBe(422)
    }
  })
})
