/** Remembered devices: a browser leaves out the second step that its user has turned on, and a copy of its cookie does not. */

import { describe, expect, it } from 'vitest'
import {
  type IdentitySettings,
  memoryUserStores,
  setDisabled,
  setPassword,
  settingsFaults,
} from '../src/index.js'
import { confirmed, NEW_PASSWORD, openAccount, postAccount, signInAt, subOf } from './_account.js'
import {
  addApp,
  addPasskey,
  appCode,
  formWith,
  passkeyFormOf,
  sessionOf,
  syncedPasskey,
  toSecondStep,
  useWith,
  withFactors,
} from './_factors.js'
import {
  authorizeUrl,
  type Browser,
  browser,
  openLogin,
  PASSWORD,
  plainPasswords,
  type Setup,
  type SetupOptions,
} from './_setup.js'

const COOKIE = '__Host-ostiary_remembered'
const DAY = 86_400
const SETTINGS: IdentitySettings = { second_factor: 'optional', remember_device: 30 }
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const start = (settings: IdentitySettings = {}, options: SetupOptions = {}) =>
  withFactors({ settings: { ...SETTINGS, ...settings }, ...options })

/** An account with an app, whose second step is on. */
async function withApp(s: Setup) {
  const owner = await signedInHere(s)
  const { secret, codes } = await addApp(s, owner)
  return { owner, secret, codes }
}

async function signedInHere(s: Setup, b = browser(s)): Promise<Browser> {
  await signInAt(s, b)
  return b
}

interface Confirmation {
  secret: Buffer
  /** Whether the box is ticked. */
  remember?: boolean
  headers?: Record<string, string>
}

/** Signs in with password and code. */
async function confirm(s: Setup, b: Browser, { secret, remember = true, headers = {} }: Confirmation) {
  // The app's last code was used.
  s.clock.now += 30
  const { url, fields } = formWith(await toSecondStep(s, b), { proof: 'totp' })
  return b.post(
    url,
    { ...fields, code: appCode(secret, s.clock.now), ...(remember && { remember: '1' }) },
    { headers },
  )
}

async function remembered(s: Setup, secret: Buffer): Promise<Browser> {
  const b = browser(s)
  await confirm(s, b, { secret })
  return b
}

function forgetSession({ cookies }: Browser): void {
  for (const name of [...cookies.keys()].filter((key) => key.includes('session'))) cookies.delete(name)
}

/** Signs out of this browser, and signs in again with the password: whether that was enough. */
async function passwordIsEnough(s: Setup, b: Browser): Promise<boolean> {
  forgetSession(b)
  await signInAt(s, b)
  return (await sessionOf(s, b)) !== null
}

const devicesOf = async (s: Setup) => s.remembered_devices('default').list((await subOf(s)) ?? '')
const reported = (s: Setup) =>
  s.events.map(({ type }) => type).filter((type) => type.startsWith('remembered_device'))
const copyOf = (s: Setup, from: Browser): Browser => {
  const b = browser(s)
  const value = from.cookies.get(COOKIE)
  if (value === undefined) throw new Error('No cookie')
  b.cookies.set(COOKIE, value)
  return b
}

