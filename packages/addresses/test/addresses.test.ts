/** Users change and verify their address. */

import { setDisabled, updateUser } from '@ostiary/identity'
import { describe, expect, it } from 'vitest'
import { createAddresses } from '../src/index.js'
import { textsOf } from '../src/texts.js'
import { asked, browserAt, changed, linkTo, PAGE, place, signedIn, told, WEEK } from './_place.js'

const claimsOf = async (p: Awaited<ReturnType<typeof place>>, username: string) =>
  (await p.user(username)).claims

describe('a change of the address', () => {
  it('counts after the button of the mailed link', async () => {
    const p = await place()
    const b = await signedIn(p, 'ann')
    const answer = await b.change('  Ann@Home.Example ')
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${PAGE}?sent`])
    expect(await b.text(`${PAGE}?sent`)).toContain('If the address can be used')
    await p.deliver()
    expect(p.sent.map(({ to, subject }) => [to, subject])).toEqual([
      ['ann@home.example', 'Confirm your address – id.example'],
    ])
    expect(await claimsOf(p, 'ann')).toMatchObject({ email: 'ann@corp.example', email_verified: true })
    const link = linkTo(p, 'ann@home.example')
    const phone = browserAt(p)
    const page = await phone.text(link)
    expect(page).toContain('ann@home.example')
    expect(page).toContain('<bdi>ann</bdi>')
    const done = await phone.press(link)
    expect([done.status, done.headers.get('location')]).toEqual([303, `${PAGE}?changed`])
    expect(await phone.text(`${PAGE}?changed`)).toContain('The address is confirmed')
    expect(await claimsOf(p, 'ann')).toMatchObject({ email: 'ann@home.example', email_verified: true })
    expect((await p.user('ann')).username).toBe('ann')
    expect(told(p)).toEqual(['requested', 'changed'])
    expect((await phone.send(link)).status).toBe(400)
    expect((await phone.press(link)).status).toBe(400)
  })

  it('the former address is told at once, and can undo it', async () => {
    const p = await place()
    await changed(p, 'ann', 'ann@home.example')
    const notice = p.sent.at(-1)
    expect([notice?.to, notice?.subject]).toEqual([
      'ann@corp.example',
      'Your email address was changed – id.example',
    ])
    expect(notice?.text).not.toContain('home.example')
    const link = linkTo(p, 'ann@corp.example')
    const owner = browserAt(p)
    expect(await owner.text(link)).toContain('ann@corp.example')
    const done = await owner.press(link)
    expect([done.status, done.headers.get('location')]).toEqual([303, `${PAGE}?undone`])
    expect(await owner.text(`${PAGE}?undone`)).toContain('/login/recover')
    expect(await claimsOf(p, 'ann')).toMatchObject({ email: 'ann@corp.example', email_verified: true })
    await p.deliver()
    expect(
      p.sent
        .slice(-2)
        .map(({ to }) => to)
        .sort(),
    ).toEqual(['ann@corp.example', 'ann@home.example'])
    expect(p.sent.at(-1)?.subject).toBe('The change of an email address was undone – id.example')
    expect(told(p)).toEqual(['requested', 'changed', 'undone'])
    expect((await owner.send(link)).status).toBe(400)
  })

  it('a username that is the address changes with it, and comes back with it', async () => {
    const p = await place()
    const { sub } = await p.user('mia@corp.example')
    await changed(p, 'mia@corp.example', 'mia@home.example')
    expect(await p.user('mia@home.example')).toMatchObject({
      sub,
      username: 'mia@home.example',
      claims: { email: 'mia@home.example', email_verified: true },
    })
    expect(await p.users('default').findByUsername('mia@corp.example')).toBeNull()
    await browserAt(p).press(linkTo(p, 'mia@corp.example'))
    expect(await p.user('mia@corp.example')).toMatchObject({ sub, claims: { email: 'mia@corp.example' } })
    expect(await p.users('default').findByUsername('mia@home.example')).toBeNull()
  })

  it('an undo gives the address back without the username, where that is of another account since', async () => {
    const p = await place()
    const { sub } = await p.user('mia@corp.example')
    await changed(p, 'mia@corp.example', 'mia@home.example')
    const bob = await p.user('bob@corp.example')
    await updateUser(p.users('default'), { sub: bob.sub, change: () => ({ username: 'mia@corp.example' }) })
    await browserAt(p).press(linkTo(p, 'mia@corp.example'))
    expect(await p.user('mia@home.example')).toMatchObject({ sub, claims: { email: 'mia@corp.example' } })
  })

  it('the first address of an account, and one that was not verified: none is told', async () => {
    const p = await place()
    await changed(p, 'nil', 'nil@home.example')
    await changed(p, 'una', 'una@home.example')
    expect(p.sent.map(({ to }) => to)).toEqual(['nil@home.example', 'una@home.example'])
    expect(told(p)).toEqual(['requested', 'added', 'requested', 'changed'])
  })

  it('an address that is not verified is verified from the account page, and stays as it is written', async () => {
    const p = await place()
    const b = await signedIn(p, 'una')
    expect(await b.text('/account')).toContain('Send a link')
    expect((await b.act('verify_address')).headers.get('location')).toBe(`${PAGE}?sent`)
    await p.deliver()
    await b.press(linkTo(p, 'Una@corp.example'))
    expect(await claimsOf(p, 'una')).toMatchObject({ email: 'Una@corp.example', email_verified: true })
    expect(await b.text('/account')).not.toContain('Send a link')
    expect((await b.act('verify_address')).status).toBe(400)
    expect(told(p)).toEqual(['requested', 'verified'])
  })

  it('a name that is the own address does not count as that of another account', async () => {
    const p = await place()
    const { sub } = await p.user('mia@corp.example')
    const change = () => ({ claims: { email: 'mia@corp.example', email_verified: false } })
    await updateUser(p.users('default'), { sub, change })
    const b = await signedIn(p, 'mia@corp.example')
    await b.act('verify_address')
    await p.deliver()
    await b.press(linkTo(p, 'mia@corp.example'))
    expect(await claimsOf(p, 'mia@corp.example')).toMatchObject({ email_verified: true })
  })

  it('one that waits is shown, and can be ended', async () => {
    const p = await place()
    const link = await asked(p, 'ann', 'ann@home.example')
    const b = await signedIn(p, 'ann')
    expect(await b.text('/account')).toContain('An address waits for its confirmation')
    expect((await b.act('keep_address')).headers.get('location')).toBe('https://id.example/account')
    expect(await b.text('/account')).not.toContain('An address waits')
    expect((await b.send(link)).status).toBe(400)
    expect((await b.act('keep_address')).status).toBe(303)
    expect(told(p)).toEqual(['requested', 'removed', 'refused unknown_ticket'])
  })

  it('the claims of an application follow', async () => {
    const p = await place()
    await changed(p, 'ann', 'ann@home.example')
    const { sub } = await p.user('ann')
    const located = await p.provider.locate(new Request('https://id.example/login'))
    const found = located && (await p.identity.accounts.find(sub, located.realm))
    expect(found?.claims).toMatchObject({ email: 'ann@home.example', email_verified: true })
  })
})

describe('a link', () => {
  it('works for seven days', async () => {
    const p = await place()
    const link = await asked(p, 'ann', 'ann@home.example')
    p.clock.now += WEEK - 1
    expect((await browserAt(p).send(link)).status).toBe(200)
    p.clock.now += 1
    expect((await browserAt(p).send(link)).status).toBe(400)
  })

  it('of an undo works for seven days', async () => {
    const p = await place()
    await changed(p, 'ann', 'ann@home.example')
    const link = linkTo(p, 'ann@corp.example')
    p.clock.now += WEEK - 1
    expect((await browserAt(p).send(link)).status).toBe(200)
    p.clock.now += 1
    expect((await browserAt(p).send(link)).status).toBe(400)
  })

  it('after a week, the next change can be undone by the address that was the new one', async () => {
    const p = await place()
    await changed(p, 'ann', 'ann@home.example')
    p.clock.now += WEEK
    await changed(p, 'ann', 'ann@work.example')
    await browserAt(p).press(linkTo(p, 'ann@home.example'))
    expect(await claimsOf(p, 'ann')).toMatchObject({ email: 'ann@home.example' })
  })

  it('is of one realm', async () => {
    const p = await place({ realms: ['one', 'two'] })
    const b = await signedIn(p, 'ann', { realm: 'one' })
    await b.act('change_address', { address: 'ann@home.example' })
    await p.deliver()
    const link = linkTo(p, 'ann@home.example')
    expect((await browserAt(p).send(link)).status).toBe(200)
    expect((await browserAt(p).send(link.replace('/one/', '/two/'))).status).toBe(400)
  })
})

describe('where it is off', () => {
  it.each([{ email_change: false }, { mail: null }])(
    'there is no section and no form: %j',
    async (options) => {
      const p = await place(options)
      const b = await signedIn(p, 'ann')
      expect(await b.text('/account')).not.toContain('new_address')
      expect((await b.act('change_address', { address: 'ann@home.example' })).status).toBe(400)
      expect((await b.send(PAGE)).status).toBe(options.mail === null ? 400 : 404)
    },
  )

  it('the settings are checked', () => {
    const wrong = () =>
      createAddresses({ realms: { default: { email_change: 'yes' as unknown as boolean } } })
    expect(wrong).toThrow('realms.default.email_change')
  })

  it('a disabled user gets no link', async () => {
    const p = await place()
    await changed(p, 'ann', 'ann@home.example')
    await setDisabled(p.users('default'), { sub: (await p.user('ann')).sub, disabled: true })
    expect((await browserAt(p).send(linkTo(p, 'ann@corp.example'))).status).toBe(400)
  })
})

it('has a text of each kind in German and French, with the same names in braces', () => {
  const names = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort()
  const english = Object.entries(textsOf('en'))
  for (const language of ['de', 'fr-CA']) {
    const other = textsOf(language) as unknown as Record<string, string>
    for (const [name, text] of english) {
      expect([name, names(other[name] ?? '')]).toEqual([name, names(text)])
      expect(other[name]).not.toBe(text)
    }
  }
})
