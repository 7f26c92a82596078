/** @type {import('../../../../test/mutants/lists.mjs').List} */
const list = {
  groups: [
    {
      file: 'packages/core/src/realm/acr.ts',
      tests: ['test/step-up.test.ts'],
      mutants: {
        'step-up: a weak session satisfies acr_values': ['meetsAcrValues', 'always', 'satisfiesAcr('],
      },
    },
    {
      file: 'packages/core/src/features/exchange/token-exchange.ts',
      tests: ['test/step-up.test.ts'],
      mutants: {
        'step-up: an exchanged token does not say how the user signed in': [
          'tokenExchange',
          'replace',
          'authenticationOf(',
          'null',
        ],
      },
    },
    {
      file: 'packages/core/src/clients/client-switches.ts',
      tests: ['test/switched-client-fields.test.ts'],
      mutants: {
        'client switch: a registration with DPoP off binds the client': [
          'sentFields',
          'always',
          'needs.is_on',
        ],
        'client switch: a text counts as a flag': [
          'sentFlag',
          'replace',
          "typeof sent === 'boolean' ?",
          '{ value: Boolean(sent) }',
        ],
      },
    },
  ],
}

export default list
