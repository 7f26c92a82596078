/** A recovery asks about the accounts elsewhere: who had taken over the account may have linked one. */

import { createRecoveryLink } from '@ostiary/identity'
import { hiddenField } from '@ostiary/test-kit/browser'
import { expect, it } from 'vitest'
import {
  browserAt,
  isSignedIn,
  linkCorp,
  type Place,
  place,
  signInWithCorp,
  signInWithPassword,
  type TestBrowser,
} from './_place.js'

const TICKET = 'https://id.example/login/ticket'
const NEW_PASSWORD = 'four words that ada chose'

/** Who knows the password has linked an account elsewhere. */
async function takenOver() {
  const p = await place({ settings: {} })
  const thief = browserAt(p)
  await signInWithPassword(thief)
  await linkCorp(p, thief)
  expect(await linksOf(p)).toBe(1)
  p.events.length = 0
  return p
}

const adaOf = async (p: Place) => {
  const user = await p.users('default').findByUsername('ada@corp.example')
  if (!user) throw new Error('no user')
  return user
}
const linksOf = async (p: Place) => (await p.links('default').list((await adaOf(p)).sub)).length

/** Opens the link of an operator. @returns The first page. */
async function recover(p: Place, b: TestBrowser): Promise<string> {
  const located = await p.provider.locate(new Request(TICKET))
  if (!located) throw new Error('no realm')
  const user = await adaOf(p)
  const link = { realm: located.realm, user, now: p.clock.now }
  const { url } = await createRecoveryLink(p.tickets('default'), link)
  const page = await (await b.send(url)).text()
  const t = new URL(url).searchParams.get('t') ?? ''
  await b.post(TICKET, { csrf_token: hiddenField(page, 'csrf_token'), action: 'begin', t })
  return (await b.send(TICKET)).text()
}

/** A form of the page that is shown now. */
async function step(b: TestBrowser, action: string, fields: Record<string, string> = {}): Promise<Response> {
  const page = await (await b.send(TICKET)).text()
  return b.post(TICKET, { csrf_token: hiddenField(page, 'csrf_token'), action, ...fields })
}

const asked = (html: string): string => /type="radio" name="(link-[\w-]+)"/.exec(html)?.[1] ?? ''

const hasSession = (response: Response): boolean =>
  response.headers.getSetCookie().some((cookie) => /_session=[^;]/.test(cookie))

async function finishWith(b: TestBrowser): Promise<Response> {
  await step(b, 'password', { new_password: NEW_PASSWORD, new_password_again: NEW_PASSWORD })
  return step(b, 'finish')
}

it('an account elsewhere that the user removes signs in no more', async () => {
  const p = await takenOver()
  const owner = browserAt(p)
  const page = await recover(p, owner)
  expect(page).toContain('<span class="here">Corp</span>')
  expect(page).not.toContain('checked')
  await step(owner, 'decide', { [asked(page)]: 'remove' })
  // Nothing is removed before the end.
  expect(await linksOf(p)).toBe(1)
  expect(hasSession(await finishWith(owner))).toBe(true)
  expect(await linksOf(p)).toBe(0)
  expect(p.events).toContainEqual(expect.objectContaining({ type: 'link.removed', upstream: 'corp' }))
  expect(isSignedIn(await signInWithCorp(p, browserAt(p)))).toBe(false)
})

it('one that the user keeps still does', async () => {
  const p = await takenOver()
  const owner = browserAt(p)
  await step(owner, 'decide', { [asked(await recover(p, owner))]: 'keep' })
  expect(hasSession(await finishWith(owner))).toBe(true)
  expect(await linksOf(p)).toBe(1)
  expect(isSignedIn(await signInWithCorp(p, browserAt(p)))).toBe(true)
})

it('the steps after it wait for the decision', async () => {
  const p = await takenOver()
  const owner = browserAt(p)
  const page = await recover(p, owner)
  expect((await step(owner, 'decide')).status).toBe(422)
  expect((await step(owner, 'decide', { [asked(page)]: 'perhaps' })).status).toBe(422)
  expect(hasSession(await finishWith(owner))).toBe(false)
  expect(await (await owner.send(TICKET)).text()).toContain(asked(page))
  expect((await adaOf(p)).password_hash).not.toContain(NEW_PASSWORD)
})

it('an account that has changed meanwhile ends the recovery, and removes nothing', async () => {
  const p = await takenOver()
  const owner = browserAt(p)
  await step(owner, 'decide', { [asked(await recover(p, owner))]: 'remove' })
  const user = await adaOf(p)
  const changed = {
    ...user,
    credential_version: user.credential_version + 1,
    updated_at: user.updated_at + 1,
  }
  expect(await p.users('default').update(changed, user.updated_at)).toBe(true)
  expect(hasSession(await finishWith(owner))).toBe(false)
  expect(await linksOf(p)).toBe(1)
})