describe('a browser that is remembered', () => {
  it('signs in with the password alone, at level 1, until the time is over', async () => {
    const s = await start()
    const { secret } = await withApp(s)
    const b = browser(s)
    const answer = await confirm(s, b, { secret })
    expect(answer.headers.getSetCookie()).toContainEqual(
      expect.stringMatching(
        /^__Host-ostiary_remembered=[\w-]{22}\.[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/,
      ),
    )
    expect(await sessionOf(s, b)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], acr: '2' })
    const began = s.clock.now
    expect(await passwordIsEnough(s, b)).toBe(true)
    expect(await sessionOf(s, b)).toMatchObject({ amr: ['pwd'], acr: '1' })
    s.clock.now = began + 30 * DAY - 1
    expect(await passwordIsEnough(s, b)).toBe(true)
    s.clock.now += 1
    expect(await passwordIsEnough(s, b)).toBe(false)
    expect(await devicesOf(s)).toEqual([])
    expect(b.cookies.get(COOKIE) ?? '').toBe('')
    expect(reported(s)).toEqual(['remembered_device.added'])
  })

  it('has another secret after each use, of which the hash alone is stored', async () => {
    const s = await start()
    const { secret } = await withApp(s)
    const b = await remembered(s, secret)
    const first = b.cookies.get(COOKIE) ?? ''
    expect(await passwordIsEnough(s, b)).toBe(true)
    const second = b.cookies.get(COOKIE) ?? ''
    expect(second).not.toBe(first)
    expect(second.split('.')[0]).toBe(first.split('.')[0])
    const stored = JSON.stringify(await devicesOf(s))
    for (const value of [first, second]) expect(stored).not.toContain(value.split('.')[1])
  })

  it('is one for which the box was ticked, and the account is the one of the second step', async () => {
    const s = await start()
    const { secret } = await withApp(s)
    const b = browser(s)
    await confirm(s, b, { secret, remember: false })
    expect(b.cookies.has(COOKIE)).toBe(false)
    expect(await passwordIsEnough(s, b)).toBe(false)
    expect(await devicesOf(s)).toEqual([])
  })

  it('may be one whose second step was a passkey', async () => {
    const s = await start({ second_factor: 'off' })
    const owner = await signedInHere(s)
    const credential = syncedPasskey()
    await addPasskey(s, owner, credential)
    await confirmed(owner, await postAccount(s, owner, { action: 'second_step', on: 'true' }))
    const b = browser(s)
    const page = await toSecondStep(s, b)
    expect(page).toContain('Do not ask on this device for 30 days')
    const form = passkeyFormOf(page)
    await useWith(b, { form: { ...form, fields: { ...form.fields, remember: '1' } }, credential })
    expect(await passwordIsEnough(s, b)).toBe(true)
  })
})

describe('the second step is still asked for', () => {
  it('in every browser, without the setting; and it shows no box', async () => {
    const s = await start({ remember_device: 0 })
    const { secret } = await withApp(s)
    const b = browser(s)
    expect(await toSecondStep(s, b)).not.toContain('name="remember"')
    await confirm(s, b, { secret })
    expect(b.cookies.has(COOKIE)).toBe(false)
    expect(await devicesOf(s)).toEqual([])
    // Of the time before the setting was removed.
    b.cookies.set(COOKIE, `${'A'.repeat(22)}.${'A'.repeat(43)}`)
    expect(await passwordIsEnough(s, b)).toBe(false)
    expect(s.events.filter(({ type }) => type === 'server.error')).toEqual([])
  })

  it('when the application asks for level 2, where the page has no box; the next sign-in does without', async () => {
    const s = await start({}, { oidc: { acr: 'require' } })
    const { secret } = await withApp(s)
    const b = await remembered(s, secret)
    forgetSession(b)
    const page = await toSecondStep(s, b, { acr_values: '2' })
    expect(page).toContain('name="code"')
    expect(page).not.toContain('name="remember"')
    expect(await passwordIsEnough(s, b)).toBe(true)
  })

  it('for a change of the account', async () => {
    const s = await start()
    const { secret } = await withApp(s)
    const b = await remembered(s, secret)
    expect(await passwordIsEnough(s, b)).toBe(true)
    const answer = await postAccount(s, b, { action: 'second_step', on: 'false' })
    expect(answer.headers.get('location') ?? (await answer.clone().text())).toMatch(/confirm|name="code"/)
  })

  it.each<[string, (s: Setup, owner: Browser) => Promise<unknown>]>([
    [
      'another password, and the first one again',
      async (s) => {
        const sub = await subOf(s)
        for (const password of [NEW_PASSWORD, PASSWORD])
          expect(
            await setPassword(s.users('default'), { sub, password }, { passwords: plainPasswords }),
          ).toBe(true)
      },
    ],
    [
      'a time in which the account was disabled',
      async (s) => {
        const sub = await subOf(s)
        for (const disabled of [true, false])
          expect(await setDisabled(s.users('default'), { sub, disabled })).toBeTruthy()
      },
    ],
    ['another factor', (s, owner) => addPasskey(s, owner, syncedPasskey())],
  ])('after %s', async (_, change) => {
    const s = await start()
    const { secret } = await withApp(s)
    const b = await remembered(s, secret)
    await change(s, b)
    expect(await passwordIsEnough(s, b)).toBe(false)
    expect(await devicesOf(s)).toEqual([])
    expect(reported(s)).toEqual(['remembered_device.added'])
  })

  it('for another account of the same browser, and each account keeps its own', async () => {
    const s = await start()
    const { secret } = await withApp(s)
    const b = await remembered(s, secret)
    const [device] = await devicesOf(s)
    if (!device) throw new Error('No device')
    // The device of another user, with the same id and secret.
    const devices = s.remembered_devices('default')
    await devices.remove(device.sub, device.device_id)
    await devices.add({ ...device, sub: 'someone-else' })
    expect(await passwordIsEnough(s, b)).toBe(false)
    expect((await devices.list('someone-else')).length).toBe(1)
    expect(b.cookies.get(COOKIE)).toContain(device.device_id)
  })
})

