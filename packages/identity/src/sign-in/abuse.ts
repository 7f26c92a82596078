/** What an application says to a form with which a stranger makes this server mail. */

import { failurePage } from '../pages/error.js'
import { type Html, html, isMarkup } from '../pages/html.js'
import type { Presentation } from '../pages/presentation.js'
import type { Visit } from './extensions/seam.js'

/** The option `abuse` of `createIdentity`. */
export interface AbuseCheck {
  /**
   * Asked before a mail is queued. `ok`: the form goes on. `refuse`: the page says so. Html: what the form has too, such as a question. When it
   * fails, or takes 5 seconds: 503.
   */
  check(asked: AbuseQuestion): Promise<'ok' | 'refuse' | Html>
}

/** A form that was sent. */
export interface AbuseQuestion {
  /** Of the page of a new account, or of a forgotten password and a recovery by mail. */
  action: 'sign_up' | 'forgot'
  realm: string
  /** Its body was read. */
  request: Request
  form: URLSearchParams
  address: string | null
  /** Aborted after 5 seconds. */
  signal: AbortSignal
  /** Escapes its values. */
  html: typeof html
}

const CHECK_MS = 5000

/** What the page of the form shows. */
export interface AbuseAnswer {
  /** A sentence; empty for none. */
  problem: string
  /** What the form has too. */
  more: Html | null
  status: 403 | 422
}

interface CheckedForm extends Presentation, Pick<Visit, 'realm' | 'request' | 'address' | 'emit'> {
  abuse: AbuseCheck | null
}

/** Null: the form goes on. */
export async function checkAbuse(
  c: CheckedForm,
  action: AbuseQuestion['action'],
  form: URLSearchParams,
): Promise<Response | AbuseAnswer | null> {
  const { abuse, realm, request, address, language } = c
  if (abuse === null) return null
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), CHECK_MS)
  const asked = { action, realm: realm.id, request, form, address, signal: late.signal, html }
  try {
    const aborted = new Promise<never>((_, reject) => {
      late.signal.addEventListener('abort', () => reject(late.signal.reason))
    })
    const answer: unknown = await Promise.race([aborted, abuse.check(asked)])
    if (answer === 'ok') return null
    if (isMarkup(answer)) return { problem: '', more: answer, status: 422 }
    if (answer !== 'refuse') throw new Error('abuse.check: its answer is neither ok nor refuse nor Html')
    c.emit({ type: 'abuse.refused', action, answer: 'refuse' })
    const problem = `${language.text('error.refused')} ${language.text('error.tell_operator')}`
    return { problem, more: null, status: 403 }
  } catch (cause) {
    c.emit({ type: 'abuse.refused', action, answer: late.signal.aborted ? 'timeout' : 'error', cause })
    return failurePage(c, realm, true)
  } finally {
    clearTimeout(timer)
  }
}
