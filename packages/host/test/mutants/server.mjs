/** @type {import('../../../../test/mutants/lists.mjs').List} */
const list = {
  services: 'all',
  config: '../../vitest.shared.ts',
  groups: [
    {
      file: 'packages/host/src/network/transport.ts',
      tests: ['test/guarded-documents.test.ts'],
      mutants: {
        'size of a document, while it is read': ['readBounded', 'drop', 'if'],
      },
    },
    {
      file: 'packages/host/src/network/client-address.ts',
      tests: ['test/addresses.test.ts'],
      mutants: {
        'proxy header of a peer': ['senderOf', 'drop', 'isIP(hop'],
      },
    },
    {
      file: 'packages/host/src/network/public-address.ts',
      tests: ['test/addresses.test.ts', 'test/guarded-fetch.test.ts'],
      mutants: {
        'public address': ['isPublicAddress', 'drop', 'address.range'],
      },
    },
    {
      file: 'packages/host/src/network/guarded-fetch.ts',
      tests: ['test/guarded-fetch.test.ts'],
      mutants: {
        'every address public': ['checkedAddress', 'replace', 'addresses.', 'addresses.some'],
        'address checked': ['checkedAddress', 'drop', 'if (!'],
      },
    },
    {
      file: 'packages/host/src/network/undici-transport.ts',
      tests: ['test/guarded-fetch.test.ts'],
      mutants: {
        'address pinned': ['undiciTransport', 'drop', 'lookup'],
      },
    },
    {
      file: 'packages/host/src/server/request-path.ts',
      tests: ['test/request-path.test.ts'],
      mutants: {
        'ambiguous path': ['isAmbiguousPath', 'never', 'AMBIGUOUS.test('],
      },
    },
    {
      file: 'packages/host/src/log/log.ts',
      tests: ['test/log.test.ts', 'test/log-hygiene.test.ts'],
      mutants: {
        'secrets in the log': ['line', 'never', 'mayContainSecret('],
      },
    },
    {
      file: 'packages/host/src/config/redacted.ts',
      tests: ['test/cli.test.ts', 'test/config.test.ts', 'test/config-faults.test.ts'],
      mutants: {
        'secret keys shown': ['visible', 'never', 'SECRET_KEYS.has('],
        'password of a URL shown': ['hidden', 'replace', '/^', '/^([a-z+]+:\\/\\/)([^?#]*)/s'],
      },
    },
    {
      file: 'packages/host/src/storage/mixed-storage.ts',
      tests: ['test/mixed-storage.test.ts'],
      mutants: {
        'codes of the mix with sessions in Redis': ['mixedStorage', 'drop', "sessions === 'database"],
      },
    },
    {
      file: 'packages/host/src/server/clock.ts',
      tests: ['test/leadership.test.ts'],
      mutants: {
        'a wrong clock is not noticed': ['isWrong', 'replace', 'MAX_DIFFERENCE_SECONDS', '1e9'],
      },
    },
    {
      file: 'packages/host/src/storage/sync.ts',
      tests: ['test/reload.test.ts'],
      mutants: {
        'reload of half the realms': ['syncRealms', 'drop', 'if'],
      },
    },
    {
      file: 'packages/storage-postgres/src/moving/write-realm.ts',
      tests: ['test/export-import.test.ts'],
      title: 'a conflict is named|near the end',
      mutants: {
        'an import stores records in spite of a conflict': ['writeRealm', 'drop', 'hasConflicts'],
      },
    },
    {
      file: 'packages/host/src/management/move-realm.ts',
      tests: ['test/export-import.test.ts'],
      title: 'without secrets',
      mutants: {
        'secrets in an export without them': ['exportRealm', 'drop', '.flatMap'],
      },
    },
    {
      file: 'packages/host/src/management/realm-file.ts',
      tests: ['test/export-import.test.ts'],
      title: 'cut off',
      mutants: {
        'an import that is cut off': ['recordBatches', 'drop', 'if (!'],
      },
    },
    {
      file: 'packages/core/src/clients/imported-client.ts',
      tests: ['test/export-import.test.ts'],
      title: 'without secrets',
      mutants: {
        'an imported confidential client without a secret': [
          'importedClient',
          'replace',
          'client_secret_hash ?',
          'client_secret_hash',
        ],
      },
    },
  ],
}

export default list