describe('a copy of the cookie', () => {
  it('used after the owner: the step is asked for, and the device has ended for both', async () => {
    const s = await start()
    const { secret } = await withApp(s)
    const owner = await remembered(s, secret)
    const thief = copyOf(s, owner)
    expect(await passwordIsEnough(s, owner)).toBe(true)
    s.clock.now += 30
    expect(await passwordIsEnough(s, thief)).toBe(false)
    expect(reported(s)).toEqual(['remembered_device.added', 'remembered_device.copied'])
    expect(await devicesOf(s)).toEqual([])
    expect(await passwordIsEnough(s, owner)).toBe(false)
  })

  it('used before the owner: the owner is asked, and the device has ended for both', async () => {
    const s = await start()
    const { secret } = await withApp(s)
    const owner = await remembered(s, secret)
    const thief = copyOf(s, owner)
    expect(await passwordIsEnough(s, thief)).toBe(true)
    s.clock.now += 30
    expect(await passwordIsEnough(s, owner)).toBe(false)
    expect(await passwordIsEnough(s, thief)).toBe(false)
    expect(await devicesOf(s)).toEqual([])
  })

  it('used by two pages at once: one signs in, the other is asked, and the device stays for 30 seconds', async () => {
    const s = await start()
    const { secret } = await withApp(s)
    const owner = await remembered(s, secret)
    const page = copyOf(s, owner)
    expect(await passwordIsEnough(s, owner)).toBe(true)
    s.clock.now += 29
    expect(await passwordIsEnough(s, page)).toBe(false)
    expect(reported(s)).toEqual(['remembered_device.added'])
    expect(await passwordIsEnough(s, owner)).toBe(true)
  })

  it('older than the last two secrets ends the device at once', async () => {
    const s = await start()
    const { secret } = await withApp(s)
    const owner = await remembered(s, secret)
    const thief = copyOf(s, owner)
    expect(await passwordIsEnough(s, owner)).toBe(true)
    expect(await passwordIsEnough(s, owner)).toBe(true)
    expect(await passwordIsEnough(s, thief)).toBe(false)
    expect(await devicesOf(s)).toEqual([])
  })

  it('whose secret the other page renews between the look-up and the renewal: the step is asked for', async () => {
    const { remembered_devices } = memoryUserStores()
    let before = async () => {}
    const held = (realm: string) => {
      const devices = remembered_devices(realm)
      const renew: typeof devices.renew = async (...given) => {
        await before()
        return devices.renew(...given)
      }
      return { ...devices, renew }
    }
    const s = await start({}, { identity: { remembered_devices: held } })
    const { secret } = await withApp(s)
    const b = await remembered(s, secret)
    const devices = remembered_devices('default')
    const [device] = await devices.list((await subOf(s)) ?? '')
    if (!device) throw new Error('No device')
    before = async () => {
      await devices.renew(device, { secret_hash: 'of the other page', last_used_at: s.clock.now })
    }
    expect(await passwordIsEnough(s, b)).toBe(false)
    expect((await devices.list(device.sub)).map(({ secret_hash }) => secret_hash)).toEqual([
      'of the other page',
    ])
    expect(reported(s)).toEqual(['remembered_device.added'])
  })

  it.each([
    ['without its secret', (value: string) => value.split('.')[0] ?? ''],
    ['with another secret', (value: string) => `${value.split('.')[0]}.${'A'.repeat(43)}`],
    ['with another id', (value: string) => `${'A'.repeat(22)}.${value.split('.')[1]}`],
    ['longer than any', (value: string) => Array(6).fill(value).join('~')],
  ])('%s does not leave out the step', async (_, change) => {
    const s = await start()
    const { secret } = await withApp(s)
    const owner = await remembered(s, secret)
    const b = browser(s)
    b.cookies.set(COOKIE, change(owner.cookies.get(COOKIE) ?? ''))
    expect(await passwordIsEnough(s, b)).toBe(false)
  })

  it('with a wrong password changes nothing', async () => {
    const s = await start()
    const { secret } = await withApp(s)
    const owner = await remembered(s, secret)
    const before = await devicesOf(s)
    forgetSession(owner)
    const { url, fields } = await openLogin(s, owner)
    expect((await owner.post(url, { ...fields, username: 'ada', password: 'wrong' })).status).toBe(422)
    expect(await devicesOf(s)).toEqual(before)
  })
})

