import { createHash, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import {
  assertionResponse,
  type Credential,
  coseKeyOf,
  newUserHandle,
  passkeyCredential,
  type ResponseChange,
  registrationResponse,
  signatureBy,
} from '@ostiary/test-kit/authenticators/authenticator'
import { cbor } from '@ostiary/test-kit/authenticators/cbor'
import { describe, expect, it } from 'vitest'
import type { PasskeyFault } from '../src/passkey.js'
import {
  checkAssertion,
  checkRegistration,
  type ExpectedAssertion,
  type ExpectedRegistration,
  presentedCredential,
  type StoredPasskey,
} from '../src/webauthn.js'

const CHALLENGE = `${'q'.repeat(42)}A`
const request = { challenge: CHALLENGE, origin: 'https://id.example', rp_id: 'id.example' }
const user_handle = newUserHandle('Qw')
const registration: ExpectedRegistration = { ...request, user_handle, user_verification: 'required' }
/** Without a known user: a sign-in. */
const sign_in: ExpectedAssertion = { ...request, user_verification: 'required' }

const keys = {
  Ed25519: passkeyCredential({ algorithm: -8, user_handle }),
  'P-256': passkeyCredential({ algorithm: -7, user_handle }),
  RSA: passkeyCredential({ algorithm: -257, user_handle }),
}
const credential = keys['P-256']
const synchronized = passkeyCredential({ ...credential, backup_eligible: true, backed_up: true })

const base64url = (bytes: Buffer): string => bytes.toString('base64url')
const spki = ({ public_key }: Pick<Credential, 'public_key'>): Buffer =>
  public_key.export({ format: 'der', type: 'spki' })
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
const clientData = (changed: object): Buffer =>
  json({ type: 'webauthn.get', challenge: CHALLENGE, origin: request.origin, ...changed })

function stored(of: Credential = credential, counter = 1): StoredPasskey {
  const result = checkRegistration(registrationResponse(of, request, { counter }), registration)
  if ('fault' in result) throw new Error(result.fault)
  return { data: result.passkey, state: result.state }
}

const register = (change: ResponseChange, expected: Partial<ExpectedRegistration> = {}, of = credential) =>
  checkRegistration(registrationResponse(of, request, change), { ...registration, ...expected })

const signIn = (change: ResponseChange, expected: Partial<ExpectedAssertion> = {}, of = credential) =>
  checkAssertion(assertionResponse(of, request, { counter: 2, ...change }), stored(of), {
    ...sign_in,
    ...expected,
  })

/** A member that makes the client data of an assertion this long. */
function padding(length: number): Record<string, unknown> {
  const members = { type: 'webauthn.get', challenge: CHALLENGE, origin: request.origin, crossOrigin: false }
  const empty = json({ ...members, padding: '' }).length
  return { padding: 'x'.repeat(length - empty) }
}

type Row = [attack: string, fault: PasskeyFault, change: ResponseChange]

/** Cut, extended, and changed at one place. */
const without = (count: number) => (bytes: Buffer) => bytes.subarray(0, bytes.length - count)
const withByte = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.of(0)])

/** A public key without a private one: any odd number of this length. */
function rsaKey(bits: number, e = 'AQAB'): Credential['public_key'] {
  const n = randomBytes(Math.ceil(bits / 8))
  n[0] = 1 << ((bits - 1) % 8)
  n[n.length - 1] = 1
  return createPublicKey({ key: { kty: 'RSA', n: base64url(n), e }, format: 'jwk' })
}

