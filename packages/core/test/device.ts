/** The device authorization grant (RFC 8628): what a device sends, and what a user does with its code. */

import type {
  Client,
  DeviceConfirmation,
  DevicePrompt,
  Interactions,
  Pending,
  RealmStorage,
  Storage,
} from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { type Browser, browser as plainBrowser } from '@ostiary/test-kit/browser'
import {
  client,
  type FormFields,
  formRequest,
  type TokenAnswer,
  tokens,
  type World,
  type WorldOptions,
  world,
} from './support.js'

export const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'
const ON = { clients: { device_authorization: 'operator' as const } }
export const DEVICE_ADDRESS = '192.0.2.10'
export const USER_ADDRESS = '198.51.100.20'

export const deviceClient = (fields: Partial<Client> & { client_secret?: string } = {}): Promise<Client> =>
  client({
    client_id: 'tv',
    client_name: 'The television',
    grant_types: [DEVICE_CODE, 'refresh_token'],
    ...fields,
  })

export interface DeviceWorld extends World {
  /** The prompts of the pages of devices, newest last. */
  pages: DevicePrompt[]
}

export async function deviceWorld(options: WorldOptions = {}): Promise<DeviceWorld> {
  const pages: DevicePrompt[] = []
  const interactions: Interactions = {
    login: async () => new Response('the sign-in'),
    consent: async () => new Response('the consent view'),
    async device(prompt) {
      pages.push(prompt)
      return new Response(`the page ${prompt.page}`)
    },
  }
  const { oidc, ...others } = options
  const clients = { ...ON.clients, ...oidc?.clients }
  const w = await world({
    clients: [await deviceClient()],
    interactions,
    ...others,
    oidc: { ...oidc, clients },
  })
  return { ...w, pages }
}

/** What the device authorization endpoint answers. */
export interface DeviceAuthorization {
  status: number
  headers: Headers
  body: Record<string, unknown> & { device_code: string; user_code: string; error: string }
}

/** A request of a device: from where, and with which headers. */
interface DeviceRequest {
  address?: string | null
  form?: FormFields
  headers?: Record<string, string>
}

export async function askFrom(w: World, sent: DeviceRequest = {}): Promise<DeviceAuthorization> {
  const { address = DEVICE_ADDRESS, form = {}, headers = {} } = sent
  const fields = typeof form === 'object' && !Array.isArray(form) ? { client_id: 'tv', ...form } : form
  const request = formRequest(`${w.issuer}/oauth/device_authorization`, fields, { headers })
  const response = await w.provider.fetch(request, address === null ? {} : { address })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** The device asks for access. */
export const ask = (
  w: World,
  form: FormFields = { scope: 'openid profile' },
  headers: Record<string, string> = {},
): Promise<DeviceAuthorization> => askFrom(w, { form, headers })

/** @param form With the device_code. */
export const poll = (
  w: World,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<TokenAnswer> => tokens(w, { grant_type: DEVICE_CODE, client_id: 'tv', ...form }, headers)

/** The status and the error of a poll; null for tokens. */
export async function polled(w: World, device_code: string, changes?: Record<string, string>) {
  const { status, body } = await poll(w, { device_code, ...changes })
  return [status, body.error ?? null]
}

/** A browser at an address, signed in unless `sub` is null. */
export async function browserAt(
  w: World,
  address: string = USER_ADDRESS,
  sub: string | null = 'alice',
): Promise<Browser> {
  const browser = plainBrowser((request) => w.provider.fetch(request, { address }))
  if (sub !== null) await signIn(w, browser, { sub })
  return browser
}

/** @param path The page after the sign-in, below the realm. */
export async function signIn(
  w: World,
  browser: Browser,
  { sub = 'alice', path = '/account' }: { sub?: string; path?: string } = {},
): Promise<string | null> {
  const headers = { cookie: browser.jar.header() }
  const request = new Request(`${w.issuer}/login`, { method: 'POST', headers })
  const response = await w.provider.login(request, { sub, amr: ['pwd'], return_to: { path } })
  browser.jar.keep(response)
  return response.headers.get('location')
}

export const enter = (w: World, browser: Browser, user_code: string): Promise<Response> =>
  browser.post(`${w.issuer}/device`, { user_code })

/** The newest page. @throws Error when it does not ask about a device */
export function confirmation(w: DeviceWorld): DeviceConfirmation {
  const prompt = w.pages.at(-1)
  if (prompt?.page !== 'confirm') throw new Error(`The page is ${prompt?.page}`)
  return prompt
}

/** @param form With the confirmation_token; it allows unless it has another `answer`. */
export const answer = (w: World, browser: Browser, form: Record<string, string>): Promise<Response> =>
  browser.post(`${w.issuer}/device`, { answer: 'allow', ...form })

/** Enters the code, and answers the page. */
export async function decide(
  w: DeviceWorld,
  browser: Browser,
  { user_code, ...form }: { user_code: string; answer?: string },
): Promise<Response> {
  await enter(w, browser, user_code)
  const { confirmation_token } = confirmation(w)
  return answer(w, browser, { confirmation_token, ...form })
}

/** A device that the user has approved, and its browser. */
export async function approved(w: DeviceWorld, form?: FormFields) {
  const { body } = await ask(w, form)
  const browser = await browserAt(w)
  await decide(w, browser, body)
  return { ...body, browser }
}

export const reasons = (w: World): string[] =>
  w.events.flatMap((event) => (event.type === 'request.refused' ? [event.reason] : []))

/** A storage in memory, with a call before each write of a one-time token, and before each token is taken. */
export function watchedStorage(watch: {
  put?: (record: Pending) => void
  take?: () => Promise<unknown>
}): Storage {
  const inner = memoryStorage()
  return (realm) => {
    const stores: RealmStorage = inner(realm)
    const pending: RealmStorage['pending'] = {
      ...stores.pending,
      put(record) {
        watch.put?.(record)
        return stores.pending.put(record)
      },
      async take(pending_hash) {
        await watch.take?.()
        return stores.pending.take(pending_hash)
      },
    }
    return { ...stores, pending }
  }
}
