/** A request to the console, and what its page is made with. */

import type { Html, Visit as IdentityVisit } from '@ostiary/identity'
import type { Api } from './session/api.js'
import type { ConsoleSession } from './session/sessions.js'
import type { TEXTS } from './texts/texts.js'
import { type KeyOf, type TextOf, type Translated, type Translations, textsOf } from './texts/texts-of.js'

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

/** What pages say about a realm: a `Realm` of `@ostiary/core` has it. */
export interface RealmFacts {
  issuer: string
  settings: { acr_values_supported: readonly string[] }
}

/** What every page has. */
export interface Look {
  html: HtmlTag
  /** Of the server. */
  origin: string
  /** Of the admin API. */
  resource: string
  realmOf: (realm: string) => Promise<RealmFacts>
  brand: Brand
  /** Of the style sheet. */
  style_version: string
  language: string
  /** Of the request, as an error page shows it. */
  reference: string
}

/** A request of an administrator. */
export interface Visit extends Look {
  request: Request
  url: URL
  session: Pick<ConsoleSession, 'auth_time' | 'csrf_token' | 'name'>
  /** Whether the administrator may do it in the realm of the page. */
  may: (area: Area, access: 'read' | 'write') => boolean
  /** The same in any realm; `*` for all of them. */
  mayIn: May
  /** The ids of the realms in which the administrator may do something. */
  realms: readonly string[]
  /** The realm of the page. */
  realm: string
  areas: readonly PageArea[]
  api: Api
  /** The posted form; empty for a request that is none. */
  form: URLSearchParams
  /** Epoch seconds. */
  now: number
}

/** A request to pages with these texts. */
export interface VisitWith<Texts extends Translations> extends Visit {
  text: TextOf<KeyOf<Texts>>
}

/** The same request, for pages with these texts. */
export const withTexts = <Texts extends Translations>(c: Visit, texts: Texts): VisitWith<Texts> => ({
  ...c,
  text: textsOf(texts, c.language),
})

/** A request to the pages of users. */
export type OwnVisit = VisitWith<typeof TEXTS>

/** A page of an area. Null where there is none. */
export type Page = Promise<Response | null>

/** Pages of one kind. */
export interface PageArea {
  /** Of its path below that of a realm; empty for the path of the realm itself. */
  name: string
  /** In the navigation; absent where it is not there. */
  title?: Translated
  /** Who may not read this has no such pages; null for all who may read anything in the realm. */
  needs: Area | null
  /** The page of a path below its own. @throws SignInNeeded */
  answer(c: Visit, parts: readonly string[]): Page
  /** What it has on every page, above the navigation. */
  everywhere?(c: Visit): Html
  /** Its rules of the style sheet. */
  style?: string
}

/** One page. */
export interface PageContent {
  title: string
  body: Html
  status?: number
  /** The name of the area in the navigation to which it belongs. */
  area?: string
}
