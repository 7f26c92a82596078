/** What the console is made with. */

import type { SessionRows } from './session/sessions.js'
import type { HtmlTag, May, PageArea, RealmFacts } from './visit.js'
import type { Secrets } from './web/seal.js'

/** What the host knows of a request. */
export interface ConsoleRequest {
  /** The body, read already; null for none. */
  body: Uint8Array | null
  request_id: string
  /** The address of the client, and of a peer that only claims it. */
  address?: string
  peer?: string
}

/** The options of `createConsole`. */
export interface ConsoleOptions extends Secrets {
  /** Of `@ostiary/identity`. */
  html: HtmlTag
  /** The origin of the server. */
  origin: string
  /** Of the realm of the administrators. */
  issuer: string
  /** Of any realm. */
  realmOf: (realm: string) => Promise<RealmFacts>
  /** The address of the admin API, and its scopes. */
  resource: string
  scopes: readonly string[]
  /** The ids of the realms that can be administered; a function where they come and go. */
  realms: readonly string[] | (() => Promise<readonly string[]>)
  /** The name and the logo; the host of the server when absent. */
  theme?: { name?: string; logo_url?: string } | undefined
  /** Of a browser that asks for none of the three: `en`, `de` or `fr`; `en` when absent. */
  language?: string | undefined
  /** `pending` of the storage of the realm. */
  rows: SessionRows
  /** The pages, in the order of the navigation: those of users when absent. */
  areas?: readonly PageArea[]
  /** What a user may do: the API decides it too. */
  rightsOf: (sub: string) => Promise<May>
  /** The endpoints of the provider. */
  provider: (request: Request, info: Omit<ConsoleRequest, 'body'>) => Promise<Response>
  /** The admin API. */
  api: (request: Request, info: { body: Uint8Array | null; request_id: string }) => Promise<Response>
  /** The pages of the sign-in: their style sheet. */
  pages: (request: Request) => Promise<Response | null>
  /** Epoch seconds. */
  now: () => number
  /** Told of each failure. */
  failed: (cause: unknown, request_id: string) => void
  /** Whether a failure is temporary. */
  unavailable: (cause: unknown) => boolean
}

/** A request that is answered. */
export interface Incoming {
  request: Request
  info: ConsoleRequest
}
