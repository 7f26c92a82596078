/** What a browser, and who has the password of a user, can and cannot do with a sign-in that waits for the terms. */

import { setDisabled, setPassword, type UserStore, type Users } from '@ostiary/identity'
import { gate } from '@ostiary/test-kit/races/gate'
import { describe, expect, it } from 'vitest'
import {
  type AtBrowser,
  browserAt,
  codeAfter,
  formWith,
  NEWER,
  type Place,
  pathOf,
  place,
  TERMS,
  types,
} from './_place.js'

const COOKIE = '__Host-ostiary_terms'
const CALLERS = 50

/** A sign-in that waits, and its page. */
async function waiting(p: Place, { realm = 'default' } = {}) {
  const b = browserAt(p, { realm })
  const answer = await b.signIn('dan')
  return { b, answer, page: await b.follow(answer), url: answer.headers.get('location') ?? '' }
}

/** Nothing has begun, and nothing is stored. */
async function expectNothing(p: Place, b: AtBrowser): Promise<void> {
  expect(await b.session()).toBeNull()
  expect((await p.users('default').findByUsername('dan'))?.terms).toBeUndefined()
  expect(types(p)).not.toContain('terms.accepted')
}

const refusals = ({ events }: Place) =>
  events.flatMap((event) => (event.type === 'login.refused' ? [event.reason] : []))

