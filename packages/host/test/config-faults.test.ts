import { describe, expect, it } from 'vitest'
import { FILE, faults, SECRET } from './support.ts'

const client = FILE.clients[0]
const user = FILE.users[0]

/** Each row of a table is a file, or a part of one, and its fault, which is also the title of the test. */
const named = (table: [unknown, string][]) => table.map(([given, fault]) => ({ given, fault }))

describe('a misspelled key is an error with its path, and the key that was probably meant', () => {
  it.each(
    named([
      [{ ...FILE, cliens: [] }, 'cliens: there is no such key; did you mean clients?'],
      [{ ...FILE, app: { ulr: 'x' } }, 'app.ulr: there is no such key; did you mean url?'],
      [
        { ...FILE, clients: [client, { ...client, client_id: 'b', redirect_uri: [] }] },
        'clients.1.redirect_uri: there is no such key; did you mean redirect_uris?',
      ],
      [
        { ...FILE, users: [{ ...user, emial: 'a@b.c' }] },
        'users.0.emial: there is no such key; did you mean email?',
      ],
      [
        { ...FILE, users: [{ ...user, address: { town: 'Paris' } }] },
        'users.0.address.town: there is no such key',
      ],
      [{ ...FILE, oidc: { isuer: 'x' } }, 'oidc.isuer: there is no such key; did you mean issuer?'],
      [
        { ...FILE, oidc: { tokens: { acces_token: 60 } } },
        'oidc.tokens.acces_token: there is no such key; did you mean access_token?',
      ],
      [
        { ...FILE, oidc: { routes: { realms: 'path' }, realms: { acme: { sesion: {} } } } },
        'oidc.realms.acme.sesion: there is no such key; did you mean session?',
      ],
      [
        { ...FILE, oidc: { dpop: { enabled: true } } },
        'oidc.dpop.enabled: this key no longer exists: set oidc.dpop to "on" or "off"',
      ],
      [
        { ...FILE, login: { failures_per_address: 200 } },
        'login.failures_per_address: this key no longer exists: set login.failures to a fifth of it',
      ],
      [{ ...FILE, theme: { logo: 'x' } }, 'theme.logo: there is no such key; did you mean logo_url?'],
      [
        { ...FILE, realms: { acme: { user: [] } } },
        'realms.acme.user: there is no such key; did you mean users?',
      ],
      [{ ...FILE, log_level: 'debug' }, 'log_level: there is no such key'],
    ]),
  )('$fault', async ({ given, fault }) => expect(await faults(given)).toContain(fault))
})

describe('a wrong value is an error with its path', () => {
  it.each(
    named([
      [{ ...FILE, clients: {} }, 'clients: give a list'],
      [{ ...FILE, clients: ['app'] }, 'clients.0: give an object, { … }'],
      [{ ...FILE, clients: [{ ...client, trusted: 'yes' }] }, 'clients.0.trusted: give true or false'],
      [
        { ...FILE, users: [{ ...user, email_verified: 'true' }] },
        'users.0.email_verified: give true or false',
      ],
      [{ ...FILE, users: [{ ...user, updated_at: '2026' }] }, 'users.0.updated_at: give a number'],
      [{ ...FILE, users: [{ ...user, address: 'Paris' }] }, 'users.0.address: give an object, { … }'],
      [
        { ...FILE, users: [{ ...user, attributes: { team: 'a\0' } }] },
        'users.0.attributes: attribute "team": a text must not contain NUL or an unpaired surrogate',
      ],
      [
        { ...FILE, users: [{ ...user, groups: ['staff', ''] }] },
        'users.0.groups: groups.1 must have 1 to 255 characters, and no control characters or unpaired surrogates',
      ],
      [{ ...FILE, users: [{ ...user, password: 'short' }] }, 'users.0.password: give at least 8 characters'],
      [
        { ...FILE, trusted_proxies: ['10.0.0.0/33'] },
        'trusted_proxies.0: give an IP address such as 10.0.0.1, or a range such as 10.0.0.0/8',
      ],
      [
        { ...FILE, trusted_proxies: ['192.0.2.7', '<addresses of the proxy>'] },
        'trusted_proxies.1: "<addresses of the proxy>" is a placeholder: replace it by the address or the range of your proxies alone, because they choose the address that counts as the client',
      ],
      [{ ...FILE, oidc: { tokens: { id_token: '1h' } } }, 'oidc.tokens.id_token: give a number'],
      [{ ...FILE, previous_secret: SECRET }, 'previous_secret: it is the same as OIDC_SECRET: unset it'],
      [{ ...FILE, previous_secret: 'short' }, 'previous_secret: give at least 32 random characters'],
      [
        { ...FILE, theme: { variables: { '--ostiary-accent': 'red;}' } } },
        'theme.variables.--ostiary-accent: "red;}" is not a plain CSS value',
      ],
    ]),
  )('$fault', async ({ given, fault }) => expect(await faults(given)).toContain(fault))

  it('a list instead of an object is refused', async () => {
    expect(await faults([])).toEqual([expect.stringMatching(/ostiary\.config\.json: give a JSON object$/)])
  })
})

