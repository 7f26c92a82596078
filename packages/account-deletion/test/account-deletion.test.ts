/** Users delete their account: access ends at once, and the account seven days later, unless they keep it. */

import { hiddenField } from '@ostiary/test-kit/browser'
import { describe, expect, it } from 'vitest'
import { browserAt, confirmationIn, DAY, ORIGIN, pathOf, place, requested, types } from './_place.js'

describe('the request', () => {
  it('is made on a page that says what it does, with the username', async () => {
    const p = await place()
    const b = browserAt(p)
    await b.signIn('ann')
    expect(await b.open('/account')).toContain('You have seven days to change your mind.')
    const page = await b.ask()
    expect(page).toContain('For seven days you can sign in to keep the account.')
    expect(page).toContain('<bdi>ann</bdi>')

    const done = await b.deletes(' ANN ')
    expect(done.status).toBe(200)
    expect(await done.text()).toContain('It is deleted on January 22, 2027.')
    const { sub = '' } = (await p.find('ann')) ?? {}
    const due_at = p.clock.now + 7 * DAY
    expect(p.events.filter(({ type }) => type === 'account.deletion_requested')).toMatchObject([
      { sub, due_at },
    ])
  })

  it('ends all sessions and grants of the user, and of no other', async () => {
    const p = await place()
    const [other, ben] = [browserAt(p), browserAt(p)]
    await other.signIn('ann')
    await ben.signIn('ben')
    const b = await requested(p)
    expect(await b.session()).toBeNull()
    expect(await other.session()).toBeNull()
    expect(await ben.session()).not.toBeNull()
    expect(await p.find('ann')).not.toBeNull()
  })

  it.each([
    ['another username', { username: 'ben' }, 422],
    ['no username', { username: '' }, 422],
    ['no CSRF token', { csrf_token: '' }, 403],
    ['the CSRF token of another page', { csrf_token: 'x'.repeat(43) }, 403],
  ])('with %s changes nothing', async (_, fields, status) => {
    const p = await place()
    const b = browserAt(p)
    await b.signIn('ann')
    const answer = await b.deletes('ann', fields)
    expect(answer.status).toBe(status)
    expect(await answer.text()).toContain('role="alert"')
    expect(await b.session()).not.toBeNull()
    expect(types(p)).not.toContain('account.deletion_requested')
  })

  it('a wrong name stays in the field, escaped, with the error beside it', async () => {
    const p = await place()
    const b = browserAt(p)
    await b.signIn('ann')
    const typed = '"><b>anne</b> &amp;'
    const page = await (await b.deletes(typed)).text()
    expect(page).toContain('value="&quot;&gt;&lt;b&gt;anne&lt;/b&gt; &amp;amp;"')
    expect(page).not.toContain('<b>anne')
    const field = page.slice(page.indexOf('<label for="username">'), page.indexOf('<button'))
    expect(field).toContain('aria-describedby="error name" aria-invalid="true" autofocus')
    expect(field).toContain('id="error" role="alert"')
    expect(page.split('role="alert"')).toHaveLength(2)
  })

  it('shows at most as much of a wrong name as the field takes', async () => {
    const p = await place()
    const b = browserAt(p)
    await b.signIn('ann')
    const shown = async (length: number) => {
      const page = await (await b.deletes('n'.repeat(length))).text()
      return /value="(n+)"/.exec(page)?.[1]
    }
    expect(await shown(255)).toHaveLength(255)
    expect(await shown(256)).toHaveLength(255)
  })

  it('a form of another site does not fill the field', async () => {
    const p = await place()
    const b = browserAt(p)
    await b.signIn('ann')
    const page = await (await b.deletes('ann', { csrf_token: 'x'.repeat(43) })).text()
    expect(page).toContain('name="username"')
    expect(page).not.toContain('value="ann"')
  })

  it('the section is the last one of the account page', async () => {
    const p = await place()
    const b = browserAt(p)
    await b.signIn('ann')
    const sections = [...(await b.open('/account')).matchAll(/<section aria-labelledby="([^"]+)"/g)]
    expect(sections.map(([, name]) => name)).toEqual([
      'person',
      'ways',
      'password',
      'sessions',
      'clients',
      'delete-account',
    ])
  })

  it('needs a sign-in of the last five minutes, at both steps', async () => {
    const p = await place()
    const b = browserAt(p)
    await b.signIn('ann')
    const csrf_token = hiddenField(await b.ask(), 'csrf_token')
    p.clock.now += 300
    const late = await b.post('/login/delete', { csrf_token, username: 'ann' })
    expect(await late.text()).toContain('name="current_password"')
    expect(await b.session()).not.toBeNull()
    const again = await b.post('/account', {
      csrf_token: hiddenField(await b.open('/account'), 'csrf_token'),
      action: 'delete_account',
    })
    expect(pathOf(again)).toBe('status 200')
    expect(await again.text()).toContain('value="delete_account"')
    expect(types(p)).not.toContain('account.deletion_requested')
  })

  it('is not there without a session, for users that the operator keeps, and in other realms', async () => {
    const p = await place({ keeps: (_, { username }) => username === 'ann' })
    const [b, ben, nobody] = [browserAt(p), browserAt(p), browserAt(p)]
    expect(pathOf(await nobody.send('/login/delete'))).toBe('/account')
    await b.signIn('ann')
    await ben.signIn('ben')
    expect(await b.open('/account')).not.toContain('delete_account')
    expect(await ben.open('/account')).toContain('delete_account')
    expect(pathOf(await b.send('/login/delete'))).toBe('/account')
    const csrf_token = hiddenField(await b.open('/account'), 'csrf_token')
    expect((await b.post('/account', { csrf_token, action: 'delete_account' })).status).toBe(400)
    const elsewhere = await place({ realms: ['other'] })
    const c = browserAt(elsewhere)
    await c.signIn('ann')
    expect(await c.open('/account')).not.toContain('delete_account')
    expect((await c.send('/login/delete')).status).toBe(404)
    expect((await c.send('/login/restore')).status).toBe(404)
  })
})

