/** The requests to a server: with an answer of limited size, and without redirects to elsewhere. */

import type { CustomFetch } from 'openid-client'
import { LoginError } from '../login-error.js'

/** Bytes of an answer. A page of 200 users has a twentieth of it. */
const MAX_ANSWER_BYTES = 8_388_608

/** @throws LoginError when the server cannot be reached. */
export const limitedFetch: CustomFetch = async (url, options) => {
  const { origin } = new URL(url)
  const response = await fetch(url, { ...options, redirect: 'manual' } as RequestInit).catch((cause) => {
    throw unreachable(origin, cause)
  })
  const { status, statusText, headers } = response
  return new Response(await bodyOf(response, origin), { status, statusText, headers })
}

async function bodyOf({ body }: Response, origin: string): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null) return null
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      length += chunk.byteLength
      if (length > MAX_ANSWER_BYTES) throw new LoginError(`The answer of ${origin} has more than 8 MiB`)
      chunks.push(chunk)
    }
  } catch (cause) {
    if (cause instanceof LoginError) throw cause
    throw unreachable(origin, cause)
  }
  return length === 0 ? null : new Uint8Array(Buffer.concat(chunks))
}

function unreachable(origin: string, cause: unknown): LoginError {
  const { name, cause: inner } = cause as { name?: string; cause?: { code?: string; message?: string } }
  const reason =
    name === 'TimeoutError'
      ? 'no answer in 30 seconds'
      : (inner?.code ?? inner?.message ?? (cause as Error).message)
  return new LoginError(`${origin} cannot be reached: ${reason}`, cause)
}
