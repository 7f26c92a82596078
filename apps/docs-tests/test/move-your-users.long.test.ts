/** docs/move-your-users.md: each script turns a sample of an export into a file that is imported, and the users have their passwords. */

import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run as ostiary } from '@ostiary/host'
import { argon2Passwords, type User } from '@ostiary/identity'
import { passwordHashFault, withOlderHashes } from '@ostiary/password-hashes'
import { USER_KEYS } from '@ostiary/password-hashes/users'
import { migrations, postgresExecutor, postgresStores } from '@ostiary/storage-postgres'
import { ownDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { SECRET } from '@ostiary/test-kit/server'
import { expect, it, onTestFinished } from 'vitest'
import { EXPORTS, type Export } from './exports.ts'
import { fencesOf, ROOT } from './fences.ts'
import { emptyFolder, run } from './shell.ts'

const PAGE = 'docs/move-your-users.md'
const text = readFileSync(join(ROOT, PAGE), 'utf8')
const fences = fencesOf(PAGE)

/** The scripts and statements of the page, by the name in their first line. */
const FILES = fences.flatMap(({ language, code, begins }): [name: string, code: string][] =>
  language === 'js' || language === 'sql' ? [[begins.replace(/^(?:\/\/|--) /, ''), code]] : [],
)
/** The lines that make a file of users. */
const CONVERSIONS = fences.flatMap(({ code }) => (code.endsWith('> users.jsonl\n') ? [code.trim()] : []))

const database = async () => {
  const url = await ownDatabase()
  const executor = postgresExecutor(url, { ...UNLIMITED, connections: 1 })
  onTestFinished(() => executor.close())
  return { url, executor }
}

/** Runs the line of the page. Where it is one of psql, the statement of its file is run, and each row is a line. */
async function convert(line: string, sample: Export, cwd: string): Promise<void> {
  for (const [name, code] of FILES) await writeFile(join(cwd, name), code)
  for (const [name, content] of Object.entries(sample.files ?? {})) await writeFile(join(cwd, name), content)
  const [, name] = /^psql "\$\w+" --no-align --tuples-only --file (\S+) > users\.jsonl$/.exec(line) ?? []
  if (name === undefined) {
    await run(line, { cwd })
    return
  }
  const { executor } = await database()
  for (const statement of sample.tables ?? []) await executor.query(statement)
  const rows = await executor.query<Record<string, object>>(await readFile(join(cwd, name), 'utf8'))
  const lines = rows.map((row) => `${JSON.stringify(Object.values(row)[0])}\n`)
  await writeFile(join(cwd, 'users.jsonl'), lines.join(''))
}

/** A realm with passwords and codes, and its commands. */
async function place(cwd: string) {
  const { url, executor } = await database()
  await migrations(executor).migrate()
  const config = { oidc: { issuer: 'https://id.example.com' }, identity: { second_factor: 'optional' } }
  await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(config))
  const { users, factors } = postgresStores(executor)
  return {
    users: users('default'),
    factors: factors('default'),
    async command(words: readonly string[]) {
      const said: string[] = []
      const say = (line: string) => void said.push(line)
      const env = { OIDC_SECRET: SECRET, DATABASE_URL: url }
      const terminal = { env, cwd, stdin: async () => '', out: say, err: say }
      return { code: await ostiary(words, { serve: async () => 0 }, terminal), said: said.join('') }
    },
  }
}

it('each script of the page is run on a sample', () => {
  expect(CONVERSIONS).toHaveLength(8)
  expect(Object.keys(EXPORTS)).toEqual(CONVERSIONS)
  expect(FILES.map(([name]) => CONVERSIONS.filter((line) => line.includes(name)).length)).toEqual(
    FILES.map(() => 1),
  )
})

