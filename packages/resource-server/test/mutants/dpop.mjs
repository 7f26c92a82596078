/** @type {import('../../../../test/mutants/lists.mjs').List} */
const list = {
  groups: [
    {
      file: 'packages/resource-server/src/dpop/proof.ts',
      tests: ['test/dpop-proof.test.ts'],
      mutants: {
        'dpop: two proofs': ['parse', 'drop', 'if (value.includes'],
        'dpop: critical header': ['parse', 'drop', "'crit"],
        'dpop: type': ['keyOf', 'drop', "throw new DpopProofError('proof_type"],
        'dpop: algorithm': ['keyOf', 'always', 'algorithms.includes('],
        'dpop: private key': ['keyOf', 'drop', 'SECRET_MEMBERS'],
        'dpop: method': ['checkClaims', 'drop', 'if (htm'],
        'dpop: URL': ['checkClaims', 'drop', 'url !'],
        'dpop: age': ['checkClaims', 'drop', 'iat <'],
        'dpop: token': ['checkClaims', 'drop', 'if (rules'],
        'dpop: signature': ['checkSignature', 'drop', "throw new DpopProofError('proof_signature"],
      },
    },
    {
      file: 'packages/resource-server/src/dpop/nonces.ts',
      tests: ['test/dpop-nonce.test.ts'],
      mutants: {
        'dpop: key': ['nonceOf', 'replace', 'secret', 'new Uint8Array(32)'],
      },
    },
    {
      file: 'packages/resource-server/src/dpop/confirmation.ts',
      tests: ['test/dpop.test.ts'],
      mutants: {
        'dpop: bound token as Bearer': [
          'checkConfirmation',
          'drop',
          "throw new BearerError('invalid_token', 'bound_token_as_bearer",
        ],
        'dpop: another key': ['checkConfirmation', 'drop', 'if (proof !== null && jkt !'],
      },
    },
    {
      file: 'packages/resource-server/src/dpop/resource-proof.ts',
      tests: ['test/dpop.test.ts'],
      mutants: {
        'dpop: required': ['requestCredentials', 'drop', 'if (dpop'],
        'dpop: ath': ['proof', 'drop', 'access_token'],
        'dpop: replay': ['claimResourceProof', 'drop', 'if (!('],
      },
    },
  ],
}

export default list
