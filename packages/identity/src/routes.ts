/** The route table: the paths of the pages, their methods and handlers. */

import { isNavigation } from '@ostiary/core'
import { accountContext } from './account/context.js'
import {
  getChangePassword,
  getPasskeyEndpoints,
  hasChangePassword,
  hasPasskeyEndpoints,
} from './account/well-known.js'
import { errorPage } from './pages/error.js'
import { landingPage } from './pages/landing.js'
import { getStyleSheet } from './pages/style-sheet.js'
import { getClientLogo } from './sign-in/client-logo.js'
import type { ExtensionParts, MailContext, PageContext } from './sign-in/context.js'
import { arrivalOf } from './sign-in/extensions/arrival.js'
import type { AccountVisit } from './sign-in/extensions/seam.js'
import { getLogin, postLogin } from './sign-in/login.js'
import { answerSignUp } from './sign-in/sign-up/visit.js'
import {
  ACCOUNT_PATH,
  accountPath,
  CHANGE_PASSWORD_PATH,
  FORGOT_PATH,
  LOGIN_PATH,
  LOGO_PATH,
  PASSKEY_ENDPOINTS_PATH,
  REGAIN_PATH,
  RESET_PATH,
  ROOT_PATH,
  SCRIPT_PATH,
  SIGN_UP_PATH,
  STYLE_PATH,
  TICKET_PATH,
} from './web/paths.js'

export interface Route {
  /** Below the realm. */
  path: string
  methods: readonly string[]
  /** Only when this page is enabled. */
  page?: 'account' | 'landing' | 'factors' | 'tickets' | 'mail' | 'extensions' | 'sign_up' | 'regain'
  /** Whether the realm has it; each when absent. */
  exists?: (c: PageContext) => boolean
  handler: (c: PageContext) => Promise<Response>
}

const READ = ['GET', 'HEAD']

/** Loaded with the first request: an application may have none of them, and few users see them. */
const later = () => import('./later.js')
const passkeyScript = () => import('./pages/factors/passkey-script.js')

const ROUTES: readonly Route[] = [
  { path: LOGIN_PATH, methods: READ, handler: getLogin },
  { path: LOGIN_PATH, methods: ['POST'], handler: postLogin },
  { path: STYLE_PATH, methods: READ, handler: getStyleSheet },
  {
    path: SCRIPT_PATH,
    methods: READ,
    page: 'factors',
    handler: async (c) => (await passkeyScript()).getPasskeyScript(c),
  },
  ...pageRoutes(TICKET_PATH, 'tickets', 'Ticket'),
  ...pageRoutes(FORGOT_PATH, 'mail', 'Forgot'),
  ...pageRoutes(RESET_PATH, 'mail', 'Reset'),
  ...[READ, ['POST']].map(
    (methods): Route => ({
      path: SIGN_UP_PATH,
      methods,
      page: 'sign_up',
      exists: (c) => c.sign_up !== null,
      handler: answerSignUp,
    }),
  ),
  ...pageRoutes(REGAIN_PATH, 'regain', 'Regain'),
  { path: LOGO_PATH, methods: READ, handler: getClientLogo },
  ...pageRoutes(ACCOUNT_PATH, 'account', 'Account'),
  {
    path: CHANGE_PASSWORD_PATH,
    methods: READ,
    page: 'account',
    exists: hasChangePassword,
    handler: getChangePassword,
  },
  {
    path: PASSKEY_ENDPOINTS_PATH,
    methods: READ,
    page: 'account',
    exists: hasPasskeyEndpoints,
    handler: getPasskeyEndpoints,
  },
  { path: ROOT_PATH, methods: READ, page: 'landing', handler: getLanding },
]

/** The pages that can be disabled. */
export type EnabledPages = Readonly<Record<NonNullable<Route['page']>, boolean>>

const PATHS = [...new Set(ROUTES.map(({ path }) => path))].filter((path) => path !== ROOT_PATH)

/** A cheap test before the realm is looked up: false for nearly all requests to the provider's endpoints. */
export const mayBeRouted = (url: string, enabled: EnabledPages): boolean =>
  enabled.landing || PATHS.some((path) => url.includes(path))

/** The routes at a path. Their methods do not overlap. */
export const routesAt = (path: string, enabled: EnabledPages): readonly Route[] =>
  ROUTES.filter((route) => route.path === path && (route.page === undefined || enabled[route.page])).concat(
    enabled.extensions && path.startsWith(`${LOGIN_PATH}/`)
      ? [extensionRoute(path, READ), extensionRoute(path, ['POST']), lostRoute(path)]
      : [],
  )

/** Whether this request gets the landing page at the root: every request but a browser's navigation gets the provider's answer. */
export const asksForLanding = (request: Request): boolean =>
  READ.includes(request.method) && isNavigation(request)

/** Of the extension that has the path. */
function extensionRoute(path: string, methods: readonly string[]): Route {
  const find = ({ extensions, realm }: PageContext) =>
    extensions.find(({ ways }) => ways.methods?.(realm.id, path).includes(methods[0] ?? ''))
  return {
    path,
    methods,
    exists: (c) => find(c) !== undefined,
    handler: async (c) => {
      const found = find(c) as ExtensionParts
      const arrival = arrivalOf(c, found, {
        path,
        account: () => userOf(c, found),
        send: async (page, mail) => (await later()).sendCode(page as MailContext, mail),
      })
      return (await found.ways.answer?.(arrival)) as Response
    },
  }
}

/** A browser that comes back from a provider that there is not. */
const lostRoute = (path: string): Route => ({
  path,
  methods: READ,
  exists: ({ request }) => path.startsWith(`${LOGIN_PATH}/callback/`) && isNavigation(request),
  handler: async (c) => errorPage(c, { realm: c.realm, status: 404, code: 'not_found' }),
})

async function userOf(page: PageContext, extension: ExtensionParts): Promise<AccountVisit | null> {
  const c = await accountContext(page)
  return c && (await later()).accountVisit(c, extension)
}

/** A page that is loaded with its first request. Where its part of the context is null, the realm does not have it. */
function pageRoutes(
  path: string,
  page: 'account' | 'tickets' | 'mail' | 'regain',
  name: 'Account' | 'Ticket' | 'Forgot' | 'Reset' | 'Regain',
): Route[] {
  const handler = (method: 'get' | 'post') => async (c: PageContext) =>
    (await later())[`${method}${name}`](c as MailContext)
  const common = { path, page, exists: (c: PageContext) => c[page as 'mail'] !== null }
  return [
    { ...common, methods: READ, handler: handler('get') },
    { ...common, methods: ['POST'], handler: handler('post') },
  ]
}

async function getLanding(c: PageContext): Promise<Response> {
  return landingPage(c, c.realm, accountPath(c.realm, c.has_account_page))
}

/** Answers with the route for the request's method, or with 405; null when the realm has none of the routes. */
export async function answer(routes: readonly Route[], c: PageContext): Promise<Response | null> {
  const { method } = c.request
  const existing = routes.filter(({ exists }) => exists?.(c) !== false)
  if (existing.length === 0) return null
  const route = existing.find(({ methods }) => methods.includes(method))
  if (!route) return methodNotAllowed(existing, c)
  const response = await route.handler(c)
  return method === 'HEAD' ? new Response(null, response) : response
}

const methodNotAllowed = (routes: readonly Route[], c: PageContext): Response =>
  errorPage(c, {
    realm: c.realm,
    status: 405,
    code: 'invalid_request',
    sentences: [c.language.text('error.method')],
    headers: { allow: routes.flatMap(({ methods }) => methods).join(', ') },
  })
