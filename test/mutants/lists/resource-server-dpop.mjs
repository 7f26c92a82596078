const PROOF = 'packages/resource-server/src/dpop-proof.ts'
const KEYS = 'packages/resource-server/src/dpop-key.ts'
const URLS = 'packages/resource-server/src/dpop-url.ts'
const NONCES = 'packages/resource-server/src/dpop-nonce.ts'
const CONFIRMATION = 'packages/resource-server/src/confirmation.ts'
const STEPS = 'packages/resource-server/src/guard-dpop.ts'
const GUARD = 'packages/resource-server/src/guard.ts'
const BEARER = 'packages/resource-server/src/bearer.ts'
const SERVER = 'packages/resource-server/src/resource-server.ts'
const INTROSPECTION = 'packages/resource-server/src/introspection.ts'
const NODE = 'packages/resource-server/src/node-request.ts'

/** @type {(tests: string[]) => (what: string, file: string, change: [find: string, replace: string]) => import('../lists.mjs').Mutant} */
const noticedBy =
  (tests) =>
  (what, file, [find, replace]) => ({ id: `dpop: ${what}`, file, find, replace, tests })

const proof = noticedBy(['test/dpop-proof.test.ts'])
const kept = noticedBy(['test/dpop-key.test.ts'])
const nonce = noticedBy(['test/dpop-nonce.test.ts'])
const guard = noticedBy(['test/dpop.test.ts'])
const adapter = noticedBy(['test/dpop-adapters.test.ts'])

