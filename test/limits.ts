/**
 * The limits of the product: each constant of a package that is a maximum, a minimum, a time, a size or the size of a batch, with the
 * test that tries it at the limit and beyond it. limits.test.ts compares this list with the sources.
 */

/** A constant, as `<file below packages> <name>`: the file of its test, and a part of the line that tries it. */
export const TESTED: Readonly<Record<string, readonly [file: string, line: string]>> = {
  'access-rules/src/applications.ts MAX_READ': [
    'packages/access-rules/test/applications.test.ts',
    'numbered(2_000, { client_uri: null })',
  ],
  'access-rules/src/applications.ts MAX_SHOWN': [
    'packages/access-rules/test/applications.test.ts',
    'numbered(101)',
  ],
  'access-rules/src/applications.ts READ_BATCH': [
    'packages/access-rules/test/applications.test.ts',
    'expect(last.counted.lists).toBe(10)',
  ],
  'access-rules/src/applications.ts REMEMBERED_SECONDS': [
    'packages/access-rules/test/applications.test.ts',
    'w.clock.now += 29',
  ],
  'access-rules/src/refused.ts MAX_HELP_CHARACTERS': [
    'packages/access-rules/test/refused.test.ts',
    "'a'.repeat(501)",
  ],
  'admin-client/src/remote/lists.ts MAX_PAGE': [
    'packages/host/test/remote/refusals.test.ts',
    "ran('client list --limit 200'",
  ],
  'core/src/storage/client-cache.ts MAX_CLIENTS': ['packages/core/test/client-cache.test.ts', 'n < 1001'],
  'core/src/config/config.ts MIN_PUBLISH_BEFORE': [
    'packages/core/src/config/config.test.ts',
    'give 0, or 60 and more',
  ],
  'core/src/features/device/limits.ts MAX_GUESSES': [
    'packages/core/test/device-limits.test.ts',
    'const GUESSES_OF_REALM = 1000',
  ],
  'core/src/features/device/limits.ts MAX_GUESSES_OF_ADDRESS': [
    'packages/core/test/device-limits.test.ts',
    'const GUESSES_OF_ADDRESS = 30',
  ],
  'core/src/features/device/limits.ts MAX_GUESSES_OF_USER': [
    'packages/core/test/device-limits.test.ts',
    'const GUESSES_OF_USER = 10',
  ],
  'core/src/features/device/limits.ts MAX_REQUESTS': [
    'packages/core/test/device-limits.test.ts',
    'const OF_REALM = 10_000',
  ],
  'core/src/features/device/limits.ts MAX_REQUESTS_OF_ADDRESS': [
    'packages/core/test/device-limits.test.ts',
    'const OF_ADDRESS = 20',
  ],
  'core/src/features/device/limits.ts WINDOW_SECONDS': [
    'packages/core/test/device-limits.test.ts',
    'w.clock.now += WINDOW',
  ],
  'core/src/features/device/requests.ts DEVICE_CODE_LIFETIME': [
    'packages/core/test/device-polls.test.ts',
    'for (const seconds of [599, 600, 1199, 1200])',
  ],
  'core/src/features/device/requests.ts EXPIRED_SECONDS': [
    'packages/core/test/device-polls.test.ts',
    'for (const seconds of [599, 600, 1199, 1200])',
  ],
  'core/src/features/device/user-code.ts CODE_LENGTH': [
    'packages/core/src/features/device/user-code.test.ts',
    "['WDJB-MJHTT', null]",
  ],
  'core/src/features/device/user-code.ts UNBIASED_BYTES': [
    'packages/core/src/features/device/user-code.test.ts',
    'new Set([1200])',
  ],
  'core/src/features/client-documents/approvals.ts MAX_APPROVED_CLIENTS': [
    'packages/core/test/document-approvals.test.ts',
    '30 in 90 days, and the next one is refused',
  ],
  'core/src/features/client-documents/documents.ts MAX_BYTES': [
    'packages/core/test/client-documents.test.ts',
    'max_bytes: 5120',
  ],
  'core/src/features/client-documents/documents.ts MAX_DOCUMENTS': [
    'packages/core/test/client-documents-flood.test.ts',
    'fill the memory up to 1,000',
  ],
  'core/src/documents/document-cache.ts FIRST_RETRY_SECONDS': [
    'packages/core/test/document-cache.test.ts',
    'after 30, 60, 120, 240 and 240 seconds',
  ],
  'core/src/documents/document-cache.ts MAX_RETRY_SECONDS': [
    'packages/core/test/document-cache.test.ts',
    'after 30, 60, 120, 240 and 240 seconds',
  ],
  'core/src/documents/document-cache.ts MAX_STALE_OVER_BUDGET': [
    'packages/core/test/document-cache.test.ts',
    'for five minutes after it was fresh',
  ],
  'core/src/documents/document-cache.ts MAX_VALIDATOR_LENGTH': [
    'packages/core/test/document-cache.test.ts',
    'keeps no longer validator than 256 characters',
  ],
  'core/src/documents/fetch-budgets.ts MAX_UNDER_WAY': [
    'packages/core/test/document-cache.test.ts',
    '16 requests at a time, 4 of them to one host',
  ],
  'core/src/documents/fetch-budgets.ts MAX_UNDER_WAY_PER_HOST': [
    'packages/core/test/document-cache.test.ts',
    '16 requests at a time, 4 of them to one host',
  ],
  'core/src/documents/fetch-budgets.ts MAX_UNDER_WAY_PER_ADDRESS': [
    'packages/core/test/document-limits-table.test.ts',
    'an address has four requests under way',
  ],
  'core/src/documents/fetch-budgets.ts MAX_PER_HOST': [
    'packages/core/test/document-cache.test.ts',
    '30 a minute for a host',
  ],
  'core/src/documents/fetch-budgets.ts MAX_PER_REALM': [
    'packages/core/test/document-cache.test.ts',
    '120 a minute for a realm',
  ],
  'core/src/documents/fetch-budgets.ts MAX_PER_ADDRESS': [
    'packages/core/test/document-cache.test.ts',
    '12 a minute for an address',
  ],
  'core/src/documents/fetch-budgets.ts MAX_COUNTERS': [
    'packages/core/test/document-cache.test.ts',
    'are at most 10,000 counters',
  ],
  'core/src/documents/fetch-budgets.ts PLACE_RETRY_AFTER': [
    'packages/core/test/document-cache.test.ts',
    "'retry-after': '5'",
  ],
  'core/src/documents/freshness.ts ABANDONED_AFTER': [
    'packages/core/test/document-cache.test.ts',
    'hold no place after ten seconds',
  ],
  'core/src/features/client-keys/key-sets.ts MAX_KEY_SET_BYTES': [
    'packages/core/test/client-jwks-uri.test.ts',
    'more than 64 KiB',
  ],
  'core/src/features/client-keys/key-sets.ts MAX_STALE_SECONDS': [
    'packages/core/test/client-jwks-uri.test.ts',
    'the keys in memory are used for 24 hours',
  ],
  'core/src/features/client-keys/key-sets.ts REFETCH_SECONDS': [
    'packages/core/test/client-jwks-uri.test.ts',
    'does so once in 60 seconds, however many assertions a stranger sends',
  ],
  'core/src/documents/lifetimes.ts STORED_DOCUMENT_SECONDS': [
    'packages/core/src/clients/imported-times.test.ts',
    '90 * DAY',
  ],
  'core/src/features/exchange/exchange-subject.ts MAX_ACTORS': [
    'packages/core/test/token-exchange.test.ts',
    'nests at most 8 levels',
  ],
  'core/src/jobs/delivery-places.ts MAX_PLACES': [
    'packages/core/test/delivery-places.test.ts',
    'a realm has 25 quick places, and four realms have all of them',
  ],
  'core/src/jobs/delivery-places.ts MAX_PER_REALM': [
    'packages/core/test/delivery-places.test.ts',
    'a realm has 25 quick places, and four realms have all of them',
  ],
  'core/src/jobs/delivery-places.ts MAX_PER_RECEIVER': [
    'packages/core/test/delivery-places.test.ts',
    'a host has five deliveries, a user five quick and ten slow ones',
  ],
  'core/src/jobs/delivery-places.ts MAX_SLOW_PER_USER': [
    'packages/core/test/delivery-places.test.ts',
    'a host has five deliveries, a user five quick and ten slow ones',
  ],
  'core/src/jobs/delivery-places.ts MAX_SLOW_HOSTS': [
    'packages/core/test/delivery-places.test.ts',
    'remembers 1,000 hosts that have timed out, the last ones',
  ],
  'core/src/jobs/delivery-places.ts SLOW_MS': ['packages/core/test/delivery-places.test.ts', 'SLOW_MS - 1'],
  'core/src/jobs/logout-delivery.ts LEASE_SECONDS': [
    'packages/core/test/many-records.test.ts',
    'is not claimed by another server while its attempt may take',
  ],
  'core/src/storage/memory/maps.ts MAX_PURGED': [
    'packages/storage-conformance/test/memory.test.ts',
    'a purge deletes 1000 past throttle windows',
  ],
  'core/src/config/profile.ts MAX_CODE_LIFETIME': [
    'packages/core/src/config/profile.test.ts',
    'authorization_code: 61',
  ],
  'core/src/authorize/parse-request.ts MAX_LOGIN_HINT_LENGTH': [
    'packages/core/test/login-hint.test.ts',
    "'x'.repeat(320)",
  ],
  'core/src/util/client-id-url.ts MAX_LENGTH': [
    'packages/core/src/util/client-id-url.test.ts',
    'is longer than 2048 characters',
  ],
  'core/src/util/secret-strength.ts MIN_SECRET_LENGTH': [
    'packages/core/src/util/secret-strength.test.ts',
    'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P',
  ],
  'core/src/util/secret-strength.ts MIN_DISTINCT_CHARACTERS': [
    'packages/core/src/util/secret-strength.test.ts',
    "'0123456'.repeat(5)",
  ],
  'core/src/util/ui-locales.ts MAX_TAGS': [
    'packages/core/src/util/ui-locales.test.ts',
    'aa bb cc dd ee ff gg',
  ],
  'core/src/util/ui-locales.ts MAX_TAG_LENGTH': [
    'packages/core/src/util/ui-locales.test.ts',
    "'abcdefgh-'.repeat(3)}abcdef en",
  ],
  'core/src/util/ui-locales.ts MAX_VALUE_LENGTH': [
    'packages/core/src/util/ui-locales.test.ts',
    "'de'.padEnd(1025)",
  ],
  'core/src/features/client-keys/assertion.ts MAX_ASSERTION_CHARACTERS': [
    'packages/core/test/client-assertion.test.ts',
    'with 8,192 characters, and not with more',
  ],
  'core/src/features/client-keys/assertion.ts MAX_JTI_CHARACTERS': [
    'packages/core/test/client-assertion.test.ts',
    'a jti of 256 characters',
  ],
  'core/src/realm/realm.ts LOGOUT_TOKEN_LIFETIME': [
    'packages/core/test/delivery-pool.test.ts',
    'exp: w.clock.now + 120',
  ],
  'core/src/realm/policy.ts MAX_ASSERTION_LIFETIME': ['packages/core/test/client-assertion.test.ts', '3601'],
  'core/src/realm/policy.ts MAX_ASSERTION_LIFETIME_FAPI2': [
    'packages/core/test/fapi2-clients.test.ts',
    'with exp in 601 seconds',
  ],
  'core/src/features/client-keys/assertion.ts MAX_AHEAD': [
    'packages/core/test/client-assertion.test.ts',
    'iat in 61 seconds',
  ],
  'core/src/features/client-keys/assertion.ts MAX_CLIENT_ID_CHARACTERS': [
    'packages/core/test/client-assertion.test.ts',
    'a sub of 2,049 characters',
  ],
  'core/src/clients/client-keys.ts MAX_CLIENT_KEYS': [
    'packages/core/src/clients/client-keys.test.ts',
    'more than ten usable keys',
  ],
  'core/src/clients/client-keys.ts MAX_KID_CHARACTERS': [
    'packages/core/src/clients/client-keys.test.ts',
    'a long kid',
  ],
  'core/src/clients/client-keys.ts MIN_RSA_BITS': [
    'packages/core/src/clients/client-keys.test.ts',
    'RSA of 2047 bits',
  ],
  'core/src/clients/client-keys.ts MAX_RSA_BITS': [
    'packages/core/src/clients/client-keys.test.ts',
    'RSA of 4096 bits',
  ],
  'core/src/clients/client-keys.ts MAX_EXPONENT_BYTES': [
    'packages/core/src/clients/client-keys.test.ts',
    'whose exponent has four bytes',
  ],
  'core/src/clients/client-keys.ts COORDINATE_BYTES': [
    'packages/core/src/clients/client-keys.test.ts',
    'P-256 with a long coordinate',
  ],
  'core/src/authorize/access.ts POLICY_MS': [
    'packages/core/test/access-rules.test.ts',
    'advanceTimersByTimeAsync(999)',
  ],
  'core/src/clients/access-rules.ts MAX_GROUPS': [
    'packages/core/test/access-rule-fields.test.ts',
    'numbered(100)',
  ],
  'core/src/clients/access-rules.ts MAX_GROUP_LENGTH': [
    'packages/core/test/access-rule-fields.test.ts',
    "'g'.repeat(255)",
  ],
  'core/src/clients/uri-schemas.ts MAX_URIS': [
    'packages/core/test/registration.test.ts',
    '101 redirect_uris',
  ],
  'core/src/util/client-name.ts MAX_NAME_LENGTH': [
    'packages/core/test/registration.test.ts',
    'client_name of 256 characters',
  ],
  'core/src/clients/imported-times.ts CLOCK_SKEW_SECONDS': [
    'packages/core/src/clients/imported-times.test.ts',
    'NOW + 301',
  ],
  'core/src/clients/imported-times.ts MAX_AHEAD_SECONDS': [
    'packages/core/src/clients/imported-times.test.ts',
    '366 * DAY',
  ],
  'core/src/http/params.ts MAX_PARAMETERS': [
    'packages/core/test/parameter-counts.test.ts',
    'takes 200 parameters, and refuses 201',
  ],
  'core/src/http/params.ts MAX_STATE_LENGTH': [
    'packages/core/test/pending-requests.test.ts',
    "['state', 8192],",
  ],
  'core/src/util/usernames.ts MAX_USERNAME_LENGTH': [
    'packages/core/src/util/usernames.test.ts',
    "'a'.repeat(255)",
  ],
  'core/src/util/refresh-grace.ts MAX_REFRESH_GRACE': [
    'packages/core/test/refresh-grace.test.ts',
    'refresh_token_grace: 61',
  ],
  'core/src/realm/scope.ts MAX_SCOPE_WORDS': [
    'packages/core/test/parameter-counts.test.ts',
    'has at most 200 words',
  ],
  'core/src/util/secret-strength.ts MIN_CLIENT_SECRET_LENGTH': [
    'packages/host/test/config-faults.test.ts',
    'a client_secret has at least 22 characters',
  ],
  'core/src/util/shown-value.ts MAX_SENT_CHARACTERS': [
    'packages/core/src/util/shown-value.test.ts',
    'MAX_SENT_CHARACTERS + 1',
  ],
  'core/src/util/shown-value.ts MAX_EXAMINED_CHARACTERS': [
    'packages/core/src/util/shown-value.test.ts',
    '[4096, 4097]',
  ],
  'core/src/provider/realm-contexts.ts CLIENT_CACHE_SECONDS': [
    'packages/core/test/client-cache.test.ts',
    'is refused within five seconds after another server has revoked it',
  ],
  'core/src/realm/realms.ts LOOKUP_SECONDS': [
    'packages/core/test/realms-config.test.ts',
    'is called again after ten seconds',
  ],
  'core/src/clients/delete-client.ts RESERVED_SECONDS': [
    'packages/core/test/client-deletion.test.ts',
    'w.clock.now + 5 + 3600 + DAY_SECONDS',
  ],
  'core/src/authorize/end-access.ts MAX_PARALLEL_ENDS': [
    'packages/core/test/many-records.test.ts',
    'end ten at a time',
  ],
  'core/src/authorize/end-session.ts LEASE_SECONDS': [
    'packages/core/test/logout-deliveries.test.ts',
    '[0, 29, 30, 60]',
  ],
  'core/src/tokens/issue-tokens.ts MAX_ACCESS_TOKEN_CHARACTERS': [
    'packages/core/test/access-token-claims.test.ts',
    '4,096 characters are issued, one more is not',
  ],
  'core/src/request/read-params.ts MAX_BODY_BYTES': [
    'packages/core/test/token.test.ts',
    'a form over 64 KiB is 413',
  ],
  'core/src/features/par/pushed-request.ts PUSHED_REQUEST_SECONDS': [
    'packages/core/test/pushed-request-errors.test.ts',
    'first use within 90 seconds',
  ],
  'core/src/features/par/pushed-request.ts MAX_OF_CLIENT': [
    'packages/core/test/pushed-requests.test.ts',
    '60,000 of a confidential client',
  ],
  'core/src/authorize/session.ts USE_INTERVAL_SECONDS': [
    'packages/core/test/session-use.test.ts',
    'at most every 15 minutes',
  ],
  'core/src/authorize/session.ts MAX_USER_AGENT_CHARACTERS': [
    'packages/core/test/session-use.test.ts',
    'cut to 255 characters',
  ],
  'core/src/authorize/session.ts MAX_USERNAME_CHARACTERS': [
    'packages/core/test/login.test.ts',
    'with 255 characters of a username of %d',
  ],
  'core/src/tokens/signing-keys.ts RELOAD_SECONDS': [
    'packages/core/test/key-revocation.test.ts',
    'other servers follow within 30 seconds',
  ],
  'core/src/request/throttle.ts MAX_PER_SESSION': [
    'packages/core/test/pending-requests.test.ts',
    'a session may have 60 open questions a minute',
  ],
  'core/src/clients/wrong-secrets.ts WINDOW_SECONDS': [
    'packages/core/test/unauthenticated-requests.test.ts',
    'w.clock.now += 899',
  ],
  'host/src/doctor/configuration.ts MIN_CONTRAST': [
    'packages/host/test/doctor-configuration.test.ts',
    'buttons whose text is too faint are a note, by the scheme',
  ],
  'host/src/cli/workspace.ts MAX_SEARCHED': [
    'packages/host/test/search.test.ts',
    'reads at most 100,000 entries',
  ],
  'host/src/doctor/factors.ts MAX_FACTORS': ['packages/host/test/doctor-factors.test.ts', '100_001'],
  'host/src/config/server-settings.ts MAX_SECONDS': [
    'packages/host/test/server-settings.test.ts',
    "OSTIARY_DRAIN_SECONDS: '601'",
  ],
  'host/src/config/server-settings.ts DRAIN_BEHIND_PROXY_SECONDS': [
    'packages/host/test/server-settings.test.ts',
    'drain for 5 seconds where a proxy is trusted',
  ],
  'host/src/network/mailbox.ts MAX_ADDRESS_LENGTH': [
    'packages/host/test/mailbox.test.ts',
    'toHaveLength(255)',
  ],
  'host/src/network/mailbox.ts MAX_NAME_LENGTH': ['packages/host/test/mailbox.test.ts', "'a'.repeat(201)"],
  'host/src/mail/smtp-connection.ts MAX_CONNECTIONS': [
    'packages/host/test/smtp-mailer.test.ts',
    'server.connections()).toBe(2)',
  ],
  'host/src/management/realm-file.ts MAX_LINE_BYTES': [
    'packages/host/test/export-import.test.ts',
    'it is longer than 1048576 bytes',
  ],
  'identity/src/factors/recovery/codes.ts CODE_LENGTH': [
    'packages/identity/src/factors/recovery/codes.test.ts',
    'bare.slice(1),',
  ],
  'identity/src/pages/theme.ts MAX_LINKS': [
    'packages/identity/src/pages/theme.test.ts',
    'Array.from({ length: 6 }',
  ],
  'identity/src/pages/theme.ts MAX_LINK_TEXT_LENGTH': [
    'packages/identity/src/pages/theme.test.ts',
    "'x'.repeat(61)",
  ],
  'identity/src/factors/recovery/codes.ts MAX_TYPED_LENGTH': [
    'packages/identity/src/factors/recovery/codes.test.ts',
    "' '.repeat(49)",
  ],
  'identity/src/factors/totp/totp-factor.ts ENROLMENT_SECONDS': [
    'packages/identity/src/factors/totp/totp-factor.test.ts',
    '[601, false],',
  ],
  'totp/src/totp-uri.ts MAX_ENCODED_LENGTH': ['packages/totp/test/totp-uri.test.ts', "'a'.repeat(181)"],
  'totp/src/totp.ts MAX_TYPED_LENGTH': ['packages/totp/test/totp.test.ts', "' '.repeat(27)"],
  'totp/src/totp.ts STEP_SECONDS': ['packages/totp/test/totp.test.ts', 'accepted(-1, 0, NOW + 30)'],
  'identity/src/account/fresh.ts FRESH_SECONDS': [
    'packages/identity/test/factor-attacks.test.ts',
    's.clock.now += 299',
  ],
  'identity/src/account/ways.ts MAX_LABEL_LENGTH': [
    'packages/identity/test/factors.test.ts',
    "'x'.repeat(61)",
  ],
  'identity/src/sign-in/enrolment.ts MAX_FACTORS': ['packages/identity/test/factors.test.ts', 'length: 19'],
  'identity/src/sign-in/remembered-devices.ts MAX_DEVICES_PER_ACCOUNT': [
    'packages/identity/test/remembered-devices.test.ts',
    'an account has 20 devices',
  ],
  'identity/src/sign-in/remembered-devices.ts MAX_ACCOUNTS_PER_BROWSER': [
    'packages/identity/test/remembered-devices.test.ts',
    'a browser keeps five accounts',
  ],
  'identity/src/sign-in/remembered-devices.ts GRACE_SECONDS': [
    'packages/identity/test/remembered-devices.test.ts',
    's.clock.now += 29',
  ],
  'identity/src/sign-in/remembered-devices.ts COOKIE_SECONDS': [
    'packages/identity/test/remembered-devices.test.ts',
    'Max-Age=34560000',
  ],
  'identity/src/settings.ts MAX_REMEMBERED_DAYS': [
    'packages/identity/test/remembered-devices.test.ts',
    '[91, {}',
  ],
  'identity/src/sign-in/offer.ts OFFER_SECONDS': ['packages/identity/test/offer.test.ts', '30 * DAY'],
  'identity/src/sign-in/offer.ts NEVER_SECONDS': ['packages/identity/test/offer.test.ts', '400 * DAY'],
  'identity/src/sign-in/pending.ts PENDING_SECONDS': [
    'packages/identity/test/factor-attacks.test.ts',
    's.clock.now += 599',
  ],
  'identity/src/sign-in/recovery-state.ts RECOVERY_STATE_SECONDS': [
    'packages/identity/test/recovery-attacks.test.ts',
    's.clock.now += 599',
  ],
  'identity/src/mail/attempt.ts HOUR_SECONDS': [
    'packages/identity/test/mail-delivery.test.ts',
    '(hour + 1) * 3600',
  ],
  'identity/src/mail/attempt.ts LEASE_SECONDS': [
    'packages/identity/test/mail-delivery.test.ts',
    's.clock.now += 59',
  ],
  'identity/src/mail/attempt.ts MIN_LINK_SECONDS': [
    'packages/identity/test/mail-delivery.test.ts',
    'linksOf(901)',
  ],
  'identity/src/mail/attempt.ts RESET_SECONDS': [
    'packages/identity/test/forgotten-password.test.ts',
    's.clock.now += 1799',
  ],
  'identity/src/mail/delivery.ts MAX_MAILS': [
    'packages/identity/test/mail-delivery.test.ts',
    'held({ one: 4, two: 4, three: 4 })',
  ],
  'identity/src/mail/delivery.ts MAX_MAILS_OF_REALM': [
    'packages/identity/test/mail-delivery.test.ts',
    'held({ one: 5 })',
  ],
  'identity/src/mail/forgot.ts MAX_RETURN_TO_LENGTH': [
    'packages/identity/test/forgotten-password.test.ts',
    "x'.repeat(4097)",
  ],
  'identity/src/mail/limits.ts MAX_NOTICES_OF_ACCOUNT': [
    'packages/identity/test/mail-limits.test.ts',
    'toHaveLength(20)',
  ],
  'identity/src/mail/limits.ts MAX_OF_ACCOUNT': [
    'packages/identity/test/mail-limits.test.ts',
    "asks(s, 4, { username: () => 'ada'",
  ],
  'identity/src/mail/limits.ts MAX_OF_ADDRESS': [
    'packages/identity/test/mail-limits.test.ts',
    "asks(s, 11, { address: () => '192.0.2.1'",
  ],
  'identity/src/mail/limits.ts WINDOW_SECONDS': [
    'packages/identity/test/mail-limits.test.ts',
    's.clock.now += HOUR - 1',
  ],
  'identity/src/users/invitation.ts INVITATION_SECONDS': [
    'packages/identity/test/invitation-attacks.test.ts',
    's.clock.now += WEEK - 1',
  ],
  'identity/src/users/recovery-link.ts RECOVERY_SECONDS': [
    'packages/identity/test/recovery-attacks.test.ts',
    's.clock.now += 3599',
  ],
  'identity/src/sign-in/recovery-codes-file.ts MAX_CODES': [
    'packages/identity/test/factors.test.ts',
    'length: 21',
  ],
  'totp/src/totp.ts SECRET_BYTES': ['packages/totp/test/totp.test.ts', 'length !== 20'],
  'webauthn/src/authenticator-data.ts MAX_AUTHENTICATOR_DATA_BYTES': [
    'packages/webauthn/test/webauthn.test.ts',
    '[4097, false]',
  ],
  'webauthn/src/authenticator-data.ts MIN_CREDENTIAL_ID_BYTES': [
    'packages/webauthn/test/webauthn.test.ts',
    '[15, false]',
  ],
  'webauthn/src/authenticator-data.ts MAX_CREDENTIAL_ID_BYTES': [
    'packages/webauthn/test/webauthn.test.ts',
    '[1024, false]',
  ],
  'identity/src/factors/passkey/challenge.ts CHALLENGE_SECONDS': [
    'packages/identity/src/factors/passkey/challenge.test.ts',
    '[301, false]',
  ],
  'webauthn/src/client-data.ts MAX_CLIENT_DATA_BYTES': [
    'packages/webauthn/test/webauthn.test.ts',
    'client data of 4097 bytes',
  ],
  'webauthn/src/extension-map.ts MAX_DEPTH': ['packages/webauthn/test/extension-map.test.ts', "'5 levels'"],
  'webauthn/src/public-key.ts MAX_KEY_BYTES': [
    'packages/webauthn/test/webauthn.test.ts',
    'a key of 2049 bytes',
  ],
  'webauthn/src/public-key.ts MIN_RSA_BITS': ['packages/webauthn/test/webauthn.test.ts', '[2047, false]'],
  'webauthn/src/public-key.ts MAX_RSA_BITS': ['packages/webauthn/test/webauthn.test.ts', '[4097, false]'],
  'webauthn/src/response.ts MAX_RESPONSE_CHARACTERS': [
    'packages/webauthn/test/response.test.ts',
    '20,481 characters',
  ],
  'webauthn/src/response.ts MAX_SIGNATURE_BYTES': [
    'packages/webauthn/test/webauthn.test.ts',
    'a signature of 1025 bytes',
  ],
  'webauthn/src/response.ts MAX_USER_HANDLE_BYTES': [
    'packages/webauthn/test/webauthn.test.ts',
    'a user handle of 65 bytes',
  ],
  'identity/src/sign-in/devices.ts MAX_ACCOUNTS_PER_DEVICE': [
    'packages/identity/test/device-cookie.test.ts',
    'has tags for five accounts',
  ],
  'identity/src/users/attributes.ts MAX_NAME_LENGTH': [
    'packages/identity/src/users/attributes.test.ts',
    'a name of 129 characters',
  ],
  'identity/src/users/attributes.ts MAX_GROUPS': [
    'packages/identity/src/users/attributes.test.ts',
    '501 names',
  ],
  'identity/src/users/attributes.ts MAX_JSON_CHARACTERS': [
    'packages/identity/src/users/attributes.test.ts',
    '16,385 characters of JSON',
  ],
  'identity/src/users/attributes.ts MAX_LEVELS': [
    'packages/identity/src/users/attributes.test.ts',
    '9 levels',
  ],
  'identity/src/users/passwords.ts MIN_PASSWORD_LENGTH': [
    'packages/identity/src/users/passwords.test.ts',
    'has 8 to 1,024 characters',
  ],
  'identity/src/users/passwords.ts MAX_PASSWORD_LENGTH': [
    'packages/identity/src/users/passwords.test.ts',
    'has 8 to 1,024 characters',
  ],
  'resource-server/src/bearer.ts MAX_TOKEN_CHARACTERS': [
    'packages/resource-server/test/guard.test.ts',
    'of 16,385 characters is refused unseen',
  ],
  'resource-server/src/dpop/proof.ts MAX_PROOF_CHARACTERS': [
    'packages/resource-server/test/dpop-proof.test.ts',
    'a proof of 8192 characters and a jti of 255 are accepted, one more of each is not',
  ],
  'resource-server/src/dpop/proof.ts MAX_JTI_CHARACTERS': [
    'packages/resource-server/test/dpop-proof.test.ts',
    'a proof of 8192 characters and a jti of 255 are accepted, one more of each is not',
  ],
  'resource-server/src/issuer.ts MAX_BODY_BYTES': [
    'packages/resource-server/test/issuer.test.ts',
    'more than 262144 bytes',
  ],
  'resource-server/src/unavailable.ts REPORT_INTERVAL_SECONDS': [
    'packages/resource-server/test/issuer.test.ts',
    'await asked(59)',
  ],
  'resource-server/src/unavailable.ts MAX_REASON_CHARACTERS': [
    'packages/resource-server/test/issuer.test.ts',
    "'x'.repeat(10_000)",
  ],
  'resource-server/src/keys.ts MAX_KEYS': [
    'packages/resource-server/test/jwks.test.ts',
    'only the first 100 are used',
  ],
  'storage-postgres/src/connection/pool.ts LIFETIME_MS': [
    'packages/storage-postgres/test/connection-lifetime.test.ts',
    'vi.advanceTimersByTime(HALF_AN_HOUR_MS + 1)',
  ],
  'storage-postgres/src/connection/row-finder.ts MAX_KEYS': [
    'packages/storage-postgres/test/row-finder.test.ts',
    'sends at most 64 keys at a time',
  ],
  'host/src/management/restore-events.ts RESTORE_MARGIN_SECONDS': [
    'apps/server-tests/test/commands-restored.test.ts',
    '61 seconds before it do not',
  ],
  'host/src/config/mail-settings.ts MAX_PER_HOUR': ['packages/host/test/mail-settings.test.ts', '100_001'],
  'host/src/config/database-settings.ts MAX_SHARDS': ['packages/host/test/config.test.ts', 'shards: 257'],
  'storage-postgres/src/ranges/breaker.ts MAX_SILENT': [
    'packages/storage-postgres/test/ranges.test.ts',
    'opens after three time-outs in a row',
  ],
  'storage-postgres/src/ranges/counters.ts MAX_KEPT': [
    'packages/storage-postgres/test/ranges.test.ts',
    'are 10,000 at most',
  ],
  'storage-postgres/src/ranges/places.ts MAX_PLACES': [
    'packages/storage-postgres/test/ranges.test.ts',
    'one sender takes 100; nine tenths are left to the others',
  ],
  'storage-postgres/src/ranges/places.ts MAX_PLACES_OF_SENDER': [
    'packages/storage-postgres/test/ranges.test.ts',
    'one sender takes 100; nine tenths are left to the others',
  ],
  'storage-postgres/src/sharded/buckets.ts MAX_FAILURES': [
    'packages/storage-postgres/test/sharded-work.test.ts',
    'failingIn([1, 2, 3, 4])',
  ],
  'resource-server/src/turns.ts MAX_IDLE': [
    'packages/resource-server/test/turns.test.ts',
    'expect(lengths([0.021])).toEqual([3 * 0.7])',
  ],
  'resource-server/src/turns.ts SHORTEST_MS': [
    'packages/resource-server/test/turns.test.ts',
    'expect(long_wait.at(-1)).toBe(0.5)',
  ],
  'resource-server/src/turns.ts WINDOW_MS': ['packages/resource-server/test/turns.test.ts', 'now = 19'],
  'storage-postgres/src/sharded/names.ts CLAIM_SECONDS': [
    'packages/storage-postgres/test/names-in-buckets.test.ts',
    'it.each([60, -60])',
  ],
  'storage-postgres/src/sharded/names.ts PENDING_SECONDS': [
    'packages/storage-postgres/test/names-in-buckets.test.ts',
    'it.each([5, 59, -5])',
  ],
  'storage-postgres/src/stores/mails.ts KEPT_SECONDS': [
    'packages/storage-postgres/test/mails.test.ts',
    'created_at: NOW - TWO_DAYS + 1',
  ],
  'storage-postgres/src/stores/throttle.ts MAX_LISTED': [
    'packages/storage-postgres/test/sharded-work.test.ts',
    'generate_series(1, 1001)',
  ],
  'storage-postgres/src/moving/write-realm.ts MAX_NAMED_CONFLICTS': [
    'packages/host/test/export-import.test.ts',
    'lists the first 20 conflicts',
  ],
  'recovery/src/acts.ts REMIND_AFTER': [
    'packages/recovery/test/recovery.test.ts',
    'p.clock.now = begun_at + DELAY * 0.75 - 1',
  ],
  'recovery/src/settings.ts MIN_DELAY': [
    'packages/recovery/test/recovery.test.ts',
    '{ mail: true, delay: 3599 }',
  ],
  'recovery/src/settings.ts MAX_DELAY': [
    'packages/recovery/test/recovery.test.ts',
    '{ mail: true, delay: 2_592_001 }',
  ],
  'recovery/src/link.ts OPEN_SECONDS': ['packages/recovery/test/attacks.test.ts', '[86_400, 400]'],
  'email-codes/src/code.ts MAX_TYPED_CHARACTERS': [
    'packages/email-codes/test/email-codes.test.ts',
    "'x'.repeat(5000)",
  ],
  'email-codes/src/waiting.ts CODE_SECONDS': ['packages/email-codes/test/attacks.test.ts', '[600, false]'],
  'email-codes/src/limits.ts MAX_TRIES': [
    'packages/email-codes/test/attacks.test.ts',
    'are five of 50 at once',
  ],
  'console-activity/src/find/search.ts MAX_NAME': [
    'packages/host/test/console/activity.test.ts',
    "'a'.repeat(256)",
  ],
  'console-activity/src/find/search.ts MAX_USERS': [
    'packages/host/test/console/activity.test.ts',
    'eleven users',
  ],
  'console-activity/src/home/health.ts LATE_SECONDS': [
    'packages/host/test/console/activity.test.ts',
    'now - 601',
  ],
  'console-activity/src/home/refusals.ts MAX_SHOWN': [
    'packages/host/test/console/activity.test.ts',
    'six reasons',
  ],
  'console-activity/src/home/today.ts MAX_SHOWN': [
    'packages/host/test/console/activity.test.ts',
    'eleven changes',
  ],
  'console-activity/src/visit.ts MAX_PARAMETER': [
    'packages/host/test/console/activity.test.ts',
    "'a'.repeat(1025)",
  ],
  'console/src/answer.ts API_AGE_SECONDS': [
    'packages/host/test/console/sign-in.test.ts',
    'server.clock.ahead = 3700',
  ],
  'console/src/client.ts TOKEN_SECONDS': [
    'packages/host/test/console/sign-in.test.ts',
    'access_token_lifetime: 3600',
  ],
  'console/src/pages/act.ts FORM_SECONDS': [
    'packages/host/test/console/sign-in.test.ts',
    'server.clock.ahead = 241',
  ],
  'console/src/pages/act.ts RECENT_SECONDS': [
    'packages/host/test/console/sign-in.test.ts',
    'server.clock.ahead = 230',
  ],
  'console/src/session/sessions.ts ROW_SECONDS': [
    'packages/console/test/sessions.test.ts',
    'clock.now += 59',
  ],
  'console/src/session/sign-in.ts SIGN_IN_AGE_SECONDS': [
    'packages/host/test/console/sign-in.test.ts',
    "toBe('1800')",
  ],
  'console/src/session/sign-in.ts SIGN_IN_SECONDS': [
    'packages/host/test/console/sign-in.test.ts',
    'server.clock.ahead = 901',
  ],
  'console/src/session/sessions.ts MAX_IDLE_SECONDS': [
    'packages/console/test/sessions.test.ts',
    'clock.now += MAX_IDLE_SECONDS - 1',
  ],
  'console/src/session/sessions.ts MAX_SESSION_SECONDS': [
    'packages/console/test/sessions.test.ts',
    'clock.now = end - 1',
  ],
  'console/src/web/form.ts MAX_FIELDS': ['packages/console/test/form.test.ts', 'fields(MAX_FIELDS + 1)'],
  'console/src/web/form.ts MAX_FORM_BYTES': [
    'packages/console/test/form.test.ts',
    'sized(MAX_FORM_BYTES + 1)',
  ],
  'email-codes/src/limits.ts MAX_TRIES_OF_ADDRESS': [
    'packages/email-codes/test/attacks.test.ts',
    'of a network are 100',
  ],
  'email-codes/src/limits.ts WINDOW_SECONDS': [
    'packages/email-codes/test/attacks.test.ts',
    'Wait 15 minutes',
  ],
  'email-sign-in/src/entries.ts MAX_FOUND': ['test/kit/src/factors/address-rules.ts', "['a', 'b', 'c', 'd']"],
  'email-sign-in/src/fill.ts MAX_PARALLEL': ['packages/email-sign-in/test/users.test.ts', '[8, 20]'],
  'realm-operations/src/client-users.ts MAX_IN_DATABASE': [
    'packages/admin/test/api/client-users.test.ts',
    '998, 999, 1000',
  ],
  'realm-operations/src/client-users.ts MAX_ONE_BY_ONE': [
    'packages/admin/test/api/client-users.test.ts',
    '98, 99, 100',
  ],
  'realm-operations/src/lists.ts DEFAULT_LIMIT': [
    'packages/realm-operations/test/mail.test.ts',
    'length: 50 }',
  ],
  'realm-operations/src/lists.ts MAX_LIMIT': ['packages/realm-operations/test/mail.test.ts', "['201', '0'"],
  'realm-operations/src/mail.ts MAX_TESTS': ['packages/realm-operations/test/mail.test.ts', 'n < 10; n'],
  'realm-operations/src/status.ts MAX_COUNTED': ['packages/admin/test/api/status.test.ts', 'waiting: 9999'],
  'simulation/src/bounds.ts MAX_AT_ONCE': [
    'packages/simulation/test/bounds.test.ts',
    'ask(), ask(), ask(), ask()]',
  ],
  'simulation/src/bounds.ts MAX_MILLISECONDS': [
    'packages/simulation/test/bounds.test.ts',
    'advanceTimersByTimeAsync(3_999)',
  ],
  'simulation/src/operation-schemas.ts MAX_PARAMETERS': [
    'packages/simulation/test/operations.test.ts',
    '[200, 201]',
  ],
  'simulation/src/place/session.ts MAX_AGE_SECONDS': [
    'packages/simulation/test/operations.test.ts',
    '[315_360_000, 315_360_001]',
  ],
  'simulation/src/simulation.ts MAX_REALMS_WITH_KEYS': ['packages/simulation/test/bounds.test.ts', 'n <= 20'],
  'audit-sinks/src/attempt.ts ATTEMPT_MS': [
    'packages/audit-sinks/test/delivery.test.ts',
    'advanceTimersByTimeAsync(9_999)',
  ],
  'audit-sinks/src/cursor.ts ENTERED_SECONDS': ['packages/audit-sinks/test/store.test.ts', '[3599, 0]'],
  'audit-sinks/src/database-store.ts MAX_COUNTED': [
    'packages/audit-sinks/test/store.test.ts',
    'length: 10_000',
  ],
  'audit-sinks/src/database-store.ts MAX_DUE': ['packages/audit-sinks/test/store.test.ts', 'length: 101'],
  'audit-sinks/src/deliver.ts BATCH_ROWS': [
    'packages/audit-sinks/test/delivery.test.ts',
    'toEqual([100, 100])',
  ],
  'audit-sinks/src/deliver.ts FIRST_RETRY_SECONDS': [
    'packages/audit-sinks/test/delivery.test.ts',
    'at + wait - 1',
  ],
  'audit-sinks/src/deliver.ts GIVE_UP_SECONDS': [
    'packages/audit-sinks/test/delivery.test.ts',
    'place.at(DAY - 1)',
  ],
  'audit-sinks/src/deliver.ts LAST_RETRY_SECONDS': [
    'packages/audit-sinks/test/delivery.test.ts',
    'at + wait - 1',
  ],
  'audit-sinks/src/deliver.ts LEASE_END_SECONDS': ['packages/audit-sinks/test/delivery.test.ts', '[31, 1]'],
  'audit-sinks/src/deliver.ts LEASE_SECONDS': ['packages/audit-sinks/test/delivery.test.ts', 'of [0, 59]'],
  'audit-sinks/src/deliver.ts MAX_SEALS': ['packages/audit-sinks/test/delivery.test.ts', 'seals(101)'],
  'audit-sinks/src/settings.ts MAX_SINKS': ['packages/audit-sinks/test/settings.test.ts', 'many(9)'],
  'audit-sinks/src/settings.ts MAX_URL_LENGTH': ['packages/audit-sinks/test/settings.test.ts', 'long(2049)'],
  'audit-sinks/src/sinks.ts TURN_SECONDS': ['packages/audit-sinks/test/delivery.test.ts', '[60, 1]'],
  'audit-sinks/src/sinks.ts UNUSED_SECONDS': ['packages/audit-sinks/test/store.test.ts', 'days + 3600'],
  'audit-sinks/src/webhook.ts MAX_SECRETS': [
    'packages/audit-sinks/test/settings.test.ts',
    'there are 3 secrets',
  ],
  'audit-sinks/src/webhook.ts MAX_SECRET_BYTES': [
    'packages/audit-sinks/test/settings.test.ts',
    'of [23, 65]',
  ],
  'audit-sinks/src/webhook.ts MIN_SECRET_BYTES': [
    'packages/audit-sinks/test/settings.test.ts',
    'of [23, 65]',
  ],
  'host/src/audit/open-sinks.ts MAX_ANSWER_BYTES': ['packages/host/test/audit-sinks.test.ts', '[16_385,'],
  'admin-client/src/http/limited-fetch.ts MAX_ANSWER_BYTES': [
    'packages/admin-client/test/connection.test.ts',
    'const bytes = 8 * MIB + ',
  ],
  'admin-client/src/sign-in/failure.ts MAX_CAUSES': ['packages/admin-client/test/login.test.ts', 'nested(7)'],
  'admin-client/src/sign-in/loopback.ts WAIT_MS': [
    'packages/admin-client/test/login.test.ts',
    'advanceTimersByTimeAsync(899_999)',
  ],
  'admin-client/src/sign-in/max-age.ts MAX_AGE': [
    'packages/admin-client/test/connection.test.ts',
    'max_age=1799',
  ],
  'admin-client/src/store/credentials.ts MAX_FILE_BYTES': [
    'packages/admin-client/test/store.test.ts',
    'text.padEnd(MIB + 1)',
  ],
  'admin-client/src/store/lock.ts STALE_MS': ['packages/admin-client/test/store.test.ts', 'age(181)'],
  'admin/src/api/page.ts MAX_LOOKED_AT': [
    'packages/admin/test/api/user-search.test.ts',
    '[MAX_LOOKED_AT + 1,',
  ],
  'console/src/pages/parts.ts PILL_LENGTH': ['packages/host/test/console/users.test.ts', "'h'.repeat(25)"],
  'console-setup/src/registration/overview.ts MAX_PAGE': [
    'packages/host/test/console/setup.test.ts',
    'n < 201',
  ],
  'console-setup/src/registration/overview.ts MAX_SEARCH': [
    'packages/host/test/console/setup.test.ts',
    "'y'.repeat(255)}z",
  ],
  'host/src/server/admin/upstreams.ts CHECK_MS': [
    'packages/host/test/admin/upstreams.test.ts',
    'toHaveBeenCalledWith(4000)',
  ],
  'host/src/server/limits.ts LARGE_BODY_BYTES': ['packages/host/test/limits.test.ts', 'bytes: 8 * 1024 + 1'],
  'admin/src/api/admin.ts ANSWER_MS': ['packages/admin/test/api/openapi.test.ts', 'TimersByTimeAsync(4999)'],
  'admin/src/api/admin.ts MAX_REQUESTS': ['packages/admin/test/api/guard.test.ts', 'n < 599'],
  'admin/src/api/authenticate.ts MAX_AGE': ['packages/admin/test/api/guard.test.ts', 'at(3601, LIST)'],
  'admin/src/api/operations/clients.ts MIN_SECRET': [
    'packages/admin/test/api/clients.test.ts',
    'secret.slice(1)',
  ],
  'admin/src/api/read-request.ts MAX_BODY_BYTES': [
    'packages/admin/test/api/clients.test.ts',
    'large(65_537)',
  ],
  'admin/src/api/read-request.ts MAX_DEPTH': ['packages/admin/test/api/clients.test.ts', 'nested(33)'],
  'admin/src/api/refused.ts MAX_ROWS': ['packages/admin/test/api/refused.test.ts', 'n < 10;'],
  'admin/src/api/schemas.ts DEFAULT_LIMIT': ['packages/admin/test/api/clients.test.ts', 'toHaveLength(50)'],
  'console-activity/src/rows/names.ts MAX_NAMED': [
    'packages/console-activity/test/values.test.ts',
    'length: 101',
  ],
  'admin/src/api/schemas.ts MAX_IDS': ['packages/admin/test/api/user-search.test.ts', 'length: 101'],
  'admin/src/api/schemas.ts MAX_LIMIT': ['packages/admin/test/api/clients.test.ts', 'limit=201'],
  'admin/src/roles/role-changes.ts MAX_REALMS': [
    'packages/admin/test/roles/role-changes.test.ts',
    'length: 101',
  ],
  'admin/src/roles/role-changes.ts MAX_ROLES': ['packages/admin/test/roles/role-changes.test.ts', 'n < 1000'],
  'audit/src/audit.ts MAX_LOOKED_AT': ['packages/audit/test/seals.test.ts', 'realms.slice(0, 500)'],
  'realms/src/directory.ts FRESH_MS': ['packages/realms/test/directory.test.ts', 'clock.ms += 999'],
  'realms/src/directory.ts LOOK_AGAIN_MS': [
    'packages/realms/test/directory.test.ts',
    'advanceTimersByTimeAsync(4999)',
  ],
  'realms/src/directory.ts MAX_READ': ['packages/realms/test/directory.test.ts', 'n < 2001'],
  'realms/src/purge.ts BATCH_ROWS': ['packages/realms/test/purge.test.ts', '[500, 500, 1]'],
  'realms/src/purge.ts MAX_PURGED': ['packages/realms/test/purge.test.ts', 'n < 11'],
  'realms/src/purge.ts ROUND_SECONDS': ['packages/realms/test/purge.test.ts', 'clock.now += 59'],
  'realms/src/realm-store.ts PURGE_DAYS': ['packages/realms/test/purge.test.ts', 'NOW + 7 * DAY'],
  'realms/src/realm-store.ts MAX_REALMS': ['packages/realms/test/store.test.ts', 'MAX_REALMS - 2'],
  'realms/src/changes.ts MAX_SETTINGS_BYTES': [
    'packages/admin/test/api/realms.test.ts',
    '65_536 - 40_000 - rest + 1',
  ],
  'realms/src/commands/managed-realms.ts MAX_PAGE': [
    'packages/host/test/remote/_realm-rows.ts',
    '--limit 230',
  ],
  'realms/src/effects.ts MAX_COUNTED': ['packages/realms/test/effects.test.ts', "'acme', 10_001"],
  'console/src/answer.ts MAX_LISTED': ['packages/host/test/console/realms.test.ts', 'length: 120'],
  'realms/src/realm-store.ts MAX_ID_LENGTH': ['packages/realms/test/store.test.ts', "'a'.repeat(64)"],
  'account-deletion/src/due.ts MAX_REQUESTS': ['packages/account-deletion/test/due.test.ts', 'n <= 501'],
  'account-deletion/src/due.ts ROUND_SECONDS': ['packages/account-deletion/test/due.test.ts', 'now += 3599'],
  'account-deletion/src/notice.ts MAX_MAILS': [
    'packages/account-deletion/test/notice.test.ts',
    'Math.min(n, 5)',
  ],
  'account-deletion/src/notice.ts WINDOW_SECONDS': [
    'packages/account-deletion/test/notice.test.ts',
    'now += 3600',
  ],
  'account-deletion/src/request-record.ts LATE_DAYS': [
    'packages/account-deletion/test/due.test.ts',
    '97 * DAY - 1',
  ],
  'account-deletion/src/request-record.ts WAITING_DAYS': [
    'packages/account-deletion/test/due.test.ts',
    '6 * DAY - 1',
  ],
  'account-deletion/src/restore.ts OFFER_SECONDS': [
    'packages/account-deletion/test/account-deletion.test.ts',
    'now += 599',
  ],
  'audit/src/audit.ts MAX_EXPIRED_SEALS': ['packages/audit/test/seals.test.ts', 'n <= 51'],
  'audit/src/audit.ts ROUND_SECONDS': ['packages/audit/test/seals.test.ts', 'at(239)'],
  'admin-commands/src/answers.ts MAX_PAGE': ['packages/host/test/remote/_audit-rows.ts', '--limit 430'],
  'explain/src/before.ts MAX_ROWS': ['packages/explain/test/before.test.ts', '[200, NOTHING]'],
  'explain/src/before.ts MAX_SHOWN': ['packages/explain/test/before.test.ts', '[0, 1, 2, 3].map'],
  'audit/src/kept.ts MAX_TEXT': ['packages/audit/test/events.test.ts', '[2048, 2049]'],
  'audit/src/memory-store.ts MAX_ROWS': ['packages/audit/test/store.test.ts', 'length: 10_001'],
  'audit/src/minute.ts MAX_REFERENCES': ['packages/audit/test/events.test.ts', 'n <= 21'],
  'audit/src/minute.ts MAX_ROWS_OF_ADDRESS': ['packages/audit/test/events.test.ts', 'n <= 63'],
  'audit/src/minute.ts MAX_ROWS_OF_REALM': ['packages/audit/test/events.test.ts', 'n <= 601'],
  'audit/src/per-realm.ts MAX_KEPT_REALMS': ['packages/audit/test/per-realm.test.ts', 'ask(1001)'],
  'audit/src/recorder.ts BATCH_ROWS': ['packages/audit/test/recorder.test.ts', '[200, 200, 50]'],
  'audit/src/recorder.ts FLUSH_MS': [
    'packages/audit/test/recorder.test.ts',
    'rows are written within a second',
  ],
  'audit/src/recorder.ts MAX_WAITING_ROWS': ['packages/audit/test/recorder.test.ts', 'n < 10_002'],
  'admin-commands/src/audit/runs.ts MAX_LIMIT': [
    'packages/admin-commands/test/audit/commands.test.ts',
    "limit: '1001'",
  ],
  'audit/src/seals.ts MAX_SEALED_ROWS': ['packages/audit/test/seals.test.ts', 'length: 1001'],
  'audit/src/seals.ts OPEN_SECONDS': ['packages/audit/test/seals.test.ts', 'sealAt(NOW + 120)'],
  'audit/src/settings.ts MAX_KEEP_DAYS': ['packages/audit/test/settings.test.ts', '[0, 3651, 1.5]'],
  'explain/src/expired.ts MAX_ROWS': ['packages/explain/test/expired.test.ts', '[200, /does not say why/]'],
  'explain/src/mended.ts LONGEST_LIMIT': ['packages/explain/test/mended.test.ts', 'seconds: 86_401'],
  'explain/src/story.ts MAX_ROWS': ['packages/admin-commands/test/audit/commands.test.ts', 'length: 201'],
  'admin-commands/src/audit/verify.ts LATE_SECONDS': ['packages/audit/test/seals.test.ts', 'NOW + 300 - 901'],
  'admin-commands/src/audit/verify.ts MAX_FINDINGS': ['packages/audit/test/seals.test.ts', 'n < 101'],
  'core/src/authorize/pending-request.ts FLOW_LENGTH': ['packages/host/test/audit.test.ts', '{16}$/'],
  'host/src/config/audit/audit-settings.ts MAX_KEEP_DAYS': ['packages/host/test/audit.test.ts', '[0, 3651]'],
  'terms/src/waiting.ts WAITING_SECONDS': ['packages/terms/test/attacks.test.ts', '[600, 303]'],
  'terms/src/terms.ts MAX_ATTEMPTS': [
    'packages/terms/test/attacks.test.ts',
    'a store that never takes the change is a failure, not a session',
  ],
  'terms/src/settings.ts MAX_VERSION_CHARACTERS': [
    'packages/terms/test/terms.test.ts',
    "version: 'x'.repeat(65)",
  ],
  'terms/src/settings.ts MAX_URL_CHARACTERS': ['packages/terms/test/terms.test.ts', "'x'.repeat(2048)"],
  'identity/src/sign-in/abuse.ts CHECK_MS': [
    'packages/sign-up/test/abuse.test.ts',
    'advanceTimersByTimeAsync(4999)',
  ],
  'addresses/src/account.ts MAX_REQUESTS': [
    'packages/addresses/test/attacks.test.ts',
    '[303, 303, 303, 303, 303, 429]',
  ],
  'addresses/src/account.ts WINDOW_SECONDS': [
    'packages/addresses/test/attacks.test.ts',
    'p.clock.now += 3599',
  ],
  'addresses/src/acts.ts MAX_TRIES': ['packages/addresses/test/attacks.test.ts', '[3, 400]'],
  'addresses/src/link.ts LINK_SECONDS': [
    'packages/addresses/test/addresses.test.ts',
    'p.clock.now += WEEK - 1',
  ],
  'sign-up/src/sign-up.ts LINK_SECONDS': ['packages/sign-up/test/attacks.test.ts', '[86_400, 400]'],
  'identity/src/sign-in/sign-up/visit.ts WAITING_SECONDS': [
    'packages/sign-up/test/sign-up.test.ts',
    'Max-Age=86400',
  ],
  'identity/src/sign-in/sign-up/visit.ts MAX_KEPT_CHARACTERS': [
    'packages/sign-up/test/sign-up.test.ts',
    '[3_501, false]',
  ],
  'upstream/src/pages/trip.ts TRIP_SECONDS': ['packages/upstream/test/attacks.test.ts', '[600, false]'],
  'upstream/src/pages/trip.ts MAX_TARGET_CHARACTERS': [
    'packages/upstream/test/bounds.test.ts',
    'of 3,500 characters',
  ],
  'upstream/src/pages/limits.ts WINDOW_SECONDS': [
    'packages/upstream/test/bounds.test.ts',
    'until the window ends',
  ],
  'upstream/src/pages/limits.ts MAX_ANSWERS_OF_ADDRESS': [
    'packages/upstream/test/attacks.test.ts',
    'i < 100',
  ],
  'host/src/server/extensions/upstreams.ts MAX_ANSWER_BYTES': [
    'packages/host/test/upstreams.test.ts',
    '300_001',
  ],
  'upstream/src/reach.ts MAX_SHOWN': ['packages/host/test/doctor-upstreams.test.ts', 'x{192}'],
  'upstream/src/protocol/kept.ts FAILURE_SECONDS': ['packages/upstream/test/bounds.test.ts', 'now += 4'],
  'upstream/src/protocol/limited-fetch.ts MAX_ANSWER_BYTES': [
    'packages/upstream/test/bounds.test.ts',
    '262_145',
  ],
  'upstream/src/protocol/client-auth.ts SECRET_SECONDS': [
    'packages/upstream/test/bounds.test.ts',
    'iat + 300',
  ],
  'upstream/src/protocol/failure.ts MAX_CAUSES': ['packages/upstream/test/bounds.test.ts', 'nested(6)'],
  'upstream/src/protocol/oidc.ts DOCUMENT_SECONDS': ['packages/upstream/test/bounds.test.ts', '3_599'],
  'upstream/src/protocol/logout-token.ts MAX_TOKEN_SECONDS': [
    'packages/upstream/test/logout.test.ts',
    '3_601',
  ],
  'upstream/src/protocol/logout-token.ts KEYS_SECONDS': ['packages/upstream/test/logout.test.ts', '+= 59'],
  'upstream/src/protocol/oidc.ts MAX_GROUP_VALUES': ['packages/upstream/test/sign-in.test.ts', 'length: 201'],
  'upstream/src/protocol/trip.ts MAX_TEXT_CHARACTERS': [
    'packages/upstream/test/bounds.test.ts',
    'repeat(256)',
  ],
  'upstream/src/rules/sign-up.ts MAX_NAMES': ['packages/upstream/test/sign-in.test.ts', "'Ada-20'"],
  'upstream/src/rules/sign-up.ts MAX_NAME_CHARACTERS': [
    'packages/upstream/test/bounds.test.ts',
    'repeat(200)',
  ],
  'upstream/src/rules/groups.ts MAX_ATTEMPTS': ['packages/upstream/test/bounds.test.ts', 'toBe(5)'],
  'upstream/src/rules/decide.ts SIGN_UP_SECONDS': ['packages/upstream/test/bounds.test.ts', '[9, false]'],
  'storage-postgres/src/stores/links.ts CLAIM_SECONDS': [
    'packages/storage-postgres/test/links.test.ts',
    'passSeconds(50)',
  ],
  'storage-redis/src/sessions.ts MAX_TAGS': [
    'packages/storage-redis/test/background.test.ts',
    "['one tag more is visited in the next call', 1024, 2]",
  ],
  'storage-redis/src/tags.ts MAX_REALMS': ['packages/storage-redis/test/people.test.ts', 'useOthers(10_000)'],
  'password-rules/src/password-rules.ts MIN_LENGTH_ALONE': [
    'packages/password-rules/src/password-rules.test.ts',
    "['a password alone signs in', false, undefined, 15]",
  ],
  'password-rules/src/password-rules.ts MIN_LENGTH_WITH_FACTOR': [
    'packages/password-rules/src/password-rules.test.ts',
    'it.each([7, MAX_MIN_LENGTH + 1, 8.5, Number.NaN])',
  ],
  'password-rules/src/password-rules.ts MAX_MIN_LENGTH': [
    'packages/password-rules/src/password-rules.test.ts',
    'it.each([7, MAX_MIN_LENGTH + 1, 8.5, Number.NaN])',
  ],
  'password-rules/src/password-rules.ts MIN_DIFFERENT_CHARACTERS': [
    'packages/password-rules/src/password-rules.test.ts',
    "['abcdabcdabcdabcd', 'few_characters']",
  ],
  'password-rules/src/compromised.ts MAX_SUFFIXES': [
    'packages/password-rules/src/password-rules.test.ts',
    "['more ends than are read'",
  ],
  'password-rules/src/blocklist-file.ts MAX_BLOCKLIST_BYTES': [
    'packages/password-rules/test/blocklist-file.test.ts',
    "linesOf('a'.repeat(MAX_BLOCKLIST_BYTES + 1))",
  ],
  'password-hashes/src/kinds/argon2.ts MAX_ARGON2_MEMORY': [
    'packages/password-hashes/test/costs.test.ts',
    "argon2('m=194561,t=1,p=1')",
  ],
  'password-hashes/src/kinds/argon2.ts MAX_ARGON2_WORK': [
    'packages/password-hashes/test/costs.test.ts',
    "argon2('m=1024,t=571,p=1', 'i')",
  ],
  'password-hashes/src/kinds/argon2.ts MAX_ARGON2_LANES': [
    'packages/password-hashes/test/costs.test.ts',
    "argon2('m=1024,t=1,p=17')",
  ],
  'password-hashes/src/kinds/bcrypt.ts MAX_BCRYPT_COST': [
    'packages/password-hashes/test/costs.test.ts',
    "bcrypt('13')",
  ],
  'password-hashes/src/kinds/ldap.ts MIN_SALT_BYTES': [
    'packages/password-hashes/test/known-answers.test.ts',
    'the salt of {SSHA}',
  ],
  'password-hashes/src/kinds/ldap.ts MAX_SALT_BYTES': [
    'packages/password-hashes/test/known-answers.test.ts',
    'the salt of {SSHA}',
  ],
  'password-hashes/src/kinds/pbkdf2.ts MAX_PBKDF2_SHA1': [
    'packages/password-hashes/test/costs.test.ts',
    "pbkdf2('sha1', 1_250_001, 27)",
  ],
  'password-hashes/src/kinds/pbkdf2.ts MAX_PBKDF2_SHA256': [
    'packages/password-hashes/test/costs.test.ts',
    "pbkdf2('sha256', 1_250_001, 43)",
  ],
  'password-hashes/src/kinds/pbkdf2.ts MAX_PBKDF2_SHA512': [
    'packages/password-hashes/test/costs.test.ts',
    "pbkdf2('sha512', 500_001, 86)",
  ],
  'password-hashes/src/kinds/scrypt.ts MAX_SCRYPT_WORK': [
    'packages/password-hashes/test/costs.test.ts',
    "scrypt('ln=16,r=13,p=1')",
  ],
  'password-hashes/src/kinds/scrypt.ts MAX_SCRYPT_BYTES': [
    'packages/password-hashes/test/costs.test.ts',
    'verifies at the limit',
  ],
  'password-hashes/src/read-hash.ts MAX_HASH_CHARACTERS': [
    'packages/password-hashes/test/known-answers.test.ts',
    "'x'.repeat(497)",
  ],
  'password-hashes/src/import/import-users.ts MAX_LISTED_USERS': [
    'packages/host/test/user-import.test.ts',
    'toHaveLength(50)',
  ],
  'password-hashes/src/import/read-users.ts MAX_LISTED_FAULTS': [
    'packages/host/test/user-import.test.ts',
    '10 more lines have faults',
  ],
  'password-hashes/src/import/user-line.ts MAX_CLAIMS_CHARACTERS': [
    'packages/host/test/user-import.test.ts',
    `16_384 - '{"name":""}'.length + 1`,
  ],
  'password-hashes/src/import/user-line.ts MAX_APPS': [
    'packages/host/test/user-import.test.ts',
    'Array(6).fill(APP)',
  ],
  'password-hashes/src/import/user-line.ts MIN_SECRET_CHARACTERS': [
    'packages/host/test/user-import.test.ts',
    'a secret of 15 characters',
  ],
  'password-hashes/src/import/user-line.ts MAX_SECRET_CHARACTERS': [
    'packages/host/test/user-import.test.ts',
    'a secret of 129 characters',
  ],
  'password-hashes/src/import/user-line.ts MAX_LABEL_CHARACTERS': [
    'packages/host/test/user-import.test.ts',
    'a label of 61 characters',
  ],
  'password-hashes/src/import/import-users.ts BATCH_USERS': [
    'packages/host/test/user-import.test.ts',
    'length: 51',
  ],
  'password-hashes/src/import/store-user.ts MAX_STORE_ATTEMPTS': [
    'packages/password-hashes/src/import/store-user.test.ts',
    'await disturbed(5)',
  ],
  'storage-pglite/src/socket/listen.ts MAX_CONNECTIONS': [
    'packages/storage-pglite/test/shared-limits.test.ts',
    'const CONNECTIONS = 8',
  ],
  'storage-pglite/src/socket/place.ts MAX_PATH_BYTES': [
    'packages/storage-pglite/test/shared-place.test.ts',
    'placeFault(named(longest))',
  ],
  'storage-pglite/src/socket/protocol.ts MAX_MESSAGE_BYTES': [
    'packages/storage-pglite/test/shared-limits.test.ts',
    'rows(MAX_MESSAGE_BYTES + 1)',
  ],
}

