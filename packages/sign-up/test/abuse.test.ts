/** What an application says to the forms with which a stranger makes the server mail: of a sign-up, and of a forgotten password. */

import type { AbuseCheck, AbuseQuestion } from '@ostiary/identity'
import { hiddenField } from '@ostiary/test-kit/browser'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { browserAt, linkFor, type Place, place, types } from './_place.js'

const ADA = 'ada@corp.example'
const ANN = 'ann@corp.example'

/** The two forms: what they send, and to where. */
const FORMS = {
  sign_up: { path: '/login/signup', name: 'address' },
  forgot: { path: '/login/recover', name: 'username' },
} as const
const ACTIONS = ['sign_up', 'forgot'] as const
type Action = (typeof ACTIONS)[number]

afterEach(() => vi.useRealTimers())

/** A place that asks the application, and what it was asked. */
async function asking(check: (asked: AbuseQuestion) => unknown) {
  const asked: AbuseQuestion[] = []
  const abuse = {
    check(question: AbuseQuestion) {
      asked.push(question)
      return check(question)
    },
  } as AbuseCheck
  const calls: string[] = []
  const p = await place({
    identity: { abuse },
    wrap: (users) => (realm) => ({
      ...users(realm),
      async findByUsername(key) {
        calls.push(key)
        return users(realm).findByUsername(key)
      },
    }),
  })
  calls.length = 0
  return { p, asked, calls }
}

async function send(
  p: Place,
  action: Action,
  { value = ADA, more = {}, headers = {}, b = browserAt(p, { address: '192.0.2.1' }) } = {} as {
    value?: string
    more?: Record<string, string>
    headers?: Record<string, string>
    b?: ReturnType<typeof browserAt>
  },
): Promise<Response> {
  const { path, name } = FORMS[action]
  const csrf_token = hiddenField(await (await b.send(path)).text(), 'csrf_token')
  return b.post(path, { csrf_token, [name]: value, ...more }, headers)
}

const refusals = ({ events }: Place) =>
  events.flatMap((event) => (event.type === 'abuse.refused' ? [event] : []))

/** Nothing was looked up, counted or queued. */
async function expectNothing({ p, calls }: Awaited<ReturnType<typeof asking>>): Promise<void> {
  await p.deliver()
  expect([p.sent, calls, await p.queue.page({ limit: 9 })]).toEqual([[], [], []])
  expect(types(p).filter((type) => type !== 'abuse.refused')).toEqual([])
}

