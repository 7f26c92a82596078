/** The rows of events, and the requests that they come from. */

import type { RequestOrigin } from './changes.js'
import { type AnyEvent, type EventParts, KEPT, partsOf } from './kept.js'
import type { Recorder } from './recorder.js'
import { referenceOf } from './row.js'

/** A request that is being answered. */
export interface AuditedRequest {
  request: Request
  /** As `RequestInfo.request_id` of `@ostiary/core`. */
  request_id: string
  /** Of the sender, when it is certain. */
  address?: string | undefined
  /** Who counts as the sender, when `address` is not certain. */
  peer?: string | undefined
}

/** What is kept of it is computed when one of its events is: most requests have none. */
interface OpenRequest {
  flow(): string | null
  address: string | undefined
  /** Whose refusals are counted together. */
  sender: string
}

const noFlow = () => null

/** The requests that are being answered. */
export interface OpenRequests {
  during<T>(request: AuditedRequest, answer: () => Promise<T>): Promise<T>
  noteFlow(request: Request, flow: string): void
  find(request_id: string | undefined): OpenRequest | undefined
  originOf(request_id: string): RequestOrigin
  /** How an address is kept. */
  shown(address: string | null | undefined): string | undefined
}

export function openRequests(form: (address: string) => string | undefined): OpenRequests {
  const by_id = new Map<string, OpenRequest>()
  // Most requests belong to no flow.
  const flows = new WeakMap<Request, string>()
  const find = (request_id: string | undefined) =>
    request_id === undefined ? undefined : by_id.get(request_id)
  const shown = (address: string | null | undefined) => (address == null ? undefined : form(address))
  return {
    during({ request, request_id, address, peer }, answer) {
      const flow = () => flows.get(request) ?? null
      const open: OpenRequest = { flow, address, sender: address ?? peer ?? '' }
      by_id.set(request_id, open)
      // A proxy may send one id twice: the newer request keeps its entry.
      const close = () => {
        if (by_id.get(request_id) === open) by_id.delete(request_id)
        // The entry may stay in memory until the next full collection of garbage: V8 links each table of a Map to the next one.
        open.flow = noFlow
      }
      const answered = answer()
      answered.then(close, close)
      return answered
    },
    noteFlow: (request, flow) => void flows.set(request, flow),
    find,
    originOf(request_id) {
      const open = by_id.get(request_id)
      return {
        request_id,
        get reference() {
          return referenceOf(request_id)
        },
        get address() {
          return shown(open?.address)
        },
        get flow() {
          return open?.flow() ?? null
        },
      }
    },
    shown,
  }
}

interface EventRows {
  recorder: Recorder
  requests: OpenRequests
  keeps_all: boolean
}

/** A sink of events, which writes a row for each that is kept. */
export function eventRows({ recorder, requests, keeps_all }: EventRows): (event: AnyEvent) => void {
  return (event) => {
    const { kept, counted } = KEPT[event.type]
    if (kept === 'all' && !keeps_all) return
    const open = requests.find(event.request_id)
    const flow = open?.flow() ?? null
    const request = { flow, address: open?.address, shown: requests.shown }
    if (!counted) return recorder.add(event, () => rowOf(event, partsOf(event), request))
    const parts = partsOf(event)
    const row = rowOf(event, parts, request)
    const key = JSON.stringify([event.type, parts.data.reason, row.client_id, row.sub, row.private?.address])
    recorder.count(row, { key, sender: open?.sender ?? parts.address ?? '' })
  }
}

/** What a row has of the request that is being answered. */
interface RowRequest {
  flow: string | null
  address: string | undefined
  shown: OpenRequests['shown']
}

function rowOf(event: AnyEvent, parts: EventParts, request: RowRequest) {
  const { outcome, counted } = KEPT[event.type]
  const { time, realm, type, request_id } = event
  const { sub, client_id, data } = parts
  const address = request.shown(parts.address ?? request.address)
  if (request_id !== undefined) data.request_id = request_id
  return {
    time,
    realm,
    type,
    outcome,
    sub,
    client_id,
    actor: actorOf({ sub, client_id, request_id, is_known: outcome === 'done' && !counted }),
    flow: request.flow,
    refs: request_id === undefined ? [] : [referenceOf(request_id)],
    data,
    private: address === undefined ? undefined : { address },
  }
}

interface Acting {
  sub?: string | null | undefined
  client_id?: string | null | undefined
  request_id: string | undefined
  /** Whether it is who has signed in, or authenticated. */
  is_known: boolean
}

/** Who has done it; `system` for what no request has caused. */
export function actorOf({ sub, client_id, request_id, is_known }: Acting): string {
  if (request_id === undefined) return 'system'
  if (is_known && sub != null) return `sub:${sub}`
  return is_known && client_id != null ? `client:${client_id}` : 'stranger'
}
