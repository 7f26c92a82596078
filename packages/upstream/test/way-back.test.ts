/** What the account page says of a lost device, for an account with one passkey, no password and a linked account. */

import { passkeyRecord } from '@ostiary/test-kit/factors/record'
import { describe, expect, it } from 'vitest'
import { browserAt, linkCorp, type PlaceOptions, place, signInWithPassword } from './_place.js'

interface Account extends PlaceOptions {
  linked: boolean
  second_step?: boolean
}

/** The first sentence of the section. @param linked Whether the account has a link. */
async function shown({ linked, second_step = false, ...options }: Account): Promise<string> {
  const p = await place({ settings: {}, ...options })
  const b = browserAt(p)
  await signInWithPassword(b)
  if (linked) await linkCorp(p, b)
  const users = p.users('default')
  const user = await users.findByUsername('ada@corp.example')
  if (!user) throw new Error('no user')
  const { sub, credential_version } = user
  const add = [passkeyRecord('key', sub, 'id.example')]
  await p.factors('default').change({ sub, add }, { credential_version, now: p.clock.now })
  const changed = await users.find(sub)
  if (!changed) throw new Error('no user')
  await users.update(
    { ...changed, password_hash: null, second_step, credential_version, updated_at: changed.updated_at + 1 },
    changed.updated_at,
  )
  const html = await (await b.send('https://id.example/account')).text()
  return /<h2 id="ways">[\s\S]*?<p class="([^<]*)<\/p>/.exec(html)?.[1] ?? ''
}

const WARNING = /^note warning">.*you cannot get back in/

describe('one synced passkey', () => {
  it('alone: without the password manager, there is no way back', async () => {
    expect(await shown({ linked: false })).toMatch(WARNING)
  })

  it('with an account elsewhere that signs in: that is the way back', async () => {
    expect(await shown({ linked: true })).toMatch(
      /^aside">If you lose a device: sign in with a linked account\. Recovery codes do not sign you in/,
    )
  })

  it('with one that signs in only together with a factor of this server: no way back', async () => {
    expect(await shown({ linked: true, corp: { require_second_factor: true } })).toMatch(WARNING)
    expect(await shown({ linked: true, second_step: true })).toMatch(WARNING)
  })
})