describe('until the account is deleted', () => {
  it('a sign-in leads to the offer to keep it, and no further', async () => {
    const p = await place()
    await requested(p)
    const b = browserAt(p)
    const answer = await b.signInFor('ann')
    expect(pathOf(answer)).toBe('/login/restore')
    const page = await b.open(answer.headers.get('location') ?? '')
    expect(page).toContain('It is deleted on January 22, 2027, unless you keep it.')
    expect(await b.session()).toBeNull()
    expect(pathOf(await b.send('/account'))).toBe('/login')
  })

  it('tells operators when it is deleted', async () => {
    const kept: string[] = []
    const p = await place({ keeps: (_, { username }) => kept.includes(username) })
    const told = async ({ deletion }: Pick<typeof p, 'deletion'> = p) => {
      const user = await p.find('ann')
      return user && deletion.extension.deletesAt?.('default', user)
    }
    expect(await told()).toBeNull()
    await requested(p)
    expect(await told()).toBe(p.clock.now + 7 * DAY)
    // No server deletes it where it is turned off since.
    expect(await told(await place({ realms: ['other'], wrap: () => () => p.tickets }))).toBeNull()
    kept.push('ann')
    expect(await told()).toBeNull()
    kept.pop()
    p.clock.now += 97 * DAY
    expect(await told()).toBeNull()
    p.clock.now -= 97 * DAY
    const b = browserAt(p)
    await b.keeps(await b.signIn('ann'))
    expect(await told()).toBeNull()
  })

  it('so does the link of an operator', async () => {
    const p = await place()
    await requested(p)
    const b = browserAt(p)
    const link = await p.recoveryLink('ann')
    const hidden = (html: string, action: string) => {
      const form = new RegExp(`<form[^>]*>(?:(?!</form>)[\\s\\S])*value="${action}"[\\s\\S]*?</form>`).exec(
        html,
      )?.[0]
      const inputs = [...(form ?? '').matchAll(/name="([^"]*)" value="([^"]*)"/g)]
      return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value]))
    }
    const url = new URL(link)
    const begun = await b.post(url.pathname, hidden(await b.open(link), 'begin'))
    const choice = await b.open(begun.headers.get('location') ?? '')
    const typed = {
      new_password: 'nine words that ann has chosen',
      new_password_again: 'nine words that ann has chosen',
    }
    const set = await b.post(url.pathname, { ...hidden(choice, 'password'), ...typed })
    const last = await b.open(set.headers.get('location') ?? '')
    const end = await b.post(url.pathname, hidden(last, 'finish'))
    expect(pathOf(end)).toBe('/login/restore')
    expect(await b.session()).toBeNull()
  })

  it('the user can keep it, and signs in again', async () => {
    const p = await place()
    await requested(p)
    const b = browserAt(p)
    const answer = await b.signInFor('ann')
    const kept = await b.keeps(answer)
    expect(kept.status).toBe(200)
    const page = await kept.text()
    expect(page).toContain('You keep your account')
    expect(types(p)).toContain('account.deletion_withdrawn')
    const [, sign_in = ''] = /href="([^"]*\/login\?return_to=[^"]*)"/.exec(page) ?? []
    expect(pathOf(await b.enter(sign_in.replaceAll('&amp;', '&'), 'ann'))).toBe('/oauth/authorize/resume')
    expect(await b.session()).not.toBeNull()
    p.clock.now += 8 * DAY
    await p.round()
    expect(await p.find('ann')).not.toBeNull()
  })

  it.each([
    ['no confirmation', { confirm: '' }],
    ['a confirmation of another offer', { confirm: 'x'.repeat(60) }],
  ])('with %s, nothing is kept', async (_, fields) => {
    const p = await place()
    await requested(p)
    const b = browserAt(p)
    const answer = await b.keeps(await b.signIn('ann'), fields)
    expect(answer.status).toBe(403)
    expect(types(p)).not.toContain('account.deletion_withdrawn')
    expect(p.events.at(-1)).toMatchObject({ type: 'login.refused', reason: 'csrf' })
  })

  it('the form of one user keeps no account of another one', async () => {
    const p = await place()
    await requested(p, 'ann')
    await requested(p, 'ben')
    const [ann, ben] = [browserAt(p), browserAt(p)]
    const confirm = await confirmationIn(ann, await ann.signIn('ann'))
    expect((await ben.keeps(await ben.signIn('ben'), { confirm })).status).toBe(403)
    expect(types(p)).not.toContain('account.deletion_withdrawn')
  })

  it('an offer works for ten minutes, once, and not after another password', async () => {
    const p = await place()
    await requested(p)
    const b = browserAt(p)
    const confirm = await confirmationIn(b, await b.signIn('ann'))
    const cookies = new Map(b.cookies)
    p.clock.now += 599
    expect((await b.send('/login/restore')).status).toBe(200)
    p.clock.now += 1
    expect(pathOf(await b.post('/login/restore', { confirm }))).toBe('/account')
    p.clock.now -= 1
    for (const [name, value] of cookies) b.cookies.set(name, value)
    expect((await b.post('/login/restore', { confirm })).status).toBe(200)
    // The user asks once more: the copied cookie of before keeps nothing.
    await requested(p)
    for (const [name, value] of cookies) b.cookies.set(name, value)
    expect(pathOf(await b.post('/login/restore', { confirm }))).toBe('/account')
    const user = await p.find('ann')
    if (user === null) throw new Error('There is no ann')
    const other = {
      ...user,
      credential_version: user.credential_version + 1,
      updated_at: user.updated_at + 1,
    }
    const c = browserAt(p)
    const offered = await c.signIn('ann')
    await p.users.update(other, user.updated_at)
    expect(pathOf(await c.send(offered.headers.get('location') ?? ''))).toBe('/account')
  })

  it('a cookie that is what the form has sealed is no offer', async () => {
    const p = await place()
    await requested(p)
    const b = browserAt(p)
    const confirm = await confirmationIn(b, await b.signIn('ann'))
    for (const name of b.cookies.keys()) if (name.includes('restore')) b.cookies.set(name, confirm)
    expect(pathOf(await b.send('/login/restore'))).toBe('/account')
  })

  it('a return address elsewhere leads nowhere', async () => {
    const p = await place()
    await requested(p)
    const b = browserAt(p)
    const kept = await b.keeps(await b.signIn('ann'), { return_to: 'https://evil.example/"><script>' })
    const page = await kept.text()
    expect(page).not.toContain('<script>')
    const [, link = ''] = /class="switch" href="([^"]+)"/.exec(page) ?? []
    const sign_in = new URL(link.replaceAll('&amp;', '&'), ORIGIN)
    expect([sign_in.origin, sign_in.pathname]).toEqual([ORIGIN, '/login'])
    expect((await b.send(sign_in.href)).headers.get('location') ?? '').not.toContain('evil')
  })
})
