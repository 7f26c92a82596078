/** What the records say now about the reason of a refusal: a row does not keep what the application sent. */

import type { Client } from '@ostiary/core'
import type { User } from '@ostiary/identity'
import { iso } from './output.js'

/** The client and the user of a story, as they are stored now. */
export interface StoryRecords {
  client: Client | null
  user: User | null
}

type Fact = (records: StoryRecords) => string | null

const ofClient =
  (tell: (client: Client) => string): Fact =>
  ({ client }) =>
    client && tell(client)

const scopesOf = ({ default_scopes, optional_scopes }: Client): string =>
  `its default_scopes are ${list(default_scopes)}, its optional_scopes ${list(optional_scopes)}`

const list = (values: readonly string[] | null): string => {
  if (values === null) return 'those of the realm'
  return values.length === 0 ? 'none' : values.map((value) => JSON.stringify(value)).join(', ')
}

const FACTS: Readonly<Record<string, Fact>> = {
  unregistered_redirect_uri: ofClient(({ redirect_uris }) => `its redirect_uris are ${list(redirect_uris)}`),
  wrong_method: ofClient(
    ({ token_endpoint_auth_method: one, token_endpoint_auth_methods: several }) =>
      `it is registered for ${(several ?? [one]).join(' and ')}`,
  ),
  unassigned_scope: ofClient(scopesOf),
  closed_resource: ofClient((client) =>
    client.origin === 'operator'
      ? `an operator made the client; ${scopesOf(client)}`
      : 'the client registered itself',
  ),
  disabled: ({ user }) => {
    if (user === null) return null
    return user.disabled_at === null ? 'the user is enabled again' : `disabled since ${iso(user.disabled_at)}`
  },
}

/** Null for a reason about which the records say nothing. */
export const factOf = (reason: unknown, records: StoryRecords): string | null =>
  typeof reason === 'string' && Object.hasOwn(FACTS, reason) ? (FACTS[reason]?.(records) ?? null) : null
