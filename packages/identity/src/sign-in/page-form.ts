import { type Html, html } from '../pages/html.js'
import { LOGIN_PATH, pathIn } from '../web/paths.js'
import type { FormTarget, PageContext } from './context.js'

/** What all forms of a page of the sign-in have in common. */
export interface PageForm {
  /** The cookie that the CSRF token needs; null when the browser has it. */
  set_cookie: string | null
  /** Without an action: the form of the password. */
  target(action?: string): FormTarget
}

/** One for each page: the token belongs to a cookie, which a new browser does not have yet. */
export function pageForm(c: Pick<PageContext, 'csrf' | 'request' | 'realm'>, return_to: string): PageForm {
  const { token, set_cookie } = c.csrf.issue(c.request, { realm: c.realm, bound_to: return_to })
  const path = pathIn(c.realm, LOGIN_PATH)
  return {
    set_cookie,
    target: (action) => ({
      action: path,
      csrf_token: token,
      bound_to: return_to,
      fields: hiddenFields({ return_to, csrf_token: token, ...(action !== undefined && { action }) }),
    }),
  }
}

export const hiddenFields = (fields: Readonly<Record<string, string>>): Html =>
  html`${Object.entries(fields).map(
    ([name, value], index) => html`${index > 0 && '\n'}<input type="hidden" name="${name}" value="${value}">`,
  )}`
