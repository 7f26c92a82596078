/** The pages below a realm to which a sign-in may lead back, with what it says that it is for. */

import type { Realm } from '@ostiary/core'
import { ACCOUNT_PATH } from '../web/paths.js'

interface Site {
  realm: Realm
  has_account_page: boolean
}

const RETURN_PAGES = [
  {
    purpose: 'sign_in.for_account',
    isAt: ({ has_account_page }: Site, path: string): boolean => has_account_page && path === ACCOUNT_PATH,
  },
  {
    purpose: 'sign_in.for_device',
    // With the code that the user has entered.
    isAt: ({ realm }: Site, path: string): boolean =>
      realm.settings.clients.device_authorization !== 'off' &&
      /^\/device(?:\?user_code=[A-Z]{4}-[A-Z]{4})?$/.test(path),
  },
] as const

/** The message without parameters that says what the sign-in is for. */
export type ReturnPurpose = (typeof RETURN_PAGES)[number]['purpose']

/** Undefined: no page, or one that the realm has not. */
export const returnPurpose = (site: Site, path: string): ReturnPurpose | undefined =>
  RETURN_PAGES.find(({ isAt }) => isAt(site, path))?.purpose
