/** The pages of the device authorization grant (RFC 8628 §3.3). */

import type { Account } from '../../realm/account.js'
import type { ConsentScope } from '../../realm/prompts.js'
import type { Realm } from '../../realm/realm.js'
import type { Client } from '../../storage/storage.js'

/** The page that asks whether to connect a device. The client chooses its texts: escape them. */
export interface DeviceConfirmation {
  page: 'confirm'
  client: Client
  user: Account
  /** The page has to ask the user to compare it with the one that the device shows. */
  user_code: string
  /** The scopes to show: of a client without authentication the hidden ones too. */
  scopes: ConsentScope[]
  /** The URIs of the resources that the request names. */
  resources: string[]
  /** True: the client does not authenticate, so that any program can ask in its name. */
  any_program: boolean
  /** When the device has asked, in epoch seconds. */
  requested_at: number
  /** The IP address from which it has asked; null when it is not known. */
  address: string | null
  /** True: that is not the address of this browser. The page has to say so. */
  is_other_address: boolean
  /** Seconds. The client keeps its access for so long at most, also after the user signs out. The page has to say so. */
  max_lifetime: number
  /** Single use. Post it to `action` as `confirmation_token`, with `answer` `allow` or `refuse`. */
  confirmation_token: string
}

/** A page of the device authorization grant (RFC 8628 §3.3). */
export type DevicePage =
  | {
      /** Asks for the code that the device shows: a POST to `action`, with `user_code`. */
      page: 'code'
      /** For the field, such as `WDJB-MJHT`; null for an empty one. */
      user_code: string | null
      /** Why it asks again: the code is not valid, or the page of the question not any more. */
      problem: 'unknown' | 'expired' | null
    }
  /** Nobody is signed in: sign the user in, with this `return_to` for `provider.login()`. */
  | { page: 'sign_in'; return_to: { path: string } }
  | DeviceConfirmation
  /** The user has answered. */
  | { page: 'approved' | 'refused'; client: Client }

/** What a page of the device authorization grant shows, and where its form goes. */
export type DevicePrompt = DevicePage & {
  realm: Realm
  action: string
  /** As in `LoginPrompt`. */
  ui_locales: string[]
  request: Request
}

/** Those of the application. */
export interface DevicePages {
  /**
   * The pages of the device authorization grant; built-in ones when absent, which cannot sign a user in. On the page that asks, give
   * no answer a default: neither button comes first, and none has the focus.
   */
  device?(prompt: DevicePrompt): Promise<Response>
}