describe('a sign-in that waits', () => {
  it.each<[string, (p: Place, sub: string) => Promise<unknown>]>([
    [
      'whose user was disabled',
      (p, sub) => setDisabled(p.users('default'), { sub, disabled: true }, { now: () => p.clock.now }),
    ],
    [
      'whose user was disabled and enabled',
      async (p, sub) => {
        for (const disabled of [true, false])
          await setDisabled(p.users('default'), { sub, disabled }, { now: () => p.clock.now })
      },
    ],
    [
      'whose password was changed',
      (p, sub) =>
        setPassword(
          p.users('default'),
          { sub, password: 'another long password' },
          { now: () => p.clock.now },
        ),
    ],
    [
      'whose second step was turned on',
      (p, sub) =>
        p.factors('default').change({ sub, second_step: true }, { credential_version: 0, now: p.clock.now }),
    ],
    [
      'whose user was disabled by a program that counts no versions',
      async (p) => {
        const user = await p.user('dan')
        const disabled = { ...user, disabled_at: p.clock.now, updated_at: user.updated_at + 1 }
        await p.users('default').update(disabled, user.updated_at)
      },
    ],
    ['whose user was deleted', (p, sub) => p.users('default').delete(sub)],
  ])('%s ends', async (_, change) => {
    const p = await place()
    const { b, page, url } = await waiting(p)
    await change(p, (await p.user('dan')).sub)
    expect(pathOf(await browserAt(p).send(url))).toBe('/login')
    const answer = await b.submit(page, ['action', 'accept'])
    expect(pathOf(answer)).toBe('/login')
    expect(refusals(p)).toEqual(['stale_request'])
    await expectNothing(p, b)
  })

  it('is of one browser', async () => {
    const p = await place()
    const { page, url } = await waiting(p)
    const other = browserAt(p)
    expect(pathOf(await other.send(url))).toBe('/login')
    expect(pathOf(await other.submit(page, ['action', 'accept']))).toBe('/login')
    // One that has a sign-in of its own.
    await other.signIn('cem')
    const own = await waiting(p)
    expect((await own.b.submit(page, ['action', 'accept'])).status).not.toBe(200)
    await expectNothing(p, other)
    await expectNothing(p, own.b)
  })

  it('counts once: a copy of its cookie begins no session', async () => {
    const p = await place()
    const { b, page, url } = await waiting(p)
    const copy = browserAt(p)
    copy.cookies.set(COOKIE, b.cookies.get(COOKIE) ?? '')
    expect((await copy.send(url)).status).toBe(200)
    expect((await codeAfter(b, await b.submit(page, ['action', 'accept']))).get('code')).toBeTruthy()
    expect(await copy.session()).toBeNull()
    expect((await copy.submit(page, ['action', 'accept'])).status).toBe(400)
    expect(await copy.session()).toBeNull()
  })

  it('counts once for the account page, whose request is never answered', async () => {
    const p = await place()
    const b = browserAt(p)
    const page = await b.follow(await b.enter('/login?return_to=/account', 'dan'))
    const copy = browserAt(p)
    copy.cookies.set(COOKIE, b.cookies.get(COOKIE) ?? '')
    expect(pathOf(await b.submit(page, ['action', 'accept']))).toBe('/account')
    expect(pathOf(await copy.submit(page, ['action', 'accept']))).toBe('/login')
    expect(await copy.session()).toBeNull()
  })

  it.each([
    [599, 200],
    [600, 303],
  ])('after %i seconds: %i', async (seconds, status) => {
    const p = await place()
    const b = browserAt(p)
    const answer = await b.enter('/login?return_to=/account', 'dan')
    const page = await b.follow(answer)
    expect(answer.headers.getSetCookie().find((line) => line.startsWith(COOKIE))).toContain('Max-Age=600')
    const kept = b.cookies.get(COOKIE) ?? ''
    p.clock.now += seconds
    expect((await b.send(answer.headers.get('location') ?? '')).status).toBe(status)
    b.cookies.set(COOKIE, kept)
    expect(pathOf(await b.submit(page, ['action', 'accept']))).toBe(status === 200 ? '/account' : '/login')
    if (status !== 200) await expectNothing(p, b)
  })

  it('is for one request: another return_to, and none, do not go on', async () => {
    const p = await place()
    const { b, page } = await waiting(p)
    const { url, fields } = formWith(page, 'action', 'accept')
    const other = new URL(await browserAt(p).authorize()).searchParams.get('return_to') ?? ''
    const answers = []
    for (const return_to of [other, '/account', '', 'https://evil.example/', '//evil.example']) {
      const kept = b.cookies.get(COOKIE) ?? ''
      answers.push(pathOf(await b.post(url, { ...fields, return_to })))
      b.cookies.set(COOKIE, kept)
    }
    expect(answers).toEqual(['/login', '/login', 'status 400', 'status 400', 'status 400'])
    await expectNothing(p, b)
    expect((await codeAfter(b, await b.post(url, fields))).get('code')).toBeTruthy()
  })

  it('of a browser that begins another one in a second tab begins again, and does not end that one', async () => {
    const p = await place()
    const { b, page, url } = await waiting(p)
    const later = await b.follow(await b.signIn('dan'))
    expect(pathOf(await b.submit(page, ['action', 'accept']))).toBe('/login')
    // A link of another site, too.
    expect(pathOf(await b.send(url))).toBe('/login')
    await expectNothing(p, b)
    expect((await codeAfter(b, await b.submit(later, ['action', 'accept']))).get('code')).toBeTruthy()
  })

  it('is of one realm', async () => {
    const p = await place({ realms: ['one', 'two'] })
    const { sub } = await p.user('dan', 'one')
    const twin = await p.user('dan', 'two')
    await p.users('two').delete(twin.sub)
    await p.users('two').create({ ...twin, sub })
    const at = browserAt(p, { realm: 'one' })
    await at.enter(`${at.base}/login?return_to=/account`, 'dan')
    const there = browserAt(p, { realm: 'two' })
    const page = await there.follow(await there.enter(`${there.base}/login?return_to=/account`, 'dan'))
    there.cookies.set(COOKIE, at.cookies.get(COOKIE) ?? '')
    expect(pathOf(await there.submit(page, ['action', 'accept']))).toBe('/realms/two/login')
    expect(await there.session()).toBeNull()
    expect((await p.users('two').findByUsername('dan'))?.terms).toBeUndefined()
  })

  it('a cookie that is not sealed here is none', async () => {
    const p = await place()
    const { b, page, url } = await waiting(p)
    for (const text of ['x', 'A'.repeat(200), b.cookies.get(COOKIE)?.slice(1) ?? '']) {
      b.cookies.set(COOKIE, text)
      expect(pathOf(await b.send(url))).toBe('/login')
      b.cookies.set(COOKIE, text)
      expect(pathOf(await b.submit(page, ['action', 'accept']))).toBe('/login')
    }
    await expectNothing(p, b)
  })
})