describe('clients and users are checked before anything starts', () => {
  it.each(
    named([
      [[{ client_id: 'a' }], 'clients.0.redirect_uris: the authorization_code grant needs at least one'],
      [
        [{ client_id: 'a', redirect_uris: ['javascript://x/y'] }],
        'clients.0.redirect_uris.0: "javascript://x/y" uses the scheme javascript, which is never allowed',
      ],
      [
        [{ client_id: 'a', grant_types: ['client_credentials'] }],
        'clients.0.grant_types: client_credentials needs a client_secret',
      ],
      [
        [{ ...client, optional_scopes: ['openid', 'nope'] }],
        'clients.0.optional_scopes: there is no scope "nope"',
      ],
      [
        [{ ...client, default_scopes: ['*'] }],
        'clients.0.default_scopes.0: * belongs in optional_scopes only',
      ],
      [[client, client], 'clients.1.client_id: clients.0 has the same one'],
      [
        [{ ...client, client_secret: 'x'.repeat(22), client_secret_env: 'Y' }],
        'clients.0.client_secret_env: client_secret is given too; keep one of the two',
      ],
      [
        [{ ...client, client_secret_env: 'NOT_THERE' }],
        'clients.0.client_secret_env: the variable NOT_THERE is not set: serve, doctor and config print need it',
      ],
    ]),
  )('$fault', async ({ given, fault }) => {
    expect(await faults({ ...FILE, clients: given })).toContain(fault)
  })

  it('a sub that is a client_id of the same realm is refused', async () => {
    const users = [{ ...user, sub: 'app' }]
    expect(await faults({ ...FILE, users })).toEqual([
      'users.0.sub: it is the client_id of clients.0; take another one',
    ])
    const oidc = { routes: { realms: 'path' }, realms: { default: {}, acme: {} } }
    expect(await faults({ ...FILE, users: [], oidc, realms: { acme: { users } } })).toEqual([])
  })

  it('a client_secret has at least 22 characters, in the file and in a variable', async () => {
    const file = (entry: object) => ({ ...FILE, clients: [{ ...client, ...entry }] })
    const inline = (length: number) => faults(file({ client_secret: 'x'.repeat(length) }))
    const variable = (length: number) => faults(file({ client_secret_env: 'X' }), { X: 'x'.repeat(length) })
    for (const length of [1, 21]) {
      expect(await inline(length)).toEqual(['clients.0.client_secret: give at least 22 random characters'])
      expect(await variable(length)).toEqual([
        'clients.0.client_secret_env: the value of X: give at least 22 random characters',
      ])
    }
    expect([await inline(22), await variable(22)]).toEqual([[], []])
  })

  it.each(
    named([
      [[user, { ...user, username: 'ANN' }], 'users.1.username: users.0 has the same one'],
      [
        [{ username: 'a', sub: 'x y' }],
        'users.0.sub: give 1 to 255 printable ASCII characters without spaces',
      ],
      [[{ ...user, password_env: 'X' }], 'users.0.password_env: password is given too; keep one of the two'],
    ]),
  )('$fault', async ({ given, fault }) => {
    expect(await faults({ ...FILE, users: given })).toContain(fault)
  })

  it('a password from a variable must obey the same rules, and the fault has the key of the variable', async () => {
    const file = { ...FILE, users: [{ username: 'a', password_env: 'X' }] }
    expect(await faults(file, { X: 'short' })).toEqual([
      'users.0.password_env: the value of X: give at least 8 characters',
    ])
  })

  it('every fault is reported at once', async () => {
    const file = {
      cliens: [],
      clients: [{ client_id: 'a' }, { ...client, trustd: true }],
      users: [{ username: 'a', password_env: 'X' }],
      theme: { name: '', variables: {} },
    }
    expect(await faults(file, { PORT: 'abc', OIDC_SECRET: '', X: 'short' })).toEqual([
      'PORT: "abc" is not a port: give a number from 1 to 65535',
      'theme.name: give at least 1 character',
      'cliens: there is no such key; did you mean clients?',
      'OIDC_SECRET: set this variable to at least 32 random characters, and keep them',
      'clients.1.trustd: there is no such key; did you mean trusted?',
      'users.0.password_env: the value of X: give at least 8 characters',
      'oidc.issuer: missing, and app.url is not set either: give the public origin, such as https://id.example.com',
    ])
  })
})