/** Refused in both ceremonies. */
const BOTH: Row[] = [
  ['another origin', 'passkey_origin', { client_data: { origin: 'https://id.example.evil.test' } }],
  ['the origin with another port', 'passkey_origin', { client_data: { origin: 'https://id.example:444' } }],
  ['the origin with a slash', 'passkey_origin', { client_data: { origin: 'https://id.example/' } }],
  ['no origin', 'passkey_origin', { client_data: { origin: undefined } }],
  ['a frame of another origin', 'passkey_origin', { client_data: { crossOrigin: true } }],
  ['an unclear crossOrigin', 'passkey_origin', { client_data: { crossOrigin: 'false' } }],
  ['a topOrigin', 'passkey_origin', { client_data: { topOrigin: 'https://id.example' } }],
  ['an old challenge', 'passkey_challenge', { client_data: { challenge: `${'r'.repeat(42)}A` } }],
  ['a part of the challenge', 'passkey_challenge', { client_data: { challenge: CHALLENGE.slice(1) } }],
  ['a padded challenge', 'passkey_challenge', { client_data: { challenge: `${CHALLENGE}=` } }],
  ['no challenge', 'passkey_malformed', { client_data: { challenge: undefined } }],
  ['a payment', 'passkey_type', { client_data: { type: 'payment.get' } }],
  ['client data that is no JSON', 'passkey_malformed', { client_data_bytes: () => Buffer.from('{') }],
  ['client data that is a text', 'passkey_malformed', { client_data_bytes: () => Buffer.from('"x"') }],
  ['client data that is null', 'passkey_malformed', { client_data_bytes: () => Buffer.from('null') }],
  [
    'client data that is not UTF-8',
    'passkey_malformed',
    {
      client_data: { extra: '?' },
      client_data_bytes: (right) => Buffer.from(right.toString('latin1').replace('?', '\xff'), 'latin1'),
    },
  ],
  ['client data of 4097 bytes', 'passkey_malformed', { client_data: padding(4097) }],
  ['another RP ID', 'passkey_rp_id', { rp_id: 'example' }],
  ['UP 0', 'user_presence', { flags: { up: false } }],
  ['UV 0', 'user_verification', { flags: { uv: false } }],
  ['BS without BE', 'passkey_backup', { flags: { be: false, bs: true } }],
  [
    'authenticator data of 36 bytes',
    'passkey_malformed',
    { authenticator_data: (data) => data.subarray(0, 36) },
  ],
  ['no authenticator data', 'passkey_malformed', { response: { authenticatorData: undefined } }],
  ['authenticator data that ends a byte late', 'passkey_malformed', { authenticator_data: withByte }],
  ['ED without extensions', 'passkey_malformed', { flags: { ed: true } }],
  ['extensions without ED', 'passkey_malformed', { flags: { ed: false }, extensions: cbor(new Map()) }],
  ['an extension that is no map', 'passkey_malformed', { extensions: cbor('x') }],
  ['padded base64url', 'passkey_malformed', { members: { id: 'AA==', rawId: 'AA==' } }],
  ['another rawId', 'passkey_malformed', { members: { rawId: base64url(Buffer.alloc(16)) } }],
  ['another type of credential', 'passkey_malformed', { members: { type: 'password' } }],
  ['no response', 'passkey_malformed', { members: { response: null } }],
]

