/** The settings of sinks, and what is wrong with them. */

import { createHash } from 'node:crypto'
import type { withSuggestion } from '@ostiary/core'
import { type ConfigFault, isLoopbackHost } from '@ostiary/core/common'
import { type TypeContext, typeFault } from './row-types.js'
import { secretFault } from './webhook.js'

/** A receiver of rows. */
export interface SinkSettings {
  /** Where rows are sent, by https. */
  url: string
  /** Types of rows, and beginnings of types with a dot at their end (`client.`). All when absent. */
  events?: readonly string[] | undefined
  /** `json`: Standard Webhooks. `set`: Security Event Tokens (RFC 8417), pushed as RFC 8935 says. */
  format: 'json' | 'set'
  /** Of `json`: `whsec_` and 24 to 64 bytes in base64. Two of them, with a space between, while it is being changed. */
  secret?: string | undefined
  /** Whether the receiver may be in a private network, or on this machine. */
  allow_private?: boolean | undefined
}

/** Receivers that an audit has at most. */
const MAX_SINKS = 8
const MAX_URL_LENGTH = 2048

/** What the cursor of a sink is stored with. A URL may contain a secret, so it is not stored. */
export const sinkId = (url: string): string =>
  createHash('sha256').update(new URL(url).href).digest('base64url')

/** What the settings are for. */
export interface SinkContext extends TypeContext {
  /** Adds the type that was probably meant: `withSuggestion` of `@ostiary/core`. None is added when absent. */
  suggest?: typeof withSuggestion
}

/** What is wrong with the settings; the paths begin with the index of a sink. */
export function sinkFaults(sinks: readonly SinkSettings[], context: SinkContext): ConfigFault[] {
  if (sinks.length > MAX_SINKS)
    return [{ path: '', message: `there are ${sinks.length}: give at most ${MAX_SINKS}` }]
  const urls = new Map<string, number>()
  return sinks.flatMap((sink, index) => {
    const same = URL.canParse(sink.url) ? urls.get(new URL(sink.url).href) : undefined
    if (URL.canParse(sink.url)) urls.set(new URL(sink.url).href, index)
    const faults = [
      ...urlFaults(sink),
      ...(same === undefined ? [] : [fault('url', `sink ${same} has it too: give both one entry`)]),
      ...secretFaults(sink),
      ...typeFaults(sink, context),
    ]
    return faults.map((each) => ({ ...each, path: `${index}.${each.path}` }))
  })
}

const fault = (path: string, message: string): ConfigFault => ({ path, message })

function urlFaults({ url: text, allow_private = false }: SinkSettings): ConfigFault[] {
  if (text.length > MAX_URL_LENGTH)
    return [fault('url', `it has ${text.length} characters: give at most ${MAX_URL_LENGTH}`)]
  if (!URL.canParse(text)) return [fault('url', HTTPS)]
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    return [
      fault('url', 'it has a user or a password: leave them out, and let the receiver check the signature'),
    ]
  if (url.hash !== '' || text.endsWith('#')) return [fault('url', 'it has a fragment (#…): leave it out')]
  if (url.protocol === 'https:') return []
  if (url.protocol !== 'http:' || !isLoopbackHost(url.hostname)) return [fault('url', HTTPS)]
  return allow_private
    ? []
    : [
        fault(
          'url',
          'http is for a receiver on this machine: give an https URL, or set allow_private to true',
        ),
      ]
}
const HTTPS = 'give an https URL such as https://siem.example.com/ostiary'

function secretFaults({ format, secret }: SinkSettings): ConfigFault[] {
  if (format === 'set')
    return secret === undefined
      ? []
      : [fault('secret', 'format set has none, because the keys of the realm sign: leave it out')]
  if (secret === undefined)
    return [
      fault(
        'secret',
        'format json needs one: name the variable that has it, whsec_ and 24 random bytes or more in base64',
      ),
    ]
  const message = secretFault(secret)
  return message === null ? [] : [fault('secret', message)]
}

function typeFaults({ events }: SinkSettings, context: SinkContext): ConfigFault[] {
  if (events?.length === 0)
    return [fault('events', 'it is empty: leave it out for all types, or remove the sink')]
  return (events ?? []).flatMap((type, index) => {
    const found = typeFault(type, context)
    if (found === null) return []
    const at = { path: `events.${index}`, message: found.message }
    return [found.candidates === undefined ? at : (context.suggest?.(at, type, found.candidates) ?? at)]
  })
}
