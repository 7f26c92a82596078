const RULES = 'packages/core/src/realm-policy.ts'
const CONFIG = 'packages/core/src/profile.ts'
const REFRESH = 'packages/core/src/grants/refresh-token.ts'

/** @type {(what: string, file: string, change: [find: string, replace: string]) => import('../lists.mjs').Mutant} */
const clients = (what, file, [find, replace]) => ({
  id: `fapi2: ${what}`,
  file,
  find,
  replace,
  tests: ['test/fapi2-clients.test.ts'],
})

/** @type {(what: string, change: [find: string, replace: string]) => import('../lists.mjs').Mutant} */
const configured = (what, change) => ({
  ...clients(what, CONFIG, change),
  id: `fapi2 configuration: ${what}`,
  tests: ['src/profile.test.ts'],
})

/** @type {(what: string, file: string, change: [find: string, replace: string]) => import('../lists.mjs').Mutant} */
const renewal = (what, file, change) => ({
  ...clients(what, file, change),
  id: `refresh token that stays: ${what}`,
  tests: ['test/refresh-renewal.test.ts'],
})

/** @type {Omit<import('../lists.mjs').List, 'name'>} */
const list = {
  folder: 'packages/core',
  mutants: [
    clients('RS256', RULES, ["algorithm !== 'RS256'", 'true']),
    {
      id: 'fapi2: methods',
      file: 'packages/core/src/realm-policy.ts',
      find: "  if (is_fapi2) return ['private_key_jwt']\n",
      replace: '',
      tests: ['test/fapi2-clients.test.ts'],
    },
    clients('http redirect URIs', RULES, ["protocol === 'http:' && !isLoopbackHost(hostname)", 'false']),
    clients('http redirect URIs of the loopback', RULES, [' && !isLoopbackHost(hostname)', '']),
    {
      id: 'fapi2: methods of stored clients',
      file: 'packages/core/src/steps/client-auth.ts',
      find: "  if (!realm.policy.auth_methods.includes(method)) return 'profile_method'\n",
      replace: '',
      tests: ['test/fapi2-clients.test.ts'],
    },
    {
      id: 'fapi2: algorithms of assertions',
      file: 'packages/core/src/realm-policy.ts',
      find: 'permitted(ASSERTION_ALGORITHMS, is_fapi2)',
      replace: 'ASSERTION_ALGORITHMS',
      tests: ['test/fapi2-clients.test.ts'],
    },
    {
      id: 'fapi2: the audience as a string',
      file: 'packages/core/src/realm-policy.ts',
      find: 'aud_list: !is_fapi2',
      replace: 'aud_list: true',
      tests: ['test/fapi2-clients.test.ts'],
    },
    {
      id: 'fapi2: algorithms of proofs',
      file: 'packages/core/src/realm-policy.ts',
      find: 'permitted(DPOP_ALGORITHMS, is_fapi2)',
      replace: 'DPOP_ALGORITHMS',
      tests: ['test/fapi2-clients.test.ts'],
    },
    {
      id: 'fapi2: a proof for every token',
      file: 'packages/core/src/steps/dpop-binding.ts',
      find: "  if (policy.proofs.every_token) return 'profile_requires_proof'\n",
      replace: '',
      tests: ['test/fapi2-clients.test.ts'],
    },
    {
      id: 'fapi2: a client without keys',
      file: 'packages/core/src/protocol/client-method.ts',
      find: 'isKeysOnly(policy) ? [noKeys(policy)] : authenticationFaults',
      replace: 'authenticationFaults',
      tests: ['test/fapi2-clients.test.ts'],
    },
    {
      id: 'fapi2: PKCE of a new client',
      file: 'packages/core/src/protocol/client-method.ts',
      find: 'if (!require_pkce && !policy.pkce_optional)',
      replace: 'if (false)',
      tests: ['test/fapi2-clients.test.ts'],
    },

    clients('keys for a permitted algorithm', 'packages/core/src/protocol/client-keys.ts', [
      ' ?? unusableFault(jwks, algorithms)',
      '',
    ]),
    {
      id: 'fapi2: methods at registration',
      file: 'packages/core/src/protocol/client-metadata.ts',
      find: 'AUTH_METHODS.filter((method) => auth_methods.includes(method))',
      replace: 'AUTH_METHODS',
      tests: ['test/fapi2-clients.test.ts'],
    },
    {
      id: 'fapi2: redirect URIs at registration',
      file: 'packages/core/src/protocol/client-metadata.ts',
      find: ' ??\n      insecureRedirectFault(policy, uri)',
      replace: '',
      tests: ['test/fapi2-clients.test.ts'],
    },

    {
      id: 'fapi2: methods of a document',
      file: 'packages/core/src/features/client-documents/metadata-document.ts',
      find: ' && auth_methods.includes(method),',
      replace: ',',
      tests: ['test/fapi2-clients.test.ts'],
    },
    {
      id: 'fapi2: redirect URIs of a document',
      file: 'packages/core/src/features/client-documents/metadata-document.ts',
      find: ' ?? insecureRedirectFault(policy, uri)',
      replace: '',
      tests: ['test/fapi2-clients.test.ts'],
    },

    {
      id: 'fapi2: methods in discovery',
      file: 'packages/core/src/endpoints/discovery.ts',
      find: 'token_endpoint_auth_methods_supported: policy.auth_methods',
      replace:
        "token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none']",
      tests: ['test/fapi2-clients.test.ts'],
    },
    {
      id: 'fapi2: redirect_uri of a pushed request',
      file: 'packages/core/src/steps/redirect-target.ts',
      find: ' || !c.realm.policy.redirect_uri_optional)',
      replace: ')',
      tests: ['test/fapi2-flow.test.ts'],
    },
    {
      id: 'fapi2: http redirect URIs of stored clients',
      file: 'packages/core/src/steps/redirect-target.ts',
      find: 'insecureRedirectFault(c.realm.policy, redirect_uri)',
      replace: 'null',
      tests: ['test/fapi2-flow.test.ts'],
    },
    {
      id: 'fapi2: PKCE of stored clients',
      file: 'packages/core/src/protocol/pkce.ts',
      find: '  pkce_optional &&\n',
      replace: '',
      tests: ['test/fapi2-flow.test.ts'],
    },
    {
      id: 'fapi2: access tokens with RS256',
      file: 'packages/core/src/realm-policy.ts',
      find: 'permitted(SIGNING_ALGORITHMS, is_fapi2)',
      replace: 'SIGNING_ALGORITHMS',
      tests: ['test/fapi2-flow.test.ts'],
    },
    {
      id: 'fapi2: 303',
      file: 'packages/core/src/realm-policy.ts',
      find: "method === 'GET' && !is_fapi2 ? 302",
      replace: "method === 'GET' ? 302",
      tests: ['test/fapi2-flow.test.ts'],
    },
    {
      id: 'a resource whose tokens must be bound, without DPoP',
      file: 'packages/core/src/create-realm.ts',
      find: 'dpop.enabled ? [] : required',
      replace: '[].slice()',
      tests: ['test/dpop-token.test.ts'],
    },
    configured('sets the keys', ['merge(FAPI2, config) as RealmConfig', 'config']),
    configured('binds the tokens of all resources', ["{ dpop: 'required', ...resource }", 'resource']),
    configured('private_key_jwt', ['clients.private_key_jwt !== false', 'true']),
    configured('the audience of assertions', ["client_assertion.audience === 'issuer'", 'true']),
    configured('DPoP', [
      "['dpop.enabled', dpop.enabled, dpop.enabled, 'true']",
      "['dpop.enabled', dpop.enabled, true, 'true']",
    ]),
    configured('a clock that is too strict', ['dpop.max_future >= MIN_CLOCK_OFFSET && ', '']),
    configured('a clock that is too lax', [' && dpop.max_future <= MAX_CLOCK_OFFSET', '']),
    configured('pushed requests', [
      "['par.required', par.required, par.required, 'true']",
      "['par.required', par.required, true, 'true']",
    ]),
    configured('the lifetime of pushed requests', [
      'const MAX_PUSHED_LIFETIME = 599',
      'const MAX_PUSHED_LIFETIME = 600',
    ]),
    configured('RS256', ["!keys.algorithms.includes('RS256')", 'true']),
    configured('the lifetime of codes', ['const MAX_CODE_LIFETIME = 60', 'const MAX_CODE_LIFETIME = 61']),
    configured('rotation', ['!tokens.rotate_confidential,', 'true,']),
    configured('bearer tokens of a resource', ["resource.dpop === 'required'", 'true']),
    configured('the preset of public clients', [
      'if (settings.preset === undefined) return faults',
      'return faults',
    ]),
    renewal('public clients', REFRESH, [
      "const is_confidential = client_auth !== null && client_auth !== 'none'",
      'const is_confidential = client_auth !== null',
    ]),
    renewal('grants whose method is unknown', REFRESH, [
      "const is_confidential = client_auth !== null && client_auth !== 'none'",
      "const is_confidential = client_auth !== 'none'",
    ]),
    {
      id: 'refresh token that stays: only where it is configured',
      file: 'packages/core/src/grants/refresh-token.ts',
      find: 'return !is_confidential || c.realm.policy.rotates_confidential',
      replace: 'return !is_confidential',
      tests: ['test/refresh-renewal.test.ts'],
    },
    renewal('a spent token', REFRESH, [
      'const spent = refresh_token.spent_at !== null',
      'const spent = false',
    ]),
    renewal('a spent token in memory', 'packages/core/src/memory-grants.ts', [
      'if (!found || found.refresh_token.spent_at !== null) return false\n      found.refresh_token.expires_at',
      'if (!found) return false\n      found.refresh_token.expires_at',
    ]),
    renewal('idle expiry', 'packages/core/src/memory-grants.ts', [
      '      found.refresh_token.expires_at = expires_at\n',
      '',
    ]),
  ],
}
export default list
