/** Commands on the passkeys, authenticator apps and recovery codes of users; they run in this process. */

import type { Factor, User } from '@ostiary/identity'
import type { CleanUp } from '@ostiary/test-kit/database'
import { factorId, factorRecord } from '@ostiary/test-kit/factors/record'
import { SECRET } from '@ostiary/test-kit/server'
import { describe, expect, it, vi } from 'vitest'
import { newTotpFactor, TOTP_SECRET_USE } from '../../../packages/identity/src/factors/totp/totp-factor.ts'
import { createSealer } from '../../../packages/identity/src/web/sealed.ts'
import { database, giveGrant, makeAnn, makeKey, START, startSession } from './commands.ts'

vi.setConfig({ maxConcurrency: 3, testTimeout: 300_000 })

const CREATED = 1_700_000_000
const KEY = factorRecord('key', 'ann-1', {
  kind: 'passkey',
  label: 'Ann\u0007s laptop',
  created_at: CREATED,
  last_used_at: CREATED + 60,
  state: '0 0',
  data: {
    credential_id: 'hush',
    public_key: 'hush',
    algorithm: -7,
    backup_eligible: false,
    transports: [],
    aaguid: '00000000-0000-0000-0000-000000000000',
    rp_id: 'localhost',
    user_handle: 'hush',
  },
})
const APP = factorRecord('app', 'ann-1', { created_at: CREATED + 1, state: '1', data: { secret: 'hush' } })
const CODES = factorRecord('codes', 'ann-1', {
  kind: 'recovery',
  label: '',
  created_at: CREATED + 2,
  state: '["hush","hush","hush"]',
})

interface Given {
  factors?: Factor[]
  second_step?: boolean
  without_password?: boolean
}

/** Ann with a session, a grant, and factors. */
async function withAnn(addCleanup: CleanUp, given: Given = {}) {
  const { factors: add = [KEY, APP, CODES], second_step = true, without_password = false } = given
  const made = await database(addCleanup)
  const { users, factors, storage } = made
  const { sub, updated_at, ...ann } = await makeAnn(users)
  if (!without_password)
    await users.update({ ...ann, sub, password_hash: 'hash', updated_at: updated_at + 1 }, updated_at)
  expect(
    await factors.change({ sub, add, second_step }, { credential_version: 0, now: updated_at + 2 }),
  ).toBe(true)
  await startSession(storage, 's-1')
  await giveGrant(storage, 'g-1', { offline: true })
  const state = async () => {
    const { second_step: is_on, credential_version } = (await users.find('ann-1')) as User
    return {
      ids: (await factors.list('ann-1')).map(({ factor_id }) => factor_id),
      second_step: is_on,
      credential_version,
      sessions: (await storage.sessions.list('ann-1')).length,
      grants: (await storage.grants.list('ann-1', Math.floor(Date.now() / 1000))).length,
    }
  }
  return { ...made, state }
}

const UNTOUCHED = {
  ids: [KEY.factor_id, APP.factor_id, CODES.factor_id],
  second_step: true,
  credential_version: 1,
  sessions: 1,
  grants: 1,
}

