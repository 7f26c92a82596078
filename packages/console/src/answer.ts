/** Answers a request: its session, its sign-in, its form, its page. */

import type { ConsoleOptions, Incoming } from './options.js'
import { refusalCard, refusalPage } from './pages/errors.js'
import { cardPage, consolePage } from './pages/shell.js'
import { CALLBACK_PATH, CONSOLE_PATH } from './paths.js'
import { firstPage, realmPage, realmPath } from './routes.js'
import { createApi, SignInNeeded } from './session/api.js'
import { type ConsoleSession, createSessions, MAX_SESSION_SECONDS } from './session/sessions.js'
import { createSignIn, SIGN_IN_AGE_SECONDS, type SignIn } from './session/sign-in.js'
import { type TextKey, textOf } from './texts/texts.js'
import type { Area, Look, PageArea, Visit } from './visit.js'
import { seeOther, withCookies } from './web/answers.js'
import { sessionCookie } from './web/cookies.js'
import { isSameOrigin, readForm } from './web/form.js'
import { createSealer, isSame } from './web/seal.js'

const AREAS: readonly Area[] = [
  'clients',
  'users',
  'consents',
  'sessions',
  'keys',
  'audit',
  'realms',
  'roles',
]
/** Seconds since a sign-in that the API accepts. */
const API_AGE_SECONDS = 3600

interface Answering extends Incoming {
  look: Look
}

interface Options extends ConsoleOptions {
  areas: readonly PageArea[]
}

/** What the steps of a request share. */
interface Place extends Answering {
  options: Options
  url: URL
  sessions: ReturnType<typeof createSessions>
  sign_in: SignIn
  cookie: string | null
}

export async function answerOf(options: Options, { request, info, look }: Answering): Promise<Response> {
  const { origin, now, rows } = options
  const sealer = createSealer(options)
  const { body: _, ...from } = info
  const provider = (sent: Request) => options.provider(sent, from)
  const place: Place = {
    options,
    request,
    info,
    look,
    url: new URL(request.url),
    sessions: createSessions({ rows, sealer, now }),
    sign_in: createSignIn({ ...options, sealer, provider }),
    cookie: sessionCookie(origin).read(request),
  }
  const { method } = request
  if (!['GET', 'HEAD', 'POST'].includes(method)) return refusalCard(look, 'method')
  if (method === 'POST') return postedForm(place)
  if (place.url.pathname === CALLBACK_PATH) return finishSignIn(place)
  const found = place.cookie === null ? null : await place.sessions.find(place.cookie)
  if (found === null) return withoutSession(place)
  return withRenewed(place, found.renewed, await answerIn(place, found.session, new URLSearchParams()))
}

function withRenewed({ options, sessions: _ }: Place, renewed: string | null, answer: Response): Response {
  const is_set = answer.headers
    .getSetCookie()
    .some((line) => line.startsWith(sessionCookie(options.origin).name))
  if (renewed === null || is_set) return answer
  return withCookies(answer, [sessionCookie(options.origin).write(renewed, MAX_SESSION_SECONDS)])
}

const pathIn = ({ pathname, search }: URL): string => pathname + search

/** A path of the console; its first page for any other. */
function ownPath(text: string, origin: string): string {
  const url = URL.canParse(text, origin) ? new URL(text, origin) : null
  const is_own = url?.origin === origin && /^\/admin(?:$|\/)/.test(url.pathname)
  return url !== null && is_own && text.startsWith('/') ? pathIn(url) : CONSOLE_PATH
}

async function beginSignIn({ sign_in, look, options }: Place, to: string, max_age = SIGN_IN_AGE_SECONDS) {
  const { language } = look
  const { location, cookie } = await sign_in.begin(ownPath(to, options.origin), { language, max_age })
  return withCookies(seeOther(location), [cookie])
}

/** A request that another site has caused has no cookie of the session: the page asks again, by itself. */
async function withoutSession(place: Place): Promise<Response> {
  const { request, look, url } = place
  if (request.headers.get('sec-fetch-site') !== 'cross-site') return beginSignIn(place, pathIn(url))
  return onwards(look, pathIn(url), { title: 'sign_in.opens_title', sentence: 'sign_in.opens' })
}

interface Saying {
  title: TextKey
  sentence: TextKey
  /** Of the link. */
  href: string
  link?: TextKey
}

/** A title, a sentence, and a link. */
function saying(look: Look, { title, sentence, href, link = 'sign_in.again' }: Saying) {
  const { html, brand } = look
  const text = textOf(look)
  const body = html`<p>${text(sentence, { provider: brand.name })}</p>
<p><a class="switch" href="${href}">${text(link)}</a></p>`
  return { title: text(title), body }
}

function onwards(look: Look, href: string, texts: { title: TextKey; sentence: TextKey }): Response {
  return cardPage(look, { ...saying(look, { ...texts, href, link: 'sign_in.continue' }), leads_to: href })
}

/** The browser is back. A redirect would not have the cookie of the session where another provider has signed the user in. */
async function finishSignIn(place: Place): Promise<Response> {
  const { request, look, sign_in, sessions, cookie, options } = place
  const end = await sign_in.finish(request)
  if ('failed' in end) {
    const title = `sign_in.${end.failed}.title` as TextKey
    const sentence = `sign_in.${end.failed}.text` as TextKey
    const page = cardPage(look, { ...saying(look, { title, sentence, href: CONSOLE_PATH }), status: 400 })
    return withCookies(page, [sign_in.forget])
  }
  if (cookie !== null) await sessions.end(cookie)
  const value = await sessions.begin(end.signed_in)
  const page = onwards(look, end.to, { title: 'sign_in.leads_title', sentence: 'sign_in.leads' })
  return withCookies(page, [sessionCookie(options.origin).write(value, MAX_SESSION_SECONDS), sign_in.forget])
}

