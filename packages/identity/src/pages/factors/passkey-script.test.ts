import { createHash } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import {
  assertionResponse,
  newUserHandle,
  passkeyCredential,
  registrationResponse,
} from '@ostiary/test-kit/authenticators/authenticator'
import {
  checkAssertion,
  checkRegistration,
  creationOptions,
  parsedResponse,
  requestOptions,
} from '@ostiary/webauthn'
import { describe, expect, it } from 'vitest'
import { getPasskeyScript, PASSKEY_SCRIPT } from './passkey-script.js'
import { PASSKEY_SCRIPT_VERSION } from './passkey-script-version.js'

const request = { challenge: 'A'.repeat(43), origin: 'https://id.example', rp_id: 'id.example' }
const user_handle = newUserHandle('Qw')
const credential = passkeyCredential({ user_handle })
const expected = { ...request, user_handle, user_verification: 'required' as const }

const creation = creationOptions({
  timeout: 300_000,
  challenge: request.challenge,
  rp: { id: 'id.example', name: 'Example' },
  user: { handle: user_handle, name: 'jane', display_name: 'Jane' },
  exclude: [{ credential_id: 'AAAA', transports: ['usb'] }],
})
const sign_in = requestOptions({
  challenge: request.challenge,
  rp_id: 'id.example',
  allow: [],
  timeout: 300_000,
})

const buffer = (text: unknown): ArrayBuffer => Uint8Array.from(Buffer.from(String(text), 'base64url')).buffer

/** The credential that a browser returns. Its bytes are buffers, and those of a registration come by functions. */
function browserCredential({ id, response }: ReturnType<typeof registrationResponse>) {
  const { clientDataJSON, authenticatorData, publicKey, publicKeyAlgorithm, signature, userHandle } = response
  const created = {
    getAuthenticatorData: () => buffer(authenticatorData),
    getPublicKey: () => buffer(publicKey),
    getPublicKeyAlgorithm: () => publicKeyAlgorithm,
    getTransports: () => ['internal'],
  }
  const asserted = {
    authenticatorData: buffer(authenticatorData),
    signature: buffer(signature),
    userHandle: buffer(userHandle),
  }
  const parts = signature === undefined ? created : asserted
  return {
    rawId: buffer(id),
    type: 'public-key',
    response: { clientDataJSON: buffer(clientDataJSON), ...parts },
  }
}

interface Asked {
  publicKey: Record<string, unknown>
  mediation?: string
  signal?: AbortSignal
}
type Ask = (options: Asked) => unknown

interface Shown {
  hidden: boolean
  textContent: string
  dataset: Record<string, string>
}

/** A page with one form, and a browser whose authenticator answers as told. */
function page(dataset: Record<string, string>, browser: { ask?: Ask; key?: object | null } = {}) {
  const asked: Asked[] = []
  const clicks: (() => Promise<void>)[] = []
  const submitted: string[] = []
  const listen = (_: string, listener: () => Promise<void>) => clicks.push(listener)
  const button = { hidden: true, disabled: false, addEventListener: listen }
  const sentences = {
    cancelled: 'It was cancelled.',
    unsupported: 'It is not supported.',
    exists: 'It exists.',
  }
  const error: Shown = { hidden: true, textContent: '', dataset: sentences }
  const shown = { hidden: true }
  const form = {
    dataset,
    elements: { passkey: { value: '' } },
    querySelector: () => error,
    querySelectorAll: () => [button],
    submit: () => submitted.push(form.elements.passkey.value),
  }
  const signals: unknown[] = []
  const fields: unknown[] = []
  const printed: (() => void)[] = []
  const print = {
    hidden: true,
    addEventListener: (_: string, listener: () => void) => printed.push(listener),
  }
  let prints = 0
  const passwords = { new_password: { type: 'password' }, new_password_again: { type: 'password' } }
  const on: Record<string, () => void> = {}
  const listenTo = (event: string, listener: () => void) => {
    on[event] = listener
  }
  const attributes: Record<string, string> = {}
  const show = {
    hidden: true,
    form: { elements: passwords, addEventListener: listenTo },
    addEventListener: listenTo,
    setAttribute(name: string, value: unknown) {
      attributes[name] = String(value)
    },
  }
  const found: Record<string, unknown[]> = {
    '[data-passkey-shown]': [shown],
    'form[data-passkey]': [form],
    '[data-signal]': [
      { dataset: { signal: 'signalAllAcceptedCredentials', options: '{"rpId":"id.example"}' } },
    ],
    '[data-print]': [print],
    '[data-show]': [show],
    '[autocomplete~=webauthn]': [{ form: { append: (field: unknown) => fields.push(field) } }],
  }
  const ask = async (options: Asked) => {
    asked.push(options)
    return browser.ask?.(options)
  }
  const key = browser.key === undefined ? {} : browser.key
  const signalAllAcceptedCredentials = async (json: unknown) => {
    signals.push(json)
    throw new Error('The RP ID is another')
  }
  const PublicKeyCredential = key && {
    isConditionalMediationAvailable: async () => true,
    signalAllAcceptedCredentials,
    ...key,
  }
  runInNewContext(PASSKEY_SCRIPT, {
    window: { PublicKeyCredential, print: () => prints++ },
    document: {
      querySelectorAll: (selector: string) => found[selector] ?? [],
      createElement: () => ({}),
    },
    navigator: { credentials: { create: ask, get: ask } },
    AbortController,
    atob,
    btoa,
  })
  const click = async () => clicks[0]?.()
  const pressPrint = () => {
    printed[0]?.()
    return prints
  }
  const shows = { show, on, attributes, types: () => Object.values(passwords).map(({ type }) => type) }
  return { asked, button, error, shown, signals, fields, print, pressPrint, submitted, click, shows }
}