describe('user factors list and user show', () => {
  it.concurrent('say the ways in, without a secret', async ({ onTestFinished }) => {
    const { quick, json } = await withAnn(onTestFinished)
    const { code, stdout, stderr } = await quick('user factors list ann')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['KIND', 'NAME', 'CREATED', 'LAST USED', 'ID'],
      ['passkey', 'Ann?s laptop', '2023-11-14T22:13:20Z', '2023-11-14T22:14:20Z', KEY.factor_id],
      ['app', 'Phone', '2023-11-14T22:13:21Z', '-', APP.factor_id],
      ['Recovery codes left: 3'],
      ['Second step: on'],
      [''],
    ])
    const listed = await json('user factors list ann', quick)
    const ofKey = { factor_id: KEY.factor_id, kind: 'passkey', label: KEY.label }
    const ofApp = { factor_id: APP.factor_id, kind: 'totp', label: 'Phone' }
    expect(listed).toEqual({
      sub: 'ann-1',
      username: 'ann',
      factors: [
        { ...ofKey, created_at: CREATED, last_used_at: CREATED + 60 },
        { ...ofApp, created_at: CREATED + 1, last_used_at: null },
      ],
      recovery_codes: 3,
      second_step: true,
    })
    const shown = await quick('user show ann')
    expect(shown.stdout).toContain(
      '\nSigns in with: password yes, passkeys 1, app yes, recovery codes left 3, second step on\n',
    )
    const of_show = await json('user show ann', quick)
    expect(of_show).toMatchObject({ passkeys: 1, apps: 1, recovery_codes: 3, second_step: true })
    expect(JSON.stringify([stdout, listed, shown.stdout, of_show])).not.toContain('hush')
    expect(await quick('user factors list none')).toMatchObject({ code: 3 })
  })

  it.concurrent('user show counts the passkeys that work here: not those of another RP ID, and none where passkeys are off', async ({
    onTestFinished,
  }) => {
    const other = {
      ...KEY,
      factor_id: factorId('other', 'ann-1'),
      data: { ...KEY.data, rp_id: 'old.example' },
    }
    const { quick } = await withAnn(onTestFinished, { factors: [KEY, other, CODES] })
    const passkeysWith = async (passkeys: object) => {
      const config = { ...START.config(3000), identity: { passkeys } }
      const { stdout } = await quick('user show ann --json', { config })
      const text = (await quick('user show ann', { config })).stdout
      const [, shown] = /, passkeys (\d+), app no, recovery codes left 3,/.exec(text) ?? []
      return { counted: JSON.parse(stdout).passkeys, shown: Number(shown) }
    }
    expect(await passkeysWith({})).toEqual({ counted: 1, shown: 1 })
    expect(await passkeysWith({ enabled: false })).toEqual({ counted: 0, shown: 0 })
    const listed = JSON.parse((await quick('user factors list ann --json')).stdout)
    expect(listed.factors).toHaveLength(2)
  })
})

