/** A user with a passkey, who signs in with it in a browser without JavaScript. */

import { createHash } from 'node:crypto'
import { personTag } from '@ostiary/core'
import type { FactorStore, UserStore } from '@ostiary/identity'
import { factorRecord } from '../factors/record.ts'
import type { Page, Person } from '../person.ts'
import { assertionResponse, newUserHandle, passkeyCredential } from './authenticator.ts'

export interface PersonStores {
  users: UserStore
  factors: FactorStore
}

export type Passkey = ReturnType<typeof passkeyCredential>

/** Gives the user a passkey for `localhost`. */
export async function givePasskey({ users, factors }: PersonStores, sub: string): Promise<Passkey> {
  const synced = { backup_eligible: true, backed_up: true, counter: 0 }
  const passkey = passkeyCredential({ ...synced, user_handle: newUserHandle(personTag(sub)) })
  const id = passkey.credential_id.toString('base64url')
  const factor = {
    ...factorRecord('key', sub, { kind: 'passkey', state: '0 1' }),
    factor_id: createHash('sha256').update(id).digest('base64url') + personTag(sub),
    data: {
      credential_id: id,
      public_key: passkey.public_key.export({ format: 'der', type: 'spki' }).toString('base64url'),
      algorithm: passkey.algorithm,
      backup_eligible: true,
      transports: [],
      aaguid: '00000000-0000-0000-0000-000000000000',
      rp_id: 'localhost',
      user_handle: passkey.user_handle,
    },
  }
  const user = await users.find(sub)
  const now = Math.floor(Date.now() / 1000)
  const changed = await factors.change(
    { sub, add: [factor] },
    { credential_version: user?.credential_version ?? 0, now },
  )
  if (!changed) throw new Error('The passkey is not added')
  return passkey
}

/** Signs in with the passkey on a page that asks for it; another page stays. */
export async function withPasskey(
  browser: Person,
  page: Page,
  { passkey, origin }: { passkey: Passkey; origin: string },
): Promise<Page> {
  const [form] = /<form[^>]*data-passkey="get"[\s\S]*?<\/form>/.exec(page.html) ?? []
  if (form === undefined) return page
  const options = /data-options="([^"]*)"/.exec(form)?.[1]?.replaceAll('&quot;', '"') ?? '{}'
  const { challenge } = JSON.parse(options) as { challenge: string }
  const response = assertionResponse(passkey, { challenge, origin, rp_id: 'localhost' })
  return browser.submit({ ...page, html: form }, { passkey: JSON.stringify(response) })
}
