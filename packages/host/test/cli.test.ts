/** What the command line makes of words, without a process: see apps/server-tests/test for the commands at work. */

import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../src/cli/commands/index.ts'
import { findCommand, parse } from '../src/cli/parse.ts'
import { type Environment, run } from '../src/index.ts'
import { folder } from './support.ts'

interface Said {
  code: number
  out: string
  err: string
}

async function ostiary(line: string, env: Environment = {}, stdin = ''): Promise<Said> {
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

describe('a command line that is wrong: exit code 2, what is wrong, and the usage', () => {
  it.each([
    ['', 'Name a command.'],
    ['--json=1', 'There is no command --json=1'],
    ['sevre', 'There is no command sevre; did you mean serve?'],
    ['client', 'Name one of the commands of client.'],
    ['client creat', 'There is no command client creat; did you mean client create?'],
    ['serve now', 'Too many arguments: now'],
    ['migrate --now', 'There is no option --now'],
    [
      'user enable --sub -5x',
      'There is no option -5; a value that begins with a dash is joined to its option: --name=-5…',
    ],
    ['migrate --paln', 'There is no option --paln; did you mean --plan?'],
    ['migrate --plan=yes', '--plan takes no value'],
    ['migrate --realm acme', 'There is no option --realm'],
    ['client show', '<client_id> is missing'],
    ['consent revoke ann', '<client_id> is missing'],
    ['client show a b', 'Too many arguments: b'],
    ['client list --limit', '--limit needs a value: --limit <number>'],
    ['client list --limit --realm a', '--limit needs a value: --limit <number>'],
    ['client list --limit 5 --limit 6', '--limit is given twice'],
    [
      'client create --grant implicit',
      '--grant is one of authorization_code, refresh_token, client_credentials, token_exchange',
    ],
    [
      'client create --auth-method jwt',
      '--auth-method is one of none, client_secret_basic, client_secret_post',
    ],
    ['keys rotate --publish-before soon', '--publish-before is a number of seconds'],
    [
      'keys rotate --publish-before 1',
      '--publish-before 1: give 0, or 60 and more, so that every server knows the key before it signs',
    ],
    [
      'keys rotate --publish-before 59',
      '--publish-before 59: give 0, or 60 and more, so that every server knows the key before it signs',
    ],
    ['keys revoke', '<kid> is missing'],
    ['grant revoke', '<username> is missing'],
    ['throttle list', 'Give --user, --address, or both'],
    ['throttle reset', 'Give --user, --address, or both'],
    [
      'throttle list --address id.example.com',
      '--address is an IP address, such as 192.0.2.1 or 2001:db8::1',
    ],
    [
      'throttle reset --user ann --address 192.0.2',
      '--address is an IP address, such as 192.0.2.1 or 2001:db8::1',
    ],
    ['user enable ann --keep-access', 'There is no option --keep-access'],
    ['session end', 'Give --sid or --user'],
    ['session end --sid a --user b', 'Give --sid or --user'],
    ['user create ann --claim email', '--claim email: give <name>=<value> with the name of a standard claim'],
    [
      'user create ann --claim role=admin',
      '--claim role=admin: give <name>=<value> with the name of a standard claim',
    ],
    ['user create ann --claim email_verified=yes', '--claim email_verified: give true or false'],
    ['user create ann --password-env NOPE', '--password-env: the variable NOPE is not set'],
    ['user create ann --password-stdin', '--password-stdin: there is nothing on standard input'],
    [
      'user create ann --password-stdin --password-env A',
      'Give --password-stdin or --password-env, not both',
    ],
    ['user create ann --no-password --password-stdin', 'Give a password or --no-password, not both'],
  ])('ostiary %s: %s', async (line, fault) => {
    const { code, out, err } = await ostiary(line)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err.split('\n')[0]).toBe(fault)
  })

  it.each([
    'user create ann --password hunter22',
    'user set-password ann --password=hunter22',
    'client create --client-secret x',
  ])('a password or a secret is no argument, as everybody on the machine could read it: %s', async (line) => {
    const { code, err } = await ostiary(line)
    expect(code).toBe(2)
    expect(err).toMatch(
      /^There is no option --[a-z-]+: what stands on a command line shows in the list of processes/,
    )
    expect(err).not.toContain('hunter22')
  })

  it('with --json it is one JSON document, without the usage', async () => {
    const { code, err } = await ostiary('client show --json')
    expect(code).toBe(2)
    expect(JSON.parse(err)).toEqual({ error: { message: '<client_id> is missing' } })
  })
})

describe('help', () => {
  it.each(['--help', '-h', 'help'])('%s shows every command and the exit codes', async (line) => {
    const { code, out, err } = await ostiary(line)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const { name } of COMMANDS) expect(out).toContain(`\n  ${name} `)
    expect(out).toContain('Exit codes:')
  })

  it('of a group shows its commands alone', async () => {
    const { code, out } = await ostiary('client --help')
    expect(code).toBe(0)
    expect(out).toContain('client rotate-secret')
    expect(out).not.toContain('migrate')
  })

  it.each(COMMANDS.map(({ name }) => name))(
    'of %s: its options and examples, by either way',
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
    const { command, rest } = findCommand(COMMANDS, words)
    expect(command && parse(command, rest).input).toBeTruthy()
  })
})

it('serve is the runtime’s, and so is its exit code', async () => {
  expect(await ostiary('serve')).toEqual({ code: 7, out: '', err: '' })
  expect(await ostiary('serve --json')).toMatchObject({ code: 7 })
})

it('serve is told whether --try-out was given', async () => {
  const given: unknown[] = []
  const serve = async (options: unknown) => given.push(options)
  const surroundings = { env: {}, cwd: '/', stdin: async () => '', out: () => {}, err: () => {} }
  await run(['serve'], { serve }, surroundings)
  await run(['serve', '--try-out'], { serve }, surroundings)
  expect(given).toEqual([{ try_out: false }, { try_out: true }])
})

it.each(['doctor --offline', 'client list', 'user list', 'config print', 'keys rotate'])(
  '%s does not take a deployment whose file is missing for a demo',
  async (line) => {
    const { code, out, err } = await ostiary(line, { DATABASE_URL: 'postgres://ann@127.0.0.1:1/y' })
    expect(code).toBe(1)
    expect(out + err).toContain('ostiary.config.json does not exist, and try-out mode is refused')
  },
)

it('where there is neither a configuration nor a server: a sentence, and nothing is made', async () => {
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

  it('says where each value comes from', async () => {
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

  it('a faulty configuration: exit code 1 and every fault', async () => {
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
          'PORT: 0 is no port: give a number from 1 to 65535',
        ],
      },
    })
  })
})
