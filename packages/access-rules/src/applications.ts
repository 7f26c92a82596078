/** createApplications: one of the option `extensions` of createIdentity. */

import type { Client } from '@ostiary/core'
import type { Extension, ExtensionSection, UserVisit } from '@ostiary/identity'
import { textsOf } from './texts.js'

/** The clients of a realm: `storage(realm).clients`. */
export interface ClientPages {
  /** Sorted by `client_id`, beginning after `after`. */
  list(page: { after?: string; limit: number }): Promise<Client[]>
}

/** The options of `createApplications`. */
export interface ApplicationsOptions {
  /** The ids of the realms whose account page has the section. */
  realms: readonly string[]
  /** The clients of a realm. */
  clients: (realm: string) => ClientPages
}

/** Of the clients of a realm, those with the smallest ids. */
const MAX_READ = 2_000
const READ_BATCH = 200
/** Of the applications of a user. */
const MAX_SHOWN = 100
/** How long the clients of a realm are remembered. */
const REMEMBERED_SECONDS = 30

type Application = Pick<Client, 'client_id' | 'client_name' | 'allowed_groups'> & { client_uri: string }

interface Remembered {
  until: number
  applications: Promise<Application[]>
}

/**
 * Lists on the account page the applications that the user may use: those with a `client_uri` and, where they have `allowed_groups`, in
 * one of whose groups the user is.
 *
 * @example
 * ```ts
 * import { memoryStorage } from '@ostiary/core/memory'
 * import { createApplications } from '@ostiary/access-rules'
 *
 * const storage = memoryStorage()
 * // One of the option `extensions` of createIdentity.
 * export const applications = createApplications({
 *   realms: ['default'],
 *   clients: (realm) => storage(realm).clients,
 * })
 * ```
 */
export function createApplications({ realms, clients }: ApplicationsOptions): Extension {
  const remembered = new Map<string, Remembered>()
  const read = (realm: string, now: number): Promise<Application[]> => {
    const known = remembered.get(realm)
    if (known && known.until > now) return known.applications
    const applications = readApplications(clients(realm))
    remembered.set(realm, { until: now + REMEMBERED_SECONDS, applications })
    // A failure is not remembered.
    applications.catch(() => remembered.delete(realm))
    return applications
  }
  return {
    name: 'applications',
    section: async (c) => (realms.includes(c.realm.id) ? section(c, await read(c.realm.id, c.now())) : null),
  }
}

/** Live clients with a page. Only an operator gives one a page. */
async function readApplications(clients: ClientPages): Promise<Application[]> {
  const found: Application[] = []
  let after: string | undefined
  for (let count = 0; count < MAX_READ; count += READ_BATCH) {
    const page = await clients.list({ limit: READ_BATCH, ...(after !== undefined && { after }) })
    for (const { client_id, client_name, client_uri, allowed_groups, revoked_at } of page)
      if (client_uri !== null && revoked_at === null)
        found.push({ client_id, client_name, client_uri, allowed_groups })
    after = page.at(-1)?.client_id
    if (page.length < READ_BATCH) break
  }
  return found
}

function section(c: UserVisit, all: readonly Application[]): ExtensionSection | null {
  const { html, language, user } = c
  const texts = textsOf(language.tag)
  const groups = new Set(user.groups ?? [])
  const own = all
    .filter(({ allowed_groups }) => !allowed_groups || allowed_groups.some((group) => groups.has(group)))
    .sort((a, b) => a.client_name.localeCompare(b.client_name, language.tag))
    .slice(0, MAX_SHOWN)
  if (own.length === 0) return null
  return {
    html: html`
<section aria-labelledby="applications">
<h2 id="applications">${texts.applications}</h2>
<p class="aside">${texts.hint}</p>
<ul class="rows">${own.map(
      ({ client_id, client_name, client_uri }) => html`<li>
<div><bdi><a href="${client_uri}" rel="noopener noreferrer">${client_name.trim() || client_id}</a></bdi></div>
</li>
`,
    )}</ul>
</section>`,
  }
}
