/** What the configuration lets clients do by themselves, and those that have registered. */

import {
  apiPath,
  code,
  consolePage,
  emptyState,
  fieldOf,
  linkButton,
  nextPage,
  pageHead,
  pathOf,
  pill,
  problemNote,
  readPage,
  readRecord,
  section,
  table,
  timeOf,
} from '@ostiary/console'
import type { Html, HtmlValue } from '@ostiary/identity'
import type { OwnVisit } from '../visit.js'
import { matching, type RegisteredClient, type RegistrationSettings } from './records.js'

export async function registrationPage(c: OwnVisit): Promise<Response> {
  const { html, text } = c
  const found = await readRecord<RegistrationSettings>(c, apiPath(c, 'registration'))
  if (found instanceof Response) return found
  const page = await readPage<RegisteredClient>(c, apiPath(c, 'clients'), {
    origin: 'registered',
    limit: MAX_PAGE,
  })
  if (page instanceof Response) return page
  const { items, next, problem } = page
  const title = text('registration.title')
  const documents = linkButton(c, {
    href: pathOf(c, 'registration', 'documents'),
    text: text('documents.title'),
  })
  const body = html`${pageHead(c, { title, lead: text('registration.lead'), actions: documents })}
${problem !== null && problemNote(c, problem)}
${section(c, text('allowed.title'), allowedTable(c, found.record))}
${section(c, text('registered.title'), registeredClients(c, found.record, { items, next }))}`
  return consolePage(c, { title, body, area: 'registration', status: problem?.status ?? 200 })
}

/** The most that the API gives at once: they are sorted here. */
const MAX_PAGE = '200'

/** What is allowed, and the key that decides it. */
function allowedTable(c: OwnVisit, { registration, metadata_documents }: RegistrationSettings): Html {
  const { html, text } = c
  const list = (values: readonly string[]): HtmlValue =>
    values.length === 0 ? '–' : html`<div>${values.map((value) => html`${code(c, value)}<br>`)}</div>`
  const any = (values: readonly string[]): HtmlValue =>
    values.includes('*') ? text('allowed.any') : list(values)
  const state = (is_on: boolean): Html =>
    pill(c, text(is_on ? 'word.on' : 'word.off'), is_on ? 'good' : 'plain')
  const number = (value: number): string => new Intl.NumberFormat(c.language).format(value)
  const { unused_lifetime } = registration
  const of_registration: readonly Setting[] = [
    ['allowed.redirect_domains', any(registration.allowed_redirect_domains), 'allowed_redirect_domains'],
    ['allowed.schemes', list(registration.allowed_redirect_schemes), 'allowed_redirect_schemes'],
    ['allowed.private', list(registration.allowed_private_use_schemes), 'allowed_private_use_schemes'],
    ['allowed.reuse', text(registration.reuse ? 'word.yes' : 'word.no'), 'reuse'],
    [
      'allowed.unused',
      unused_lifetime === 0 ? text('allowed.never') : text('allowed.seconds', { count: unused_lifetime }),
      'unused_lifetime',
    ],
  ]
  const limits: readonly Setting[] = [
    ['allowed.per_minute', number(registration.register), 'register'],
    ['allowed.per_day', number(registration.registrations_per_day), 'registrations_per_day'],
  ]
  const rows = (settings: readonly Setting[], base: string): HtmlValue[][] =>
    settings.map(([name, value, key]) => [text(name), value, keyOf(c, `${base}.${key}`)])
  const documents: readonly Setting[] = [
    ['allowed.documents', state(metadata_documents.enabled), 'enabled'],
    ...(metadata_documents.enabled
      ? [['allowed.hosts', any(metadata_documents.allowed_hosts), 'allowed_hosts'] as const]
      : []),
  ]
  const { enabled, registration_endpoint } = registration
  const is_used = enabled || metadata_documents.enabled
  const columns = [text('allowed.what'), text('allowed.value'), text('allowed.key')]
  const shown = [
    ...rows([['allowed.registration', state(enabled), 'enabled']], CLIENTS.registration),
    ...(is_used ? rows(enabled ? of_registration : of_registration.slice(0, 3), CLIENTS.registration) : []),
    ...(enabled ? rows(limits, 'oidc.throttle') : []),
    ...rows(documents, CLIENTS.documents),
  ]
  return html`${table(c, { label: text('allowed.title'), columns, rows: shown })}
${registration_endpoint !== null && html`<p class="aside below">${text('allowed.endpoint')} ${code(c, registration_endpoint)}</p>`}
<p class="aside below">${text('allowed.how')}</p>`
}

