/** What the API shows of registration. Times are epoch seconds. */

export interface RegistrationSettings {
  registration: {
    enabled: boolean
    registration_endpoint: string | null
    allowed_redirect_schemes: readonly string[]
    allowed_private_use_schemes: readonly string[]
    allowed_redirect_domains: readonly string[]
    reuse: boolean
    /** Seconds; 0: never. */
    unused_lifetime: number
    /** A minute and address. */
    register: number
    registrations_per_day: number
  }
  metadata_documents: { enabled: boolean; allowed_hosts: readonly string[] }
}

/** A client that registered itself. */
export interface RegisteredClient {
  client_id: string
  client_name: string
  client_id_issued_at: number
  revoked_at: number | null
  redirect_uris: readonly string[]
}

export interface ClientDocument {
  /** Its URL. */
  client_id: string
  /** The text that was fetched. */
  document: string
  fetched_at: number
  changed_at: number
  expires_at: number
}

/** The newest first, of those that have the text in their name, id or redirect URIs; all of them with an empty one. */
export function matching(clients: readonly RegisteredClient[], search: string): RegisteredClient[] {
  const wanted = folded(search)
  return clients
    .filter(({ client_id, client_name, redirect_uris }) =>
      [client_id, client_name, ...redirect_uris].some((text) => folded(text).includes(wanted)),
    )
    .sort((one, other) => other.client_id_issued_at - one.client_id_issued_at)
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase().trim()
