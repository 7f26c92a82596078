/** createConsole(): the pages of administrators behind one `fetch`. */

import { createHash } from 'node:crypto'
import { referenceByHash } from '@ostiary/core/common'
import { answerOf } from './answer.js'
import type { ConsoleOptions, ConsoleRequest, Incoming } from './options.js'
import { refusalCard } from './pages/errors.js'
import { RULES } from './pages/style.js'
import { CONSOLE_PATH } from './paths.js'
import { acceptedLanguage, TAGS } from './texts/texts-of.js'
import { usersArea } from './users/area.js'
import type { Look } from './visit.js'
import { styleAnswer } from './web/answers.js'
import { hashOf } from './web/seal.js'

/** The console. */
export interface Console {
  /** Answers a request to one of its paths. It never throws. */
  fetch(request: Request, info: ConsoleRequest): Promise<Response>
}

const STYLE_PATH = `${CONSOLE_PATH}/style.css`

/**
 * The console: pages on which administrators work, at `/admin`.
 *
 * @example
 * ```ts
 * import { type ConsoleOptions, createConsole } from '@ostiary/console'
 *
 * export const administration = (options: ConsoleOptions) => {
 *   const console = createConsole(options)
 *   return (request: Request, body: Uint8Array | null) =>
 *     console.fetch(request, { body, request_id: crypto.randomUUID() })
 * }
 * ```
 */
export function createConsole(options: ConsoleOptions): Console {
  const { issuer, pages, areas = [usersArea] } = options
  const rules = [RULES, ...areas.map((area) => area.style ?? '')]
  const style = lazily(async () => {
    const answer = await pages(new Request(`${issuer}/login/style.css`))
    return [await answer?.text(), ...rules].join('')
  })
  return {
    async fetch(request, info) {
      const look = await lookOf(options, { request, info, css: style })
      try {
        const { pathname } = new URL(request.url)
        if (pathname === STYLE_PATH) return styleAnswer(await style())
        const answer = await answerOf({ ...options, areas }, { request, info, look })
        return request.method === 'HEAD' ? new Response(null, answer) : answer
      } catch (cause) {
        options.failed(cause, info.request_id)
        return refusalCard(look, options.unavailable(cause) ? 'unavailable' : 'failed')
      }
    },
  }
}

/** A failure is not kept. */
function lazily<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null
      throw error
    })
    return made
  }
}

async function lookOf(
  { html, origin, resource, realmOf, theme = {}, language: standard = 'en' }: ConsoleOptions,
  { request, info, css }: Incoming & { css: () => Promise<string> },
): Promise<Look> {
  const language = acceptedLanguage(request.headers.get('accept-language')) ?? standard
  const known = TAGS.includes(language) ? language : 'en'
  const brand = { name: theme.name ?? new URL(origin).host, logo_url: theme.logo_url ?? null }
  // A page without its colors is better than none.
  const style_version = hashOf(await css().catch(() => '')).slice(0, 12)
  const reference = referenceByHash(createHash('sha256').update(info.request_id).digest('hex'))
  return { html, origin, resource, realmOf, brand, style_version, language: known, reference }
}