describe('the account page', () => {
  it('lists each browser with its day, and removes it', async () => {
    const s = await start()
    const { owner, secret } = await withApp(s)
    const first = browser(s)
    await confirm(s, first, { secret, headers: { 'user-agent': FIREFOX } })
    await remembered(s, secret)
    const { html } = await openAccount(s, owner)
    expect(html).toContain('Devices without a second step')
    expect(html).toContain('Firefox, Linux')
    const [device, other] = await devicesOf(s)
    expect([device?.label, other?.label]).toEqual(['Firefox, Linux', ''])
    const answer = await postAccount(s, owner, {
      action: 'forget_device',
      device_id: device?.device_id ?? '',
    })
    expect(await confirmed(owner, answer)).toContain(
      'The next sign-in on that device asks for the second step.',
    )
    expect(await devicesOf(s)).toEqual([other])
    expect(await passwordIsEnough(s, first)).toBe(false)
    expect(reported(s).at(-1)).toBe('remembered_device.removed')
  })

  it('removes no device of another user', async () => {
    const s = await start()
    const { owner, secret } = await withApp(s)
    await remembered(s, secret)
    const [device] = await devicesOf(s)
    if (!device) throw new Error('No device')
    const devices = s.remembered_devices('default')
    await devices.add({ ...device, device_id: 'another', sub: 'someone-else' })
    await postAccount(s, owner, { action: 'forget_device', device_id: 'another' })
    expect((await devices.list('someone-else')).length).toBe(1)
    expect(await devicesOf(s)).toEqual([device])
  })

  it('says nothing about devices without the setting, and has no such action', async () => {
    const s = await start({ remember_device: 0 })
    const { owner } = await withApp(s)
    expect((await openAccount(s, owner)).html).not.toContain('Devices without a second step')
    expect((await postAccount(s, owner, { action: 'forget_device', device_id: 'x' })).status).toBe(400)
  })
})