describe('user factors remove', () => {
  it.concurrent('--id: asks, removes one, and ends sessions and grants, offline ones too', async ({
    onTestFinished,
  }) => {
    const { quick, json, state } = await withAnn(onTestFinished)
    const line = `user factors remove ann --id ${KEY.factor_id}`
    const asked = await quick(line, { typed: 'n' })
    expect(asked).toMatchObject({ code: 1, stdout: '', events: [] })
    expect(asked.stderr).toBe(
      'Of ann (sub ann-1) will be removed, and the second step if none is left:\n' +
        '  passkey Ann?s laptop\n' +
        'All sessions and grants end.\n' +
        'Continue? [y/N] ostiary: Nothing was done\n',
    )
    expect(await state()).toEqual(UNTOUCHED)
    const done = await quick(`${line} --yes`)
    expect(done).toMatchObject({
      code: 0,
      stdout: 'Removed: passkey\nSecond step: on\nEnded: sessions 1, grants 1\n',
    })
    expect(done.events).toMatchObject([
      {
        command: 'user factors remove',
        subject: { sub: 'ann-1', username: 'ann', factor_id: KEY.factor_id },
        count: { factors: 1, sessions: 1, grants: 1 },
      },
    ])
    const ids = [APP.factor_id, CODES.factor_id]
    expect(await state()).toEqual({ ids, second_step: true, credential_version: 2, sessions: 0, grants: 0 })
    const last = await json(`user factors remove ann --id ${APP.factor_id} --yes`, quick)
    expect(last).toEqual({
      sub: 'ann-1',
      username: 'ann',
      removed: [
        { factor_id: APP.factor_id, kind: 'totp' },
        { factor_id: CODES.factor_id, kind: 'recovery' },
      ],
      second_step: false,
      ended_sessions: 0,
      ended_grants: 0,
    })
    expect(await state()).toMatchObject({ ids: [], second_step: false, credential_version: 3 })
  })

  it.concurrent('--all: removes everything and turns the second step off; --keep-access ends nothing', async ({
    onTestFinished,
  }) => {
    const { quick, state } = await withAnn(onTestFinished)
    const asked = await quick('user factors remove ann --all --keep-access', { typed: '' })
    expect(asked.stderr).toContain(
      '  app Phone\n  recovery codes\nContinue? [y/N] ostiary: Nothing was done\n',
    )
    expect(await quick('user factors remove ann --all --keep-access', { typed: 'y' })).toMatchObject({
      code: 0,
      stdout: 'Removed: passkey, app, recovery codes\nSecond step: off\n',
    })
    expect(await state()).toEqual({
      ids: [],
      second_step: false,
      credential_version: 2,
      sessions: 1,
      grants: 1,
    })
    expect(await quick('user factors remove ann --all --yes')).toMatchObject({
      code: 3,
      stderr: 'ostiary: ann has no factors; see user factors list\n',
    })
  })

  it.concurrent('the last passkey of a user without a password stays', async ({ onTestFinished }) => {
    const { quick, state } = await withAnn(onTestFinished, { without_password: true })
    for (const which of ['--all', `--id ${KEY.factor_id}`])
      expect(await quick(`user factors remove ann ${which} --yes`), which).toMatchObject({
        code: 1,
        stderr:
          'ostiary: ann has no password, and could not sign in without a passkey. Set a password first: ostiary user set-password\n',
        events: [],
      })
    expect(await state()).toEqual(UNTOUCHED)
    expect((await quick('user set-password ann')).code).toBe(0)
    expect((await quick('user factors remove ann --all --yes')).code).toBe(0)
  })

  it.concurrent('what is refused', async ({ onTestFinished }) => {
    const { quick, users, state } = await withAnn(onTestFinished)
    expect((await users.find('ann-1'))?.credential_version).toBe(1)
    const refused: [line: string, code: number, text: string][] = [
      ['ann --yes', 2, 'error: give --id or --all'],
      // Before the user is looked for.
      ['none --yes', 2, 'error: give --id or --all'],
      ['ann --all --id x --yes', 2, 'error: give --id or --all'],
      ['none --all --yes', 3, 'There is no user "none"'],
      ['ann --id other --yes', 3, 'ann has no factor "other"; see user factors list'],
      [`ann --id ${CODES.factor_id} --yes`, 3, 'ann has no factor'],
      [`ann --id ${factorId('key', 'bob')} --yes`, 3, 'ann has no factor'],
    ]
    for (const [line, code, text] of refused)
      expect(await quick(`user factors remove ${line}`), line).toMatchObject({
        code,
        stderr: expect.stringContaining(text),
        events: [],
      })
    expect(await state()).toEqual(UNTOUCHED)
  })
})

const NEW_SECRET = 'another-secret-of-these-tests-9876543210-x'
const ROTATION = { OIDC_SECRET: NEW_SECRET, OIDC_SECRET_PREVIOUS: SECRET }

/** An app of ann that this secret has encrypted. */
const appSealedWith = (secret: string) =>
  newTotpFactor(
    { sub: 'ann-1', label: 'Phone', secret: Buffer.alloc(20, 7), step: 1 },
    { realm: 'default', now: CREATED, sealer: createSealer({ secret }, TOTP_SECRET_USE) },
  )

interface Check {
  check: string
  status: string
  message: string
  advice?: string
}

