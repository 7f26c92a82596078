/** @type {import('../../../../test/mutants/lists.mjs').List} */
const list = {
  groups: [
    {
      file: 'packages/core/src/features/par/pushed-request.ts',
      tests: ['test/pushed-requests.test.ts'],
      mutants: {
        'pushed request: stored with its secret': ['storePushedRequest', 'unwrap', 'sha256'],
        'pushed request: of another client': ['findPushedRequest', 'drop', 'if (pushed.'],
        'pushed request: another kind of record': [
          'findPushedRequest',
          'replace',
          'pushed?.kind !',
          '!pushed',
        ],
        'pushed request: no limit of an address': ['countPushedRequest', 'drop', 'await throttle'],
      },
    },
    {
      file: 'packages/core/src/endpoints/authorize.ts',
      tests: ['test/pushed-requests.test.ts'],
      mutants: {
        'pushed request: the redirect_uri is not verified again': [
          'authorizePushed',
          'replace',
          'storedTarget(',
          'redirectTarget(c, params)',
        ],
      },
    },
    {
      file: 'packages/core/src/authorize/parse-request.ts',
      tests: ['test/pushed-request-errors.test.ts'],
      mutants: {
        'pushed request: required while the switch is off': ['checkPushed', 'drop', 'policy.pushed !'],
        'pushed request: not required in the realm': ['checkPushed', 'drop', 'policy.pushed ='],
      },
    },
    {
      file: 'packages/core/src/features/par/endpoint.ts',
      tests: ['test/pushed-request-errors.test.ts'],
      mutants: {
        'pushed request: with a request_uri': ['pushedAuthorizationRequest', 'drop', 'if ('],
      },
    },
    {
      file: 'packages/core/src/features/par/endpoint.ts',
      tests: ['test/dpop-pushed-requests.test.ts'],
      mutants: {
        'pushed request: the key of its proof is not kept': [
          'pushedAuthorizationRequest',
          'unwrap',
          'boundToKey',
        ],
        'pushed request: its proof is never used up': [
          'pushedAuthorizationRequest',
          'drop',
          'await claimProof',
        ],
      },
    },
  ],
}

export default list
