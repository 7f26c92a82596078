/** The command line without a process. apps/server-tests/test runs the commands. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../src/cli/commands/index.ts'
import { parseCommandLine, versionText } from '../src/cli/parse.ts'
import { type Environment, run } from '../src/index.ts'
import { folder } from './support.ts'

interface Output {
  code: number
  out: string
  err: string
}

async function ostiary(line: string, env: Environment = {}, stdin = ''): Promise<Output> {
  const out: string[] = []
  const err: string[] = []
  const code = await run(
    line.split(' ').filter(Boolean),
    { serve: async () => 7 },
    {
      env,
      cwd: await folder(),
      stdin: async () => stdin,
      out: (text) => void out.push(text),
      err: (text) => void err.push(text),
    },
  )
  return { code, out: out.join(''), err: err.join('') }
}

describe('a wrong command line: exit code 2, the error, and the help', () => {
  it.each([
    ['', 'name a command'],
    ['--json=1', "unknown option '--json=1'\n(Did you mean --json?)"],
    ['sevre', "unknown command 'sevre'\n(Did you mean serve?)"],
    ['client', 'name a command'],
    ['client creat', "unknown command 'creat'\n(Did you mean create?)"],
    ['serve now', "too many arguments for 'serve'. Expected 0 arguments but got 1."],
    ['migrate --now', "unknown option '--now'"],
    [
      'user enable --sub -5x',
      "unknown option '-5x'\n(A value that begins with a dash is joined to its option, as in --name=-5x; write -- before an argument that begins with one)",
    ],
    ['migrate --paln', "unknown option '--paln'\n(Did you mean --plan?)"],
    ['migrate --plan=yes', "unknown option '--plan=yes'"],
    ['migrate --realm acme', "unknown option '--realm'"],
    [
      'user disable ann --server https://id.example.com --keep-access',
      '--keep-access: the admin API ends the sessions and grants. Leave it out, or run it on the machine of the server, without --server',
    ],
    ['client show', "missing required argument 'client_id'"],
    ['consent revoke ann', "missing required argument 'client_id'"],
    ['client show a b', "too many arguments for 'show'. Expected 1 argument but got 2."],
    ['client list --limit', "option '--limit <number>' argument missing"],
    [
      'client list --limit --realm a',
      "option '--limit <number>' argument '--realm' is invalid. A value that begins with a dash is joined to its option: --limit=--realm",
    ],
    [
      'client list --limit 5 --limit 6',
      "option '--limit <number>' argument '6' is invalid. Give the option once.",
    ],
    ['client list --limit=', "option '--limit <number>' argument '' is invalid. It is empty."],
    [
      'client create --grant implicit',
      "option '--grant <grant>' argument 'implicit' is invalid. Allowed choices are authorization_code, refresh_token, client_credentials, token_exchange, device_code.",
    ],
    [
      'client create --auth-method jwt',
      "option '--auth-method <method>' argument 'jwt' is invalid. Allowed choices are none, client_secret_basic, client_secret_post, client_secret, private_key_jwt.",
    ],
    ['keys rotate --publish-before soon', '--publish-before: give a number of seconds'],
    [
      'keys rotate --publish-before 1',
      '--publish-before 1: give 0, or 60 and more, so that every server knows the key before it signs',
    ],
    [
      'keys rotate --publish-before 59',
      '--publish-before 59: give 0, or 60 and more, so that every server knows the key before it signs',
    ],
    ['keys revoke', "missing required argument 'kid'"],
    ['client delete', "missing required argument 'client_id'"],
    ['client update notes', 'name a field to change; --help shows all of them'],
    [
      'client update notes --trusted yes',
      "option '--trusted <boolean>' argument 'yes' is invalid. Allowed choices are true, false.",
    ],
    ['user update ann --attribute level', '--attribute level: give <name>=<JSON>'],
    ['user delete', "missing required argument 'username'"],
    ['grant revoke', "missing required argument 'username'"],
    ['throttle list', 'give --user, --address, or both'],
    ['throttle reset', 'give --user, --address, or both'],
    [
      'throttle list --address id.example.com',
      '--address: give an IP address, such as 192.0.2.1 or 2001:db8::1',
    ],
    [
      'throttle reset --user ann --address 192.0.2',
      '--address: give an IP address, such as 192.0.2.1 or 2001:db8::1',
    ],
    ['user enable ann --keep-access', "unknown option '--keep-access'"],
    ['session end', 'give --sid or --user'],
    ['user create ann --claim email', '--claim email: give <name>=<value> with the name of a standard claim'],
    [
      'user create ann --claim nme=Ann',
      '--claim nme=Ann: give <name>=<value> with the name of a standard claim; did you mean name?',
    ],
    [
      'user create ann --claim address.localty=Paris',
      '--claim address.localty=Paris: give <name>=<value> with the name of a standard claim; did you mean address.locality?',
    ],
    [
      'user create ann --claim role=admin',
      '--claim role=admin: give <name>=<value> with the name of a standard claim',
    ],
    ['user create ann --claim email_verified=yes', '--claim email_verified: give true or false'],
    ['user create ann --attribute level', '--attribute level: give <name>=<JSON>'],
    [
      'user create ann --attribute level=high',
      '--attribute level: the value is not JSON. Quote a text twice, for example \'level="text"\'',
    ],
    [
      'user create ann --attribute groups=[]',
      '--attribute: attribute "groups": write the groups of a user under groups, beside attributes',
    ],
    ['user create ann --group=', "option '--group <name>' argument '' is invalid. It is empty."],
    ['user create ann --password-env NOPE', '--password-env: the variable NOPE is not set'],
    ['user create ann --password-stdin', '--password-stdin: there is nothing on standard input'],
    [
      'user create ann --password-stdin --password-env A',
      'give --password-stdin or --password-env, not both',
    ],
    ['user create ann --no-password --password-stdin', 'give a password or --no-password, not both'],
  ])('ostiary %s: %s', async (line, fault) => {
    const { code, out, err } = await ostiary(line)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err.trim().split('\n\n')[0]).toBe(`error: ${fault}`)
  })

  it.each([
    'user create ann --password hunter22',
    'user set-password ann --password=hunter22',
    'client create --client-secret x',
  ])(
    'a password or a secret is not an argument, because every user of the machine could read it: %s',
    async (line) => {
      const { code, err } = await ostiary(line)
      expect(code).toBe(2)
      expect(err).toMatch(/^error: there is no option --[a-z-]+: the list of processes shows every argument/)
      expect(err).not.toContain('hunter22')
    },
  )

  it.each([
    ['sevre', 'ostiary --help'],
    ['client creat', 'ostiary client --help'],
    ['user add ann', 'ostiary user --help'],
    ['client documents get', 'ostiary client documents --help'],
  ])('after an unknown command, the list is not printed, but named: %s', async (line, help) => {
    const { err } = await ostiary(line)
    expect(err.trim().split('\n\n').slice(1)).toEqual([`${help} lists the commands.`])
    expect(await ostiary(help.replace('ostiary ', ''))).toMatchObject({ code: 0 })
  })

  it('with --json the error is one JSON document, without the help', async () => {
    const { code, err } = await ostiary('client show --json')
    expect(code).toBe(2)
    expect(JSON.parse(err)).toEqual({ error: { message: "missing required argument 'client_id'" } })
  })
})

describe('help', () => {
  it.each(['--help', '-h', 'help'])('%s shows every command and the exit codes', async (line) => {
    const { code, out, err } = await ostiary(line)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const { name } of COMMANDS) expect(out).toContain(`\n  ${name} `)
    expect(out).toContain('Exit codes:')
  })

  it('of a group shows only its commands', async () => {
    const { code, out } = await ostiary('client --help')
    expect(code).toBe(0)
    expect(out).toContain('client rotate-secret')
    expect(out).not.toContain('migrate')
  })

  it.each(COMMANDS.map(({ name }) => name))(
    'of %s: its options and examples, by --help and by help',
    async (name) => {
      const { code, out } = await ostiary(`${name} --help`)
      expect(code).toBe(0)
      expect(out).toMatch(new RegExp(`^Usage: ostiary ${name}`))
      expect(out).toContain('--json')
      expect(out).toMatch(/\nExamples:\n {2}# /)
      expect(await ostiary(`help ${name}`)).toMatchObject({ code: 0, out })
    },
  )

  it.each(COMMANDS.flatMap(({ examples }) => examples.map(([line]) => line)))('example: %s', (line) => {
    const words = [...line.replace(/^.*?\bostiary /, '').matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) =>
      word.replaceAll('"', ''),
    )
    expect(parseCommandLine(COMMANDS, words)).toHaveProperty('input')
  })
})

it.each(['--version', '-V'])(
  '%s shows the version of the package, which a clone does not have',
  async (line) => {
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
    const shown = version === '0.0.0' ? '0.0.0 (not released)' : version
    expect(await ostiary(line)).toEqual({ code: 0, out: `${shown}\n`, err: '' })
    expect(JSON.parse((await ostiary(`${line} --json`)).out)).toEqual({ version: shown })
  },
)

it('versionText: a release has its version alone', () => {
  expect(['0.0.0', '0.1.0', '10.0.0', 'unknown'].map(versionText)).toEqual([
    '0.0.0 (not released)',
    '0.1.0',
    '10.0.0',
    'unknown',
  ])
})

it.each([
  ['there is no configuration here, and try-out mode is not moved', {}],
  [
    'ostiary.config.json does not exist, and try-out mode is refused',
    { DATABASE_URL: 'postgres://ann@127.0.0.1:1/y' },
  ],
])(
  'move without a terminal says first that it is not possible, with and without --yes: %s',
  async (fault, env) => {
    for (const line of ['move', 'move --yes'])
      expect(await ostiary(line, env), line).toMatchObject({ code: 1, err: expect.stringContaining(fault) })
  },
)

it('serve runs the server of the runtime, and returns its exit code', async () => {
  expect(await ostiary('serve')).toEqual({ code: 7, out: '', err: '' })
  expect(await ostiary('serve --json')).toMatchObject({ code: 7 })
})

it('serve passes --try-out to the runtime', async () => {
  const given: unknown[] = []
  const serve = async (options: unknown) => given.push(options)
  const surroundings = { env: {}, cwd: '/', stdin: async () => '', out: () => {}, err: () => {} }
  await run(['serve'], { serve }, surroundings)
  await run(['serve', '--try-out'], { serve }, surroundings)
  expect(given).toEqual([{ try_out: false }, { try_out: true }])
})

it.each(['doctor --offline', 'client list', 'user list', 'config print', 'keys rotate'])(
  '%s refuses a deployment whose file is missing',
  async (line) => {
    const { code, out, err } = await ostiary(line, { DATABASE_URL: 'postgres://ann@127.0.0.1:1/y' })
    expect(code).toBe(1)
    expect(out + err).toContain('ostiary.config.json does not exist, and try-out mode is refused')
  },
)

it('doctor --offline says that there is no configuration', async () => {
  const { out } = await ostiary('doctor --offline', { DATA_DIR: await folder() })
  expect(out).toContain(
    'note   configuration: there is no ostiary.config.json here, and no server has run here in try-out mode',
  )
})

it('without a configuration and a server: an error, and no file is written', async () => {
  const cwd = await folder()
  const err: string[] = []
  const surroundings = {
    env: {},
    cwd,
    stdin: async () => '',
    out: () => {},
    err: (text: string) => void err.push(text),
  }
  expect(await run(['keys', 'list'], { serve: async () => 0 }, surroundings)).toBe(1)
  expect(err.join('')).toContain('there is no ostiary.config.json here')
  expect(await readdir(cwd)).toEqual([])
})

describe('config schema', () => {
  const file = join(import.meta.dirname, '..', 'ostiary.config.schema.json')

  it('prints the schema that editors read, without a configuration', async () => {
    const { code, out } = await ostiary('config schema', { OSTIARY_CONFIG: 'missing.json' })
    const schema = JSON.parse(await readFile(file, 'utf8'))
    expect([code, out]).toEqual([0, `${JSON.stringify(schema, null, 2)}\n`])
    const { out: json } = await ostiary('config schema --json')
    expect(JSON.parse(json)).toEqual(JSON.parse(out))
  })

  it('is where docs/configuration.md has the file of a clone name it', async () => {
    const root = join(import.meta.dirname, '../../..')
    const page = await readFile(join(root, 'docs/configuration.md'), 'utf8')
    const [, path = ''] = /at the\s+top of a clone [^"]*"\$schema": "(\.\/[^"]+)"/.exec(page) ?? []
    expect(join(root, path)).toBe(file)
  })
})

describe('config print', () => {
  const SECRETS = {
    OIDC_SECRET: 'the-secret-of-the-tests-is-long-enough',
    DATABASE_URL: 'postgres://ann:pa/ss@db.example.com:5432/ostiary?password=other',
    REDIS_URL: 'rediss://:hush@cache.example.com',
    OSTIARY_CLIENTS:
      '[{"client_id":"w","client_secret":"tell-nobody-what-it-is","grant_types":["client_credentials"]}]',
    OSTIARY_USERS: '[{"username":"ann","password":"correct horse"}]',
    OSTIARY_OIDC__ISSUER: 'https://id.example.com',
  }

  it.each(['config print', 'config print --all', 'config print --json', 'config print --all --json'])(
    '%s hides every secret, and passwords in URLs',
    async (line) => {
      const { code, out } = await ostiary(line, SECRETS)
      expect(code).toBe(0)
      for (const secret of [
        SECRETS.OIDC_SECRET,
        'pa/ss',
        'password=other',
        'hush',
        'tell-nobody-what-it-is',
        'correct horse',
      ])
        expect(out).not.toContain(secret)
      for (const seen of [
        'db.example.com',
        'cache.example.com',
        'https://id.example.com',
        'OSTIARY_OIDC__ISSUER',
      ])
        expect(out).toContain(seen)
    },
  )

  it('names the source of each value', async () => {
    const { out } = await ostiary('config print --all --json', SECRETS)
    const { settings, storage } = JSON.parse(out)
    expect(storage).toBe('postgres and redis')
    expect(settings).toContainEqual({
      key: 'oidc.issuer',
      value: 'https://id.example.com',
      from: 'OSTIARY_OIDC__ISSUER',
    })
    expect(settings).toContainEqual({ key: 'port', value: 3000, from: 'default' })
    expect(settings).toContainEqual({ key: 'secret', value: '(hidden)', from: 'OIDC_SECRET' })
  })

  it('a configuration with faults: exit code 1 and every fault', async () => {
    const env = { ...SECRETS, PORT: '0', OSTIARY_OIDC__TOKENS__ACESS_TOKEN: '1' }
    const text = await ostiary('config print', env)
    expect(text.code).toBe(1)
    expect(text.err).toContain('the configuration has 2 faults')
    const json = await ostiary('config print --json', env)
    expect(JSON.parse(json.err)).toEqual({
      error: {
        message: 'The configuration has faults',
        faults: [
          'OSTIARY_OIDC__TOKENS__ACESS_TOKEN: there is no such setting; did you mean OSTIARY_OIDC__TOKENS__ACCESS_TOKEN?',
          'PORT: 0 is not a port: give a number from 1 to 65535',
        ],
      },
    })
  })
})

describe('doctor, when the configuration has faults', () => {
  it('says once what to do, and nothing about a running server', async () => {
    const { code, out } = await ostiary('doctor --offline', { OIDC_SECRET: 'short', PORT: 'x', HOST: '' })
    expect(code).toBe(1)
    expect(out.split('Correct it, and run doctor again')).toHaveLength(2)
    expect(out).not.toContain('in the log of the server')
    expect(out).toMatch(/\n\n2 faults\.\n$/)
  })
})
