import { expect, it } from 'vitest'
import { withDefinitions } from '../scripts/definitions.ts'

const description = 'A sentence about the key. '.repeat(20)
const port = { type: 'integer', description, minimum: 1 }
const server = { type: 'object', properties: { port, name: { type: 'string' } } }
const small = { type: 'boolean', description: 'Whether it is on' }

it('what occurs again is one definition, with the key where it is first', () => {
  const schema = {
    type: 'object',
    properties: {
      public: { type: 'object', properties: { server, small } },
      private: { type: 'object', properties: { server, small, port } },
      servers: { type: 'object', additionalProperties: { type: 'array', items: [server] } },
    },
  }
  const reference = { $ref: '#/definitions/public.server' }
  const own_port = { $ref: '#/definitions/private.port' }
  expect(withDefinitions(schema)).toEqual({
    type: 'object',
    properties: {
      public: { type: 'object', properties: { server: reference, small } },
      private: { type: 'object', properties: { server: reference, small, port: own_port } },
      servers: { type: 'object', additionalProperties: { type: 'array', items: [reference] } },
    },
    definitions: {
      'public.server': { type: 'object', properties: { port: own_port, name: { type: 'string' } } },
      'private.port': port,
    },
  })
})

it('keeps the definitions that a schema has, and shares what is in them', () => {
  const schema = {
    type: 'object',
    properties: { port },
    definitions: { own: { type: 'object', properties: { port } } },
  }
  const reference = { $ref: '#/definitions/port' }
  expect(withDefinitions(schema)).toEqual({
    type: 'object',
    properties: { port: reference },
    definitions: { own: { type: 'object', properties: { port: reference } }, port },
  })
})