/** @type {Omit<import('../lists.mjs').List, 'name'>} */
const list = {
  folder: 'packages/resource-server',
  mutants: [
    proof('long proof', PROOF, ['if (value.length > MAX_PROOF_CHARACTERS)', 'if (value.length > 100_000)']),
    proof('two proofs', PROOF, ["if (value.includes(','))", 'if (false)']),
    proof('two proofs, the first one counts', PROOF, [
      "if (value.includes(',')) throw new DpopProofError('several_proofs')\n  const parts = value.split('.')",
      "const parts = (value.split(',')[0] ?? '').split('.')",
    ]),
    kept('a kept key for another algorithm', KEYS, ['[alg, kty, crv', '[kty, crv']),
    kept('a kept key of another type', KEYS, ['[alg, kty, crv', '[alg, crv']),
    kept('a kept key of another curve', KEYS, ['kty, crv, n, e, x, y])', 'kty, n, e, x, y])']),
    kept('a kept key with another coordinate', KEYS, ['x, y])', 'x])']),
    kept('more and more keys', KEYS, ['kept.size >= MAX_KEPT_KEYS', 'false']),
    proof('critical header', PROOF, [" || 'crit' in header)", ')']),
    proof('another spelling of the signature', PROOF, [
      "bytesOf(parts[2] ?? '') !== null",
      "/^[\\w-]+$/.test(parts[2] ?? '')",
    ]),
    proof('another spelling of a part', PROOF, [
      'return base64url.encode(bytes) === part ? bytes : null',
      'return bytes',
    ]),
    proof('type', PROOF, ["if (typ !== 'dpop+jwt') throw", 'if (false) throw']),
    proof('algorithm', PROOF, ['algorithms.includes(alg)', 'true']),
    proof('algorithm of an option', PROOF, [
      'if (!is_accepted || !DPOP_ALGORITHMS.some((known) => known === alg))',
      'if (!is_accepted)',
    ]),
    proof('private key', PROOF, ['SECRET_MEMBERS.some((name) => Object.hasOwn(jwk, name))', 'false']),
    proof('private member that is null', PROOF, ['Object.hasOwn(jwk, name)', 'Boolean(jwk[name])']),
    proof('large modulus', PROOF, ['tooLong(jwk.n, MAX_MODULUS_CHARACTERS) || ', '']),
    proof('large exponent', PROOF, [' || tooLong(jwk.e, MAX_EXPONENT_CHARACTERS)', '']),
    proof('jti that is empty', PROOF, ["jti === '' || ", '']),
    proof('jti that is long', PROOF, [' || jti.length > MAX_JTI_CHARACTERS', '']),
    proof('nonce of another type', PROOF, ["nonce !== undefined && typeof nonce !== 'string'", 'false']),
    proof('method', PROOF, ['if (htm !== rules.method) throw', 'if (false) throw']),
    proof('method in any case', PROOF, [
      'htm !== rules.method',
      'String(htm).toUpperCase() !== rules.method',
    ]),
    proof('URL', PROOF, ['url === null || url !== normalizedUrl(rules.url)', 'url === null']),
    proof('URL that is invalid on both sides', PROOF, ['url === null || url !==', 'url !==']),
    proof('time that is missing', PROOF, [
      "typeof iat !== 'number' || iat < rules.now - max_age",
      'Number(iat) < rules.now - max_age',
    ]),
    proof('age', PROOF, ["typeof iat !== 'number' || iat < rules.now - max_age", "typeof iat !== 'number'"]),
    proof('future', PROOF, ['if (iat > rules.now + (rules.max_future ?? DEFAULT_MAX_FUTURE))', 'if (false)']),
    proof('token', PROOF, [
      'rules.access_token !== undefined && ath !== hashOf(rules.access_token)',
      'false',
    ]),
    proof('token, if the proof names one', PROOF, ['ath !== hashOf', 'ath !== undefined && ath !== hashOf']),
    proof('end', PROOF, ['Math.floor(iat + max_age) + 1', 'Math.floor(rules.now + max_age)']),
    proof('signature', PROOF, [
      "if (!(await isSignedBy(found.key, signature))) throw new DpopProofError('proof_signature')",
      'await isSignedBy(found.key, signature)',
    ]),
    proof('URL characters', URLS, [
      'if (!HTTP_URL.test(text) || !URL.canParse(text))',
      'if (!URL.canParse(text))',
    ]),
    proof('credentials in a URL', URLS, ["if (username !== '' || password !== '') return null", '']),
    proof('encoded slash', URLS, [
      'return UNRESERVED.test(character) ? character : encoded.toUpperCase()',
      'return character',
    ]),
    proof('letter case of percent-encoding', URLS, ['encoded.toUpperCase()', 'encoded']),
    nonce('minutes before', NONCES, ['MINUTES_BEFORE = 4', 'MINUTES_BEFORE = 5']),
    nonce('minutes after', NONCES, ['MINUTES_AFTER = 1', 'MINUTES_AFTER = 2']),
    nonce('key', NONCES, ['hmac(sha256, secret, ', 'hmac(sha256, new Uint8Array(32), ']),
    nonce('short key', NONCES, ['if (key.byteLength < MIN_KEY_BYTES)', 'if (false)']),
    nonce('nonces of the last minute that was asked for', NONCES, [
      'if (accepted?.minute === minute)',
      'if (accepted)',
    ]),
    guard('confirmation with more members', CONFIRMATION, [' && Object.keys(others).length === 0', '']),
    guard('confirmation that is no thumbprint', CONFIRMATION, [' && THUMBPRINT.test(jkt)', '']),
    guard('bound token as Bearer', CONFIRMATION, ['if (proof === null && jkt !== null)', 'if (false)']),
    guard('token that is not bound', CONFIRMATION, ['if (proof !== null && jkt === null)', 'if (false)']),
    guard('unbound token with a proof', CONFIRMATION, [
      "  if (proof !== null && jkt === null) throw new BearerError('invalid_token', 'token_not_bound')\n",
      '  if (jkt === null) return\n',
    ]),
    guard('another key', CONFIRMATION, ['if (proof !== null && jkt !== proof.jkt)', 'if (false)']),
    guard('confirmation', GUARD, [
      '    checkConfirmation(principal.currentAccessToken().claims.cnf, used?.proof ?? null)\n',
      '',
    ]),
    guard('claim before the scopes', GUARD, [
      '    const error = scopeError(principal, scopes)\n',
      '    if (used) await claimProof(used.dpop, used.proof, { request, now: now() })\n    const error = scopeError(principal, scopes)\n',
    ]),
    guard('no claim', GUARD, [
      '    if (used) await claimProof(used.dpop, used.proof, { request, now: now() })\n',
      '',
    ]),
    guard('two tokens', STEPS, ['if (hasSeveralTokens(request, credentials))', 'if (false)']),
    guard('required', STEPS, ["if (dpop.required && credentials.scheme === 'Bearer')", 'if (false)']),
    guard('ath', STEPS, ['    access_token,\n    algorithms,', '    algorithms,']),
    guard('missing proof', STEPS, [
      "if (proof === null) throw new BearerError('invalid_dpop_proof', 'missing_proof')",
      "if (proof === null) throw new BearerError('invalid_token', 'missing_proof')",
    ]),
    guard('nonces unchecked', STEPS, ['  await checkNonce(dpop, proof, now)\n', '']),
    guard('nonce that is missing', STEPS, [
      "if (nonce === null) throw new BearerError('use_dpop_nonce', 'missing_nonce')",
      'if (nonce === null) return',
    ]),
    guard('unknown nonce', STEPS, ['if (!(await nonces.accepts(nonce, now)))', 'if (false)']),
    guard('replay', STEPS, ['if (!(await replays.claim(use, proof.expires_at, now)))', 'if (false)']),
    guard('replay of another key', STEPS, ["['dpop_proof', jkt, jti]", "['dpop_proof', jkt]"]),
    guard('scheme of the error', BEARER, [
      'scheme === (dpop?.scheme ?? scheme) ? error : undefined',
      'error',
    ]),
    guard('status of two tokens', BEARER, [', invalid_request: 400', '']),
    guard('host of the request', SERVER, [
      '(request) => `${origin}${new URL(request.url).pathname}`',
      '(request) => request.url',
    ]),
    guard('nonces of another API', SERVER, ["['dpop-nonce', issuer, resource]", "['dpop-nonce', issuer]"]),
    guard('key of the introspection response', SERVER, [
      'if (!is_same || keyOf(answer) !== keyOf(verified))',
      'if (!is_same)',
    ]),
    guard('type DPoP without a key', INTROSPECTION, [' && answer.cnf !== undefined', '']),
    guard('DPoP while it is off', INTROSPECTION, ["dpop !== null && type === 'dpop'", "type === 'dpop'"]),
    guard('the request is claimed for each proof', STEPS, [' && before.use === use', '']),
    guard('a request that is claimed elsewhere', STEPS, ['before?.replays === replays && ', '']),
    adapter('two headers Authorization', BEARER, [' || ambiguous.has(request)', '']),
    adapter('two headers', NODE, ["[value].flat().join(', ')", "value.toString().split(', ')[0] ?? ''"]),
    adapter('joined challenges', BEARER, [
      "name === 'www-authenticate' && values.length > 1 ? values : value",
      'value',
    ]),
  ],
}

export default list
