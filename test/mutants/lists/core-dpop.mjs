const STEP = 'packages/core/src/steps/dpop-proof.ts'
const BINDING = 'packages/core/src/steps/dpop-binding.ts'
const NONCES = 'packages/core/src/steps/dpop-nonces.ts'
const RULES = 'packages/core/src/protocol/dpop.ts'
const CODE = 'packages/core/src/grants/authorization-code.ts'
const REFRESH = 'packages/core/src/grants/refresh-token.ts'

const SUBJECT = 'packages/core/src/features/exchange/exchange-subject.ts'

/** @type {(what: string, file: string, change: [find: string, replace: string]) => import('../lists.mjs').Mutant} */
const proof = (what, file, [find, replace]) => ({
  id: `dpop: ${what}`,
  file,
  find,
  replace,
  tests: ['test/dpop-token.test.ts'],
})

/** @type {(what: string, file: string, change: [find: string, replace: string]) => import('../lists.mjs').Mutant} */
const grant = (what, file, change) => ({
  ...proof(what, file, change),
  id: `dpop grant: ${what}`,
  tests: ['test/dpop-bound-grants.test.ts'],
})

/** @type {(what: string, file: string, change: [find: string, replace: string]) => import('../lists.mjs').Mutant} */
const nonce = (what, file, change) => ({
  ...proof(what, file, change),
  id: `dpop nonce: ${what}`,
  tests: ['test/dpop-nonces.test.ts'],
})

/** @type {(what: string, file: string, change: [find: string, replace: string]) => import('../lists.mjs').Mutant} */
const access = (what, file, change) => ({
  ...proof(what, file, change),
  id: `dpop access: ${what}`,
  tests: ['test/dpop-access.test.ts'],
})

/** @type {Omit<import('../lists.mjs').List, 'name'>} */
const list = {
  folder: 'packages/core',
  mutants: [
    proof('the URL is what the client says', STEP, [
      '    url: endpoint_url,\n    algorithms',
      '    url: c.request.url,\n    algorithms',
    ]),
    proof('max_age', STEP, ['    max_age,\n', '']),
    proof('max_future', STEP, ['    max_future,\n', '']),
    proof('a refused proof is no proof', STEP, [
      'if (error instanceof DpopProofError) throw invalidProof(DESCRIPTION, error.reason)',
      'if (error instanceof DpopProofError) return null as never',
    ]),
    proof('replay', STEP, [
      'if (!(await c.storage.replays.claim(proofUse(proof), proof.expires_at, c.now())))',
      'if (false)',
    ]),
    proof('jti of another key', STEP, ['proofUse(proof)', "proofUse({ ...proof, jkt: '' })"]),
    proof('any jti', STEP, ['proofUse(proof)', 'proofUse({ ...proof, jti: `${proof.jti} ${proof.iat}` })']),
    proof('remembered too short', STEP, ['proof.expires_at, c.now()', 'proof.expires_at - 1, c.now()']),
    {
      id: 'dpop: code without a claim',
      file: 'packages/core/src/steps/issue-tokens.ts',
      find: '  await claimProof(c, by.proof)\n  const stored_token',
      replace: '  const stored_token',
      tests: ['test/dpop-token.test.ts'],
    },

    {
      id: 'dpop: client credentials without a claim',
      file: 'packages/core/src/steps/issue-tokens.ts',
      find: '  await claimProof(c, by.proof)\n  report',
      replace: '  report',
      tests: ['test/dpop-token.test.ts'],
    },
    proof('the client requires it', BINDING, [
      "if (client.dpop_bound_access_tokens === true) return 'client_requires_proof'",
      '',
    ]),
    proof('the resource requires it', BINDING, [
      "isBoundResource(settings, key) ? 'resource_requires_proof' : null",
      "false ? 'resource_requires_proof' : null",
    ]),
    {
      id: 'dpop: required with DPoP off',
      file: 'packages/core/src/steps/dpop-binding.ts',
      find: 'if (policy.proofs === null) return null\n',
      replace:
        "if (policy.proofs === null) return client.dpop_bound_access_tokens === true ? 'client_requires_proof' : null\n",
      tests: ['test/dpop-token.test.ts'],
    },
    proof('cnf', 'packages/core/src/tokens/access-token.ts', ['if (jkt !== null) claims.cnf = { jkt }', '']),
    proof('cnf of the claims resolver', 'packages/core/src/protocol/protocol-claims.ts', [" 'cnf',", '']),
    grant('the refresh token is not bound', CODE, [
      "method === 'none' && proof !== null ? proof.jkt : null",
      'null',
    ]),
    grant('confidential clients too', CODE, [
      "method === 'none' && proof !== null ? proof.jkt : null",
      'proof !== null ? proof.jkt : null',
    ]),
    grant('refresh without the key', REFRESH, ['if (key_fault !== null) throw invalidGrant(key_fault)', '']),
    grant('dpop_jkt of the code', CODE, ['if (key_fault !== null) throw invalidGrant(key_fault)', '']),
    grant('no proof', BINDING, [
      "if (proof === null) return 'missing_proof'",
      'if (proof === null) return null',
    ]),
    grant('another key', BINDING, ["proof.jkt === jkt ? null : 'proof_of_another_key'", 'null']),
    grant('dpop_jkt has any form', RULES, ['if (!JKT.test(dpop_jkt))', 'if (false)']),
    {
      id: 'dpop grant: dpop_jkt with DPoP off',
      file: 'packages/core/src/protocol/dpop.ts',
      find: 'dpop_jkt === null || proofs === null',
      replace: 'dpop_jkt === null',
      tests: ['test/dpop-bound-grants.test.ts'],
    },
    grant('dpop_jkt is not stored', 'packages/core/src/protocol/authorization-request.ts', [
      '...(dpop_jkt !== null && { dpop_jkt }),',
      '',
    ]),
    {
      id: 'dpop nonce: not required',
      file: 'packages/core/src/steps/dpop-proof.ts',
      find: '  if (nonce) requireNonce(c, proof)\n',
      replace: '',
      tests: ['test/dpop-nonces.test.ts'],
    },
    nonce('any nonce', STEP, ['nonce !== null && nonces.accepts(nonce, c.now())', 'nonce !== null']),
    nonce('of another realm', NONCES, ['`${role} ${realm.id}`', '`${role}`']),
    nonce('of another role', NONCES, ['`${role} ${realm.id}`', '`${realm.id}`']),
    nonce('not in the success', STEP, ["proof.nonce === current ? {} : { 'dpop-nonce': current }", '{}']),
    nonce('of the previous secret', NONCES, [
      'made.some((accepted) => accepted.accepts(nonce, now))',
      'newest.accepts(nonce, now)',
    ]),

    access('exchange without the key', SUBJECT, [
      'if (fault !== null) throw invalidGrant(`subject_token_${fault}`)',
      '',
    ]),
    access('exchange by an API that is not addressed', SUBJECT, [
      'token.claims.client_id !== client.client_id && isAddressedTo(realm, requester, token)',
      'token.claims.client_id !== client.client_id',
    ]),
    access('token type of introspection', 'packages/core/src/features/introspection.ts', [
      "cnf === undefined ? 'Bearer' : 'DPoP'",
      "'Bearer'",
    ]),
    access('cnf of introspection', 'packages/core/src/features/introspection.ts', [
      '...(cnf !== undefined && { cnf }),',
      '',
    ]),
  ],
}

export default list
