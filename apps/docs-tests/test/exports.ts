/**
 * Samples of what other systems export, for docs/move-your-users.md, each with the users that come of it. The hashes are test vectors: see
 * packages/password-hashes/test/_vectors.ts.
 */

import { expect } from 'vitest'

interface MovedUser {
  sub: string
  claims: object
  /** The password that the hash has; null where there is no hash. */
  password: string | null
  groups?: string[]
  disabled?: true
  /** The labels of authenticator apps. */
  apps?: string[]
}

export interface Export {
  files?: Record<string, string>
  /** Statements that make the tables. */
  tables?: string[]
  /** By username. */
  users: Record<string, MovedUser>
}

const PASSWORD = 'correct horse'
const BCRYPT = '$2a$04$pdwMERHgRUB9FeUIiMnZNuIfHUjtOyUgH/hRaXPwB3QozqCUfdyKi'
const lines = (...values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const credential = (type: string, [secret, data, more]: readonly [object, object, object?]) => ({
  type,
  secretData: JSON.stringify(secret),
  credentialData: JSON.stringify(data),
  ...more,
})
const SALT = 'AAECAwQFBgcICQoLDA0ODw=='
const TOTP = { subType: 'totp', digits: 6, counter: 0, period: 30, algorithm: 'HmacSHA1' }

const AUTH0: Export = {
  files: {
    'auth0-passwords.json': lines(
      {
        _id: { $oid: '60425da93519d90068f82966' },
        email_verified: false,
        email: 'ann@example.com',
        passwordHash: BCRYPT.replace('$2a$', '$2b$'),
        tenant: 'example',
        connection: 'Username-Password-Authentication',
        _tmp_is_unique: true,
      },
      { _id: { $oid: '60425dc43519d90068f82973' }, email: 'bob@example.com', passwordHash: BCRYPT },
    ),
    'auth0-users.json': lines(
      {
        user_id: 'auth0|60425da93519d90068f82966',
        email: 'ann@example.com',
        email_verified: true,
        name: 'Ann Example',
        nickname: 'ann',
        picture: 'https://example.com/ann.png',
      },
      {
        user_id: 'auth0|60425dc43519d90068f82973',
        email: 'bob@example.com',
        email_verified: false,
        blocked: true,
      },
      { user_id: 'google-oauth2|1', email: 'cem@example.com', email_verified: true },
    ),
  },
  users: {
    'ann@example.com': {
      sub: 'auth0|60425da93519d90068f82966',
      claims: {
        email: 'ann@example.com',
        email_verified: true,
        name: 'Ann Example',
        nickname: 'ann',
        picture: 'https://example.com/ann.png',
      },
      password: PASSWORD,
    },
    'bob@example.com': {
      sub: 'auth0|60425dc43519d90068f82973',
      claims: { email: 'bob@example.com', email_verified: false },
      password: PASSWORD,
      disabled: true,
    },
    'cem@example.com': {
      sub: 'google-oauth2|1',
      claims: { email: 'cem@example.com', email_verified: true },
      password: null,
    },
  },
}

const KEYCLOAK: Export = {
  files: {
    'realm.json': JSON.stringify({
      realm: 'example',
      users: [
        {
          id: '1a',
          username: 'ann',
          email: 'ann@example.com',
          emailVerified: true,
          firstName: 'Ann',
          lastName: 'Example',
          enabled: true,
          groups: ['/staff', '/sales/north'],
          credentials: [
            credential('password', [
              {
                value: 'f5mVnsWM8T1p28J9rgNTUO4C7B50K+wgGUGyK1XbI0s=',
                salt: 'c29tZXNhbHQ4',
                additionalParameters: {},
              },
              {
                hashIterations: 2,
                algorithm: 'argon2',
                additionalParameters: {
                  hashLength: ['32'],
                  memory: ['1024'],
                  type: ['id'],
                  version: ['1.3'],
                  parallelism: ['1'],
                },
              },
            ]),
            credential('otp', [{ value: 'IkpBVkFTQ1JJUFQ0MjQyMg' }, TOTP, { userLabel: 'Phone' }]),
            credential('otp', [
              { value: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' },
              { ...TOTP, secretEncoding: 'BASE32' },
            ]),
            credential('otp', [{ value: 'eight digits' }, { ...TOTP, digits: 8 }]),
          ],
        },
        {
          id: '2b',
          username: 'bob',
          emailVerified: false,
          enabled: false,
          credentials: [
            credential('password', [
              {
                value:
                  'yRTMTwbMbo9G0VfjobWqerzuuxe7BETNTErBbKKumGQVykgYqFUkGDPSqmamlmDo91gX1JZ69LgWiJuFkmT+UQ==',
                salt: SALT,
              },
              { hashIterations: 1000, algorithm: 'pbkdf2-sha256' },
            ]),
          ],
        },
        {
          id: '3c',
          username: 'cem',
          emailVerified: false,
          enabled: true,
          credentials: [
            credential('password', [
              {
                value:
                  'ndhWw3a4srcTtr4HQFTLiKRlVuARheqNDSZ/M5xlIWnV8dW5o4FxWW4SX6V6pwPMFQrFliwwmyqHNSBeApSZPA==',
                salt: SALT,
              },
              { hashIterations: 1000, algorithm: 'pbkdf2' },
            ]),
          ],
        },
        { id: '4d', username: 'eve', emailVerified: false, enabled: true },
        { id: '5e', username: 'service-account-notes', enabled: true, serviceAccountClientId: 'notes' },
      ],
    }),
  },
  users: {
    ann: {
      sub: '1a',
      claims: { email: 'ann@example.com', email_verified: true, given_name: 'Ann', family_name: 'Example' },
      password: PASSWORD,
      groups: ['staff', 'sales/north'],
      apps: expect.arrayContaining(['Phone', 'Authenticator app']) as unknown as string[],
    },
    bob: { sub: '2b', claims: {}, password: PASSWORD, disabled: true },
    cem: { sub: '3c', claims: {}, password: PASSWORD },
    eve: { sub: '4d', claims: {}, password: null },
  },
}

const COGNITO: Export = {
  files: {
    'cognito.json': JSON.stringify({
      Users: [
        {
          Username: '7d2a',
          Attributes: [
            { Name: 'sub', Value: '7d2a' },
            { Name: 'email', Value: 'ann@example.com' },
            { Name: 'email_verified', Value: 'true' },
            { Name: 'given_name', Value: 'Ann' },
            { Name: 'custom:plan', Value: 'x' },
          ],
          Enabled: true,
          UserStatus: 'CONFIRMED',
        },
        {
          Username: 'bob',
          Attributes: [
            { Name: 'sub', Value: '8e3b' },
            { Name: 'phone_number', Value: '+15550100' },
            { Name: 'phone_number_verified', Value: 'false' },
          ],
          Enabled: false,
          UserStatus: 'CONFIRMED',
        },
      ],
    }),
  },
  users: {
    'ann@example.com': {
      sub: '7d2a',
      claims: { email: 'ann@example.com', email_verified: true, given_name: 'Ann' },
      password: null,
    },
    bob: {
      sub: '8e3b',
      claims: { phone_number: '+15550100', phone_number_verified: false },
      password: null,
      disabled: true,
    },
  },
}

/** The example in the README of https://github.com/firebase/scrypt. */
const FIREBASE: Export = {
  files: {
    'firebase.json': JSON.stringify({
      users: [
        {
          localId: 'uid1',
          email: 'ann@example.com',
          emailVerified: true,
          displayName: 'Ann Example',
          photoUrl: 'https://example.com/ann.png',
          passwordHash:
            'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
          salt: '42xEC+ixf3L2lw==',
          createdAt: '1486324217000',
          providerUserInfo: [],
        },
        // As the API writes base64.
        {
          localId: 'uid2',
          email: 'bob@example.com',
          emailVerified: false,
          passwordHash:
            'lSrfV15cpx95_sZS2W9c9Kp6i_LVgQNDNC_qzrCnh1SAyZvqmZqAjTdn3aoItz-VHjoZilo78198JAdRuid5lQ==',
          salt: '42xEC-ixf3L2lw==',
          disabled: true,
        },
        { localId: 'uid3', phoneNumber: '+15550100', providerUserInfo: [{ providerId: 'phone' }] },
      ],
    }),
    'hash-parameters.txt': `hash_config {
  algorithm: SCRYPT,
  base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
  base64_salt_separator: Bw==,
  rounds: 8,
  mem_cost: 14,
}
`,
  },
  users: {
    'ann@example.com': {
      sub: 'uid1',
      claims: {
        email: 'ann@example.com',
        email_verified: true,
        name: 'Ann Example',
        picture: 'https://example.com/ann.png',
      },
      password: 'user1password',
    },
    'bob@example.com': {
      sub: 'uid2',
      claims: { email: 'bob@example.com', email_verified: false },
      password: 'user1password',
      disabled: true,
    },
    '+15550100': { sub: 'uid3', claims: { phone_number: '+15550100' }, password: null },
  },
}

const ID = '00000000-0000-4000-8000-00000000000'

const SUPABASE: Export = {
  tables: [
    'create schema auth',
    `create table auth.users (
       id uuid, email text, email_confirmed_at timestamptz, phone text, encrypted_password text, banned_until timestamptz,
       deleted_at timestamptz, raw_user_meta_data jsonb
     )`,
    'create table auth.mfa_factors (user_id uuid, factor_type text, status text, secret text, friendly_name text)',
    `insert into auth.users values
       ('${ID}1', 'ann@example.com', now(), '', '${BCRYPT}', null, null, '{"full_name": "Ann \\"A\\" \\n Example"}'),
       ('${ID}2', 'bob@example.com', null, null, '', now() + interval '1 day', null, '{}'),
       ('${ID}3', '', null, '15550100', null, now() - interval '1 day', null, null),
       ('${ID}4', 'gone@example.com', now(), null, '${BCRYPT}', null, now(), '{}')`,
    `insert into auth.mfa_factors values
       ('${ID}1', 'totp', 'verified', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', 'Phone'),
       ('${ID}1', 'totp', 'unverified', 'AAAAAAAAAAAAAAAA', 'Begun'),
       ('${ID}1', 'phone', 'verified', null, 'SMS')`,
  ],
  users: {
    'ann@example.com': {
      sub: `${ID}1`,
      claims: { email: 'ann@example.com', email_verified: true, name: 'Ann "A" \n Example' },
      password: PASSWORD,
      apps: ['Phone'],
    },
    'bob@example.com': {
      sub: `${ID}2`,
      claims: { email: 'bob@example.com', email_verified: false },
      password: null,
      disabled: true,
    },
    '15550100': { sub: `${ID}3`, claims: { phone_number: '15550100' }, password: null },
  },
}

/** By @better-auth/utils. */
const BETTER_AUTH: Export = {
  tables: [
    'create table "user" (id text, email text, "emailVerified" boolean, name text, image text)',
    'create table account ("userId" text, "providerId" text, password text)',
    `insert into "user" values ('u1', 'ann@example.com', true, 'Ann Example', null), ('u2', 'bob@example.com', false, 'Bob', null)`,
    `insert into account values
       ('u1', 'credential', '24de77a9a2b5d8521fbae39c5dc0082c:057005a1db5f6d8b433d51701d666d3a56d3005206d6b11e5f5756a213cef16217c982793839c224034d0b23b1a0a0bdfc4f3b072c1755663985236d68a61376'),
       ('u1', 'google', null), ('u2', 'google', null)`,
  ],
  users: {
    'ann@example.com': {
      sub: 'u1',
      claims: { email: 'ann@example.com', email_verified: true, name: 'Ann Example' },
      password: 'of\ufb01ce \u2460\u00a0x',
    },
    'bob@example.com': {
      sub: 'u2',
      claims: { email: 'bob@example.com', email_verified: false, name: 'Bob' },
      password: null,
    },
  },
}

const DJANGO: Export = {
  tables: [
    `create table auth_user (
       id int, username text, email text, first_name text, last_name text, password text, is_active boolean
     )`,
    `insert into auth_user values
       (1, 'ann', 'ann@example.com', 'Ann', 'Example', 'pbkdf2_sha256$1000$v6JKEEoXNwPZ$TDEYI31xtCZpm3cYwVCVuUPwQz9WyIXpcUaNOvKPVZc=', true),
       (2, 'bob', '', '', '', 'argon2$argon2id$v=19$m=1024,t=2,p=1$c29tZXNhbHQ4$f5mVnsWM8T1p28J9rgNTUO4C7B50K+wgGUGyK1XbI0s', false),
       (3, 'cem', '', '', '', 'bcrypt$${BCRYPT}', true),
       (4, 'eve', '', '', '', '!unusable', true),
       (5, 'old', '', '', '', 'md5$salt$5f4dcc3b5aa765d61d8327deb882cf99', true)`,
  ],
  users: {
    ann: {
      sub: '1',
      claims: { email: 'ann@example.com', given_name: 'Ann', family_name: 'Example' },
      password: PASSWORD,
    },
    bob: { sub: '2', claims: {}, password: PASSWORD, disabled: true },
    cem: { sub: '3', claims: {}, password: PASSWORD },
    eve: { sub: '4', claims: {}, password: null },
    old: { sub: '5', claims: {}, password: null },
  },
}

const OWN: Export = {
  tables: [
    'create table people (id int, login text, email text, confirmed boolean, full_name text, password_digest text)',
    `insert into people values (7, 'ann', 'ann@example.com', true, 'Ann Example', '${BCRYPT}'), (8, 'bob', null, null, null, null)`,
  ],
  users: {
    ann: {
      sub: '7',
      claims: { email: 'ann@example.com', email_verified: true, name: 'Ann Example' },
      password: PASSWORD,
    },
    bob: { sub: '8', claims: {}, password: null },
  },
}

/** By the line of the page that makes the file. */
export const EXPORTS: Record<string, Export> = {
  'node auth0.mjs auth0-passwords.json auth0-users.json > users.jsonl': AUTH0,
  'node keycloak.mjs realm.json > users.jsonl': KEYCLOAK,
  'node cognito.mjs cognito.json > users.jsonl': COGNITO,
  'node firebase.mjs firebase.json hash-parameters.txt > users.jsonl': FIREBASE,
  'psql "$SUPABASE_URL" --no-align --tuples-only --file supabase.sql > users.jsonl': SUPABASE,
  'psql "$BETTER_AUTH_URL" --no-align --tuples-only --file better-auth.sql > users.jsonl': BETTER_AUTH,
  'psql "$DJANGO_URL" --no-align --tuples-only --file django.sql > users.jsonl': DJANGO,
  'psql "$OLD_URL" --no-align --tuples-only --file own.sql > users.jsonl': OWN,
}
