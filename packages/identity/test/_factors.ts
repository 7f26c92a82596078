/** Users with passkeys, authenticator apps and recovery codes, and the forms of their pages. */

import {
  assertionResponse,
  type Credential,
  passkeyCredential,
  type ResponseChange,
  registrationResponse,
} from '@ostiary/test-kit/authenticators/authenticator'
import { codeOfStep } from '@ostiary/totp'
import { accountUrl, postAccount, signInAt } from './_account.js'
import {
  type Browser,
  browser,
  openLogin,
  plainPasswords,
  type Setup,
  type SetupOptions,
  setup,
} from './_setup.js'

export const ORIGIN = 'https://id.example'
export const RP_ID = 'id.example'

/** Passkeys and apps, and passwords that cost nothing. */
export const withFactors = ({ identity, ...options }: SetupOptions = {}): Promise<Setup> =>
  setup({
    stored: plainPasswords,
    settings: { second_factor: 'optional' },
    client: { trusted: true },
    ...options,
    identity: { passwords: plainPasswords, ...identity },
  })

export interface Form {
  url: string
  fields: Record<string, string>
  /** Of a form for passkeys. */
  options: Record<string, never> | null
}

/** The forms of a page, with the values of their fields. */
function formsOf(html: string): Form[] {
  return [...html.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)].map(([, head = '', body = '']) => {
    // A choice that is not made is not sent.
    const inputs = [...body.matchAll(/<input[^>]*>/g)].filter(
      ([input]) => !/type="(?:radio|checkbox)"/.test(input),
    )
    const fields: [string, string][] = inputs.map(([input]) => [
      attribute(input, 'name'),
      attribute(input, 'value'),
    ])
    if (new Set(fields.map(([name]) => name)).size < fields.length) throw new Error(`A field twice: ${body}`)
    const options = attribute(head, 'data-options')
    return {
      url: new URL(attribute(head, 'action'), ORIGIN).href,
      fields: Object.fromEntries(fields),
      options: options === '' ? null : JSON.parse(options),
    }
  })
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&#39;': "'",
}

const attribute = (tag: string, name: string): string =>
  (new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '').replace(
    /&(?:quot|amp|lt|gt|#39);/g,
    (entity) => ENTITIES[entity] ?? '',
  )

/** The form with these values in its hidden fields. */
export function formWith(html: string, values: Record<string, string>): Form {
  const form = formsOf(html).find(({ fields }) =>
    Object.entries(values).every(([name, value]) => fields[name] === value),
  )
  if (!form) throw new Error(`No form with ${JSON.stringify(values)} in ${html}`)
  return form
}

export const passkeyFormOf = (html: string): Form => {
  const form = formsOf(html).find(({ options }) => options !== null)
  if (!form) throw new Error(`No form for a passkey in ${html}`)
  return form
}

const requestOf = ({ options }: Form) => ({
  challenge: String(options?.challenge),
  origin: ORIGIN,
  rp_id: RP_ID,
})

/** Creates a passkey, as the browser does it for this form, and sends the form. The credential has the user handle then. */
export function createWith(
  b: Browser,
  { form, credential, change }: { form: Form; credential: Credential; change?: ResponseChange },
) {
  const { user } = form.options as unknown as { user: { id: string } }
  credential.user_handle = user.id
  const passkey = JSON.stringify(registrationResponse(credential, requestOf(form), change))
  return b.post(form.url, { ...form.fields, passkey })
}

/** Uses the passkey for this form, and sends the form. */
export function useWith(
  b: Browser,
  { form, credential, change }: { form: Form; credential: Credential; change?: ResponseChange },
) {
  const passkey = JSON.stringify(assertionResponse(credential, requestOf(form), change))
  return b.post(form.url, { ...form.fields, passkey })
}

/** A passkey that is synchronized, as most are: its counter is always 0. */
export const syncedPasskey = (): Credential =>
  passkeyCredential({ algorithm: -7, backup_eligible: true, backed_up: true, counter: 0 })

export const codesIn = (html: string): string[] =>
  [...html.matchAll(/<code>((?:[0-9a-z]{4}-){3}[0-9a-z]{4})<\/code>/g)].map(([, code = '']) => code)

/** Adds a passkey on the account page. Returns the recovery codes that the page shows. */
export async function addPasskey(s: Setup, b: Browser, credential: Credential): Promise<string[]> {
  const page = await (await postAccount(s, b, { action: 'enrol', method: 'passkey' })).text()
  const answer = await createWith(b, { form: passkeyFormOf(page), credential })
  return codesIn(await answer.text())
}

/** The code that the app shows, for the secret in base32. */
export function appCode(secret: Buffer, now: number): string {
  return codeOfStep(secret, Math.floor(now / 30))
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The secret that the page shows. */
export function secretIn(html: string): Buffer {
  const shown = /class="key">([^<]*)</.exec(html)?.[1]?.replaceAll(' ', '') ?? ''
  const bits = [...shown].map((character) => BASE32.indexOf(character).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** Adds an authenticator app on the account page. Returns its secret, and the recovery codes. */
export async function addApp(s: Setup, b: Browser): Promise<{ secret: Buffer; codes: string[] }> {
  const page = await (await postAccount(s, b, { action: 'enrol', method: 'totp' })).text()
  const secret = secretIn(page)
  const { url, fields } = formWith(page, { action: 'enrolled' })
  const answer = await b.post(url, { ...fields, code: appCode(secret, s.clock.now) })
  return { secret, codes: codesIn(await answer.text()) }
}

/** Signs in with the password, for the account page or an application. Returns the page of the second step. */
export async function toSecondStep(s: Setup, b: Browser, params?: Record<string, string>): Promise<string> {
  if (params === undefined) {
    const answer = await signInAt(s, b)
    return (await b.get(answer.headers.get('location') ?? '')).text()
  }
  const { url, fields } = await openLogin(s, b, params)
  const answer = await b.post(url, { ...fields, username: 'ada', password: 'correct horse' })
  return (await b.get(answer.headers.get('location') ?? '')).text()
}

/** Another browser, which has signed in with a passkey for the account page. */
export async function signedInWithPasskey(s: Setup, credential: Credential): Promise<Browser> {
  const b = browser(s)
  await useWith(b, { form: passkeyFormOf(await startPage(s, b)), credential })
  return b
}

export async function startPage(s: Setup, b: Browser): Promise<string> {
  const sent = await b.get(accountUrl(s))
  return (await b.get(sent.headers.get('location') ?? '')).text()
}

export const sessionOf = async (s: Setup, b: Browser) => {
  const cookie = [...b.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return (await s.provider.session(new Request(accountUrl(s), { headers: { cookie } })))?.session ?? null
}