describe('secret rotate and doctor', () => {
  it.concurrent('say which authenticator apps the previous secret has encrypted', async ({
    onTestFinished,
  }) => {
    const { quick, json, storage, state } = await withAnn(onTestFinished, {
      factors: [appSealedWith(SECRET), KEY],
    })
    await makeKey(storage)
    const before = await state()
    const notes = async () => {
      const { checks } = await json('doctor --offline', (line) => quick(line, { env: ROTATION }))
      const about = checks.filter(({ message }: Check) => message.includes('OIDC_SECRET_PREVIOUS'))
      return about.map(({ status, message, advice }: Check) => `${status}: ${message}. ${advice}`)
    }
    const rotated = () => quick('secret rotate', { env: ROTATION })
    expect(await notes()).toEqual([
      'note: OIDC_SECRET_PREVIOUS still encrypts keys and 1 authenticator app of realm default. Run ostiary secret rotate when every server has both secrets.',
    ])
    const first = await rotated()
    expect(first.code).toBe(0)
    expect(first.stdout).toMatch(
      /^Every server needs both secrets before: OIDC_SECRET .*\nREALM +KEYS +ENCRYPTED AGAIN +APPS +ENCRYPTED AGAIN\ndefault +1 +1 +1 +1\n$/,
    )
    expect(first.stderr).toContain(
      'All keys and authenticator apps are encrypted with OIDC_SECRET. Unset OIDC_SECRET_PREVIOUS',
    )
    expect(first.events).toMatchObject([{ count: { encrypted_again: 1, apps_encrypted_again: 1 } }])
    expect(await notes()).toEqual([
      'note: no key and no app of realm default needs OIDC_SECRET_PREVIOUS. Unset it ten minutes after the last server has the new secret.',
    ])
    const { realms } = await json('secret rotate', (line) => quick(line, { env: ROTATION }))
    const none = { encrypted_again: 0, apps_encrypted_again: 0, unreadable_apps: 0 }
    expect(realms).toEqual({ default: { keys: 1, apps: 1, ...none } })
    // No user is signed out.
    expect(await state()).toEqual(before)
  })

  it.concurrent('an app that neither secret opens: a note of the rotation, and a fault', async ({
    onTestFinished,
  }) => {
    const { quick, json } = await withAnn(onTestFinished, {
      factors: [appSealedWith(`${SECRET} of long ago`)],
    })
    const rotated = await quick('secret rotate', { env: ROTATION })
    expect(rotated).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Neither secret opens 1 authenticator app: run it again'),
    })
    expect(rotated.stderr).not.toContain('Unset OIDC_SECRET_PREVIOUS')
    const { code, stdout } = await quick('doctor --offline --json')
    expect(code).toBe(1)
    const faults = JSON.parse(stdout).checks.filter(({ status }: Check) => status === 'fault')
    expect(faults).toEqual([
      {
        check: 'factors',
        status: 'fault',
        message: 'another secret than OIDC_SECRET has encrypted 1 authenticator app of realm default',
        advice: expect.stringMatching(
          /^Set OIDC_SECRET_PREVIOUS to that secret, and run ostiary secret rotate\./,
        ),
      },
    ])
    expect(await json('secret rotate', (line) => quick(line, { env: ROTATION }))).toMatchObject({
      realms: { default: { unreadable_apps: 1 } },
    })
    // Without a former secret, there is nothing to change.
    expect(await quick('secret rotate')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^ostiary: OIDC_SECRET_PREVIOUS is not set, so nothing is encrypted again\. /,
      ),
      events: [],
    })
  })

  it.concurrent('passkeys of another RP ID are a fault, where passkeys are on', async ({
    onTestFinished,
  }) => {
    const data = {
      credential_id: 'c',
      public_key: 'k',
      algorithm: -7,
      backup_eligible: false,
      transports: [],
      aaguid: 'a',
      user_handle: 'h',
    }
    const passkey = (name: string, rp_id: string) =>
      factorRecord(name, 'ann-1', { kind: 'passkey', state: '0 0', data: { ...data, rp_id } })
    const factors = [
      passkey('1', 'localhost'),
      passkey('2', 'old.example'),
      passkey('3', 'old.example'),
      passkey('4', 'id.example'),
    ]
    const { quick } = await withAnn(onTestFinished, { factors })
    const faults = async (identity: object) => {
      const config = { ...START.config(3000), identity }
      const { checks } = JSON.parse((await quick('doctor --offline --json', { config })).stdout)
      return checks
        .filter(({ check }: Check) => check === 'factors')
        .map(({ status, message, advice }: Check) => `${status}: ${message}. ${advice}`)
    }
    const fault = (rp_id: string, count: number) =>
      `fault: passkeys of realm default that do not work with localhost, because they were made for ${rp_id}: ${count}. Set identity.passkeys.rp_id to that, or tell the users to add new passkeys.`
    const found = await faults({})
    expect(found.sort()).toEqual([fault('id.example', 1), fault('old.example', 2)])
    expect(await faults({ passkeys: { enabled: false } })).toEqual([])
  })
})

