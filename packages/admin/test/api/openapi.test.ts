/** The OpenAPI document is what the operations say, and is kept in the repository. */

import { fileURLToPath } from 'node:url'
import { clientTypes } from '@ostiary/openapi-tools/client-types'
import { lint } from '@ostiary/openapi-tools/lint'
import { expect, it, vi } from 'vitest'
import { openApi } from '../../src/api/openapi.ts'
import { OPERATIONS, PLAIN_OPERATIONS } from './_operations.ts'
import { adminPlace, RESOURCE } from './_place.ts'

it('openapi.json is up to date', async () => {
  const document = openApi(OPERATIONS, 'https://id.example.com/admin/api/v1')
  const text = JSON.stringify(document, null, '\t')
  const short = text.replaceAll(/[{[]\n[^{}[\]]*[}\]]/g, (innermost) => innermost.replaceAll(/\n\t*/g, ''))
  await expect(`${short}\n`).toMatchFileSnapshot('../../openapi.json')
})

it('the types that a client generates of it are up to date', async () => {
  const types = await clientTypes(openApi(OPERATIONS, 'https://id.example.com/admin/api/v1'))
  await expect(types).toMatchFileSnapshot('openapi-types.ts')
})

it('a linter finds nothing in it, without a network', async () => {
  const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))
  const result = await lint({ document: path('openapi.json'), config: path('redocly.yaml') })
  expect(result).toMatchObject({ problems: [], code: 0 })
  expect(result.output).not.toContain('NETWORK')
  // It does look: with its rules as they come, the address of the example is refused.
  const strict = await lint({ document: path('openapi.json'), config: path('test/api/redocly-all.yaml') })
  expect(strict.problems).toEqual([expect.stringContaining('error no-server-example.com')])
})

it('is served to everyone, with the address of the server', async () => {
  const { admin } = await adminPlace()
  const answer = await admin.fetch(new Request(`${RESOURCE}/openapi.json`))
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(openApi(OPERATIONS, RESOURCE))))
})

it('without realms at run time, it has nothing of them', async () => {
  const { admin } = await adminPlace({ run_time: null })
  const answer = await admin.fetch(new Request(`${RESOURCE}/openapi.json`))
  const text = await answer.text()
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(openApi(PLAIN_OPERATIONS, RESOURCE))))
  const { paths, components } = JSON.parse(text)
  expect(Object.keys(paths).filter((path) => path === '/realms' || path === '/realms/{realm}')).toEqual([])
  const { effects } = components.schemas.DryRun.properties
  expect(Object.keys(effects.properties)).toEqual(['sessions', 'grants', 'consents', 'keys'])
  expect(effects.properties.sessions).toEqual({
    type: 'integer',
    minimum: -9007199254740991,
    maximum: 9007199254740991,
    description: 'How many end',
  })
})

it('has each operation once, with the parameters of its path', () => {
  const ids = OPERATIONS.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const lines = OPERATIONS.map(({ method, path }) => `${method} ${path}`)
  expect(new Set(lines).size).toBe(lines.length)
  const { paths } = openApi(OPERATIONS, '') as {
    paths: Record<string, Record<string, { parameters: { name: string; in: string }[] }>>
  }
  for (const { method, path } of OPERATIONS) {
    const { parameters = [] } = paths[path]?.[method.toLowerCase()] ?? {}
    const named = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`)
    expect(named).toEqual(path.match(/\{\w+\}/g) ?? [])
  }
})

it('an answer that is not ready in five seconds is a 503', async () => {
  vi.useFakeTimers()
  try {
    const place = await adminPlace({
      is_timed: true,
      options: { roles: { of: () => new Promise(() => {}), list: async () => [], change: async () => null } },
    })
    const { access_token } = await place.program()
    const answer = place.call(access_token, 'GET /realms/acme/clients')
    let is_answered = false
    void answer.then(() => {
      is_answered = true
    })
    await vi.advanceTimersByTimeAsync(4999)
    expect(is_answered).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await answer).toMatchObject({ status: 503, body: { type: 'urn:ostiary:problem:unavailable' } })
  } finally {
    vi.useRealTimers()
  }
})
