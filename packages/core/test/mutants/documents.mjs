/** @type {import('../../../../test/mutants/lists.mjs').List} */
const list = {
  groups: [
    {
      file: 'packages/core/src/features/client-documents/clients.ts',
      tests: ['test/client-documents.test.ts'],
      mutants: {
        'documents of any host are read': ['checkUrl', 'drop', 'isAllowedHost'],
        'a URL that is refused is read': ['checkUrl', 'replace', 'clientIdUrlFault(', 'null'],
        'authorize uses a stale document': [
          'currentClient',
          'replace',
          'sources.documents.read(',
          'sources.documents.readOrStale(client_id, { ...need, max_stale: MAX_STALE })',
        ],
        'a stale document counts for longer than 7 days': ['MAX_STALE', 'replace', '7', '8'],
      },
    },
    {
      file: 'packages/core/src/features/client-documents/metadata-document.ts',
      tests: ['test/metadata-document.test.ts'],
      mutants: {
        'a document of another client_id counts': ['clientOfDocument', 'drop', 'if (members.get'],
        'a document may have a secret': ['clientOfDocument', 'never', 'members.has('],
        'a document may have a private key': ['publicKeys', 'drop', 'if (jwks'],
        'a document may have redirect URIs that registration refuses': ['redirectUris', 'drop', 'if (fault)'],
      },
    },
    {
      file: 'packages/core/src/features/client-documents/consented-part.ts',
      tests: ['test/client-documents.test.ts'],
      mutants: {
        'a new host among the redirect URIs needs no consent': ['consentedPart', 'drop', 'redirectHosts'],
      },
    },
    {
      file: 'packages/core/src/authorize/ask-consent.ts',
      tests: ['test/client-documents.test.ts'],
      mutants: {
        'a consent from before a change counts': ['isConsented', 'drop', '.filter'],
      },
    },
    {
      file: 'packages/core/src/endpoints/consent.ts',
      tests: ['test/client-documents.test.ts'],
      mutants: {
        'a consent to what the view has not shown is stored': ['approve', 'drop', 'requireShownClient'],
      },
    },
  ],
}

export default list