describe('in a realm without passwords', () => {
  const config = {
    ...START.config(3000),
    users: [],
    identity: { password: { enabled: false } },
  }
  const OFF =
    'ostiary: identity.password.enabled is false: users of this realm have no passwords. Let the user in with ostiary user recovery-link\n'

  it.concurrent('a new user has none, and the output says how the user gets in', async ({
    onTestFinished,
  }) => {
    const { quick, users } = await database(onTestFinished)
    const made = await quick('user create ann --sub ann-1', { config })
    expect(made).toMatchObject({ code: 0, stdout: expect.not.stringContaining('password') })
    expect(made.stderr).toBe(
      'The realm has no passwords. Let the user in to add the first passkey: ostiary user recovery-link ann\n',
    )
    expect(await users.find('ann-1')).toMatchObject({ password_hash: null })
    expect((await quick('user create bob --no-password', { config })).stderr).toContain('recovery-link bob')
  })

  it.concurrent('a password is refused, and nothing is stored', async ({ onTestFinished }) => {
    const { quick, users } = await database(onTestFinished)
    const more = { config, env: { CHOSEN: 'a long passphrase' }, stdin: 'a long passphrase' }
    for (const option of ['--password-env CHOSEN', '--password-stdin'])
      expect(await quick(`user create ann ${option}`, more)).toMatchObject({ code: 1, stderr: OFF })
    expect(await users.findByUsername('ann')).toBeNull()
    await makeAnn(users)
    for (const option of ['', ' --password-stdin'])
      expect(await quick(`user set-password ann${option}`, more)).toMatchObject({ code: 1, stderr: OFF })
    expect((await users.find('ann-1'))?.password_hash).toBeNull()
  })

  it.concurrent('the last passkey stays, also with a password that is stored', async ({ onTestFinished }) => {
    const { quick, state } = await withAnn(onTestFinished)
    expect((await quick('user show ann', { config })).stdout).toContain(
      'Signs in with: password no, passkeys 1',
    )
    for (const which of ['--all', `--id ${KEY.factor_id}`])
      expect(await quick(`user factors remove ann ${which} --yes`, { config }), which).toMatchObject({
        code: 1,
        stderr:
          'ostiary: ann could not sign in without a passkey: the realm has no passwords. Let the user add another one first: ostiary user recovery-link\n',
        events: [],
      })
    expect(await state()).toEqual(UNTOUCHED)
    expect((await quick(`user factors remove ann --id ${APP.factor_id} --yes`, { config })).code).toBe(0)
  })

  it.concurrent('doctor needs no argon2, and counts who has no passkey', async ({ onTestFinished }) => {
    const { quick, users, storage } = await database(onTestFinished)
    await makeKey(storage)
    await makeAnn(users)
    const checksOf = async (of: unknown) => {
      const { stdout } = await quick('doctor --offline --json', { config: of })
      const { checks } = JSON.parse(stdout) as { checks: Check[] }
      return checks
        .filter(({ check }) => ['passwords', 'factors'].includes(check))
        .map(({ message }) => message)
    }
    expect(await checksOf(config)).toEqual([
      'users of realm default who cannot sign in, because they have no passkey: 1',
    ])
    expect(await checksOf(START.config(3000))).toEqual(['argon2 can be loaded'])
  })
})
