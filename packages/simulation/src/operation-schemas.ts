/** The schemas of the operations. */

import { isIP } from 'node:net'
import * as z from 'zod'
import { MAX_AGE_SECONDS } from './place/session.js'

const text = z.string()
const texts = z.array(text)
const given = text.optional()
const number = z.int()
const flag = z.boolean()
const id = (subject: string) => text.min(1).max(2048).describe(subject)
const level = z.union([z.literal(1), z.literal(2)]).describe('1: with a password; 2: with two methods')
const age = number.min(0).max(MAX_AGE_SECONDS).describe('Seconds since the sign-in')
const session = z.strictObject({ level: level.default(1), age: age.default(0) })
const MAX_PARAMETERS = 200
const parameters = z
  .record(text.max(255), z.union([text, texts.max(MAX_PARAMETERS)]))
  .refine((sent) => Object.keys(sent).length <= MAX_PARAMETERS, `give at most ${MAX_PARAMETERS} parameters`)
  .refine((sent) => !('client_id' in sent), 'client_id stands beside parameters')

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
  scopes: z.array(text.min(1).max(255)).max(MAX_PARAMETERS).describe('What the client asks for'),
  resource: id('The resource that the client names').optional(),
  session: session.optional(),
})
export const signInBody = z
  .strictObject({
    username: text.min(1).max(255).optional().describe('As it is typed'),
    address: text
      .refine((address) => isIP(address) !== 0, 'give an IP address, such as 192.0.2.1 or 2001:db8::1')
      .optional()
      .describe('The IP address of the browser'),
  })
  .refine(({ username, address }) => (username ?? address) !== undefined, 'give username, address, or both')

const cause = {
  reason: text.nullable().describe('Of the catalog of refusals, or why the user has to sign in'),
  hint: text.nullable().describe('What to do'),
  setting: text.nullable().describe('The key `oidc.…`, or the field `client.…`, that decides'),
}
const refusal = {
  ...cause,
  error: given.describe('Of a refusal: as the client gets it'),
  redirects: flag
    .optional()
    .describe('Of a refusal: whether the client gets it; else an error page is shown'),
}
const shownToken = z
  .object({
    claims: z.array(z.object({ name: text, value: z.unknown(), from: text })),
    withheld: z.array(z.object({ name: text, why: text })),
    bytes: number.describe('Of the token as it is sent'),
    read_by: texts.describe('A client_id, or the URI of a resource'),
  })
  .nullable()
  .optional()
const way = z.object({ way: text, name: text.nullable() })

export const authorizationAnswer = z.object({
  result: z.enum(['login', 'consent', 'code', 'refused']),
  ...refusal,
  scopes: texts.nullable(),
  user_is_active: flag.nullable(),
})

export const tokensAnswer = z.object({
  result: z.enum(['tokens', 'login', 'refused']),
  ...z.object(refusal).partial().shape,
  scopes: texts.optional(),
  token_type: given,
  expires_in: number.optional(),
  refresh_token: flag.optional(),
  id_token: shownToken,
  userinfo: shownToken,
  access_token: shownToken,
})

export const signInAnswer = z.object({
  ways: z.array(way),
  leads_to: text.nullable(),
  user: z
    .object({
      is_known: flag,
      sub: given,
      username: given,
      is_disabled: flag.optional(),
      ways: z.array(way).optional(),
      second_factor: z.enum(['none', 'asked', 'to_be_added']).optional(),
      deletes_at: number.optional().describe('When the account is deleted, as its user has asked for'),
    })
    .nullable(),
  limits: z.array(
    z.object({
      limit: text,
      counted: number,
      maximum: number,
      until: number,
      is_reached: flag,
    }),
  ),
})