describe('the form', () => {
  it('of another page is not accepted, and the page is shown again', async () => {
    const p = await place()
    const { b, page } = await waiting(p)
    const { url, fields } = formWith(page, 'action', 'accept')
    const foreign = formWith((await waiting(p)).page, 'action', 'accept').fields.confirm ?? ''
    for (const confirm of ['', 'x', foreign, b.cookies.get(COOKIE) ?? ''])
      for (const action of ['accept', 'decline']) {
        const answer = await b.post(url, { ...fields, confirm, action })
        expect(answer.status).toBe(403)
        expect(await answer.text()).toContain('role="alert">Your browser could not confirm this form.')
      }
    expect(new Set(refusals(p))).toEqual(new Set(['csrf']))
    await expectNothing(p, b)
    expect(pathOf(await b.post(url, fields))).toBe('/oauth/authorize/resume')
  })

  it('a version that has come meanwhile is shown before it is accepted', async () => {
    const p = await place()
    const { b, page } = await waiting(p)
    p.restart(NEWER)
    const answer = await b.submit(page, ['action', 'accept'])
    expect(answer.status).toBe(200)
    await expectNothing(p, b)
    const end = await b.submit(await answer.text(), ['action', 'accept'])
    expect((await codeAfter(b, end)).get('code')).toBeTruthy()
    expect((await p.user('dan')).terms?.version).toBe(NEWER.version)
  })

  it('any other value of its button accepts nothing', async () => {
    const p = await place()
    const { b, page } = await waiting(p)
    const { url, fields } = formWith(page, 'action', 'accept')
    for (const action of ['', 'ACCEPT', 'acceptx'])
      expect((await b.post(url, { ...fields, action })).status).toBe(200)
    const { action: _, ...without } = fields
    expect((await b.post(url, without)).status).toBe(200)
    await expectNothing(p, b)
  })

  it('GET and HEAD accept nothing, and other methods are refused', async () => {
    const p = await place()
    const { b, page } = await waiting(p)
    const { url, fields } = formWith(page, 'action', 'accept')
    for (const method of ['GET', 'HEAD'])
      expect((await b.send(`${url}?${new URLSearchParams(fields)}`, { method })).status).toBe(200)
    for (const method of ['PUT', 'DELETE']) expect((await b.send(url, { method })).status).toBe(405)
    await expectNothing(p, b)
  })

  it('markup in what the operator and the user have named is escaped', async () => {
    const p = await place()
    const dan = await p.user('dan')
    const named = { ...dan, username: '<b>dan', updated_at: dan.updated_at + 1 }
    await p.users('default').update(named, dan.updated_at)
    p.restart({ version: '<i>"1"', url: 'https://corp.example/"><script>', privacy_url: "/'x" })
    const { page } = await waiting(p)
    expect(page).toContain('<bdi>&lt;b&gt;dan</bdi>')
    expect(page).toContain('<bdi>&lt;i&gt;&quot;1&quot;</bdi>')
    expect(page).not.toMatch(/<script>|<i>|<b>/)
  })
})

