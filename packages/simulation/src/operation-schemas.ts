/** The schemas of the operations. */

import { isIP } from 'node:net'
import * as z from 'zod'
import { MAX_AGE_SECONDS } from './place/session.js'

const id = (subject: string) => z.string().min(1).max(2048).describe(subject)
const level = z.union([z.literal(1), z.literal(2)]).describe('1: with a password; 2: with two methods')
const age = z.int().min(0).max(MAX_AGE_SECONDS).describe('Seconds since the sign-in')
const session = z.strictObject({ level: level.default(1), age: age.default(0) })
const MAX_PARAMETERS = 200
const parameters = z
  .record(z.string().max(255), z.union([z.string(), z.array(z.string()).max(MAX_PARAMETERS)]))
  .refine((given) => Object.keys(given).length <= MAX_PARAMETERS, `give at most ${MAX_PARAMETERS} parameters`)
  .refine((given) => !('client_id' in given), 'client_id stands beside parameters')

export const authorizationBody = z
  .strictObject({
    client_id: id('The client'),
    parameters: parameters.describe(
      'Of the authorization request; a list is a parameter that is sent several times',
    ),
    sub: id('The user of the session').optional(),
    session: session.optional().describe('How the user of `sub` has signed in'),
  })
  .refine(({ sub, session }) => sub !== undefined || session === undefined, {
    path: ['session'],
    message: 'a session has a user: give sub',
  })
export const tokensBody = z.strictObject({
  client_id: id('The client'),
  sub: id('The user'),
  scopes: z.array(z.string().min(1).max(255)).max(MAX_PARAMETERS).describe('What the client asks for'),
  resource: id('The resource that the client names').optional(),
  session: session.optional(),
})
export const signInBody = z
  .strictObject({
    username: z.string().min(1).max(255).optional().describe('As it is typed'),
    address: z
      .string()
      .refine((text) => isIP(text) !== 0, 'give an IP address, such as 192.0.2.1 or 2001:db8::1')
      .optional()
      .describe('The IP address of the browser'),
  })
  .refine(({ username, address }) => (username ?? address) !== undefined, 'give username, address, or both')

const cause = {
  reason: z.string().nullable().describe('Of the catalog of refusals, or why the user has to sign in'),
  hint: z.string().nullable().describe('What to do'),
  setting: z.string().nullable().describe('The key `oidc.…`, or the field `client.…`, that decides'),
}
const refusal = {
  ...cause,
  error: z.string().optional().describe('Of a refusal: as the client gets it'),
  redirects: z
    .boolean()
    .optional()
    .describe('Of a refusal: whether the client gets it; else an error page is shown'),
}
const shownToken = z
  .object({
    claims: z.array(z.object({ name: z.string(), value: z.unknown(), from: z.string() })),
    withheld: z.array(z.object({ name: z.string(), why: z.string() })),
    bytes: z.int().describe('Of the token as it is sent'),
    read_by: z.array(z.string()).describe('A client_id, or the URI of a resource'),
  })
  .nullable()
  .optional()
const way = z.object({ way: z.string(), name: z.string().nullable() })

export const authorizationAnswer = z.object({
  result: z.enum(['login', 'consent', 'code', 'refused']),
  ...refusal,
  scopes: z.array(z.string()).nullable(),
  user_is_active: z.boolean().nullable(),
})

export const tokensAnswer = z.object({
  result: z.enum(['tokens', 'login', 'refused']),
  ...z.object(refusal).partial().shape,
  scopes: z.array(z.string()).optional(),
  token_type: z.string().optional(),
  expires_in: z.int().optional(),
  refresh_token: z.boolean().optional(),
  id_token: shownToken,
  userinfo: shownToken,
  access_token: shownToken,
})

export const signInAnswer = z.object({
  ways: z.array(way),
  leads_to: z.string().nullable(),
  user: z
    .object({
      is_known: z.boolean(),
      sub: z.string().optional(),
      username: z.string().optional(),
      is_disabled: z.boolean().optional(),
      ways: z.array(way).optional(),
      second_factor: z.enum(['none', 'asked', 'to_be_added']).optional(),
      deletes_at: z.int().optional().describe('When the account is deleted, as its user has asked for'),
    })
    .nullable(),
  limits: z.array(
    z.object({
      limit: z.string(),
      counted: z.int(),
      maximum: z.int(),
      until: z.int(),
      is_reached: z.boolean(),
    }),
  ),
})
