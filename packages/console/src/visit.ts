/** A request to the console, and what its page is made with. */

import type { Html, Visit as IdentityVisit } from '@ostiary/identity'
import type { Api } from './session/api.js'
import type { ConsoleSession } from './session/sessions.js'
import type { TextOf } from './texts/texts.js'

/** Escapes its values: `html` of `@ostiary/identity`. */
export type HtmlTag = IdentityVisit['html']

/** What the API lets an administrator read or change. */
export type Area = 'clients' | 'users' | 'consents' | 'sessions' | 'keys' | 'audit' | 'realms' | 'roles'

/** Whether the user may do it in a realm. The API decides; this is what is shown. */
export type May = (area: Area, access: 'read' | 'write', realm: string) => boolean

/** The name and the logo of the provider. */
interface Brand {
  name: string
  logo_url: string | null
}

/** What every page has. */
export interface Look {
  html: HtmlTag
  /** Of the server. */
  origin: string
  /** Of the admin API. */
  resource: string
  issuerOf: (realm: string) => Promise<string>
  brand: Brand
  /** Of the style sheet. */
  style_version: string
  text: TextOf
  language: string
  /** Of the request, as an error page shows it. */
  reference: string
}

/** A request of an administrator. */
export interface Visit extends Look {
  request: Request
  url: URL
  session: ConsoleSession
  may: May
  /** The ids of the realms in which the administrator may do something. */
  realms: readonly string[]
  /** The realm of the page. */
  realm: string
  api: Api
  /** The posted form; empty for a request that is none. */
  form: URLSearchParams
  /** Epoch seconds. */
  now: number
}

/** One page. */
export interface PageContent {
  title: string
  body: Html
  status?: number
  /** The entry of the navigation to which it belongs. */
  area?: Area
}

/** The path of a page of the realm. */
export const pathOf = ({ realm }: Pick<Visit, 'realm'>, ...parts: string[]): string =>
  `/admin/realms/${[realm, ...parts].map(encodeURIComponent).join('/')}`
