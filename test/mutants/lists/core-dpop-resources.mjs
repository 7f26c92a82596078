const GUARD = 'packages/core/src/steps/guard-dpop.ts'
const TOKEN = 'packages/core/src/steps/bearer-token.ts'
const CONTEXTS = 'packages/core/src/realm-contexts.ts'
const USERINFO = 'packages/core/src/features/userinfo.ts'

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
    {
      id: 'dpop resource: bearer tokens of a resource that requires DPoP',
      file: 'packages/core/src/steps/guard-dpop.ts',
      find: 'required: takesBoundTokensOnly(c.realm, key),',
      replace: '',
      tests: ['test/dpop-resources.test.ts'],
    },
    mutant('age of the realm', GUARD, ['    max_age,\n', '']),
    mutant('future of the realm', GUARD, ['    max_future,\n', '']),
    mutant('host of the request', GUARD, [
      'new URL(issuer).origin + new URL(request.url).pathname',
      'request.url',
    ]),
    {
      id: 'dpop resource: no nonces',
      file: 'packages/core/src/steps/guard-dpop.ts',
      find: 'proofs.nonce && ',
      replace: 'false && ',
      tests: ['test/dpop-resources.test.ts'],
    },
    mutant('nonces of the token endpoint', GUARD, ["realmNonces(c, 'resource')", "realmNonces(c, 'server')"]),
    mutant('replays', GUARD, ['    replays: c.storage.replays,\n', '']),
    {
      id: 'dpop resource: algorithms of the realm',
      file: 'packages/core/src/steps/guard-dpop.ts',
      find: '    algorithms,\n    required',
      replace: "    algorithms: ['ES256', 'EdDSA', 'Ed25519', 'PS256', 'RS256'],\n    required",
      tests: ['test/dpop-resources.test.ts'],
    },
    mutant('bearer tokens at another guard', TOKEN, [
      "  if (lacksBinding(c.realm, token)) throw fault('dpop_required')\n",
      '',
    ]),
    {
      id: 'dpop resource: profile',
      file: 'packages/core/src/steps/dpop-binding.ts',
      find: 'policy.proofs?.every_token === true || (key',
      replace: '(key',
      tests: ['test/dpop-resources.test.ts'],
    },
    mutant('URL of UserInfo', CONTEXTS, ["use === 'userinfo' ? userinfoUrl : ", '']),
    mutant('public_url', CONTEXTS, ['(public_url ?? null)', 'null']),
    mutant('next nonce', USERINFO, [
      "nonce === null ? headers : { ...headers, 'dpop-nonce': nonce }",
      'headers',
    ]),
    {
      id: 'dpop resource: document of a resource',
      file: 'packages/core/src/endpoints/protected-resource.ts',
      find: 'takesBoundTokensOnly(realm, key)',
      replace: 'false',
      tests: ['test/dpop-resources.test.ts'],
    },
  ],
}

export default list
