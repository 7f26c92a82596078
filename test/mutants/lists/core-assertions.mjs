const ASSERTION = 'packages/core/src/features/client-keys/assertion.ts'
const RESOLUTION = 'packages/core/src/features/client-keys/fitting-keys.ts'
const KEY_SETS = 'packages/core/src/features/client-keys/key-sets.ts'
const STEP = 'packages/core/src/features/client-keys/assertion-fault.ts'
const AUTHENTICATION = 'packages/core/src/features/client-keys/private-key-jwt.ts'
const KEYS = 'packages/core/src/protocol/client-keys.ts'

/** @type {(what: string, file: string, change: [find: string, replace: string]) => import('../lists.mjs').Mutant} */
const assertion = (what, file, [find, replace]) => ({
  id: `assertion: ${what}`,
  file,
  find,
  replace,
  tests: ['test/client-assertion.test.ts'],
})

/** @type {(what: string, change: [find: string, replace: string]) => import('../lists.mjs').Mutant} */
const key = (what, [find, replace]) => ({
  id: `client key: ${what}`,
  file: KEYS,
  find,
  replace,
  tests: ['src/protocol/client-keys.test.ts'],
})

/** @type {(what: string, file: string, change: [find: string, replace: string]) => import('../lists.mjs').Mutant} */
const published = (what, file, change) => ({
  ...assertion(what, file, change),
  id: `jwks_uri: ${what}`,
  tests: ['test/client-jwks-uri.test.ts'],
})

/** @type {(what: string, file: string, change: [find: string, replace: string]) => import('../lists.mjs').Mutant} */
const client = (what, file, change) => ({
  ...assertion(what, file, change),
  id: `client with keys: ${what}`,
  tests: ['test/clients-with-keys.test.ts'],
})

