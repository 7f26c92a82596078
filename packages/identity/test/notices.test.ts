/** Mails that tell a user what was changed at the account, and how mails read. */

import { describe, expect, it } from 'vitest'
import { memoryMailQueue } from '../src/mail/index.js'
import { CHANGE, postAccount, signedIn, subOf } from './_account.js'
import { addApp, addPasskey, formWith, syncedPasskey, toSecondStep } from './_factors.js'
import { ask, giveAddress, lastLink, mailWorld, resetWith } from './_mail.js'
import { begun, newPassword, send } from './_recovery.js'
import { browser, setup } from './_setup.js'

const FIREFOX = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }

describe('a notice', () => {
  it('follows a new password of the account page', async () => {
    const s = await mailWorld()
    const b = await signedIn(s)
    expect((await postAccount(s, b, CHANGE)).status).toBe(303)
    await s.deliver()
    expect(s.sent).toMatchObject([
      { to: 'ada@example.com', subject: 'Your account at id.example was changed' },
    ])
    expect(s.sent[0]?.text).toContain('A new password was set.')
    expect(s.sent[0]?.text).toContain('https://id.example/login/recover')
  })

  it('follows a password that was set with a mail', async () => {
    const s = await mailWorld()
    await ask(s)
    await resetWith(browser(s), lastLink(s))
    await s.deliver()
    expect(s.sent).toHaveLength(2)
    expect(s.sent[1]?.text).toContain('A new password was set.')
  })

  it('is one for all changes of a form: the first passkey and its recovery codes', async () => {
    const s = await mailWorld({ settings: { second_factor: 'optional' } })
    const b = await signedIn(s)
    await addPasskey(s, b, syncedPasskey())
    await s.deliver()
    expect(s.sent).toHaveLength(1)
    expect(s.sent[0]?.text).toContain('A passkey was added.\n\nNew recovery codes were made.')
  })

  it('follows an app, and a recovery code that was used says how many are left', async () => {
    const s = await mailWorld({ settings: { second_factor: 'optional' } })
    const b = await signedIn(s)
    const { codes } = await addApp(s, b)
    await s.deliver()
    expect(s.sent[0]?.text).toContain('An authenticator app was added.')
    const other = browser(s)
    const form = formWith(await toSecondStep(s, other), { proof: 'recovery' })
    await other.post(form.url, { ...form.fields, recovery_code: codes[0] ?? '' })
    await s.deliver()
    expect(s.sent.at(-1)?.text).toContain('A recovery code was used. 9 are left.')
  })

  it('follows the link of an operator', async () => {
    const s = await mailWorld({ settings: {} })
    const { b, html } = await begun(s)
    const set = await send(b, html, { action: 'password', ...newPassword('a new password of words') })
    const choice = await (await b.get(set.headers.get('location') ?? '')).text()
    await send(b, choice, { action: 'finish' })
    await s.deliver()
    expect(s.sent.map(({ text }) => text).join('\n')).toContain('A recovery link was used')
  })

  it('is not sent for a sign-in, a refusal or a page', async () => {
    const s = await mailWorld()
    const b = await signedIn(s)
    await postAccount(s, b, { ...CHANGE, current_password: 'wrong' })
    await b.get(`${s.base('default')}/account`)
    await s.deliver()
    expect(s.sent).toEqual([])
  })

  it('goes to the user whose account it is, and not to one without a verified address', async () => {
    const s = await mailWorld()
    const ada = await s.users('default').findByUsername('ada')
    if (!ada) throw new Error('There is no Ada')
    await s.users('default').create({
      ...ada,
      sub: 'bob',
      username: 'bob',
      username_key: 'bob',
      claims: { email: 'bob@example.com', email_verified: true },
    })
    const b = await signedIn(s, { username: 'bob' })
    await postAccount(s, b, CHANGE)
    await s.deliver()
    expect(s.sent.map(({ to }) => to)).toEqual(['bob@example.com'])
    await giveAddress(s, { email_verified: false })
    await postAccount(s, await signedIn(s), CHANGE)
    await s.deliver()
    expect(s.sent).toHaveLength(1)
  })

  it('that cannot be queued does not undo the change, and is an event', async () => {
    const s = await mailWorld({
      queue: { ...memoryMailQueue(), add: async () => Promise.reject(new Error('no database')) },
    })
    const b = await signedIn(s)
    expect((await postAccount(s, b, CHANGE)).status).toBe(303)
    expect(s.events).toContainEqual(expect.objectContaining({ type: 'account.password_changed' }))
    expect(s.events).toContainEqual(expect.objectContaining({ type: 'server.error' }))
  })
})