/** Units of time, and sizes that a format or an algorithm sets: there is nothing above them to try. */
export const FIXED: readonly string[] = [
  'core/src/jobs/logout-delivery.ts HOUR_SECONDS',
  'core/src/clients/client-keys.ts MIN_RSA_EXPONENT',
  'core/src/util/secret.ts POOL_BYTES',
  'core/src/request/throttle.ts MINUTE_SECONDS',
  'core/src/crypto/keys.ts IV_BYTES',
  'core/src/crypto/sealed.ts SALT_BYTES',
  'core/src/crypto/sealed.ts IV_BYTES',
  'host/src/doctor/keys.ts DAY_SECONDS',
  'webauthn/src/authenticator-data.ts HEAD_BYTES',
  'identity/src/factors/passkey/challenge.ts NONCE_BYTES',
  'identity/src/factors/passkey/challenge.ts TIME_BYTES',
  'identity/src/factors/passkey/challenge.ts CHECK_LENGTH',
  'identity/src/factors/passkey/user-handle.ts RANDOM_BYTES',
  'identity/src/factors/passkey/user-handle.ts USER_HANDLE_BYTES',
  'identity/src/pages/device.ts DAY_SECONDS',
  'console/src/web/seal.ts SALT_BYTES',
  'console/src/web/seal.ts IV_BYTES',
  'console/src/web/seal.ts TAG_BYTES',
  'identity/src/web/sealed.ts SALT_BYTES',
  'identity/src/web/sealed.ts IV_BYTES',
  'identity/src/web/sealed.ts TAG_BYTES',
  'host/src/log/readable-lines.ts LEVEL_CHARACTERS',
  'resource-server/src/signature.ts CURVE_SIGNATURE_BYTES',
  'resource-server/src/token-store.ts HASHED_JWT_CHARACTERS',
  // A key of AES-256.
  'password-hashes/src/kinds/scrypt.ts FIREBASE_KEY_BYTES',
  'password-rules/src/common-passwords.ts ENTRY_BYTES',
  'storage-conformance/src/purge.ts MINUTE_SECONDS',
  'storage-conformance/src/purge.ts DAY_SECONDS',
  'storage-conformance/src/records.ts HOUR_SECONDS',
  'storage-pglite/src/template.ts BLOCK_BYTES',
  'storage-pglite/src/socket/messages.ts LENGTH_BYTES',
  'storage-redis/src/keys.ts HOUR_SECONDS',
  'storage-redis/src/keys.ts WEEK_SECONDS',
]

