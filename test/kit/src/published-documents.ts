/** What clients publish, for a provider in this process: its port `fetch_document`, without a network. */

import type { DocumentRequest, FetchDocument, FetchedDocument } from '@ostiary/core'

export interface Publication {
  status?: number
  headers?: Record<string, string>
  /** An object is served as JSON, a string as it is. */
  body: object | string
}

export interface PublishedDocuments {
  /** The port of the provider. */
  fetch_document: FetchDocument
  /** Publishes a document at its client_id, or anything else at a URL. */
  put(document: { client_id: string } & Record<string, unknown>): void
  serve(url: string, answer: Publication | (() => Promise<FetchedDocument>)): void
  /** The requests, oldest first. */
  requests: { url: string; options: DocumentRequest }[]
  /** The hosts that refuse connections; `*` is all. */
  down: Set<string>
}

export function publishedDocuments(): PublishedDocuments {
  const answers = new Map<string, () => Promise<FetchedDocument>>()
  const requests: PublishedDocuments['requests'] = []
  const down = new Set<string>()
  const serve: PublishedDocuments['serve'] = (url, answer) => {
    answers.set(url, typeof answer === 'function' ? answer : async () => published(answer))
  }
  return {
    requests,
    down,
    serve,
    put: (document) => serve(document.client_id, { body: document }),
    async fetch_document(url, options) {
      requests.push({ url, options })
      if (down.has('*') || down.has(new URL(url).host)) throw new Error('ECONNREFUSED')
      const answer = answers.get(url) ?? (async () => published({ status: 404, body: '' }))
      return answer()
    },
  }
}

/** A response as the port returns it. */
export function published({ status = 200, headers = {}, body }: Publication): FetchedDocument {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return {
    status,
    headers: new Headers({ 'content-type': 'application/json', ...headers }),
    body: new TextEncoder().encode(text),
  }
}