/** A key, whose words stay whole on a narrow screen. */
function keyOf({ html }: OwnVisit, key: string): Html {
  const words = key.replaceAll(/[._]/g, '$& ').split(' ')
  return html`<code>${words.map((word) => html`${word}<wbr>`)}</code>`
}

const CLIENTS = {
  registration: 'oidc.clients.registration',
  documents: 'oidc.clients.metadata_documents',
}

/** What it is, its value, and its key. Documents follow the first three of registration, too. */
type Setting = readonly [name: Parameters<OwnVisit['text']>[0], value: HtmlValue, key: string]

interface Registered {
  items: readonly RegisteredClient[]
  next: string | null
}

function registeredClients(
  c: OwnVisit,
  { registration }: RegistrationSettings,
  { items, next }: Registered,
): Html {
  const { html, text, url } = c
  const search = (url.searchParams.get('search') ?? '').slice(0, MAX_SEARCH)
  const found = matching(items, search)
  if (items.length === 0 && next === null && search === '')
    return emptyState(c, {
      title: text('registered.none'),
      sentence: text(registration.enabled ? 'registered.none_why' : 'registered.off'),
    })
  const columns = [
    text('registered.name'),
    text('registered.id'),
    text('registered.redirects'),
    text('registered.since'),
  ]
  const rows = found.map((client) => rowOf(c, client))
  return html`<p class="aside">${text('registered.own_words')}</p>
${searchForm(c, search)}
${rows.length === 0 ? html`<p class="empty-line">${text('registered.no_match')}</p>` : table(c, { label: text('registered.title'), columns, rows })}
${next !== null && html`<p class="aside below">${text('registered.more')}</p>`}
${nextPage(c, next)}`
}

/** Characters of a search. */
const MAX_SEARCH = 255

function searchForm(c: OwnVisit, value: string): Html {
  const { html, text } = c
  const field = {
    name: 'search',
    label: text('registered.search'),
    kind: 'search',
    max_length: MAX_SEARCH,
  } as const
  return html`<form class="search" method="get">
${fieldOf(c, field, { value, faults: [] })}
<button type="submit" class="quiet">${text('registered.find')}</button>
</form>`
}

const rowOf = (c: OwnVisit, client: RegisteredClient): HtmlValue[] => {
  const { html, text } = c
  const { client_id, client_name, redirect_uris, revoked_at, client_id_issued_at } = client
  const hosts = [...new Set(redirect_uris.map(placeOf))]
  return [
    html`<span><a href="${pathOf(c, 'clients', client_id)}"><bdi>${client_name}</bdi></a> ${pill(c, text('registered.origin'))}${revoked_at !== null && html` ${pill(c, text('registered.revoked'), 'bad')}`}</span>`,
    code(c, client_id),
    html`<div>${hosts.map((host) => html`${code(c, host)}<br>`)}</div>`,
    timeOf(c, client_id_issued_at),
  ]
}

/** The origin of a redirect URI; its scheme, where it has no host. */
function placeOf(uri: string): string {
  if (!URL.canParse(uri)) return uri
  const { protocol, host } = new URL(uri)
  return host === '' ? protocol : `${protocol}//${host}`
}