/** Real time of a process, such as the time between two attempts: a test would have to measure it. */
export const REAL_TIME: readonly string[] = [
  'core/src/jobs/logout-delivery.ts TIMEOUT_MS',
  'host/src/doctor/issuer.ts TIMEOUT_MS',
  'host/src/doctor/port.ts TIMEOUT_MS',
  'host/src/mail/smtp-connection.ts TIMEOUT_MS',
  'upstream/src/protocol/limited-fetch.ts REQUEST_MS',
  'admin-client/src/sign-in/discover.ts REQUEST_SECONDS',
  'admin-client/src/store/lock.ts POLL_MS',
  'host/src/mail/smtp-connection.ts IDLE_MS',
  'host/src/metrics/prometheus.ts SAMPLE_INTERVAL_MS',
  'host/src/process/stopping.ts LAST_ANSWERS_MS',
  'host/src/process/stopping.ts LAST_WRITES_MS',
  'host/src/process/supervise.ts MIN_RESTART_DELAY_MS',
  'host/src/process/when-safe.ts AGAIN_MS',
  'host/src/process/supervise.ts MAX_RESTART_DELAY_MS',
  'host/src/process/supervise.ts HEALTHY_MS',
  'host/src/process/supervise.ts KILL_DELAY_MS',
  'host/src/process/worker-metrics.ts ANSWER_LIMIT_MS',
  'host/src/process/worker-metrics.ts HANGING_MS',
  'host/src/server/health.ts PART_TIMEOUT_MS',
  'host/src/server/health.ts RESULT_LIFETIME_MS',
  'host/src/server/leadership.ts AFTER_LEASE_MS',
  'host/src/server/leadership.ts GIVE_BACK_MS',
  'resource-server/src/turns.ts TURN_MS',
  'storage-pglite/src/pglite-executor.ts VACUUM_INTERVAL_MS',
  'storage-postgres/src/connection/postgres-executor.ts CLOSE_TIMEOUT_MS',
  'storage-postgres/src/connection/postgres-executor.ts TIMER_TOLERANCE_MS',
  'storage-postgres/src/connection/primary.ts SEARCH_INTERVAL_MS',
  'storage-postgres/src/migrations/build-index.ts END_MS',
  'storage-postgres/src/ranges/breaker.ts PROBE_INTERVAL_MS',
  'storage-postgres/src/migrations/lock.ts POLL_MS',
  'storage-postgres/src/sharded/names.ts POLL_MS',
  'storage-redis/src/connection/client.ts COMMAND_TIMEOUT_MS',
  'storage-redis/src/connection/client.ts FASTEST_RETRY_MS',
  'storage-redis/src/connection/client.ts SLOWEST_RETRY_MS',
  'storage-redis/src/connection/safety.ts ASK_EVERY_MS',
  'storage-redis/src/connection/sentinels.ts RETRY_MS',
  'storage-redis/src/diagnosis/sentinels.ts TIMEOUT_MS',
]