const never = ({ signal }: Asked) =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))))
const failing = (name: string) => () => Promise.reject(Object.assign(new Error(name), { name }))
/** The turn after all that is settled. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('the script', () => {
  const create = { passkey: 'create', options: JSON.stringify(creation) }
  const get = { passkey: 'get', options: JSON.stringify(sign_in), conditional: '' }
  const created = browserCredential(registrationResponse(credential, request))
  const asserted = browserCredential(assertionResponse(credential, request, { counter: 2 }))

  it('is below 6 KB', () => {
    expect(Buffer.byteLength(PASSKEY_SCRIPT)).toBeLessThan(6144)
  })

  it('sends what the checks of a registration accept', async () => {
    const { asked, button, click, submitted } = page(create, { ask: () => created })
    expect(button.hidden).toBe(false)
    await click()
    expect(checkRegistration(parsedResponse(submitted[0] ?? ''), expected)).toHaveProperty('passkey')
    const bytes = (text: string) => expect.objectContaining({ length: Buffer.from(text, 'base64url').length })
    expect(asked[0]?.publicKey).toMatchObject({
      rp: { id: 'id.example' },
      challenge: bytes(request.challenge),
      user: { id: bytes(user_handle), name: 'jane', displayName: 'Jane' },
      excludeCredentials: [{ id: bytes('AAAA'), transports: ['usb'] }],
    })
  })

  it('sends what the checks of a sign-in accept', async () => {
    const { click, submitted } = page(
      { ...get, conditional: '' },
      { ask: (o) => (o.mediation ? never(o) : asserted) },
    )
    await click()
    const registered = checkRegistration(registrationResponse(credential, request), expected)
    if ('fault' in registered) throw new Error(registered.fault)
    const { passkey: data, state } = registered
    const { user_handle: _, ...discoverable } = expected
    expect(checkAssertion(parsedResponse(submitted[0] ?? ''), { data, state }, discoverable)).toMatchObject({
      state: '2 0',
    })
  })

  it('offers passkeys on load, and sends the chosen one', async () => {
    const { asked, submitted } = page(get, { ask: () => asserted })
    await settled()
    expect(asked).toMatchObject([{ mediation: 'conditional' }])
    expect(submitted).toHaveLength(1)
  })

  it('offers none in a form without data-conditional, and none where the browser cannot', async () => {
    const { conditional: _, ...plain } = get
    const old = { key: { isConditionalMediationAvailable: undefined } }
    for (const { asked } of [page(plain), page(create), page(get, old)]) {
      await settled()
      expect(asked).toEqual([])
    }
  })

  it('ends the offer when the button is used, and offers again after a cancellation', async () => {
    const { asked, button, click, error, submitted } = page(get, {
      ask: (options) => (options.mediation ? never(options) : failing('NotAllowedError')()),
    })
    await settled()
    await click()
    expect(asked[0]?.signal?.aborted).toBe(true)
    expect(error).toMatchObject({ hidden: false, textContent: 'It was cancelled.' })
    expect(button.disabled).toBe(false)
    await settled()
    expect(asked.map(({ mediation }) => mediation)).toEqual(['conditional', undefined, 'conditional'])
    expect(submitted).toEqual([])
  })

  it.each([
    ['NotAllowedError', 'It was cancelled.'],
    ['InvalidStateError', 'It exists.'],
    ['NotSupportedError', 'It is not supported.'],
    ['SecurityError', 'It is not supported.'],
  ])('after %s shows: %s', async (name, sentence) => {
    const { click, error, submitted } = page(create, { ask: failing(name) })
    await click()
    expect(error).toMatchObject({ hidden: false, textContent: sentence })
    expect(submitted).toEqual([])
  })

  it('takes the parsers of the browser where it has them', async () => {
    const key = { parseCreationOptionsFromJSON: (json: object) => ({ parsed: json }) }
    const { asked, click } = page(create, { key, ask: () => created })
    await click()
    expect(asked[0]?.publicKey).toEqual({ parsed: creation })
  })

  it('shows nothing without passkeys in the browser', () => {
    expect(page(create, { key: null })).toMatchObject({ button: { hidden: true }, shown: { hidden: true } })
    expect(page(create).shown.hidden).toBe(false)
  })

  it.each([
    [{}, []],
    [{ isUserVerifyingPlatformAuthenticatorAvailable: async () => false }, []],
    [{ isUserVerifyingPlatformAuthenticatorAvailable: async () => Promise.reject(new Error('broken')) }, []],
    [
      { isUserVerifyingPlatformAuthenticatorAvailable: async () => true },
      [{ type: 'hidden', name: 'can_add_passkey', value: '1' }],
    ],
    [null, []],
  ])(
    'the form of the password says that the device can make a passkey, where it can: %#',
    async (key, sent) => {
      const { fields } = page(get, { key, ask: never })
      await settled()
      expect(fields).toEqual(sent)
    },
  )

  it.each([[{}], [null]])('prints, in browsers without passkeys too: %j', (key) => {
    const { print, pressPrint } = page(create, { key })
    expect(print.hidden).toBe(false)
    expect(pressPrint()).toBe(1)
  })

  it.each([[{}], [null]])(
    'shows new passwords until they are sent, in browsers without passkeys too: %j',
    (key) => {
      const { show, on, attributes, types } = page(create, { key }).shows
      expect([show.hidden, attributes['aria-pressed'], ...types()]).toEqual([
        false,
        'false',
        'password',
        'password',
      ])
      const after = (event: string) => {
        on[event]?.()
        return [attributes['aria-pressed'], ...types()]
      }
      expect(after('click')).toEqual(['true', 'text', 'text'])
      expect(after('click')).toEqual(['false', 'password', 'password'])
      expect(after('click')).toEqual(['true', 'text', 'text'])
      expect(after('submit')).toEqual(['false', 'password', 'password'])
    },
  )

  it('signals the accepted passkeys, and ignores a refusal', async () => {
    const { signals } = page(create)
    await settled()
    expect(signals).toEqual([{ rpId: 'id.example' }])
    page(create, { key: { signalAllAcceptedCredentials: undefined } })
  })
})

describe('its answer', () => {
  it('has an address that names its content', () => {
    const hash = createHash('sha256').update(PASSKEY_SCRIPT).digest('base64url')
    expect(PASSKEY_SCRIPT_VERSION).toBe(hash.slice(0, 12))
  })

  it.each([
    [`?v=${PASSKEY_SCRIPT_VERSION}`, 'public, max-age=31536000, immutable'],
    ['?v=old', 'no-cache'],
    ['', 'no-cache'],
  ])('at %j is kept: %s', async (query, kept) => {
    const response = await getPasskeyScript({ request: new Request(`https://id.example/passkey.js${query}`) })
    expect(Object.fromEntries(response.headers)).toEqual({
      'cache-control': kept,
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
    expect(await response.text()).toBe(PASSKEY_SCRIPT)
  })
})