describe('a registration', () => {
  it.each(Object.entries(keys))('with a key of %s is accepted', (_, of) => {
    expect(register({ extensions: cbor(new Map([['credProtect', 2]])) }, {}, of)).toEqual({
      passkey: {
        credential_id: base64url(of.credential_id),
        public_key: base64url(spki(of)),
        algorithm: of.algorithm,
        backup_eligible: false,
        transports: ['hybrid', 'internal'],
        aaguid: '00000000-0000-0000-0000-000000000000',
        rp_id: 'id.example',
        user_handle,
      },
      state: '1 0',
    })
  })

  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  const given = (pair: { publicKey: Credential['public_key'] }, algorithm: Credential['algorithm']) => ({
    cose_key: coseKeyOf({ algorithm, public_key: pair.publicKey }),
    response: {
      publicKey: base64url(spki({ public_key: pair.publicKey })),
      publicKeyAlgorithm: algorithm,
    },
  })
  /** The same point in the short form, which has other bytes. */
  const compressed = (() => {
    const bytes = spki(credential)
    const sign = (bytes.at(-1) ?? 0) & 1
    const point = bytes.subarray(27, 59)
    const head = Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex')
    const short = Buffer.concat([head, Buffer.of(2 + sign), point])
    // The runtime reads it: otherwise the row would show nothing.
    createPublicKey({ key: short, format: 'der', type: 'spki' })
    return short
  })()

  /** A key of another curve, in the COSE form of Ed25519. */
  function edwards(curve: 'ed448' | 'x25519'): ResponseChange {
    const { publicKey } = curve === 'ed448' ? generateKeyPairSync('ed448') : generateKeyPairSync('x25519')
    const x = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
    const cose_key = cbor(
      new Map<number, number | Buffer>([
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, x],
      ]),
    )
    return { ...given({ publicKey }, -8), cose_key }
  }

  const rows: Row[] = [
    ['`webauthn.get`', 'passkey_type', { client_data: { type: 'webauthn.get' } }],
    ['AT 0', 'passkey_malformed', { flags: { at: false } }],
    [
      'another credential id in the authenticator data',
      'passkey_malformed',
      { credential_id: Buffer.alloc(16) },
    ],
    ['an id that ends early', 'passkey_malformed', { authenticator_data: (data) => data.subarray(0, 60) }],
    ['a COSE key that ends a byte early', 'passkey_key', { authenticator_data: without(1) }],
    [
      'an id that is shorter than its length says',
      'passkey_malformed',
      {
        credential_id: Buffer.concat([credential.credential_id, Buffer.alloc(4)]),
        authenticator_data: (data) => data.subarray(0, 71),
      },
    ],
    ['no length of the id', 'passkey_malformed', { authenticator_data: (data) => data.subarray(0, 54) }],
    ['an unknown algorithm', 'passkey_algorithm', { response: { publicKeyAlgorithm: -47 } }],
    ['a text as algorithm', 'passkey_algorithm', { response: { publicKeyAlgorithm: '-7' } }],
    ['no algorithm', 'passkey_algorithm', { response: { publicKeyAlgorithm: undefined } }],
    ['a P-256 key with -257', 'passkey_key', { response: { publicKeyAlgorithm: -257 } }],
    ['a P-256 key with -8', 'passkey_key', { response: { publicKeyAlgorithm: -8 } }],
    [
      'a P-256 key with -257 in both places',
      'passkey_key',
      given({ publicKey: credential.public_key }, -257),
    ],
    ['an RSA key with -7', 'passkey_key', given({ publicKey: keys.RSA.public_key }, -7)],
    ['an Ed25519 key with -7', 'passkey_key', given({ publicKey: keys.Ed25519.public_key }, -7)],
    ['a key of Ed448', 'passkey_key', edwards('ed448')],
    ['a key of X25519', 'passkey_key', edwards('x25519')],
    ['a key of P-384', 'passkey_key', given(p384, -7)],
    ['no key', 'passkey_key', { response: { publicKey: undefined } }],
    ['null as key', 'passkey_key', { response: { publicKey: null } }],
    ['a key that is no SPKI', 'passkey_key', { response: { publicKey: 'AAAA' } }],
    ['a key of 2048 bytes', 'passkey_key', { response: { publicKey: base64url(Buffer.alloc(2048)) } }],
    ['a key of 2049 bytes', 'passkey_malformed', { response: { publicKey: base64url(Buffer.alloc(2049)) } }],
    ['a padded key', 'passkey_malformed', { response: { publicKey: 'AAA=' } }],
    ['a compressed point', 'passkey_key', { response: { publicKey: base64url(compressed) } }],
    [
      'a byte after the key',
      'passkey_key',
      { response: { publicKey: base64url(withByte(spki(credential))) } },
    ],
    [
      'the key of another credential',
      'passkey_key',
      { response: { publicKey: base64url(spki(passkeyCredential())) } },
    ],
    ['another COSE key', 'passkey_key', { cose_key: coseKeyOf(passkeyCredential()) }],
    ['a credential id of 15 bytes', 'passkey_malformed', { credential_id: Buffer.alloc(15) }],
  ]

  it.each([...BOTH, ...rows])('with %s is refused: %s', (_, fault, change) => {
    expect(register(change)).toEqual({ fault })
  })

  it.each([
    [16, true],
    [1023, true],
    [15, false],
    [1024, false],
  ])('with a credential id of %i bytes: %s', (length, accepted) => {
    const of = passkeyCredential({ ...credential, credential_id: Buffer.alloc(length, 7) })
    expect('passkey' in register({}, {}, of)).toBe(accepted)
  })

  it.each([
    [2048, true],
    [4096, true],
    [2047, false],
    [4097, false],
  ])('with an RSA key of %i bits: %s', (bits, accepted) => {
    const of = passkeyCredential({ ...credential, algorithm: -257, public_key: rsaKey(bits) })
    const result = register({}, {}, of)
    expect('fault' in result ? result.fault : null).toBe(accepted ? null : 'passkey_key')
  })

  it.each(['Aw', 'AQAC', 'AQAAAAE'])('with an RSA key whose exponent is %s is refused', (e) => {
    expect(register(given({ publicKey: rsaKey(2048, e) }, -257))).toEqual({ fault: 'passkey_key' })
  })

  it('without UV is accepted where it is discouraged', () => {
    const change = { flags: { uv: false } }
    expect(register(change, { user_verification: 'discouraged' })).toHaveProperty('passkey')
  })

  it('keeps only known transports', () => {
    const transports = ['usb', 'usb', 'cable', '<b>', 7, null]
    expect(register({ response: { transports } })).toMatchObject({ passkey: { transports: ['usb'] } })
    expect(register({ response: { transports: 'usb' } })).toMatchObject({ passkey: { transports: [] } })
  })

  it('of a synchronized passkey says so', () => {
    expect(register({}, {}, synchronized)).toMatchObject({ passkey: { backup_eligible: true }, state: '1 1' })
  })

  it.each([[null], [undefined], [7], ['x'], [[]], [{}], [{ response: {} }]])(
    'that is %j is refused',
    (value) => {
      expect(checkRegistration(value, registration)).toEqual({ fault: 'passkey_malformed' })
      expect(checkAssertion(value, stored(), sign_in)).toEqual({ fault: 'passkey_malformed' })
    },
  )
})