describe('a mail', () => {
  it('has the language of the page, the browser by its name, and the time of the user', async () => {
    const s = await mailWorld()
    await giveAddress(s, { zoneinfo: 'Europe/Berlin' })
    await ask(s, { headers: { 'accept-language': 'de', ...FIREFOX } })
    expect(s.sent[0]?.subject).toBe('Neues Passwort für id.example festlegen')
    expect(s.sent[0]?.text).toContain(
      'Für das Konto Ada bei id.example wurde ein neues Passwort angefordert.',
    )
    expect(s.sent[0]?.text).toContain('15. Januar 2027 um 09:00 MEZ, Firefox, Linux')
    expect(s.sent[0]?.text).toContain('30 Minuten')
    expect(s.sent[0]?.html).toContain('<html lang="de" dir="ltr">')
  })

  it('says the same as text and as HTML, and is marked as automatic', async () => {
    const s = await mailWorld({ mail: { reply_to: 'help@example.com' } })
    await ask(s)
    const [mail] = s.sent
    expect(mail?.text).toMatch(/^A new password was asked for, for the account Ada at id\.example\.\n\n/)
    expect(mail?.text).toContain(`Set a new password:\n${lastLink(s)}\n\n`)
    for (const paragraph of mail?.text.split('\n\n').slice(0, 3) ?? [])
      expect(mail?.html).toContain(paragraph)
    expect(mail?.html).toContain('<title>Set a new password for id.example</title>')
    expect(mail?.html).toContain(`<a href="${lastLink(s)}"`)
    expect(mail?.html).not.toMatch(/<img|<script|@import|url\(|src=/)
    expect(mail).toMatchObject({
      reply_to: 'help@example.com',
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
    expect(mail?.message_id).toMatch(/^[\w-]{22}@id\.example$/)
  })

  it('has the name and the colors of the theme', async () => {
    const theme = { name: 'Example & Co', variables: { '--ostiary-accent': '#b00020' } } as const
    const s = await mailWorld({ identity: { theme } })
    await ask(s)
    expect(s.sent[0]?.subject).toBe('Set a new password for Example & Co')
    expect(s.sent[0]?.html).toContain('Example &amp; Co')
    expect(s.sent[0]?.html).toContain('background-color:#3247c5;background-color:#b00020;')
  })

  it('escapes names, and a name of another direction does not turn the sentence', async () => {
    const s = await mailWorld()
    const user = await s.users('default').find(await subOf(s))
    if (!user) throw new Error('There is no Ada')
    const username = '<b>\u05d0\u05d1</b>'
    await s.users('default').update({ ...user, username, updated_at: user.updated_at + 1 }, user.updated_at)
    await ask(s)
    expect(s.sent[0]?.html).toContain('\u2068&lt;b&gt;\u05d0\u05d1&lt;/b&gt;\u2069')
    expect(s.sent[0]?.text).toContain(`\u2068${username}\u2069`)
  })

  it('never names an address', async () => {
    const s = await mailWorld()
    await ask(s, { address: '192.0.2.77' })
    expect(JSON.stringify(s.sent)).not.toContain('192.0.2.77')
  })
})

it('mail needs tickets', async () => {
  const mail = { queue: memoryMailQueue(), of: () => null }
  const made = setup({ identity: { mail, tickets: undefined as never } })
  await expect(made).rejects.toThrow('tickets: missing; mail needs it')
})
