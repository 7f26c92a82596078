/**
 * The links of users. An account elsewhere is claimed first, then its link is stored, and the claim is confirmed: the two rows may lie in
 * different databases. A claim without a link, of a server that has died, can be taken over.
 */

import { randomUUID } from 'node:crypto'
import { sha256 } from '@ostiary/core'
import type { Link, LinkStore } from '@ostiary/identity'
import { bucketByHash } from '../connection/buckets.js'
import { type Param, unlessTaken, won } from '../connection/executor.js'
import { type Database, findRow, hasKey, keyByHash } from '../connection/row-finder.js'
import { columnList, LINK, OF_USER, PLACE } from './columns.js'
import { IS_USER } from './users.js'

/** Seconds until a claim without a link can be taken over: longer than it takes to store the link. */
const CLAIM_SECONDS = 60

const OF_LINK = `${OF_USER} and issuer = $4 and subject = $5`
const OF_KEY = `${PLACE} and link_key = $3`

const HOLDER = findRow(`
  select sub, claim, claimed_at <= oidc_clock() - ${CLAIM_SECONDS} as is_old from oidc_link_keys
  where ${hasKey('link_key')}`)

/** Of a user that has claimed it before, too. */
const CLAIM = `
  insert into oidc_link_keys (realm, bucket, link_key, sub, claim) values ($1, $2, $3, $4, $5)
  on conflict (realm, link_key, bucket) do update set claim = excluded.claim, claimed_at = oidc_clock()
  where oidc_link_keys.sub = excluded.sub
  returning sub`

const TAKE_OVER = `
  update oidc_link_keys set sub = $4, claim = $5, claimed_at = oidc_clock()
  where ${OF_KEY} and claim = $6 returning sub`

const RELEASE = `
  delete from oidc_link_keys where ${OF_KEY} and claim = $4`

const LIST = `
  select ${columnList(LINK)} from oidc_links where ${OF_USER} order by linked_at, issuer, subject`

const IS_LINKED = `exists (select from oidc_links where ${OF_LINK})`

/** Only where the user has, or has not, the link. */
const changedUser = (condition: string) => `
    update oidc_users set credential_version = $6::integer + 1, updated_at = greatest($7::bigint, updated_at + 1)
    where ${OF_USER} and coalesce(credential_version, 0) = $6 and ${IS_USER} and ${condition} returning sub`

const ADD = `
  with changed as (${changedUser(`not ${IS_LINKED}`)})
  insert into oidc_links (realm, bucket, ${columnList(LINK)})
  select $1, $2::smallint, ${columnList(LINK)} from json_populate_record(null::oidc_links, $8::text::json)
  where exists (select from changed) returning sub`

const REMOVE = `
  with changed as (${changedUser(IS_LINKED)})
  delete from oidc_links where ${OF_LINK} and exists (select from changed) returning sub`

const UNDO = `delete from oidc_links where ${OF_LINK}`

const USE = `update oidc_links set last_used_at = $6 where ${OF_LINK}`

type Key = Pick<Link, 'issuer' | 'subject'>

interface Holder {
  sub: string
  claim: string
  is_old: boolean
}

/** The length of an issuer and a subject is that of the other provider. */
export const linkKey = ({ issuer, subject }: Key): string => sha256(JSON.stringify([issuer, subject]))

export function linkStore(db: Database, realm: string): LinkStore {
  const placeOf = (link: Key): Param[] => [realm, bucketByHash(linkKey(link)), linkKey(link)]
  const rowOf = ({ sub, issuer, subject }: Key & { sub: string }) => [
    realm,
    bucketByHash(sub),
    sub,
    issuer,
    subject,
  ]
  const holderOf = (link: Key) => db.find<Holder>(HOLDER, keyByHash(realm, linkKey(link)))
  const list = (sub: string) => db.query<Link>(LIST, [realm, bucketByHash(sub), sub])
  const linkOf = async (sub: string, { issuer, subject }: Key) =>
    (await list(sub)).find((link) => link.issuer === issuer && link.subject === subject) ?? null
  const release = (link: Key, claim: string) => db.query(RELEASE, [...placeOf(link), claim])

  async function claimed(link: Link, claim: string): Promise<boolean> {
    const place = [...placeOf(link), link.sub, claim]
    if (await won(db.query(CLAIM, place))) return true
    const holder = await holderOf(link)
    // The database of the holder may not answer: that never frees an account elsewhere.
    if (holder === null || !holder.is_old || (await linkOf(holder.sub, link)) !== null) return false
    return won(db.query(TAKE_OVER, [...place, holder.claim]))
  }

  return {
    async find(issuer, subject) {
      const holder = await holderOf({ issuer, subject })
      return holder && linkOf(holder.sub, { issuer, subject })
    },
    list,
    async add(link, { credential_version, now }) {
      const claim = randomUUID()
      if (!(await claimed(link, claim))) return false
      const params = [...rowOf(link), credential_version, now, JSON.stringify(link)]
      const is_added = await unlessTaken(db.query(ADD, params))
      if (!is_added) {
        if ((await linkOf(link.sub, link)) === null) await release(link, claim)
        return false
      }
      if (await won(db.query(CLAIM, [...placeOf(link), link.sub, claim]))) return true
      await db.query(UNDO, rowOf(link))
      return false
    },
    async remove(link, { credential_version, now }) {
      const holder = await holderOf(link)
      const is_removed = await won(db.query(REMOVE, [...rowOf(link), credential_version, now]))
      if (is_removed && holder?.sub === link.sub) await release(link, holder.claim)
      return is_removed
    },
    async use(link, last_used_at) {
      await db.query(USE, [...rowOf(link), last_used_at])
    },
  }
}

/** Frees what a user was linked to, after the user was deleted together with the links. */
export async function freeLinks(db: Database, realm: string, links: readonly Link[]): Promise<void> {
  for (const link of links) {
    const key = linkKey(link)
    const holder = await db.find<Holder>(HOLDER, keyByHash(realm, key))
    if (holder?.sub === link.sub) await db.query(RELEASE, [realm, bucketByHash(key), key, holder.claim])
  }
}
