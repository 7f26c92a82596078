import { describe, expect, it } from 'vitest'
import { portableHashes, sha256 } from '../util/secret.js'
import { BUCKETS, bucketByHash, bucketByTag, bucketOfJti, grantOfJti, tagOfBucket } from './bucket.js'
import { newTaggedId, newTaggedSecret, personTag, presentedHash, taggedHash, tagOf } from './tag.js'

const zeros = (bytes: number) => new Uint8Array(bytes)

describe('a tag', () => {
  it('is the first 12 bits of the SHA-256 of the sub, and its bucket their number', () => {
    const hash = sha256('alice')
    const bytes = Buffer.from(hash, 'base64url')
    expect(personTag('alice')).toBe(hash.slice(0, 2))
    expect(bucketByHash('alice')).toBe(bytes.readUInt16BE(0) >> 4)
    expect(bucketByTag(`any-id${personTag('alice')}`)).toBe(bucketByHash('alice'))
  })

  it('names each of the 4,096 buckets, and spreads people over them', () => {
    const used = new Set(Array.from({ length: 100_000 }, (_, n) => bucketByHash(`user-${n}`)))
    expect([BUCKETS, used.size, Math.min(...used), Math.max(...used)]).toEqual([4096, 4096, 0, 4095])
  })

  it('of a bucket is the tag of the people in it', () => {
    const tags = Array.from({ length: BUCKETS }, (_, bucket) => tagOfBucket(bucket))
    expect([tags[0], tags[63], tags[64], tags[4095]]).toEqual(['AA', 'A_', 'BA', '__'])
    expect(tags.map(bucketByTag)).toEqual([...tags.keys()])
    expect(tagOfBucket(bucketByHash('alice'))).toBe(personTag('alice'))
  })

  it('stands at the end of ids and secrets, so that ids stay sorted by time', () => {
    expect(newTaggedId(zeros, 0x6b49d200, 'zz')).toBe(`6b49d200${'A'.repeat(22)}zz`)
    expect(newTaggedSecret(zeros, 'zz')).toBe(`${'A'.repeat(43)}zz`)
    expect(tagOf(newTaggedSecret(zeros, 'zz'))).toBe('zz')
  })

  it.each(['', 'a', 'é!', '🦉', '\u0000\u0000', 'id-with-%s'])(
    'of any other text "%s" is in some bucket',
    (text) => {
      const bucket = bucketByTag(text)
      expect(Number.isInteger(bucket) && bucket >= 0 && bucket < BUCKETS).toBe(true)
    },
  )
})

describe('the bucket of a revoked token', () => {
  it('is that of the grant in its jti', () => {
    const bucket = bucketByTag('zz')
    for (const jti of ['grant-zz.random', 'grant-zz.x.random']) {
      expect(bucketOfJti(jti)).toBe(bucket)
      expect(grantOfJti(jti)).toBe('grant-zz')
    }
  })

  it('is by the hash of a jti that names no grant', () => {
    expect(bucketOfJti('random-zz')).toBe(bucketByHash('random-zz'))
    expect(grantOfJti('random-zz')).toBeNull()
  })
})

describe('the hash of a secret', () => {
  const secret = newTaggedSecret(zeros, 'zz')

  it('is its SHA-256 and its tag', () => {
    expect(taggedHash(portableHashes, secret)).toBe(`${sha256(secret)}zz`)
    expect(presentedHash(portableHashes, secret)).toBe(`${sha256(secret)}zz`)
  })

  it.each([
    ['empty', ''],
    ['one character less', secret.slice(1)],
    ['one character more', `${secret}A`],
    ['another alphabet in the secret', `+${secret.slice(1)}`],
    ['another alphabet in the tag', `${secret.slice(0, -1)}.`],
    ['a line break at the end', `${secret.slice(0, -1)}\n`],
    ['a line break after it', `${secret}\n`],
    ['an access token', 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln'],
  ])('does not exist for what is no secret: %s', (_, text) => {
    expect(presentedHash(portableHashes, text)).toBeNull()
  })
})
