/**
 * The logos of clients that an operator made. This server fetches and serves them: a browser that loaded a logo from the
 * client's host would tell that host about each sign-in. The addresses come from the operator, never from a request.
 */

import { type Client, type FetchDocument, type Realm, sha256, unlessAborted } from '@ostiary/core'
import { type ImageType, imageType } from '../web/image-type.js'
import { LOGO_PATH, pathIn } from '../web/paths.js'

export interface Logo {
  type: ImageType
  body: Uint8Array<ArrayBuffer>
}

export interface ClientLogos {
  /** The logo's address at this server, when its image is there. A page waits for the first fetch, but not for long. */
  pathOf(realm: Realm, client: Client): Promise<string | null>
  /** The image for the address that `pathOf` made; null when there is none. */
  find(client: Client, version: string): Promise<Logo | null>
}

const MAX_LOGO_BYTES = 64 * 1024
/** 200 logos take at most 12.5 MiB. */
const MAX_LOGOS = 200
const MAX_CONCURRENT_FETCHES = 8
const KEEP_SECONDS = 3600
/** A host that fails is asked again after this time. */
const KEEP_FAILURE_SECONDS = 600
/** How long a page waits for a logo that was never fetched. */
const PAGE_WAIT_MILLISECONDS = 1000

const ACCEPT = 'image/png, image/jpeg, image/webp, image/gif, image/svg+xml'

interface StoredLogo {
  logo: Promise<Logo | null>
  /** Epoch seconds; infinite while the fetch is under way, so that there is one for each address. */
  expires_at: number
}

/** @param fetchDocument Undefined: no logo is ever shown. */
export function clientLogos(fetchDocument: FetchDocument | undefined, now: () => number): ClientLogos {
  const stored = new Map<string, StoredLogo>()
  let fetches = 0

  function read(fetchNow: FetchDocument, uri: string): Promise<Logo | null> {
    const known = stored.get(uri)
    stored.delete(uri)
    if (known && known.expires_at > now()) {
      // At the end again: the first entry is the one that was not used for the longest time.
      stored.set(uri, known)
      return known.logo
    }
    if (fetches >= MAX_CONCURRENT_FETCHES) return Promise.resolve(null)
    fetches += 1
    const entry: StoredLogo = { logo: fetchLogo(fetchNow, uri), expires_at: Number.POSITIVE_INFINITY }
    entry.logo.then((logo) => {
      fetches -= 1
      entry.expires_at = now() + (logo === null ? KEEP_FAILURE_SECONDS : KEEP_SECONDS)
    })
    stored.set(uri, entry)
    for (const oldest of stored.keys()) if (stored.size > MAX_LOGOS) stored.delete(oldest)
    return entry.logo
  }

  return {
    async pathOf(realm, client) {
      const uri = logoUri(client)
      if (uri === null || !fetchDocument) return null
      const logo = await unlessAborted(AbortSignal.timeout(PAGE_WAIT_MILLISECONDS), read(fetchDocument, uri))
        // The fetch continues, for the next page.
        .catch(() => null)
      if (logo === null) return null
      const query = new URLSearchParams({ client_id: client.client_id, v: versionOf(uri) })
      return `${pathIn(realm, LOGO_PATH)}?${query}`
    },
    async find(client, version) {
      const uri = logoUri(client)
      return uri !== null && fetchDocument && version === versionOf(uri) ? read(fetchDocument, uri) : null
    },
  }
}

/** A client that registered itself could have this server fetch any address. */
const logoUri = ({ logo_uri, origin, revoked_at }: Client): string | null =>
  origin !== 'operator' || revoked_at !== null ? null : logo_uri

const versionOf = (uri: string): string => sha256(uri).slice(0, 12)

async function fetchLogo(fetchDocument: FetchDocument, uri: string): Promise<Logo | null> {
  try {
    const { status, body } = await fetchDocument(uri, { max_bytes: MAX_LOGO_BYTES, accept: ACCEPT })
    const type = status === 200 && body.length <= MAX_LOGO_BYTES ? imageType(body) : null
    return type === null ? null : { type, body }
  } catch {
    return null
  }
}
