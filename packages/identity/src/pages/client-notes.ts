/** Notes about a client that registered itself, and about the host that gets the answer. */

import type { Client } from '@ostiary/core'
import { type Html, html } from './html.js'

export const selfRegisteredNote = ({ self_registered }: Client): Html | false =>
  self_registered &&
  html`<p class="note warning"><strong>This application registered itself.</strong> Make sure that you know it.</p>`

/** The host of the redirect URI. @param host As the provider shows it; taken from the URI when absent. */
export function answerTarget(redirect_uri: string, host: string = hostOf(redirect_uri)): Html {
  const mark = targetMark(redirect_uri)
  return html`<bdi>${host}</bdi>${mark !== null && html` (${mark})`}`
}

function hostOf(redirect_uri: string): string {
  if (!URL.canParse(redirect_uri)) return redirect_uri
  const { protocol, host } = new URL(redirect_uri)
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol}//${host}`
}

function targetMark(redirect_uri: string): string | null {
  if (!URL.canParse(redirect_uri)) return null
  const { protocol, hostname } = new URL(redirect_uri)
  if (protocol !== 'https:' && protocol !== 'http:') return null
  if (isLoopback(hostname)) return 'this computer'
  return protocol === 'http:' ? 'not encrypted' : null
}

/**
 * More hosts than core accepts for plain http, because this decides about a label only. `hostname` comes from the URL parser,
 * which writes every IPv4 address as four numbers.
 */
const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127\.\d+\.\d+\.\d+$/.test(hostname)