describe.each(ACTIONS)('the form of %s', (action) => {
  it('goes on when the application says ok, which has seen the form and the request', async () => {
    const w = await asking(() => 'ok')
    const answer = await send(w.p, action, { more: { token: 'of a widget' }, headers: { cookie: 'own=1' } })
    expect(answer.status).toBe(303)
    const [question] = w.asked
    expect(question).toMatchObject({ action, realm: 'default', address: '192.0.2.1' })
    expect(question?.form.get('token')).toBe('of a widget')
    expect(question?.form.get(FORMS[action].name)).toBe(ADA)
    expect(question?.request.headers.get('cookie')).toContain('ostiary_csrf')
    expect(question?.signal.aborted).toBe(false)
    await w.p.deliver()
    expect(w.p.sent).toHaveLength(1)
    expect(refusals(w.p)).toEqual([])
  })

  it('is refused with the status 403 and a text, and may be sent again', async () => {
    let says: 'ok' | 'refuse' = 'refuse'
    const w = await asking(async () => says)
    const b = browserAt(w.p)
    const answer = await send(w.p, action, { b })
    expect(answer.status).toBe(403)
    const page = await answer.text()
    expect(page).toContain('role="alert">The request was refused.')
    expect(page).toContain(`value="${ADA}"`)
    expect(refusals(w.p)).toMatchObject([{ action, answer: 'refuse' }])
    await expectNothing(w)
    says = 'ok'
    expect((await send(w.p, action, { b })).status).toBe(303)
  })

  it('has the question of the application, and goes on with the answer', async () => {
    const name = '<b>"x"'
    const w = await asking(async ({ form, html }) =>
      form.get('answer') === '5' ? 'ok' : html`<label>${name}<input name="answer"></label>`,
    )
    const b = browserAt(w.p)
    const answer = await send(w.p, action, { b })
    expect(answer.status).toBe(422)
    const page = await answer.text()
    const [form = ''] = /<form[\s\S]*<\/form>/.exec(page) ?? []
    expect(form).toContain('<label>&lt;b&gt;&quot;x&quot;<input name="answer"></label>')
    expect(page).not.toContain('role="alert"')
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';/)
    await expectNothing(w)
    expect((await send(w.p, action, { b, more: { answer: '4' } })).status).toBe(422)
    expect((await send(w.p, action, { b, more: { answer: '5' } })).status).toBe(303)
    await w.p.deliver()
    expect(w.p.sent).toHaveLength(1)
  })

  it.each<[string, (asked: AbuseQuestion) => unknown]>([
    ['it fails', () => Promise.reject(new Error('The service is down'))],
    [
      'it throws',
      () => {
        throw new Error('A fault')
      },
    ],
    ['it says nothing', () => undefined],
    ['it says true', async () => true],
    ['it says another word', async () => 'OK'],
    ['it gives a text', async () => '<script>alert(1)</script>'],
    ['it gives what looks like Html', async () => ({ toString: () => '<script>' })],
  ])('when %s: the status 503, and nothing goes on', async (_, check) => {
    const w = await asking(check)
    const answer = await send(w.p, action)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBeTruthy()
    const page = await answer.text()
    expect(page).toContain('This service cannot answer at the moment.')
    expect(page).not.toContain('<script')
    expect(refusals(w.p)).toMatchObject([{ action, answer: 'error', cause: expect.any(Error) }])
    await expectNothing(w)
  })

  it('is answered after 5 seconds without an answer, and one that comes later changes nothing', async () => {
    let late = (_: 'ok') => {}
    let reached = () => {}
    const is_asked = new Promise<void>((resolve) => {
      reached = resolve
    })
    const w = await asking(
      () =>
        new Promise((resolve) => {
          late = resolve
          reached()
        }),
    )
    const b = browserAt(w.p)
    const { path, name } = FORMS[action]
    const csrf_token = hiddenField(await (await b.send(path)).text(), 'csrf_token')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let answered = false
    const answer = b.post(path, { csrf_token, [name]: ADA }).finally(() => {
      answered = true
    })
    await is_asked
    await vi.advanceTimersByTimeAsync(4999)
    expect([answered, w.asked[0]?.signal.aborted]).toEqual([false, false])
    await vi.advanceTimersByTimeAsync(1)
    expect((await answer).status).toBe(503)
    expect(w.asked[0]?.signal.aborted).toBe(true)
    late('ok')
    vi.useRealTimers()
    expect(refusals(w.p)).toMatchObject([{ action, answer: 'timeout' }])
    await expectNothing(w)
  })

  it('is the same for a known and for an unknown name', async () => {
    const w = await asking(async ({ form, html }) =>
      form.has('answer') ? 'refuse' : html`<input name="answer">`,
    )
    for (const more of [{}, { answer: '1' }] as Record<string, string>[]) {
      const pages = []
      for (const value of [ADA, ANN]) {
        const answer = await send(w.p, action, { value, more })
        const html = (await answer.text())
          .replace(/(name="csrf_token" value=")[^"]*/, '$1')
          .replaceAll(value, '')
        pages.push([answer.status, html])
      }
      expect(pages[0]).toEqual(pages[1])
    }
    await expectNothing(w)
  })
})

it('is not asked for a page, for a form of another site, for an address that cannot sign up, and for a link', async () => {
  const w = await asking(() => 'ok')
  const b = browserAt(w.p)
  for (const { path } of Object.values(FORMS))
    for (const method of ['GET', 'HEAD']) await b.send(path, { method })
  for (const action of ACTIONS) {
    const { path, name } = FORMS[action]
    expect((await b.post(path, { csrf_token: 'x'.repeat(43), [name]: ADA })).status).toBe(403)
  }
  expect((await send(w.p, 'sign_up', { value: 'no address' })).status).toBe(422)
  expect(w.asked).toEqual([])
  const link = await linkFor(w.p, ANN)
  expect(w.asked).toHaveLength(1)
  expect((await browserAt(w.p).press(link)).status).toBe(303)
  await browserAt(w.p).signIn(ADA)
  expect(w.asked).toHaveLength(1)
})
