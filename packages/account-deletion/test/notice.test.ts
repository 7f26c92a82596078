/** The mail that tells the user that the deletion was asked for. */

import { memoryMailQueue } from '@ostiary/identity/mail'
import { expect, it } from 'vitest'
import { browserAt, type PlaceOptions, pathOf, place, requested, types } from './_place.js'

const ANN = { email: 'ann@corp.example', email_verified: true }
const start = (options: PlaceOptions = {}) => place({ mail: {}, ann: ANN, ...options })

it('names the account and the day, and says how to keep it', async () => {
  const p = await start()
  await requested(p)
  const [mail, ...others] = await p.mails()
  expect(others).toEqual([])
  expect(mail).toMatchObject({ to: 'ann@corp.example', subject: 'Your account will be deleted – id.example' })
  expect(mail?.text).toContain('The deletion of the account ann at id.example was asked for.')
  expect(mail?.text).toContain(
    'The account is deleted on January 22, 2027. To keep it, sign in before that day.',
  )
  expect(mail?.text).toContain('If it was not you, sign in, keep the account')
  expect(types(p)).toContain('mail.sent')

  const [, link = ''] = /^Sign in:\n(\S+)$/m.exec(mail?.text ?? '') ?? []
  const b = browserAt(p)
  const sign_in = await b.send(link)
  const answer = await b.enter(sign_in.headers.get('location') ?? '', 'ann')
  expect(pathOf(answer)).toBe('/login/restore')
})

it.each([
  ['de-AT', 'Ihr Konto wird gelöscht – id.example', 'Das Konto wird am 22. Januar 2027 gelöscht.'],
  ['fr', 'Votre compte sera supprimé – id.example', 'Le compte sera supprimé le 22 janvier 2027.'],
  ['nl', 'Your account will be deleted – id.example', 'The account is deleted on January 22, 2027.'],
])('in the language of the page: %s', async (language, subject, text) => {
  const p = await start()
  await requested(p, 'ann', { 'accept-language': language })
  const [mail] = await p.mails()
  expect(mail?.subject).toBe(subject)
  expect(mail?.text).toContain(text)
})

it('a username of another direction does not turn the sentence', async () => {
  const p = await start({ ann: { ...ANN, username: 'נועה' } })
  await requested(p, 'נועה')
  const [mail] = await p.mails()
  expect(mail?.text).toContain('\u2068נועה\u2069')
})

it.each<[string, PlaceOptions['ann']]>([
  ['no address', {}],
  ['an address that is not verified', { ...ANN, email_verified: false }],
  ['an address that nothing can be mailed to', { ...ANN, email: 'ann@' }],
])('with %s, none is sent, and the deletion counts', async (_, ann = {}) => {
  const p = await start({ ann })
  await requested(p)
  expect(await p.mails()).toEqual([])
  expect(types(p)).toContain('account.deletion_requested')
})

it('none is sent for a form that is refused', async () => {
  const p = await start()
  const b = browserAt(p)
  await b.signIn('ann')
  expect((await b.deletes('ben')).status).toBe(422)
  expect(await p.mails()).toEqual([])
})

it('a queue that fails does not hold up the deletion, and is reported', async () => {
  const cause = new Error('the database does not answer')
  const queue = {
    ...memoryMailQueue(),
    add: async () => {
      throw cause
    },
  }
  const p = await start({ mail: { queue } })
  const b = await requested(p)
  expect(await b.session()).toBeNull()
  expect(pathOf(await browserAt(p).signIn('ann'))).toBe('/login/restore')
  expect(p.failures).toEqual([cause])
})

it('five in an hour: who asks and keeps the account again and again sends no more', async () => {
  const p = await start()
  for (let n = 1; n <= 6; n++) {
    await requested(p)
    expect(await p.mails()).toHaveLength(Math.min(n, 5))
    const b = browserAt(p)
    await b.keeps(await b.signIn('ann'))
  }
  p.clock.now += 3600
  await requested(p)
  expect(await p.mails()).toHaveLength(6)
})

it('mails that strangers have asked for do not use it up', async () => {
  const p = await start()
  const stranger = browserAt(p)
  for (let n = 1; n <= 4; n++) await stranger.forgets('ann@corp.example')
  const before = (await p.mails()).length
  await requested(p)
  expect((await p.mails()).slice(before)).toMatchObject([{ to: 'ann@corp.example' }])
})