async function postedForm(place: Place): Promise<Response> {
  const { request, info, look, url, sessions, cookie, options } = place
  if (!isSameOrigin(request, options.origin)) return refusalCard(look, 'form_origin')
  const form = readForm(request, info.body)
  if (typeof form === 'string') return refusalCard(look, 'form_size')
  const found = cookie === null ? null : await sessions.find(cookie)
  if (found === null || cookie === null) return endedPage(place)
  const { session, renewed } = found
  if (!isSame(form.get('csrf_token') ?? '', session.csrf_token)) return refusalCard(look, 'form_old')
  if (url.pathname === `${CONSOLE_PATH}/sign-out`) return signOut(place, session, renewed ?? cookie)
  if (url.pathname === `${CONSOLE_PATH}/fresh`) return beginSignIn(place, form.get('to') ?? '', 0)
  return withRenewed(place, renewed, await answerIn(place, session, form))
}

function endedPage({ look, url }: Place): Response {
  const title = 'sign_in.ended_title'
  const said = saying(look, { title, sentence: 'sign_in.ended', href: url.pathname })
  return cardPage(look, { ...said, status: 401 })
}

/** Ends the session here even where the token cannot be revoked. */
async function signOut(place: Place, session: ConsoleSession, cookie: string): Promise<Response> {
  const { look, sessions, sign_in, options, info } = place
  const { html, brand } = look
  await sessions.end(cookie)
  await sign_in.revoke(session).catch((cause: unknown) => options.failed(cause, info.request_id))
  const everywhere = await sign_in.signOutOfServer()
  const provider = brand.name
  const texts = { title: 'sign_out.title', sentence: 'sign_out.text' } as const
  const { title, body } = saying(look, { ...texts, href: CONSOLE_PATH })
  const page = cardPage(look, {
    title,
    body: html`${body}
${everywhere !== null && html`<p><a class="switch" href="${everywhere}">${textOf(look)('sign_out.everywhere', { provider })}</a></p>`}`,
  })
  return withCookies(page, [sessionCookie(options.origin).write('', 0)])
}

/** The answer to an administrator, or the sign-in that it needs. */
async function answerIn(place: Place, session: ConsoleSession, form: URLSearchParams): Promise<Response> {
  const { request, url, options, sessions, cookie, look } = place
  const c = await visitOf(place, session, form)
  try {
    return await pageOf(c)
  } catch (error) {
    if (!(error instanceof SignInNeeded)) throw error
    const age = options.now() - session.auth_time
    if (error.is_too_old && age < API_AGE_SECONDS) return freshPage(c)
    if (request.method === 'POST') return endedPage(place)
    if (cookie !== null && !error.is_too_old) await sessions.end(cookie)
    return beginSignIn({ ...place, look }, pathIn(url))
  }
}

async function visitOf(place: Place, session: ConsoleSession, form: URLSearchParams): Promise<Visit> {
  const { options, request, info, look, url } = place
  const { body: _, ...from } = info
  const mayIn = await options.rightsOf(session.sub)
  const { realms: known } = options
  const [ids, most] = typeof known === 'function' ? [await known(), MAX_LISTED] : [known, known.length]
  const isOpen = (id: string) => AREAS.some((area) => mayIn(area, 'read', id))
  const { request_id } = info
  const endpoints = {
    issuer: options.issuer,
    resource: options.resource,
    now: options.now,
    provider: (sent: Request) => options.provider(sent, from),
    api: async (sent: Request) => {
      const body = sent.body === null ? null : new Uint8Array(await sent.arrayBuffer())
      return options.api(sent, { body, request_id })
    },
  }
  const named = realmPath(url.pathname)?.realm ?? ''
  const realms = firstOf(ids, isOpen, most)
  const is_listed = realms.includes(named) || (ids.includes(named) && isOpen(named))
  const realm = is_listed ? named : (realms[0] ?? '')
  const may: Visit['may'] = (area, access) => mayIn(area, access, realm)
  const api = createApi(endpoints, session)
  const { areas } = options
  return { ...look, request, url, session, may, mayIn, realms, realm, areas, api, form, now: options.now() }
}

/** Realms that every page lists, where they come and go: the page of realms has all of them. */
const MAX_LISTED = 100

function firstOf(ids: readonly string[], isOpen: (id: string) => boolean, most: number): string[] {
  const found: string[] = []
  for (const id of ids) {
    if (found.length === most) break
    if (isOpen(id)) found.push(id)
  }
  return found
}

async function pageOf(c: Visit): Promise<Response> {
  const { url, realms } = c
  if (realms.length === 0) return refusalPage(c, 'not_permitted')
  if (url.pathname === CONSOLE_PATH || url.pathname === `${CONSOLE_PATH}/`) return firstPage(c)
  const path = realmPath(url.pathname)
  return path?.realm === c.realm ? realmPage(c, path.parts) : refusalPage(c, 'not_found')
}

/** Asks for a new sign-in, which leads back. */
function freshPage(c: Visit): Response {
  const { html, url } = c
  const text = textOf(c)
  const title = text('fresh.title')
  const body = html`<h1>${title}</h1>
<p class="lead">${text('fresh.text')}</p>
<form method="post" action="/admin/fresh" class="act">
<input type="hidden" name="csrf_token" value="${c.session.csrf_token}">
<input type="hidden" name="to" value="${pathIn(url)}">
<div class="buttons"><button type="submit">${text('sign_in.again')}</button></div>
</form>`
  return consolePage(c, { title, body, status: 401 })
}
