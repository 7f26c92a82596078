/** The client of the tests refuses an answer that the OpenAPI document does not have. */

import { expect, it } from 'vitest'
import { type ApiRequest, apiClient } from './_api-client.ts'

const SERVER = 'https://id.example.com/admin/api/v1'
const LIST = { method: 'GET', path: '/realms/acme/roles', headers: {} }
const ROLE = { sub: 'ann', client_id: null, role: 'owner', realms: ['*'], stays: null }

const ask = (answer: Response, asked: Partial<ApiRequest> = {}) =>
  apiClient(SERVER, async () => answer)({ ...LIST, ...asked })

it('takes what is documented', async () => {
  expect(await ask(Response.json({ items: [ROLE], grantable: [] }))).toMatchObject({ status: 200 })
  const problem = { type: 'x', title: 'x', status: 404, detail: 'x', request_id: 'x' }
  const headers = { 'content-type': 'application/problem+json' }
  expect(await ask(new Response(JSON.stringify(problem), { status: 404, headers }))).toMatchObject({
    status: 404,
  })
})

it.each([
  [
    'a status',
    Response.json({ items: [ROLE], grantable: [] }, { status: 203 }),
    'the status 203 is not documented',
  ],
  [
    'a member more',
    Response.json({ items: [ROLE], grantable: [], more: 1 }),
    'must NOT have additional properties',
  ],
  ['a member less', Response.json({ grantable: [] }), "must have required property 'items'"],
  ['a type of a member', Response.json({ items: [{ ...ROLE, role: 1 }], grantable: [] }), '/role must be'],
  ['a media type', new Response('{}', { headers: { 'content-type': 'text/html' } }), 'with text/html'],
  ['no body', new Response(null), '200 has no body'],
] as const)('refuses %s that is not', async (_, answer, message) => {
  await expect(ask(answer)).rejects.toThrow(message)
})

it('sends the request that was asked for, or fails', async () => {
  const seen: string[] = []
  const send = apiClient(SERVER, async (request) => {
    seen.push(`${request.method} ${request.url} ${await request.text()}`)
    return Response.json({ items: [], grantable: [] })
  })
  await send({ ...LIST, path: '/realms/a%2Fb/roles' })
  // What the document lacks, and what is not UTF-8, is sent as it is.
  await send({ ...LIST, method: 'PURGE' })
  await send({ ...LIST, path: '/realms/%ED%A0%80/roles' })
  expect(seen).toEqual([
    `GET ${SERVER}/realms/a%2Fb/roles `,
    `PURGE ${SERVER}/realms/acme/roles `,
    `GET ${SERVER}/realms/%ED%A0%80/roles `,
  ])
})
