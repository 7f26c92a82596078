/** Compares answers with an OpenAPI document, by the JSON Schema validator of others. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

/** What was answered to a request for a path of the document. */
export interface GivenAnswer {
  method: string
  /** As the document has it, with its parameters in braces. */
  path: string
  status: number
  /** Null for an answer without a body. */
  content_type: string | null
  /** The parsed body; null when there is none. */
  body: unknown
}

/** What a document says about answers. */
interface AnswerObject {
  $ref?: string
  content?: Record<string, object>
}

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, AnswerObject> }>>
  components: { responses: Record<string, AnswerObject> }
}

const ID = 'openapi'

/** Returns what differs from the document, or null. */
export function answerCheck(document: object): (given: GivenAnswer) => string | null {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addSchema({ $id: ID, ...document })
  const { paths, components } = document as Document
  const validators = new Map<string, ValidateFunction>()
  const validatorOf = (pointer: string): ValidateFunction => {
    const validator = validators.get(pointer) ?? ajv.compile({ $ref: `${ID}#${pointer}` })
    validators.set(pointer, validator)
    return validator
  }
  return ({ method, path, status, content_type, body }) => {
    const name = method.toLowerCase()
    const responses = paths[path]?.[name]?.responses ?? {}
    const key = [String(status), `${Math.floor(status / 100)}XX`].find((known) => known in responses)
    if (key === undefined) return `the status ${status} is not documented`
    const reference = responses[key]?.$ref
    const place = reference?.slice(1) ?? pointerOf(['paths', path, name, 'responses', key])
    const answer = reference ? components.responses[reference.split('/').at(-1) ?? ''] : responses[key]
    if (content_type === null)
      return answer?.content === undefined ? null : `${status} has no body, and one is documented`
    if (answer?.content?.[content_type] === undefined)
      return `${status} with ${content_type} is not documented`
    const validate = validatorOf(`${place}${pointerOf(['content', content_type, 'schema'])}`)
    return validate(body) ? null : ajv.errorsText(validate.errors, { dataVar: `${status}` })
  }
}

/** RFC 6901, percent-encoded as a fragment. */
const pointerOf = (parts: readonly string[]): string =>
  parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')
