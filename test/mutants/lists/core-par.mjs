const ENDPOINT = 'packages/core/src/features/par/endpoint.ts'
const AUTHORIZE = 'packages/core/src/endpoints/authorize.ts'
const PUSHED = 'packages/core/src/features/par/pushed-request.ts'
const WAITING = 'packages/core/src/steps/waiting-request.ts'
const PARSER = 'packages/core/src/protocol/authorization-request.ts'

/** @type {(what: string, file: string, change: [find: string, replace: string]) => import('../lists.mjs').Mutant} */
const pushed = (what, file, [find, replace]) => ({
  id: `pushed request: ${what}`,
  file,
  find,
  replace,
  tests: ['test/pushed-requests.test.ts'],
})

/** @type {(what: string, file: string, change: [find: string, replace: string]) => import('../lists.mjs').Mutant} */
const refused = (what, file, change) => ({
  ...pushed(what, file, change),
  tests: ['test/pushed-request-errors.test.ts'],
})

/** @type {(what: string, file: string, change: [find: string, replace: string]) => import('../lists.mjs').Mutant} */
const proven = (what, file, change) => ({
  ...pushed(what, file, change),
  tests: ['test/dpop-pushed-requests.test.ts'],
})

/** @type {Omit<import('../lists.mjs').List, 'name'>} */
const list = {
  folder: 'packages/core',
  mutants: [
    pushed('stored with its secret', PUSHED, ['pending_hash: sha256(secret),', 'pending_hash: secret,']),
    pushed('of another client', PUSHED, [
      'if (pushed.request.client_id !== client_id) throw',
      'if (false) throw',
    ]),
    pushed('two client_ids', PUSHED, ["  refuseRepeated(params, ['client_id', 'request_uri'])\n", '']),
    pushed('never too late', PUSHED, ["throw unusable('expired_request_uri')", 'c.now()']),
    pushed('the first use is not remembered', PUSHED, [
      "  await c.storage.pending.put({ kind: 'pushed_used', pending_hash, expires_at })\n",
      '',
    ]),
    pushed('a use of another client counts', PUSHED, [
      "  if (pushed.request.client_id !== client_id) throw foreign()\n  c.facts.client_id = client_id\n  if (!(await isInTime(c, pushed))) throw unusable('expired_request_uri')\n",
      "  if (!(await isInTime(c, pushed))) throw unusable('expired_request_uri')\n  if (pushed.request.client_id !== client_id) throw foreign()\n",
    ]),
    pushed('without an end', PUSHED, ['  if (expires_at <= c.now()) return false\n', '']),
    pushed('another kind of record', PUSHED, ["if (pushed?.kind !== 'pushed') throw", 'if (!pushed) throw']),
    pushed('no limit of an address', PUSHED, [
      "  await throttle(c, 'par', c.realm.settings.throttle.authorize)\n",
      '',
    ]),
    pushed('no limit of a realm', PUSHED, ['max: MAX_OF_OTHERS,', 'max: MAX_OF_OTHERS * 10,']),
    pushed('no limit of a client', PUSHED, ['max: MAX_OF_CLIENT,', 'max: MAX_OF_CLIENT * 10,']),
    pushed('a client that registered itself is trusted', PUSHED, [
      "if (method !== 'none' && client.origin === 'operator') {",
      "if (method !== 'none') {",
    ]),
    pushed('a public client is trusted', PUSHED, [
      "if (method !== 'none' && client.origin === 'operator') {",
      "if (client.origin === 'operator') {",
    ]),
    pushed('each token has its own answer', WAITING, [
      "{ ...state, kind: 'authorization', request }, sealed: false, pushed }",
      "{ ...state, kind: 'authorization', request }, sealed: true, pushed }",
    ]),
    pushed('an answered one goes on', WAITING, [
      "    if (stored?.kind !== 'pushed') return null\n    const pending",
      "    if (stored?.kind !== 'pushed') throw new Error()\n    const pending",
    ]),
    pushed('each token has its own end', WAITING, [
      'const state = { pending_hash, login_required_since, login_reason, expires_at }',
      'const state = { pending_hash, login_required_since, login_reason, expires_at: expires_at + 60 }',
    ]),
    {
      ...pushed('stored again for a login', WAITING, [
        '  if (pushed !== null) return holdPushedRequest(c, pushed, login_reason)\n',
        '',
      ]),
      title: 'a reload, two tabs',
    },
    pushed('the answer is not awaited', 'packages/core/src/steps/authorization.ts', [
      '  if (waiting && !(await answerRequest(c, { ...waiting.pending, sealed: waiting.sealed })))\n    return staleRequest(c)\n',
      '',
    ]),
    pushed('the redirect_uri is not verified again', AUTHORIZE, [
      'const target = await storedTarget(c, request)',
      'const target = await redirectTarget(c, params)',
    ]),
    pushed('a request_uri of this form is not looked up', AUTHORIZE, [
      'return namesPushedRequest(c, params) ?',
      'return false ?',
    ]),

    {
      id: 'pushed request: loaded while the switch is off',
      file: 'packages/core/src/features/par/pushed-request.ts',
      find: "c.realm.policy.pushed !== 'off' && params",
      replace: 'params',
      tests: ['test/pushed-request-errors.test.ts'],
    },
    {
      id: 'pushed request: required while the switch is off',
      file: 'packages/core/src/protocol/authorization-request.ts',
      find: "!is_pushed && policy.pushed !== 'off' && must_push",
      replace: '!is_pushed && must_push',
      tests: ['test/pushed-request-errors.test.ts'],
    },
    {
      id: 'pushed request: not required of any client',
      file: 'packages/core/src/protocol/authorization-request.ts',
      find: "policy.pushed === 'required' || client.require_pushed_authorization_requests === true",
      replace: "policy.pushed === 'required'",
      tests: ['test/pushed-request-errors.test.ts'],
    },
    {
      id: 'pushed request: not required in the realm',
      file: 'packages/core/src/protocol/authorization-request.ts',
      find: "policy.pushed === 'required' || client.require_pushed_authorization_requests === true",
      replace: 'client.require_pushed_authorization_requests === true',
      tests: ['test/pushed-request-errors.test.ts'],
    },
    refused('authorization_details are ignored', PARSER, [
      "if (is_pushed && params.get('authorization_details') !== null)",
      'if (false)',
    ]),
    refused('authorization_details are refused everywhere', PARSER, [
      "if (is_pushed && params.get('authorization_details') !== null)",
      "if (params.get('authorization_details') !== null)",
    ]),
    refused('with a request_uri', ENDPOINT, ["if (params.get('request_uri') !== null)", 'if (false)']),
    refused('repeated parameters', ENDPOINT, ['  refuseRepeated(params)\n', '']),
    refused('the client_id of the parameters', ENDPOINT, [
      'redirectTarget(c, params, client_id)',
      'redirectTarget(c, params)',
    ]),
    refused('the aud of the token endpoint', ENDPOINT, ['    other_endpoint: urls.token_endpoint,\n', '']),
    proven('the key of its proof is not kept', ENDPOINT, [
      'const request = boundToKey(sent, proof?.jkt ?? null)',
      'const request = sent',
    ]),
    proven('its proof is never used up', PUSHED, ['  await claimProof(c, pusher.proof)\n', '']),
    proven('a proof for the token endpoint', ENDPOINT, [
      'requestProof(c, endpoint)',
      'requestProof(c, urls.token_endpoint)',
    ]),
    proven('another key than dpop_jkt', 'packages/core/src/protocol/dpop.ts', [
      'if (request.dpop_jkt !== undefined && request.dpop_jkt !== jkt)',
      'if (false)',
    ]),
    proven('no new nonce', ENDPOINT, [', ...nextNonce(c, proof)', '']),
  ],
}
export default list
