import { expect, it } from 'vitest'
import { mailThrottles } from '../src/mail/index.js'
import { askWith, type MailWorld, mailWorld } from './_mail.js'
import { browser, SECRET } from './_setup.js'

const ADDRESS = '2001:db8:1:2::1'

const throttlesOf = (s: MailWorld, per_hour = 1000) =>
  mailThrottles({ realm: 'default', throttle: s.storage('default').throttle, secret: SECRET, per_hour })

/** Mails by limit. */
async function mails(s: MailWorld, selection: { username?: string; sub?: string; address?: string }) {
  const found = await throttlesOf(s).list(selection, s.clock.now)
  return Object.fromEntries(found.map(({ limit, mails: count }) => [limit, count]))
}

async function threeMails(): Promise<MailWorld> {
  const s = await mailWorld()
  for (const username of ['ada', 'ada', 'bob']) await askWith(s, browser(s), { username, address: ADDRESS })
  return s
}

it('lists the counters of an account, an address, or both', async () => {
  const s = await threeMails()
  expect(await mails(s, { username: ' ADA ' })).toEqual({ mail_account: 2 })
  expect(await mails(s, { username: 'bob' })).toEqual({ mail_account: 1 })
  expect(await mails(s, { username: 'eve' })).toEqual({})
  expect(await mails(s, { address: '2001:db8:1:2:9::9' })).toEqual({ mail_site: 3, mail_address: 3 })
  expect(await mails(s, { address: '2001:db8:1:3::1' })).toEqual({ mail_site: 3 })
  expect(await mails(s, { username: 'bob', address: ADDRESS })).toEqual({
    mail_account: 1,
    mail_site: 3,
    mail_address: 3,
  })
  expect(await mails(s, { username: '\0' })).toEqual({})
  expect(await mails(s, {})).toEqual({})
})

it('gives the end of the window and the maximum of each counter, which follows per_hour', async () => {
  const s = await threeMails()
  const until = s.clock.now - (s.clock.now % 3600) + 3600
  expect(await throttlesOf(s).list({ username: 'ada', address: ADDRESS }, s.clock.now)).toEqual([
    { limit: 'mail_account', mails: 2, maximum: 3, until },
    { limit: 'mail_site', mails: 3, maximum: 40, until },
    { limit: 'mail_address', mails: 3, maximum: 10, until },
  ])
  expect(await throttlesOf(s, 100).list({ address: ADDRESS }, s.clock.now)).toMatchObject([
    { limit: 'mail_site', maximum: 5 },
    { limit: 'mail_address', maximum: 5 },
  ])
  expect(await throttlesOf(s).list({ username: 'ada' }, until)).toEqual([])
})

it('resets the counters of an account only: its user gets a mail again', async () => {
  const s = await threeMails()
  const throttles = throttlesOf(s)
  expect(await throttles.reset({ username: 'ada' })).toBe(1)
  expect(await mails(s, { username: 'ada' })).toEqual({})
  expect(await mails(s, { username: 'bob', address: ADDRESS })).toMatchObject({
    mail_account: 1,
    mail_address: 3,
  })
  expect(await throttles.reset({ address: ADDRESS })).toBe(2)
  expect(await mails(s, { address: ADDRESS })).toEqual({})
})