/** @type {Omit<import('../lists.mjs').List, 'name'>} */
const list = {
  folder: 'packages/core',
  mutants: [
    assertion('size', ASSERTION, ['token.length > MAX_ASSERTION_CHARACTERS', 'false']),
    assertion('parts', ASSERTION, ['parts.length !== 3 || ', '']),
    assertion('critical header', ASSERTION, ["'crit' in header || ", '']),
    assertion('kid', ASSERTION, [' || !is_kid', '']),
    assertion('type', ASSERTION, ["if (!isAcceptedType(typ)) return 'assertion_type'", '']),
    assertion('algorithm', ASSERTION, [
      'algorithms.find((known) => known === named)',
      '(named as AssertionAlgorithm | undefined)',
    ]),
    assertion('sub', ASSERTION, [' || !CLIENT_ID.test(sub)', '']),
    assertion('issuer', ASSERTION, ["if (iss !== client_id) return 'assertion_issuer'", '']),
    assertion('audience', ASSERTION, [
      "if (!audiences.some((accepted) => accepted === audience)) return 'assertion_audience'",
      '',
    ]),
    assertion('one audience', ASSERTION, ['aud.length === 1', 'aud.length > 0']),
    assertion('exp is required', ASSERTION, ["typeof exp !== 'number' || exp", '(exp as number)']),
    assertion('expired', ASSERTION, ['exp + EXPIRY_LEEWAY <= now', 'exp + EXPIRY_LEEWAY < now']),
    assertion('lifetime', ASSERTION, ["if (exp > now + max_lifetime) return 'assertion_lifetime'", '']),
    assertion('iat and nbf', ASSERTION, ['time <= limit', 'time > 0']),
    assertion('jti is required', ASSERTION, [
      "typeof jti === 'string' && jti !== ''",
      "typeof jti === 'string'",
    ]),
    assertion('jti length', ASSERTION, [' && jti.length <= MAX_JTI_CHARACTERS', '']),
    assertion('jti of another client', ASSERTION, [
      "['client_assertion', client_id, claims.jti]",
      '[claims.jti]',
    ]),
    assertion('remembered too short', ASSERTION, [
      'Math.ceil(claims.exp as number) + EXPIRY_LEEWAY',
      'Math.ceil(claims.exp as number)',
    ]),
    assertion('signature', STEP, ["if (!is_signed) return 'assertion_signature'", '']),
    assertion('no key', STEP, ["if (keys.length === 0) return 'unknown_assertion_key'", '']),
    assertion('replay', STEP, ["return is_first ? null : 'assertion_replayed'", 'return null']),
    assertion('only the issuer', STEP, ['only_issuer ? [issuer] : ', '']),
    assertion('registered algorithm', RESOLUTION, [
      'if (registered !== null && registered !== assertion.alg) return []',
      '',
    ]),
    assertion('algorithm of the key', RESOLUTION, ['keyAlgorithms(key).includes(alg) && ', '']),
    assertion('kid selects', RESOLUTION, [' && (kid === null || key.kid === kid)', '']),
    assertion('tried keys', RESOLUTION, ['.slice(0, MAX_TRIED_KEYS)', '']),
    {
      id: 'assertion: client_id is the sub',
      file: 'packages/core/src/features/client-keys/private-key-jwt.ts',
      find: 'named_id !== null && named_id !== client_id',
      replace: 'false',
      tests: ['test/client-assertion.test.ts'],
    },
    assertion('two mechanisms', AUTHENTICATION, [
      "if (c.request.headers.has('authorization') || params.get('client_secret') !== null)",
      'if (false)',
    ]),
    assertion('half a pair', AUTHENTICATION, [
      'if (type === null || token === null) {',
      'if (type === null) {',
    ]),
    assertion('assertion type', AUTHENTICATION, [
      'type === JWT_BEARER ? parseAssertion(token,',
      'type ? parseAssertion(token,',
    ]),

    {
      id: 'assertion: refused client uses up its jti',
      file: 'packages/core/src/steps/client-auth.ts',
      find: 'unusable === null ? client : null',
      replace: 'client',
      tests: ['test/client-assertion.test.ts'],
    },
    published('each unknown kid causes a request', KEY_SETS, [' && mayRefetch()', '']),
    published('each kid causes a request', KEY_SETS, [
      '!found.value.keys.some((key) => key.kid === kid)',
      'found.value.keys.length > 0',
    ]),
    published('stored address is not checked', RESOLUTION, [
      'if (jwksUriFault(jwks_uri, allow_loopback) !== null)',
      'if (allow_loopback)',
    ]),
    published('size', KEY_SETS, ['max_bytes: MAX_KEY_SET_BYTES', 'max_bytes: 1_000_000']),
    published('stale for longer', KEY_SETS, [
      'max_stale: MAX_STALE_SECONDS',
      'max_stale: 2 * MAX_STALE_SECONDS',
    ]),
    published('unused clients use up the budget', RESOLUTION, [' : expires_at === null', ' : true']),
    client('keys beside a secret', 'packages/core/src/protocol/client-method.ts', [
      "if (has_secret) return [{ field: 'client_secret', fault: 'a client with keys has no secret' }]",
      '',
    ]),
    {
      id: 'client with keys: switched off',
      file: 'packages/core/src/protocol/client-method.ts',
      find: 'if (policy.assertions === null)\n    return [{ field,',
      replace: 'if (false)\n    return [{ field,',
      tests: ['test/clients-with-keys.test.ts'],
    },
    client('keys stay beside a new secret', 'packages/core/src/steps/update-client.ts', [
      '(namesKeys(changes) || !uses_keys) &&',
      'namesKeys(changes) &&',
    ]),
    client('the secret stays beside new keys', 'packages/core/src/steps/update-client.ts', [
      '(had_secret && !namesKeys(changes))',
      'had_secret',
    ]),

    client('registered key is not checked', 'packages/core/src/protocol/client-metadata.ts', [
      'if (wrong !== null) throw',
      'if (wrong === undefined) throw',
    ]),
    assertion('refresh without the key', 'packages/core/src/grants/refresh-token.ts', [
      "if (lacksAuthentication(grant, method)) throw invalidGrant('client_authentication_required')",
      '',
    ]),
    key('shared secret', [
      "  if (key.kty === 'oct') return 'is a shared secret; only public keys are accepted'\n",
      '',
    ]),
    key('private part', ['if (isPrivate(key)) return', 'if (false) return']),
    key('published private key', [' || keys.some((key) => isObject(key) && isPrivate(key))', '']),
    key('published keys are many', ['usable.length > MAX_CLIENT_KEYS', 'false']),
    key('too many', ['if (keys.length > MAX_CLIENT_KEYS)', 'if (false)']),
    key('short modulus', ['if (bits < MIN_RSA_BITS)', 'if (bits === 0)']),
    key('long modulus', ['MAX_RSA_BITS / 8', '1_000_000']),
    key('exponent', ['exponent >= MIN_RSA_EXPONENT && ', '']),
    key('spelling', ['base64url(bytes) === value', 'true']),
    key('use', ["if (use !== undefined && use !== 'sig')", 'if (false)']),
    key('key_ops', ['if (key_ops !== undefined && !verifies)', 'if (false)']),
    key('alg', ['if (!fits)', 'if (false)']),
    key('jwks_uri is https', ["if (protocol !== 'https:') return 'is not https'", '']),
    key('jwks_uri of this computer', ["return allow_loopback ? null : 'names this computer'", 'return null']),
    key('jwks_uri with an address', ['return documentHostFault(hostname)', 'return null']),
  ],
}
export default list
