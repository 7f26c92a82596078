/**
 * The client of the API that all tests use: `openapi-fetch`, as a program has it that was made from the OpenAPI document. Each
 * answer is compared with the document.
 */

import { answerCheck } from '@ostiary/openapi-tools/answers'
import createClient from 'openapi-fetch'
import { openApi } from '../../src/api/openapi.ts'
import { OPERATIONS } from './_operations.ts'
import type { paths } from './openapi-types.ts'

/** One request. */
export interface ApiRequest {
  method: string
  /** Below the address of the API, with its query. */
  path: string
  body?: unknown
  headers: Readonly<Record<string, string>>
}

/** One answer. */
export interface ApiAnswer {
  status: number
  headers: Headers
  etag: string
  /** Parsed; null when there is none. */
  body: ReturnType<JSON['parse']>
}

const ROUTES = OPERATIONS.map(({ method, path }) => ({
  method,
  path,
  names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
}))
const differenceOf = answerCheck(openApi(OPERATIONS, 'https://id.example.com/admin/api/v1'))

type Route = (typeof ROUTES)[number]
type Send = (request: Request) => Promise<Response>

/** Sends requests by the OpenAPI document. Those for what it does not have, and what is not UTF-8, are sent as they are. */
export function apiClient(server: string, send: Send): (request: ApiRequest) => Promise<ApiAnswer> {
  const api = createClient<paths>({ baseUrl: server })
  return async ({ method, path, body, headers }) => {
    const url = new URL(`${server}${path}`)
    const [pathname = ''] = path.split('?')
    const route = isText(path)
      ? ROUTES.find((known) => known.method === method && known.pattern.test(pathname))
      : undefined
    if (route === undefined) {
      const request = new Request(url, { method, headers, ...(body !== undefined && { body: textOf(body) }) })
      return answerOf(await send(request))
    }
    let response = Response.error()
    const options = {
      params: { path: pathParameters(route, pathname), query: queryOf(url.searchParams) },
      ...(body !== undefined && { body, bodySerializer: textOf }),
      headers,
      parseAs: 'stream',
      async fetch(request: Request) {
        if (!isSame(new URL(request.url), url))
          throw new Error(`${request.url} is asked for, instead of ${url.href}`)
        response = await send(request)
        return response.clone()
      },
    }
    await api.request(
      method.toLowerCase() as 'get',
      route.path as '/realms/{realm}/clients',
      options as never,
    )
    const answer = await answerOf(response)
    const content_type = response.headers.get('content-type')
    const given = { method, path: route.path, status: answer.status, content_type, body: answer.body }
    const difference = differenceOf(given)
    if (difference !== null) throw new Error(`${method} ${route.path}: ${difference}`)
    return answer
  }
}

/** Whether its percent-encoded bytes are UTF-8. */
function isText(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** Whether both are the same but for which characters are percent-encoded. */
const isSame = (one: URL, other: URL): boolean =>
  decodeURIComponent(one.pathname) === decodeURIComponent(other.pathname) &&
  JSON.stringify([...one.searchParams]) === JSON.stringify([...other.searchParams])

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))

function pathParameters({ names, pattern }: Route, pathname: string): Record<string, string> {
  const values = pattern.exec(pathname)?.slice(1) ?? []
  return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]))
}

/** A parameter that is given several times is a list. */
const queryOf = (search: URLSearchParams): Record<string, string | string[]> =>
  Object.fromEntries(
    [...new Set(search.keys())].map((name) => {
      const values = search.getAll(name)
      return [name, values.length > 1 ? values : (values[0] ?? '')]
    }),
  )

async function answerOf(response: Response): Promise<ApiAnswer> {
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    etag: response.headers.get('etag') ?? '',
    body: text === '' ? null : JSON.parse(text),
  }
}