/** Not tried at the limit yet. The list may only become shorter. */
export const UNTESTED: readonly string[] = [
  'apps/bun-server/src/runtime.ts MAX_PATH_SEGMENTS',
  'core/src/documents/document-cache.ts MAX_FAILURES',
  'core/src/documents/fetch-budgets.ts WINDOW_SECONDS',
  'core/src/documents/freshness.ts MIN_FRESHNESS',
  'core/src/features/client-keys/key-sets.ts MAX_KEY_SETS',
  'core/src/documents/lifetimes.ts MAX_FRESHNESS_SECONDS',
  'core/src/jobs/delivery-pool.ts MAX_CLAIMS',
  'core/src/jobs/expired-sessions.ts MAX_SESSIONS',
  'core/src/jobs/tick.ts MAX_PARALLEL_REALMS',
  'core/src/clients/imported-client-document.ts MAX_DOCUMENT_BYTES',
  'core/src/clients/imported-client-document.ts MAX_VALIDATOR_CHARACTERS',
  'core/src/realm/realms.ts MAX_LOOKUPS',
  'core/src/features/client-keys/fitting-keys.ts MAX_TRIED_KEYS',
  'core/src/clients/delete-client.ts MAX_TOMBSTONES',
  'core/src/features/client-documents/clients.ts MAX_STALE',
  'core/src/features/par/pushed-request.ts MAX_OF_OTHERS',
  'core/src/features/registration/register-client.ts MAX_SIGN_IN_SECONDS',
  'core/src/http/sent.ts SHOWN_ID_CHARACTERS',
  'core/src/http/sent.ts MAX_TOKEN_CHARACTERS',
  'core/src/tokens/signing-keys.ts RETRY_SECONDS',
  'core/src/tokens/signing-keys.ts ROLLOUT_SECONDS',
  'core/src/clients/update-client.ts MAX_ATTEMPTS',
  'core/src/authorize/pending-request.ts MAX_SEALED_LENGTH',
  'core/src/authorize/pending-request.ts MAX_STORED_REQUESTS',
  'core/src/authorize/pending-request.ts STORED_WINDOW_SECONDS',
  'core/src/clients/wrong-secrets.ts MAX_BLOCKS',
  'core/src/storage/storage.ts MAX_SPENT_REFRESH_TOKENS',
  'core/src/crypto/verified-tokens.ts MAX_VERIFIED_TOKENS',
  'host/src/cli/completion.ts MAX_WORDS',
  'host/src/cli/run.ts MAX_STDIN_BYTES',
  'host/src/config/database-settings.ts MAX_POOL_SIZE',
  'host/src/config/database-settings.ts MAX_STATEMENT_SECONDS',
  'host/src/doctor/configuration.ts MIN_CLIENT_SECRET_LENGTH',
  'host/src/doctor/document-hosts.ts MAX_HOSTS',
  'host/src/doctor/document-hosts.ts MAX_BYTES',
  'host/src/doctor/issuer.ts MAX_REALMS',
  'host/src/doctor/issuer.ts MAX_BODY_CHARACTERS',
  'host/src/doctor/keys.ts MAX_AGE_DAYS',
  'host/src/doctor/realm-settings.ts MAX_REALMS_NAMED',
  'host/src/doctor/stored-clients.ts MAX_CLIENTS',
  'host/src/doctor/stored-clients.ts MAX_CLIENTS_NAMED',
  'host/src/log/log.ts MAX_CAUSES',
  'host/src/log/log.ts MIN_SECRET_CHARACTERS',
  'host/src/management/move-realm.ts MAX_NAMES',
  'host/src/management/realm-file.ts MAX_FAULTS',
  'host/src/management/realm-file.ts BATCH_RECORDS',
  'host/src/metrics/sampler.ts MAX_ROUNDS_PER_READ',
  'host/src/network/client-address.ts MAX_REMEMBERED_ADDRESSES',
  'host/src/network/undici-transport.ts MAX_UNREAD_BYTES',
  'host/src/process/port-taken.ts MAX_TRIES',
  'host/src/process/start-up.ts MIN_CLIENT_SECRET_LENGTH',
  'host/src/server/clock.ts MAX_DIFFERENCE_SECONDS',
  'host/src/server/configured-parts.ts MAX_FIRST_KEYS',
  'host/src/server/configured-parts.ts MAX_PARALLEL_REALMS',
  'host/src/storage/postgres.ts UNLIMITED_ANSWER_SECONDS',
  'host/src/storage/sync.ts MAX_PARALLEL_REALMS',
  'identity/src/account/account.ts MAX_FORM_BYTES',
  'identity/src/account/actions.ts RECENT_SIGN_IN_SECONDS',
  'identity/src/account/context.ts NOTICE_SECONDS',
  'identity/src/account/view.ts MAX_SESSIONS_SHOWN',
  'identity/src/account/view.ts MAX_CLIENTS_SHOWN',
  'identity/src/account/view.ts MAX_CLIENTS_PER_SESSION',
  'messages/src/check-catalog.ts MAX_TEXT_LENGTH',
  'messages/src/choose.ts MAX_HEADER_LENGTH',
  'messages/src/choose.ts MAX_ACCEPTED',
  'identity/src/pages/client-logos.ts MAX_LOGO_BYTES',
  'identity/src/pages/client-logos.ts MAX_LOGOS',
  'identity/src/pages/client-logos.ts MAX_CONCURRENT_FETCHES',
  'identity/src/pages/client-logos.ts KEEP_SECONDS',
  'identity/src/pages/client-logos.ts KEEP_FAILURE_SECONDS',
  'identity/src/pages/client-name.ts MAX_OWN_NAME_CHARACTERS',
  'identity/src/pages/error.ts RETRY_AFTER_SECONDS',
  'identity/src/pages/scope-list.ts MAX_SHOWN_SCOPES',
  'identity/src/sign-in/devices.ts DEVICE_COOKIE_SECONDS',
  'identity/src/sign-in/password-check.ts BUSY_RETRY_AFTER_SECONDS',
  'identity/src/users/attributes.ts MAX_ATTRIBUTES',
  'identity/src/users/attributes.ts MAX_GROUP_LENGTH',
  'identity/src/users/manage-users.ts MAX_UPDATE_ATTEMPTS',
  'identity/src/users/passwords.ts MAX_CONCURRENT_HASHES',
  'identity/src/users/update-user.ts MAX_ATTEMPTS',
  'identity/src/web/form.ts MAX_FORM_BYTES',
  'identity/src/web/image-type.ts MAX_PROLOG_BYTES',
  'resource-server/src/algorithms.ts MIN_RSA_BITS',
  'resource-server/src/dpop/proof-key.ts MAX_KEPT_KEYS',
  'resource-server/src/dpop/nonces.ts MINUTES_AFTER',
  'resource-server/src/dpop/nonces.ts MIN_KEY_BYTES',
  'resource-server/src/dpop/proof.ts MAX_MODULUS_CHARACTERS',
  'resource-server/src/dpop/proof.ts MAX_EXPONENT_CHARACTERS',
  'resource-server/src/introspection-client.ts ASSERTION_SECONDS',
  'resource-server/src/platform-node.ts MAX_SYNCHRONOUS_RSA_BITS',
  'resource-server/src/signature.ts MIN_RSA_BITS',
  'resource-server/src/unavailable.ts RETRY_AFTER_SECONDS',
  'storage-conformance/src/background.ts MAX_CALLS',
  'storage-conformance/src/throttle.ts WINDOW_SECONDS',
  'storage-conformance/src/throttle.ts LONG_WINDOW_SECONDS',
  'storage-postgres/src/moving/copy-database.ts BATCH_ROWS',
  'storage-postgres/src/moving/read-realm.ts BATCH_ROWS',
  'storage-postgres/src/stores/background.ts MAX_REALMS',
  'storage-postgres/src/stores/figures.ts MAX_COUNTED',
  'storage-postgres/src/stores/purge.ts BATCH_SIZE',
  'storage-postgres/src/stores/purge.ts MAX_BATCHES',
  'storage-postgres/src/diagnosis/diagnose.ts MAX_SKEW_SECONDS',
  'storage-redis/src/connection/writes.ts PROBE_SECONDS',
  'storage-redis/src/diagnosis/cluster.ts MIN_MASTERS',
  'storage-redis/src/diagnosis/sentinels.ts MIN_SENTINELS',
  'storage-redis/src/purge.ts BATCH_SIZE',
  'storage-redis/src/purge.ts MAX_BATCHES',
  'storage-redis/src/throttle.ts CLOCK_MARGIN_SECONDS',
  'storage-redis/src/throttle.ts MAX_LISTED_WINDOWS',
]
export const MAX_UNTESTED = 109