it.each(Object.entries(EXPORTS))('%s', async (line, sample) => {
  const cwd = await emptyFolder()
  await convert(line, sample, cwd)
  const { users, factors, command } = await place(cwd)
  const done = await command(['user', 'import', 'users.jsonl'])
  expect(done).toEqual({ code: 0, said: expect.stringContaining('The users are stored') })
  const stored = (await users.list({ limit: 100 })).sort((a, b) => (a.username < b.username ? -1 : 1))
  const passwords = withOlderHashes(argon2Passwords())
  const shown = async ({ sub, username, claims, groups, disabled_at, password_hash }: User) => {
    const expected = sample.users[username]
    return [
      username,
      {
        sub,
        claims,
        password: password_hash === null ? null : await rightOf(password_hash, expected?.password ?? ''),
        ...(groups !== null && { groups }),
        ...(disabled_at !== null && { disabled: true }),
        ...((await factors.list(sub)).length > 0 && {
          apps: (await factors.list(sub)).map(({ label }) => label),
        }),
      },
    ]
  }
  const rightOf = async (hash: string, password: string) =>
    (await passwords.verify(hash, password)) ? password : 'another one'
  expect(Object.fromEntries(await Promise.all(stored.map(shown)))).toEqual(sample.users)
})

it('the page has every key of a line, and no other', () => {
  const [, table = ''] = text.split('| key | value |\n| --- | --- |\n')
  const [rows = ''] = table.split('\n\n')
  const keys = rows.split('\n').flatMap((row) => {
    const [, names = ''] = row.split('|')
    return [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
  })
  expect(keys.sort()).toEqual([...USER_KEYS].sort())
})

it('the commands of the page import its line, and let its user in', async () => {
  const cwd = await emptyFolder()
  const sample = fences.find(({ language }) => language === 'jsonl')?.code ?? ''
  await writeFile(join(cwd, 'users.jsonl'), sample)
  const { users, command } = await place(cwd)
  const lines = fences.flatMap(({ code }) => code.match(/^ostiary .*$/gm) ?? [])
  const words = lines.map((line) =>
    line
      .replace(/ +#.*$/, '')
      .split(' ')
      .slice(1),
  )
  expect(words.map((line) => line.join(' '))).toEqual([
    'user import users.jsonl --dry-run',
    'user import users.jsonl',
    'user recovery-link ann@example.com',
  ])
  for (const line of words) expect((await command(line)).code, line.join(' ')).toBe(0)
  expect(await users.findByUsername('ann@example.com')).toMatchObject({ groups: ['staff'] })
})

it('the highest costs are those of the page, and of the README of the package', async () => {
  const salt = 'AAECAwQFBgcICQoLDA0ODw'
  const key = (characters: number) => 'A'.repeat(characters)
  const readme = readFileSync(join(ROOT, 'packages/password-hashes/README.md'), 'utf8')
  const costs: [pattern: RegExp, hash: (cost: number) => string][] = [
    [/cost (\d+)/, (cost) => `$2b$${cost}$H8CKUZP1O1sZWHXSuKyPHuLJItTxcLeJDRhjgBPwSfEmNbG.xz/8G`],
    [/`m` \(?(\d+)|\(`m` (\d+)/, (m) => `$argon2id$v=19$m=${m},t=1,p=1$${salt}$${key(43)}`],
    [/`p` (\d+)/, (p) => `$argon2id$v=19$m=1024,t=1,p=${p}$${salt}$${key(43)}`],
    [/([\d,]+) iterations/, (count) => `$pbkdf2-sha256$${count}$${salt}$${key(43)}`],
    [/([\d,]+) with SHA-512/, (count) => `$pbkdf2-sha512$${count}$${salt}$${key(86)}`],
  ]
  for (const page of [text, readme])
    for (const [pattern, hash] of costs) {
      const found = pattern.exec(page)?.slice(1).find(Boolean) ?? ''
      const most = Number(found.replaceAll(',', ''))
      expect([most, await passwordHashFault(hash(most))]).toEqual([expect.any(Number), null])
      expect(await passwordHashFault(hash(most + 1)), String(pattern)).toContain(
        `at most ${most} is verified`,
      )
    }
  for (const page of [text, readme]) expect(page).toMatch(/583680[\s\S]*786432/)
})
