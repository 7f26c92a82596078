/** What endpoints and pages ask about a client. Where the answer comes from is decided when the context of a realm is made. */

import type { Client, ClientStore } from '../storage/storage.js'
import type { EventDetails } from './events.js'

/** What a client is looked up for, which decides how recent its description must be. */
export type ClientPurpose =
  /** An authorization request: as the client is described now. */
  | 'authorize'
  /** A request that the client authenticates, or a page of a sign-in that it began: an older description may count. */
  | 'token'
  /** Such a request at an endpoint that asks no other host. */
  | 'known'

/** The request that asks. A context is one. */
export interface ClientRequester {
  /** The client's IP address; null: unknown. */
  address: string | null
  emit(event: EventDetails): void
}

export interface Clients {
  /**
   * Revoked clients included.
   * @throws OAuthError For the purpose `authorize` when the description is not usable; 429 when a limit of requests is reached.
   */
  find(client_id: string, purpose: ClientPurpose, by: ClientRequester): Promise<Client | null>
  /** For pages about clients in use: of whatever age, without a request to another host. */
  shown(client_id: string): Promise<Client | null>
  /** A user has used the client: keeps its description. Null when there is nothing to do. */
  used(client: Client): Promise<void> | null
  /** From when on a user's consent to the client counts, epoch seconds; null: no earlier consent counts. */
  consentsFrom(client: Client): Promise<number | null>
  /**
   * A user approves the client for the first time. Null: nothing is counted.
   * @throws OAuthError `temporarily_unavailable` when the user has approved too many
   */
  firstApproval(client: Client, sub: string): Promise<void> | null
  /** The user has approved the client as it is described now, where no earlier consent counted. `at`: epoch seconds. */
  approved(client: Client, at: number): Promise<void>
  /** Changes with what a user consents to; empty for a client that changes only in this storage. */
  mark(client: Client): string
}

const NOTHING = Promise.resolve()
const ALL = Promise.resolve(0)

/** The clients that are stored. */
export function storedClients(store: Pick<ClientStore, 'find'>): Clients {
  const find = (client_id: string) => store.find(client_id)
  return {
    find,
    shown: find,
    used: () => null,
    consentsFrom: () => ALL,
    firstApproval: () => null,
    approved: () => NOTHING,
    mark: () => '',
  }
}
