/** The buckets of keys, with the hash of Node: that of core, which every runtime has, takes ten times as long. */

import { hash } from 'node:crypto'
import { bucketByHash as byHash, bucketOfJti as ofJti } from '@ostiary/core'

const sha256 = (text: string): string => hash('sha256', text, 'base64url')

export const bucketByHash = (key: string): number => byHash(key, sha256)
export const bucketOfJti = (jti: string): number => ofJti(jti, sha256)
