/**
 * Key names: `<prefix>{<realm>:<tag>}:<kind>:<id>` for a record of a person, and `<prefix>{<realm>}:<kind>:<id>` for a record of the realm,
 * which has no person: clients, keys, pending requests, counters. The braces are a hash tag of Redis Cluster: all keys of the people with
 * one tag are in one slot, so that a script may use several of them. An encoded realm has no colon, so that no key of a realm begins like
 * one of another.
 */

import { bucketByHash, bucketByTag, tagOfBucket } from '@ostiary/core'

/** The beginning of the keys in one slot. Scripts that compute the names of keys get it as one of their keys. */
export type Root = string

/** The beginnings of the keys of one realm. */
export interface Roots {
  /** Of the realm's records. */
  ofRealm: Root
  /** Of the people in a bucket, 0 to 4095. */
  ofBucket(bucket: number): Root
  /** Of the person with this `sub`. */
  ofPerson(sub: string): Root
  /** Of the person to whom an id or hash belongs, by its tag. For any other text it is some root, below which nothing has that id. */
  ofId(id: string): Root
}

export function rootsOf(prefix: string, realm: string): Roots {
  const beginning = `${prefix}{${encodeURIComponent(realm)}`
  const ofBucket = (bucket: number) => `${beginning}:${tagOfBucket(bucket)}}:`
  return {
    ofRealm: `${beginning}}:`,
    ofBucket,
    ofPerson: (sub) => ofBucket(bucketByHash(sub)),
    ofId: (id) => ofBucket(bucketByTag(id)),
  }
}

/** A key in the same slot that no store writes. */
export function neverStored(key: string): string {
  return `${key.slice(0, key.indexOf('}') + 1)}:never-stored`
}

/** Joins parts to one name. Different lists of parts never get the same name. */
export function nameOf(...parts: (string | number)[]): string {
  return JSON.stringify(parts)
}

const HOUR_SECONDS = 3600
/** For records that wait for `provider.tick()`, i.e. sessions and logout deliveries: Redis must keep them in a long outage. */
export const WEEK_SECONDS = 7 * 24 * HOUR_SECONDS

/**
 * The time to live, in seconds, of a record that core needs until `expires_at`. Core checks the expiry itself, by its
 * own clock; Redis uses the real time. So the result includes a margin, and is positive even when `expires_at` has passed.
 */
export function ttlUntil(expires_at: number, margin_seconds = HOUR_SECONDS): number {
  return Math.max(0, Math.ceil(expires_at - realNow())) + margin_seconds
}

/** The real time in epoch seconds: Redis counts times to live from it. */
export function realNow(): number {
  return Math.floor(Date.now() / 1000)
}
