/** The requests to an upstream: within a time, and with an answer of limited size. */

import { UpstreamRefusal } from '../refusal.js'

/** Milliseconds for the whole of a request. */
const REQUEST_MS = 10_000

/** 256 KiB: discovery documents and key sets have a tenth of it. */
const MAX_ANSWER_BYTES = 262_144

/** The part of `fetch` that is used. */
export type UpstreamFetch = (url: string, init: RequestInit) => Promise<Response>

/** Follows no redirect. @throws UpstreamRefusal `unreachable` */
export const limitedFetch =
  (send: UpstreamFetch): UpstreamFetch =>
  async (url, init) => {
    try {
      const signal = AbortSignal.timeout(REQUEST_MS)
      const response = await send(url, { ...init, redirect: 'manual', signal })
      if (response.status >= 500) throw new Error(`status ${response.status}`)
      const { status, headers } = response
      return new Response(await bodyOf(response), { status, headers: new Headers(headers) })
    } catch (cause) {
      throw new UpstreamRefusal('unreachable', cause)
    }
  }

async function bodyOf({ body }: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null) return null
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength
    if (length > MAX_ANSWER_BYTES) throw new Error('too large')
    chunks.push(chunk)
  }
  return length === 0 ? null : new Uint8Array(Buffer.concat(chunks))
}