describe('the limits', () => {
  it('an account has 20 devices: one more ends the oldest', async () => {
    const s = await start()
    const { secret } = await withApp(s)
    const first = await remembered(s, secret)
    for (let i = 1; i < 20; i += 1) await remembered(s, secret)
    const before = await devicesOf(s)
    expect(before).toHaveLength(20)
    expect(await passwordIsEnough(s, first)).toBe(true)
    await remembered(s, secret)
    const after = await devicesOf(s)
    expect(after.slice(0, 19).map(({ device_id }) => device_id)).toEqual(
      before.slice(1).map(({ device_id }) => device_id),
    )
    expect(after).toHaveLength(20)
    expect(await passwordIsEnough(s, first)).toBe(false)
  })

  it('a browser that is remembered again has one device', async () => {
    const s = await start()
    const { secret } = await withApp(s)
    const b = await remembered(s, secret)
    const old = b.cookies.get(COOKIE) ?? ''
    s.clock.now += 30 * DAY
    await confirm(s, b, { secret })
    expect(await devicesOf(s)).toHaveLength(1)
    expect(b.cookies.get(COOKIE)?.split('~')).toHaveLength(1)
    expect(b.cookies.get(COOKIE)).not.toContain(old.split('.')[0])
    expect(await passwordIsEnough(s, b)).toBe(true)
  })

  it('a browser whose other page has renewed the secret, and that is remembered again, has one device', async () => {
    const s = await start()
    const { secret } = await withApp(s)
    const owner = await remembered(s, secret)
    const page = copyOf(s, owner)
    expect(await passwordIsEnough(s, owner)).toBe(true)
    const before = await devicesOf(s)
    s.clock.now += 1
    const { url, fields } = formWith(await toSecondStep(s, page), { proof: 'totp' })
    s.clock.now += 29
    await page.post(url, { ...fields, code: appCode(secret, s.clock.now), remember: '1' })
    const after = await devicesOf(s)
    expect(after).toHaveLength(1)
    expect(after[0]?.device_id).not.toBe(before[0]?.device_id)
    expect(page.cookies.get(COOKIE)?.split('~')).toHaveLength(1)
  })

  it('devices that a change of the account has ended are removed with the next one, and not shown', async () => {
    const s = await start()
    const { secret } = await withApp(s)
    for (let i = 0; i < 2; i += 1) await remembered(s, secret)
    const b = await remembered(s, secret)
    await addPasskey(s, b, syncedPasskey())
    expect(await devicesOf(s)).toHaveLength(3)
    expect((await openAccount(s, b)).html).not.toContain('Devices without a second step')
    await remembered(s, secret)
    expect(await devicesOf(s)).toHaveLength(1)
  })

  it('a browser keeps five accounts: a sixth ends the one that was used longest ago', async () => {
    const s = await start()
    const { secret } = await withApp(s)
    const b = browser(s)
    const others = ['1', '2', '3', '4', '5'].map((name) => `${name.repeat(22)}.${name.repeat(43)}`)
    b.cookies.set(COOKIE, others.join('~'))
    await confirm(s, b, { secret })
    const entries = b.cookies.get(COOKIE)?.split('~') ?? []
    expect(entries.slice(1)).toEqual(others.slice(0, 4))
    expect(await passwordIsEnough(s, b)).toBe(true)
    expect(b.cookies.get(COOKIE)?.split('~').slice(1)).toEqual(others.slice(0, 4))
  })
})

describe('the setting', () => {
  it.each([
    [90, {}, null],
    [91, {}, 'give a whole number of days from 0 to 90'],
    [-1, {}, 'give a whole number of days from 0 to 90'],
    [1.5, {}, 'give a whole number of days from 0 to 90'],
    [30, { second_factor: 'required' }, 'second_factor is "required": set that to "optional"'],
    [30, { password: { enabled: false } }, 'password.enabled is false'],
    [0, { second_factor: 'required' }, null],
  ] as [number, IdentitySettings, string | null][])('%s with %j: %s', (remember_device, more, fault) => {
    const faults = settingsFaults({ issuer: 'https://id.example' }, { ...more, remember_device })
    expect(faults.map(({ path, message }) => [path, message])).toEqual(
      fault === null ? [] : [['remember_device', expect.stringContaining(fault)]],
    )
  })

  it('needs a store', async () => {
    const s = await start({}, { identity: { remembered_devices: undefined } as never })
    const b = browser(s)
    const sent = await b.get(authorizeUrl(s))
    expect((await b.get(sent.headers.get('location') ?? '')).status).toBe(500)
    expect(s.events.at(-1)).toMatchObject({
      type: 'server.error',
      cause: {
        faults: [{ path: 'remembered_devices', message: expect.stringContaining('remember_device') }],
      },
    })
  })
})
