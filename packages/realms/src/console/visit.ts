/** A request to these pages. */

import {
  type ApiAnswer,
  type ApiCall,
  type TextOf,
  textsOf,
  type Visit,
  type VisitWith,
} from '@ostiary/console'
import { type OwnKey, TEXTS } from './texts.js'

/** With the texts of these pages. */
export type OwnVisit = VisitWith<typeof TEXTS>

/** The body of a request for a text that is no JSON: it is not sent. */
interface Unread {
  /** Of the text; null where it is not known. */
  line: number | null
}

const unread = new WeakMap<object, Unread>()

/** The settings that were typed. */
export function typedSettings(typed: string): object {
  const text = typed.trim() === '' ? '{}' : typed
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
    return unreadBody({ line: null })
  } catch (error) {
    const [, position] = /position (\d+)/.exec(String(error)) ?? []
    return unreadBody({
      line: position === undefined ? null : text.slice(0, Number(position)).split('\n').length,
    })
  }
}

function unreadBody(why: Unread): object {
  const body = {}
  unread.set(body, why)
  return body
}

/** Whether the settings could not be read. */
export const isUnread = (settings: object): boolean => unread.has(settings)

/** Each fault says to which setting it belongs: all are typed in one field. */
export function own(c: Visit): OwnVisit {
  const text = textsOf(TEXTS, c.language)
  return {
    ...c,
    text,
    async api(call) {
      const why = unread.get(call.body ?? {})
      if (why !== undefined) return unreadAnswer(text, why)
      return withPaths(await c.api(call as ApiCall))
    },
  }
}

function unreadAnswer(text: TextOf<OwnKey>, { line }: Unread): ApiAnswer {
  const message = line === null ? text('edit.no_object') : text('edit.no_json', { line })
  const errors = [{ pointer: '/', message }]
  const problem = { type: 'urn:ostiary:problem:invalid_request', detail: message, errors }
  return { status: 400, body: problem, etag: null }
}

interface Fault {
  pointer: string
  message: string
  suggestion?: string
}

function withPaths(answer: ApiAnswer): ApiAnswer {
  const { errors } = (answer.body ?? {}) as { errors?: readonly Fault[] }
  if (answer.status !== 400 || !Array.isArray(errors)) return answer
  const named = (errors as readonly Fault[]).map(({ pointer, message, suggestion }) => ({
    pointer,
    message: `${pointer}: ${message}${suggestion === undefined ? '' : `, did you mean ${suggestion}?`}`,
  }))
  return { ...answer, body: { ...(answer.body as object), errors: named } }
}