describe('realms and their entries must exist', () => {
  const oidc = { routes: { realms: 'path' }, realms: { acme: {}, default: {} } }

  it.each(
    named([
      [{ ...FILE, realms: { acme: {} } }, 'realms.acme: there is no such realm in oidc.realms'],
      [
        { ...FILE, realms: { default: {} } },
        'realms.default: write the clients and users of this realm at the top level',
      ],
      [
        { ...FILE, users: [], oidc: { routes: { realms: 'path' }, realms: { acme: {} } } },
        'clients: this key at the top level belongs to the realm default, which is not in oidc.realms; write it under realms.<id>',
      ],
      [
        { ...FILE, oidc, realms: { acme: { clients: [{ client_id: 'x' }] } } },
        'realms.acme.clients.0.redirect_uris: the authorization_code grant needs at least one',
      ],
    ]),
  )('$fault', async ({ given, fault }) => expect(await faults(given)).toEqual([fault]))
})

describe('remembered devices', () => {
  const DAYS = 'identity.remember_device: give a whole number of days from 0 to 90'

  it.each(
    named([
      ...[91, -1, 1.5, '30'].map((days): [unknown, string] => [
        { ...FILE, identity: { remember_device: days } },
        DAYS,
      ]),
      [
        { ...FILE, identity: { second_factor: 'required', remember_device: 30 } },
        'identity.remember_device: it leaves out the step that users turn on themselves, and second_factor is "required": set that to "optional", or remove remember_device',
      ],
    ]),
  )('$fault', async ({ given, fault }) => {
    expect(await faults(given)).toEqual([fault])
  })

  it('are kept for 90 days at most', async () => {
    expect(await faults({ ...FILE, identity: { remember_device: 90 } })).toEqual([])
  })
})

describe('a realm without passwords', () => {
  const off = { password: { enabled: false } }
  const HAS_ONE =
    'it has a password, and identity.password.enabled is false: remove the password, and let the user in with ostiary user recovery-link'
  const NO_WAY_IN =
    'without passwords users need passkeys, and passkeys.enabled is false, its default on an issuer that is an IP address: turn one of the two on'
  const acme = { oidc: { routes: { realms: 'path' }, realms: { acme: {} } }, app: FILE.app }

  it.each(
    named([
      [{ ...FILE, identity: off }, `users.0: ${HAS_ONE}`],
      [
        { ...FILE, users: [{ username: 'ann', password_env: 'NOT_SET' }], identity: off },
        `users.0: ${HAS_ONE}`,
      ],
      [{ ...acme, realms: { acme: { users: [user], identity: off } } }, `realms.acme.users.0: ${HAS_ONE}`],
      [
        { app: FILE.app, identity: { ...off, passkeys: { enabled: false } } },
        `identity.password.enabled: ${NO_WAY_IN}`,
      ],
      [{ app: { url: 'http://127.0.0.1:4000' }, identity: off }, `identity.password.enabled: ${NO_WAY_IN}`],
      [
        { ...acme, realms: { acme: { identity: { ...off, passkeys: { enabled: false } } } } },
        `realms.acme.identity.password.enabled: ${NO_WAY_IN}`,
      ],
    ]),
  )('$fault', async ({ given, fault }) => {
    expect(await faults(given)).toEqual([fault])
  })

  it('has users without a password', async () => {
    expect(await faults({ app: FILE.app, users: [{ username: 'ann' }], identity: off })).toEqual([])
    expect(await faults({ ...FILE, identity: { password: { enabled: true } } })).toEqual([])
  })
})

it('a fault in one part of the theme does not hide those in others', async () => {
  const theme = {
    logo_url: 'logo.png',
    variables: { '--ostiary-accent': 'red;}', '--ostiary-acent': 'red', '--ostiary-radius': '4px' },
    dark_variables: { '--ostiary-accent': '{' },
    links: [{ text: 'Terms' }, { href: 'https://example.com/' }],
    name: '',
  }
  expect((await faults({ ...FILE, theme })).map((fault) => fault.split(': ')[0]).sort()).toEqual([
    'theme.dark_variables.--ostiary-accent',
    'theme.links.0.href',
    'theme.links.1.text',
    'theme.logo_url',
    'theme.name',
    'theme.variables.--ostiary-accent',
    'theme.variables.--ostiary-acent',
  ])
})
