const GUARD = 'packages/core/src/steps/guard-dpop.ts'
const TOKEN = 'packages/core/src/steps/bearer-token.ts'
const BINDING = 'packages/core/src/steps/dpop-binding.ts'
const CONTEXTS = 'packages/core/src/realm-contexts.ts'
const USERINFO = 'packages/core/src/endpoints/userinfo.ts'
const METADATA = 'packages/core/src/endpoints/protected-resource.ts'

/** @type {(what: string, file: string, change: [find: string, replace: string]) => import('../lists.mjs').Mutant} */
const mutant = (what, file, [find, replace]) => ({
  id: `dpop resource: ${what}`,
  file,
  find,
  replace,
  tests: ['test/dpop-resources.test.ts'],
})

/** @type {Omit<import('../lists.mjs').List, 'name'>} */
const list = {
  folder: 'packages/core',
  mutants: [
    mutant('on while it is off', GUARD, ['if (!enabled) return null', '']),
    mutant('bearer tokens of a resource that requires DPoP', GUARD, [
      'required: takesBoundTokensOnly(settings, key),',
      '',
    ]),
    mutant('age of the realm', GUARD, ['    max_age,\n', '']),
    mutant('future of the realm', GUARD, ['    max_future,\n', '']),
    mutant('host of the request', GUARD, [
      'new URL(issuer).origin + new URL(request.url).pathname',
      'request.url',
    ]),
    mutant('no nonces', GUARD, ["nonce === 'required' && ", 'false && ']),
    mutant('nonces of the token endpoint', GUARD, ["realmNonces(c, 'resource')", "realmNonces(c, 'server')"]),
    mutant('replays', GUARD, ['    replays: c.storage.replays,\n', '']),
    mutant('algorithms of the realm', GUARD, [
      'algorithms: proofAlgorithms(settings),',
      "algorithms: ['ES256', 'EdDSA', 'Ed25519', 'PS256', 'RS256'],",
    ]),
    mutant('bearer tokens at another guard', TOKEN, [
      "  if (lacksBinding(c.realm, token)) throw fault('dpop_required')\n",
      '',
    ]),
    mutant('profile', BINDING, ['isFapi2(settings) || (key', '(key']),
    mutant('URL of UserInfo', CONTEXTS, ["use === 'userinfo' ? userinfoUrl : ", '']),
    mutant('public_url', CONTEXTS, ['(public_url ?? null)', 'null']),
    mutant('next nonce', USERINFO, [
      "nonce === null ? headers : { ...headers, 'dpop-nonce': nonce }",
      'headers',
    ]),
    mutant('document of a resource', METADATA, ['takesBoundTokensOnly(settings, key)', 'false']),
  ],
}

export default list
