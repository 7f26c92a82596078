/** What the records say now about the reason of a refusal: a row does not keep what the application sent. */

import type { Client } from '@ostiary/core'
import type { Story } from '@ostiary/explain'
import type { User } from '@ostiary/identity'
import { iso } from './output.js'

/** The client and the user of a story, as they are stored now. */
export interface StoryRecords {
  client: Client | null
  user: User | null
}

type Scopes = Story['realm_scopes']

type Fact = (records: StoryRecords, realm: Scopes) => string | null

const ofClient =
  (tell: (client: Client, realm: Scopes) => string): Fact =>
  ({ client }, realm) =>
    client && tell(client, realm)

function scopesOf(client: Client, realm: Scopes): string {
  const told = (name: keyof Scopes) => {
    const own = client[name]
    return own === null ? `those of the realm (${list(realm[name])})` : list(own)
  }
  return `its default_scopes are ${told('default_scopes')}, its optional_scopes ${told('optional_scopes')}`
}

const list = (values: readonly string[]): string =>
  values.length === 0 ? 'none' : values.map((value) => JSON.stringify(value)).join(', ')

const FACTS: Readonly<Record<string, Fact>> = {
  unregistered_redirect_uri: ofClient(({ redirect_uris }) => `its redirect_uris are ${list(redirect_uris)}`),
  wrong_method: ofClient(
    ({ token_endpoint_auth_method: one, token_endpoint_auth_methods: several }) =>
      `it is registered for ${(several ?? [one]).join(' and ')}`,
  ),
  unassigned_scope: ofClient(scopesOf),
  closed_resource: ofClient((client, realm) =>
    client.origin === 'operator'
      ? `an operator made the client; ${scopesOf(client, realm)}`
      : 'the client registered itself',
  ),
  disabled: ({ user }) => {
    if (user === null) return null
    return user.disabled_at === null ? 'the user is enabled again' : `disabled since ${iso(user.disabled_at)}`
  },
}

/** Null for a reason about which the records say nothing. @param realm What a client has that has no scopes of its own. */
export const factOf = (reason: string | null, records: StoryRecords, realm: Scopes): string | null =>
  reason !== null && Object.hasOwn(FACTS, reason) ? (FACTS[reason]?.(records, realm) ?? null) : null
