/** What the clients received, and how often what they presented succeeded. The records are compared with it. */

import { createHash } from 'node:crypto'
import type { Queries } from '@ostiary/storage-postgres'

export interface Ledger {
  /** How often each code was redeemed, by code. */
  redeemed: Map<string, number>
  /** The tokens in the answers to each refresh token; within the grace period always the same one. */
  successors: Map<string, Set<string>>
  /** Every refresh token that a client has received. */
  received: Set<string>
  /** Answers that no client may receive. */
  faults: string[]
  /** Requests whose answer was lost, and what the next one with the same token was answered. */
  lost: number
  served_after_a_loss: number
  refused_after_a_loss: number
}

export const newLedger = (): Ledger => ({
  redeemed: new Map(),
  successors: new Map(),
  received: new Set(),
  faults: [],
  lost: 0,
  served_after_a_loss: 0,
  refused_after_a_loss: 0,
})

export function noteRedeemed(ledger: Ledger, code: string, refresh_token: string): void {
  ledger.redeemed.set(code, (ledger.redeemed.get(code) ?? 0) + 1)
  ledger.received.add(refresh_token)
}

export function noteSuccessor(ledger: Ledger, presented: string, refresh_token: string): void {
  const known = ledger.successors.get(presented) ?? new Set()
  ledger.successors.set(presented, known.add(refresh_token))
  ledger.received.add(refresh_token)
}

export const succeededTwice = ({ redeemed, successors }: Ledger) => ({
  codes_redeemed: redeemed.size,
  codes_redeemed_twice: [...redeemed.values()].filter((times) => times > 1).length,
  refresh_tokens_spent: successors.size,
  refresh_tokens_with_two_successors: [...successors.values()].filter(({ size }) => size > 1).length,
})

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

/** Tokens that clients hold and the database does not. */
const UNKNOWN = `
  select count(*)::int as count from json_array_elements_text($1::text::json) as token_hash
  where not exists (select from oidc_refresh_tokens t where t.token_hash = token_hash::text)`

/** One line of tokens, the last of which is unspent; two unspent ones mean that a token was spent twice. */
const FORKED = `
  select count(*)::int as count from (
    select from oidc_refresh_tokens group by realm, grant_id
    having count(*) filter (where spent_at is null) <> 1
  ) as forked`

/** A code is redeemed if and only if its refresh token is stored. */
const HALF = `
  select count(*)::int as count from oidc_authorization_codes c
  where (redeemed_at is not null) <> exists (
    select from oidc_refresh_tokens t where t.realm = c.realm and t.grant_id = c.grant_id
  )`

/** The tokens that clients hold although their grant has ended. */
const ENDED = `
  select count(distinct grant_id)::int as count
  from json_array_elements_text($1::text::json) as held
    join oidc_refresh_tokens t on t.token_hash = held::text join oidc_grants using (realm, grant_id)
  where revoked_at is not null`

/** Counts what must not be in the database; each count is zero when nothing was lost or half done. */
export async function broken(database: Queries, { received }: Ledger) {
  const count = async (text: string, params: string[] = []) =>
    (await database.query<{ count: number }>(text, params))[0]?.count
  return {
    unknown_refresh_tokens: await count(UNKNOWN, [JSON.stringify([...received].map(hashOf))]),
    forked_grants: await count(FORKED),
    codes_redeemed_by_halves: await count(HALF),
  }
}

/** How many grants ended although no client asked for it. */
export async function grantsLost(database: Queries, { received }: Ledger): Promise<number | undefined> {
  const hashes = JSON.stringify([...received].map(hashOf))
  return (await database.query<{ count: number }>(ENDED, [hashes]))[0]?.count
}

/** Refresh tokens and codes that succeeded for a client, and that the database would accept once more. */
const SPENDABLE = `
  select (select count(*)::int from oidc_refresh_tokens where spent_at is null
      and token_hash in (select value from json_array_elements_text($1::text::json) as value)) as refresh_tokens,
    (select count(*)::int from oidc_authorization_codes where redeemed_at is null
      and code_hash in (select value from json_array_elements_text($2::text::json) as value)) as codes`

/** How much of what succeeded once the database has forgotten, so that it would succeed a second time. */
export async function spendableAgain(database: Queries, { successors, redeemed }: Ledger) {
  const hashes = (spent: ReadonlyMap<string, unknown>) => JSON.stringify([...spent.keys()].map(hashOf))
  const [row] = await database.query<{ refresh_tokens: number; codes: number }>(SPENDABLE, [
    hashes(successors),
    hashes(redeemed),
  ])
  return { refresh_tokens: row?.refresh_tokens, codes: row?.codes }
}

export const NOTHING_BROKEN = { unknown_refresh_tokens: 0, forked_grants: 0, codes_redeemed_by_halves: 0 }