describe('many at once', () => {
  it('one of 50 parallel forms begins a session', async () => {
    const p = await place()
    const b = browserAt(p)
    const page = await b.follow(await b.enter('/login?return_to=/account', 'dan'))
    const cookie = b.cookies.get(COOKIE) ?? ''
    const browsers = Array.from({ length: CALLERS }, () => browserAt(p))
    for (const one of browsers) one.cookies.set(COOKIE, cookie)
    const answers = await Promise.all(browsers.map((one) => one.submit(page, ['action', 'accept'])))
    expect(answers.map(pathOf).filter((path) => path === '/account')).toHaveLength(1)
    const sessions = await Promise.all(browsers.map((one) => one.session()))
    expect(sessions.filter((session) => session !== null)).toHaveLength(1)
    expect(types(p).filter((type) => type === 'terms.accepted')).toHaveLength(1)
  })

  it('of two forms of one sign-in, of which the first is held at the store, the second begins nothing', async () => {
    const held = gate()
    const p = await place({ wrap: updating(async () => held.pass()) })
    const { b, page } = await waiting(p)
    const copy = browserAt(p)
    copy.cookies.set(COOKIE, b.cookies.get(COOKIE) ?? '')
    const first = b.submit(page, ['action', 'accept'])
    await held.reached
    expect(pathOf(await copy.submit(page, ['action', 'accept']))).toBe('/login')
    expect(await copy.session()).toBeNull()
    held.open()
    expect((await codeAfter(b, await first)).get('code')).toBeTruthy()
    expect(types(p).filter((type) => type === 'terms.accepted')).toHaveLength(1)
  })

  it('two sign-ins of one user in two tabs: both begin, and one event tells of it', async () => {
    const p = await place()
    const [one, other] = [await waiting(p), await waiting(p)]
    for (const { b, page } of [one, other])
      expect((await codeAfter(b, await b.submit(page, ['action', 'accept']))).get('code')).toBeTruthy()
    expect(types(p).filter((type) => type === 'terms.accepted')).toHaveLength(1)
  })

  it('a change of the profile meanwhile is kept', async () => {
    const p: Place = await place({
      wrap: updating(async (store, user) => {
        const now = await store.find(user.sub)
        if (now?.claims.name === undefined && now)
          await store.update(
            { ...now, claims: { name: 'Dan' }, updated_at: now.updated_at + 1 },
            now.updated_at,
          )
      }),
    })
    const { b, page } = await waiting(p)
    expect((await codeAfter(b, await b.submit(page, ['action', 'accept']))).get('code')).toBeTruthy()
    expect(await p.user('dan')).toMatchObject({ claims: { name: 'Dan' }, terms: { version: TERMS.version } })
  })

  it('a user who is disabled between the check and the write is refused', async () => {
    const p: Place = await place({
      wrap: updating((store, { sub }) =>
        setDisabled(store, { sub, disabled: true }, { now: () => p.clock.now + 1 }),
      ),
    })
    const { b, page } = await waiting(p)
    expect(pathOf(await b.submit(page, ['action', 'accept']))).toBe('/login')
    await expectNothing(p, b)
  })

  it('a user who is disabled after the write gets no session', async () => {
    let after = async (_: UserStore, __: string): Promise<unknown> => undefined
    const wrap =
      (users: Users): Users =>
      (realm) => {
        const store = users(realm)
        return {
          ...store,
          async update(user, seen) {
            const written = await store.update(user, seen)
            if (user.terms) await after(store, user.sub)
            return written
          },
        }
      }
    const p = await place({ wrap })
    after = (store, sub) => setDisabled(store, { sub, disabled: true }, { now: () => p.clock.now + 1 })
    const { b, page } = await waiting(p)
    await b.submit(page, ['action', 'accept'])
    expect(await b.session()).toBeNull()
  })

  it('a store that never takes the change is a failure, not a session', async () => {
    const p = await place({ wrap: (users) => (realm) => ({ ...users(realm), update: async () => false }) })
    const { b, page } = await waiting(p)
    expect((await b.submit(page, ['action', 'accept'])).status).toBe(500)
    expect(await b.session()).toBeNull()
  })
})

/** Users before whose acceptance is written something else happens. */
const updating =
  (before: (store: UserStore, user: { sub: string }) => Promise<unknown>) =>
  (users: Users): Users =>
  (realm) => {
    const store = users(realm)
    return {
      ...store,
      async update(user, seen) {
        if (user.terms) await before(store, user)
        return store.update(user, seen)
      },
    }
  }
