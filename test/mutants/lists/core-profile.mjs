const RULES = 'packages/core/src/protocol/profile-rules.ts'
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

/** @type {(what: string, file: string, change: [find: string, replace: string]) => import('../lists.mjs').Mutant} */
const flow = (what, file, change) => ({
  ...clients(what, file, change),
  tests: ['test/fapi2-flow.test.ts'],
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
    clients('methods', RULES, ["!isFapi2(settings) || method === 'private_key_jwt'", 'true']),
    clients('http redirect URIs', RULES, ["protocol === 'http:' && !isLoopbackHost(hostname)", 'false']),
    clients('http redirect URIs of the loopback', RULES, [' && !isLoopbackHost(hostname)', '']),
    clients('methods of stored clients', 'packages/core/src/steps/client-auth.ts', [
      "if (!isPermittedMethod(realm.settings, method)) return 'profile_method'",
      '',
    ]),
    clients('algorithms of assertions', 'packages/core/src/steps/client-auth.ts', [
      'permittedAlgorithms(c.realm.settings, ASSERTION_ALGORITHMS)',
      'ASSERTION_ALGORITHMS',
    ]),
    clients('the audience as a string', 'packages/core/src/steps/client-assertion.ts', [
      'list_allowed: !is_fapi2',
      'list_allowed: true',
    ]),
    clients('algorithms of proofs', 'packages/core/src/protocol/dpop.ts', [
      'permittedAlgorithms(settings, DPOP_ALGORITHMS)',
      'DPOP_ALGORITHMS',
    ]),
    clients('a proof for every token', 'packages/core/src/steps/dpop-binding.ts', [
      "if (isFapi2(settings)) return 'profile_requires_proof'",
      '',
    ]),
    clients('a client without keys', 'packages/core/src/protocol/client-method.ts', [
      'return isFapi2(realm.settings) ? [NO_KEYS] : authenticationFaults(input, confidential)',
      'return authenticationFaults(input, confidential)',
    ]),
    clients('PKCE of a new client', 'packages/core/src/protocol/client-method.ts', [
      'if (!require_pkce && isFapi2(settings))',
      'if (false)',
    ]),
    clients('algorithms of the keys of a new client', 'packages/core/src/protocol/client-method.ts', [
      'permittedAlgorithms(settings, ASSERTION_ALGORITHMS)',
      'ASSERTION_ALGORITHMS',
    ]),
    clients('keys for a permitted algorithm', 'packages/core/src/protocol/client-keys.ts', [
      ' ?? unusableFault(jwks, algorithms)',
      '',
    ]),
    clients('methods at registration', 'packages/core/src/protocol/client-metadata.ts', [
      ' && isPermittedMethod(settings, method)',
      '',
    ]),
    clients('redirect URIs at registration', 'packages/core/src/protocol/client-metadata.ts', [
      'insecureRedirectFault(settings, uri)',
      'null',
    ]),
    clients('algorithms at registration', 'packages/core/src/protocol/client-metadata.ts', [
      'permittedAlgorithms(settings, ASSERTION_ALGORITHMS)',
      'ASSERTION_ALGORITHMS',
    ]),
    clients('methods of a document', 'packages/core/src/documents/metadata-document.ts', [
      ' &&\n      isPermittedMethod(settings, method)',
      '',
    ]),
    clients('redirect URIs of a document', 'packages/core/src/documents/metadata-document.ts', [
      ' ?? insecureRedirectFault(settings, uri)',
      '',
    ]),
    clients('algorithms of a document', 'packages/core/src/documents/metadata-document.ts', [
      'permittedAlgorithms(settings, ASSERTION_ALGORITHMS)',
      'ASSERTION_ALGORITHMS',
    ]),
    clients('methods in discovery', 'packages/core/src/endpoints/discovery.ts', [
      '(method) => isPermittedMethod(settings, method)',
      '() => true',
    ]),
    flow('redirect_uri of a pushed request', 'packages/core/src/steps/redirect-target.ts', [
      ' || isFapi2(c.realm.settings))',
      ')',
    ]),
    flow('http redirect URIs of stored clients', 'packages/core/src/steps/redirect-target.ts', [
      'insecureRedirectFault(c.realm.settings, redirect_uri)',
      'null',
    ]),
    flow('PKCE of stored clients', 'packages/core/src/protocol/pkce.ts', ['  !isFapi2(settings) &&\n', '']),
    flow('access tokens with RS256', 'packages/core/src/steps/bearer-token.ts', [
      'permittedAlgorithms(c.realm.settings, SIGNING_ALGORITHMS)',
      'SIGNING_ALGORITHMS',
    ]),
    flow('303', RULES, ["method === 'GET' && !isFapi2(settings) ? 302", "method === 'GET' ? 302"]),
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
    renewal('only where it is configured', REFRESH, [
      'return !is_confidential || c.realm.settings.tokens.rotate_confidential',
      'return !is_confidential',
    ]),
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
