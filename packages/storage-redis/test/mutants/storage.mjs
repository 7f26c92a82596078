/** @type {import('../../../../test/mutants/lists.mjs').List} */
const list = {
  services: 'redis',
  groups: [
    {
      file: 'packages/storage-redis/src/grant-scripts.ts',
      tests: ['test/redis.test.ts'],
      title: 'redeemCode|rotateRefreshToken',
      mutants: {
        'code spent twice': [
          'SPEND',
          'text',
          "if call('HSETNX', grant, 'spent:' .. spent, ARGV[1]) == 0 then return 0 end",
          "call('HSET', grant, 'spent:' .. spent, ARGV[1])",
        ],
      },
    },
    {
      file: 'packages/storage-redis/src/grant-scripts.ts',
      tests: ['test/redis.test.ts'],
      title: 'renewRefreshToken',
      mutants: {
        'a spent refresh token is renewed': [
          'RENEW',
          'text',
          "or call('HEXISTS', grant, 'spent:' .. token) == 1",
          '',
        ],
      },
    },
    {
      file: 'packages/storage-redis/src/grant-scripts.ts',
      tests: ['test/lifetimes.test.ts'],
      mutants: {
        'tokens outlive with their grant': [
          'RENEW_GRANT',
          'text',
          "if field:find('^code:') or field:find('^token:') then call('EXPIRE', KEYS[1] .. field, ttl) end",
          '',
        ],
      },
    },
    {
      file: 'packages/storage-redis/src/grant-scripts.ts',
      tests: ['test/redis.test.ts'],
      title: 'revoke',
      mutants: {
        'session ends offline grants': ['CREATE', 'text', "ARGV[5] ~= 'offline'", 'true'],
      },
    },
    {
      file: 'packages/storage-redis/src/sessions.ts',
      tests: ['test/redis.test.ts'],
      title: 'sessions',
      mutants: {
        'session joined after its end': [
          'JOIN',
          'text',
          "if call('HEXISTS', session, 'session') == 0 then return 0 end",
          '',
        ],
      },
    },
    {
      file: 'packages/storage-redis/src/expiring.ts',
      tests: ['test/redis.test.ts'],
      title: 'take: ',
      mutants: {
        'pending taken twice': ['TAKE', 'text', "DEL', KEYS[1]) call('", ''],
      },
    },
    {
      file: 'packages/storage-redis/src/clients.ts',
      tests: ['test/redis.test.ts'],
      title: 'forget',
      mutants: {
        'tombstone forgotten early': ['FORGET', 'text', 'or tonumber(ends) > tonumber(ARGV[2])', ''],
      },
    },
    {
      file: 'packages/storage-redis/src/consents.ts',
      tests: ['test/redis.test.ts'],
      title: 'merge: ',
      mutants: {
        'consent restores old scopes': [
          'MERGE',
          'text',
          "call('HEXISTS', KEYS[1], 'revoked_at:' .. resource) == 0",
          'true',
        ],
      },
    },
    {
      file: 'packages/storage-redis/src/expiring.ts',
      tests: ['test/redis.test.ts'],
      title: 'claim: ',
      mutants: {
        'used assertion claimed again': [
          'CLAIM',
          'text',
          'if claimed_until and tonumber(claimed_until) > tonumber(ARGV[2]) then return 0 end',
          '',
        ],
      },
    },
    {
      file: 'packages/storage-redis/src/client-documents.ts',
      tests: ['test/redis.test.ts'],
      title: 'put: ',
      mutants: {
        'document replaced by an older one': [
          'PUT',
          'text',
          'if fetched_at and tonumber(fetched_at) > tonumber(ARGV[2]) then return end',
          '',
        ],
      },
    },
  ],
}

export default list