describe('an assertion', () => {
  it.each(Object.entries(keys))('by a key of %s is accepted', (_, of) => {
    const accepted = { state: '2 0', counter_regressed: false, user_verified: true }
    expect(signIn({}, {}, of)).toEqual(accepted)
    expect(signIn({ extensions: cbor(new Map([['x', true]])) }, {}, of)).toEqual(accepted)
  })

  const other = passkeyCredential({ ...credential, ...passkeyKeys() })
  function passkeyKeys() {
    const { private_key, public_key } = passkeyCredential()
    return { private_key, public_key }
  }
  /** A signature is a sequence of two numbers: this one says that the sequence is longer than it is. */
  const longer = (right: Buffer): Buffer =>
    Buffer.concat([Buffer.of(0x30, right.length - 1), right.subarray(2)])
  const raw = (right: Buffer): Buffer => Buffer.concat([right.subarray(5, 36), right.subarray(5, 38)])

  const rows: Row[] = [
    ['`webauthn.create`', 'passkey_type', { client_data: { type: 'webauthn.create' } }],
    ['a credential in the authenticator data', 'passkey_malformed', { flags: { at: true } }],
    [
      'extensions that end a byte early',
      'passkey_malformed',
      { extensions: cbor(new Map([['x', true]])), authenticator_data: without(1) },
    ],
    ['no signature', 'passkey_malformed', { response: { signature: undefined } }],
    ['an empty signature', 'passkey_signature', { signature: () => Buffer.alloc(0) }],
    ['a signature of 1024 bytes', 'passkey_signature', { signature: () => Buffer.alloc(1024) }],
    ['a signature of 1025 bytes', 'passkey_malformed', { signature: () => Buffer.alloc(1025) }],
    ['a signature that is cut', 'passkey_signature', { signature: without(1) }],
    ['a byte after the signature', 'passkey_signature', { signature: withByte }],
    ['malformed DER', 'passkey_signature', { signature: longer }],
    ['r and s without DER', 'passkey_signature', { signature: raw }],
    [
      'a signature by another key',
      'passkey_signature',
      { signature: () => signatureBy(other, Buffer.of(1)) },
    ],
    ['BE unlike the stored one', 'passkey_backup', { flags: { be: true } }],
    ['the handle of another user', 'passkey_user', { response: { userHandle: newUserHandle('Qw') } }],
    ['no user handle', 'passkey_user', { response: { userHandle: undefined } }],
    ['an empty user handle', 'passkey_user', { response: { userHandle: '' } }],
    [
      'a user handle of 65 bytes',
      'passkey_malformed',
      { response: { userHandle: base64url(Buffer.alloc(65)) } },
    ],
    ['a user handle of 64 bytes', 'passkey_user', { response: { userHandle: base64url(Buffer.alloc(64)) } }],
    ['a user handle that is a number', 'passkey_malformed', { response: { userHandle: 7 } }],
    ['the same counter', 'passkey_counter', { counter: 1 }],
    ['a lower counter', 'passkey_counter', { counter: 0 }],
  ]

  it.each([...BOTH, ...rows])('with %s is refused: %s', (_, fault, change) => {
    expect(signIn(change)).toEqual({ fault })
  })

  it.each([['authenticator data', (bytes: Buffer) => ({ authenticatorData: base64url(bytes) })]])(
    'whose %s is changed after the signature is refused',
    (_, response) => {
      const right = assertionResponse(credential, request, { counter: 2 })
      const data = Buffer.from(right.response.authenticatorData, 'base64url')
      data.writeUInt32BE(9, 33)
      expect(signIn({ response: response(data) })).toEqual({ fault: 'passkey_signature' })
    },
  )

  it('whose client data is changed after the signature is refused', () => {
    const changed = base64url(clientData({ extra: 1 }))
    expect(signIn({ response: { clientDataJSON: changed } })).toEqual({ fault: 'passkey_signature' })
  })

  it.each(Object.entries(keys))('by a key of %s signed for another is refused', (_, of) => {
    const by_other = passkeyCredential({
      ...(of.algorithm === -7 ? keys.Ed25519 : credential),
      credential_id: of.credential_id,
    })
    const response = assertionResponse(by_other, request, { counter: 2 })
    expect(checkAssertion(response, stored(of), sign_in)).toEqual({ fault: 'passkey_signature' })
  })

  it('of another credential is refused', () => {
    const of = passkeyCredential({ user_handle })
    const response = assertionResponse(of, request, { counter: 2 })
    expect(checkAssertion(response, stored(), sign_in)).toEqual({ fault: 'passkey_key' })
  })

  it('by a passkey of another RP ID is refused', () => {
    const passkey = stored()
    const data = { ...passkey.data, rp_id: 'old.example' }
    const response = assertionResponse(credential, request, { counter: 2 })
    expect(checkAssertion(response, { ...passkey, data }, sign_in)).toEqual({ fault: 'passkey_rp_id' })
  })

  it.each([
    ['key', 'passkey_key', { data: { ...stored().data, public_key: 'AAAA' }, state: '1 0' }],
    ['state', 'passkey_malformed', { data: stored().data, state: 'x' }],
  ])('by a passkey whose stored %s is damaged is refused', (_, fault, passkey) => {
    const response = assertionResponse(credential, request, { counter: 2 })
    expect(checkAssertion(response, passkey as StoredPasskey, sign_in)).toEqual({ fault })
  })

  it.each<[string, PasskeyFault | null, { known?: string; userHandle: string | undefined }]>([
    ['with its handle', null, { userHandle: user_handle }],
    ['without a handle', null, { userHandle: undefined }],
    ['with the handle of another user', 'passkey_user', { userHandle: newUserHandle('Qw') }],
    ['of another user', 'passkey_user', { userHandle: user_handle, known: newUserHandle('Qw') }],
    [
      'of another user without a handle',
      'passkey_user',
      { userHandle: undefined, known: newUserHandle('Qw') },
    ],
  ])('as a second step %s: %s', (_, fault, { userHandle, known = user_handle }) => {
    const result = signIn({ response: { userHandle } }, { user_handle: known })
    expect('fault' in result ? result.fault : null).toBe(fault)
  })

  it('without UV is accepted where it is discouraged, and says so', () => {
    const result = signIn({ flags: { uv: false } }, { user_verification: 'discouraged' })
    expect(result).toMatchObject({ user_verified: false })
  })

  it.each([
    ['0 0', 0, '0 0'],
    ['0 0', 1, '1 0'],
    ['1 0', 2, '2 0'],
    ['4294967294 0', 4294967295, '4294967295 0'],
    ['1 0', 1, null],
    ['1 0', 0, null],
    ['7 0', 6, null],
  ])('with state %s and counter %i gives %s', (state, counter, next) => {
    const response = assertionResponse(credential, request, { counter })
    const result = checkAssertion(response, { ...stored(), state }, sign_in)
    expect(result).toEqual(
      next === null
        ? { fault: 'passkey_counter' }
        : { state: next, counter_regressed: false, user_verified: true },
    )
  })

  it.each([
    ['0 1', 0, '0 1', false],
    ['1 1', 2, '2 1', false],
    ['7 1', 7, '7 1', true],
    ['7 1', 3, '7 1', true],
    ['7 1', 0, '7 1', true],
  ])(
    'of a synchronized passkey with state %s and counter %i gives %s, regressed: %s',
    (state, counter, ...next) => {
      const response = assertionResponse(synchronized, request, { counter })
      const result = checkAssertion(response, { ...stored(synchronized), state }, sign_in)
      expect(result).toEqual({ state: next[0], counter_regressed: next[1], user_verified: true })
    },
  )

  it('says that a passkey is no longer synchronized', () => {
    expect(signIn({ flags: { bs: false } }, {}, synchronized)).toMatchObject({ state: '2 0' })
  })

  it('has client data of at most 4096 bytes', () => {
    expect(signIn({ client_data: padding(4096) })).toHaveProperty('state')
  })

  it.each([
    [4096, true],
    [4097, false],
  ])('with authenticator data of %i bytes: %s', (length, accepted) => {
    // 37 bytes, and 8 for the map, the name of the extension and the length of its value.
    const extensions = cbor(new Map([['abc', Buffer.alloc(length - 37 - 8)]]))
    const result = signIn({ extensions })
    expect('fault' in result ? result.fault : null).toBe(accepted ? null : 'passkey_malformed')
    expect(37 + extensions.length).toBe(length)
  })

  it('names its credential before it is checked', () => {
    const credential_id = base64url(credential.credential_id)
    expect(presentedCredential(assertionResponse(credential, request))).toEqual({
      credential_id,
      user_handle,
    })
    expect(presentedCredential({})).toBeNull()
  })
})

it('checks the hash of the RP ID alone, not a text that begins like it', () => {
  const rp_id_hash = createHash('sha256').update('id.example').digest()
  rp_id_hash[31] = (rp_id_hash[31] ?? 0) ^ 1
  const change = {
    authenticator_data: (data: Buffer) => Buffer.concat([rp_id_hash, data.subarray(32)]),
  }
  expect(register(change)).toEqual({ fault: 'passkey_rp_id' })
  expect(signIn(change)).toEqual({ fault: 'passkey_rp_id' })
})
