/** Records that both databases get. */

import { personTag } from '@ostiary/core'
import { linkRecord } from '@ostiary/test-kit/factors/link-rules'
import { factorRecord, passkeyRecord } from '@ostiary/test-kit/factors/record'
import type { Place } from './_places.ts'

const NOW = Math.floor(Date.now() / 1000)
const LATER = NOW + 86_400

/** The id with this name of a record of the user. */
export const idOf = (name: string, sub = 'bob-1'): string => `${name}-${personTag(sub)}`

/** Bob, who has signed in to the client `fixed`: a session, two grants, and consents. */
export async function giveAccess({ command, storage }: Place): Promise<void> {
  await command('user create bob --sub bob-1 --no-password')
  const login = { auth_time: NOW, amr: ['pwd'], acr: '1', created_at: NOW, expires_at: LATER }
  await storage.sessions.create({
    ...login,
    sid: idOf('s'),
    session_hash: idOf('hash'),
    sub: 'bob-1',
    client_ids: ['fixed'],
    user_agent: 'Browser',
    last_used_at: NOW,
    raised_at: null,
  })
  for (const [name, offline] of [
    ['g-1', false],
    ['g-2', true],
  ] as const) {
    const code = {
      code_hash: idOf(`code-${name}`),
      grant_id: idOf(name),
      redirect_uri: 'https://fixed.example.com/callback',
      redirect_uri_sent: true,
      code_challenge: 'a'.repeat(43),
      nonce: null,
      dpop_jkt: null,
      expires_at: LATER,
      redeemed_at: null,
    }
    const grant = {
      ...login,
      grant_id: idOf(name),
      sid: idOf('s'),
      sub: 'bob-1',
      client_id: 'fixed',
      offline,
    }
    const more = { scopes: ['openid'], resource: null, client_auth: null, jkt: null, revoked_at: null }
    await storage.grants.create({ ...grant, ...more }, code)
  }
  const approved = ['https://a.example.com', 'https://b.example.com'].map((resource) => ({
    resource,
    scopes: ['openid'],
  }))
  await storage.consents.merge({ sub: 'bob-1', client_id: 'fixed', approved }, NOW)
}

/** Clients that have signed users in, with metadata in a document. */
export async function giveDocuments({ storage }: Place): Promise<void> {
  for (const name of ['a', 'b', 'c']) {
    const client_id = `https://${name}.example.com/client.json`
    const document = JSON.stringify({ client_id, redirect_uris: [`https://${name}.example.com/callback`] })
    const times = { fetched_at: NOW, fresh_until: NOW, changed_at: NOW, expires_at: LATER }
    await storage.client_documents.put({ client_id, document, etag: '"x"', last_modified: null, ...times })
  }
}

/** Bob and Gil were invited. Cem has a password by now, and Dan is disabled. */
export async function giveInvitations({ command }: Place): Promise<void> {
  for (const name of ['bob', 'cem', 'dan', 'gil']) {
    await command(`user create ${name} --sub ${name}-1 --no-password --claim email=${name}@example.com`)
    await command(`user invite ${name}@example.com --username ${name}`)
  }
  await command('user set-password cem')
  await command('user disable dan')
}

/** Bob has a passkey, an app, recovery codes and a linked account, too. */
export async function giveWays(place: Place): Promise<void> {
  await giveAccess(place)
  const { factors, links } = place
  const add = [
    passkeyRecord('key', 'bob-1', 'localhost'),
    factorRecord('app', 'bob-1'),
    factorRecord('codes', 'bob-1', { kind: 'recovery', state: '["a","b"]', label: '' }),
  ]
  await factors.change({ sub: 'bob-1', add, second_step: true }, { credential_version: 0, now: NOW })
  await links.add(linkRecord('bob-1'), { credential_version: 1, now: NOW })
}
