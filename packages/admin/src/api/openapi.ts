/** The OpenAPI 3.1 document, made from the operations. */

import * as z from 'zod'
import { scopeOf } from '../roles/decide.js'
import type { Operation } from './operation.js'
import { PROBLEMS } from './problem.js'
import { DRY_RUN_TYPE, dryRunAnswer } from './schemas.js'

const PROBLEM = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  errors: z
    .array(z.object({ pointer: z.string(), message: z.string(), suggestion: z.string().optional() }))
    .optional(),
  request_id: z.string(),
})

const PROBLEM_ANSWER = { $ref: '#/components/responses/Problem' }

/** @param server The URL of the API. */
export function openApi(operations: readonly Operation[], server: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations)
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationObject(operation),
    }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ostiary admin API',
      version: '1',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: server }],
    security: [{ oauth: [] }],
    paths,
    components: {
      securitySchemes: {
        oauth: { type: 'http', scheme: 'bearer', description: 'An access token for this resource' },
      },
      schemas: { DryRun: schemaOf(dryRunAnswer(operations.some(({ of_server }) => of_server)), 'output') },
      responses: {
        Problem: {
          description: `A refusal (RFC 9457): ${Object.keys(PROBLEMS).join(', ')}`,
          content: { 'application/problem+json': { schema: schemaOf(PROBLEM, 'output') } },
        },
      },
    },
  }
}

function operationObject({ id, summary, area, access, query, body, path, ...rest }: Operation): object {
  const { answers, needs_match, is_patch, recent, has_etag } = rest
  const [tag = ''] = id.split('.')
  const is_write = access === 'write'
  const age = recent ? 300 : 3600
  return {
    operationId: id,
    summary,
    tags: [tag],
    description: `Scope ${scopeOf(area, access)}. A person has signed in with two factors, at most ${age} seconds ago.`,
    parameters: [
      ...pathParameters(path),
      ...queryParameters(query),
      ...preconditions({ needs_match, method: rest.method }),
    ],
    ...(body && { requestBody: { required: true, content: contentOf(body, is_patch) } }),
    responses: {
      ...(is_write && { 200: DRY_RUN_ALONE }),
      ...Object.fromEntries(
        Object.entries(answers).map(([status, schema]) => [
          status,
          answerObject(schema, { has_etag, is_write, has_dry_run: is_write && status === '200' }),
        ]),
      ),
      '4XX': PROBLEM_ANSWER,
      '5XX': PROBLEM_ANSWER,
    },
  }
}

const pathParameters = (path: string): object[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1 },
  }))

const queryParameters = (query: z.ZodObject | undefined): object[] =>
  Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: schemaOf(schema as z.ZodType, 'input'),
  }))

function preconditions({
  method,
  needs_match,
}: Pick<Operation, 'method'> & { needs_match: true | undefined }) {
  const header = (name: string) => ({ name, in: 'header', required: false, schema: { type: 'string' } })
  const names = method === 'PUT' ? ['If-Match', 'If-None-Match'] : ['If-Match']
  return needs_match ? names.map(header) : []
}

const contentOf = (body: z.ZodType, is_patch: boolean | undefined): object => ({
  [is_patch ? 'application/merge-patch+json' : 'application/json']: { schema: schemaOf(body, 'input') },
})

const ETAG = { etag: { description: 'For If-Match', schema: { type: 'string' } } }
const LINK = {
  link: { description: 'The rows of the audit, as rel="describedby"', schema: { type: 'string' } },
}
const DRY_RUN_CONTENT = { [DRY_RUN_TYPE]: { schema: { $ref: '#/components/schemas/DryRun' } } }
const DRY_RUN_ALONE = { description: 'What would be done', headers: LINK, content: DRY_RUN_CONTENT }

const answerObject = (
  schema: z.ZodType | null,
  {
    has_etag,
    is_write,
    has_dry_run,
  }: { has_etag: boolean | undefined; is_write: boolean; has_dry_run: boolean },
): object => ({
  description: has_dry_run ? 'Done; or what would be done, of a dry run' : 'Done',
  ...((has_etag || is_write) && { headers: { ...(has_etag && ETAG), ...(is_write && LINK) } }),
  ...(schema !== null && {
    content: {
      'application/json': { schema: schemaOf(schema, 'output') },
      ...(has_dry_run && DRY_RUN_CONTENT),
    },
  }),
})

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return json
}
