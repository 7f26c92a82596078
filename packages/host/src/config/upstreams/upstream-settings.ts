/** The `identity.upstreams.<id>` keys: other providers at which the users of a realm sign in. */

import * as z from 'zod'

const variable = z.string().refine((name) => /^\w+$/.test(name), 'name an environment variable')
const domains = z.array(z.string().min(1)).min(1)

const upstreamSchema = z
  .strictObject({
    type: z
      .enum(['oidc', 'github'])
      .describe(
        'oidc: an OpenID provider, such as Google, Microsoft or Apple. github: GitHub, which is none',
      ),
    issuer: z
      .string()
      .optional()
      .describe('The issuer of an OpenID provider, exactly as its discovery document has it'),
    client_id: z.string().min(1).describe('The id of this server at the provider'),
    client_secret_env: variable
      .optional()
      .describe('The variable with the client secret; this key or private_key_env'),
    private_key_env: variable
      .optional()
      .describe(
        'The variable with a private key, PKCS #8 as PEM, that signs in the place of a client secret',
      ),
    key_id: z
      .string()
      .min(1)
      .optional()
      .describe('The kid of the private key at the provider; Apple requires it'),
    team_id: z.string().min(1).optional().describe('The team at Apple, with the private key'),
    name: z.string().min(1).max(60).describe('On the button: Sign in with …'),
    scopes: z
      .array(z.string().min(1))
      .optional()
      .describe('The scopes to ask for beside openid; profile and email when absent'),
    signup: z
      .boolean()
      .optional()
      .describe('Whether a user who is seen for the first time gets an account; false when absent'),
    domains: domains
      .optional()
      .describe(
        'The domains of the verified addresses that may sign up. A username that is typed with one of them leads to the provider',
      ),
    tenants: z
      .array(z.string().min(1))
      .optional()
      .describe('For an issuer of Microsoft with many tenants: the ids of yours, or * for all'),
    link: z
      .enum(['signed_in', 'verified_email'])
      .optional()
      .describe(
        'How an account that exists is linked. signed_in, when absent: by its user, on the account page. verified_email: also by an address of authoritative_domains that both sides have verified',
      ),
    authoritative_domains: domains
      .optional()
      .describe('The domains whose addresses the provider itself hands out'),
    only: z
      .boolean()
      .optional()
      .describe(
        'true: users whose name or address has one of domains have no password of this server; false when absent',
      ),
    require_second_factor: z
      .boolean()
      .optional()
      .describe('Whether the user gives a second factor of this server too; false when absent'),
    groups: z
      .strictObject({
        claim: z.string().min(1).describe('The claim of the ID token'),
        map: z
          .record(z.string(), z.string().min(1))
          .describe('The group of this server for each value of the claim'),
      })
      .optional()
      .describe('The groups of this server that follow a claim of the provider, at each sign-in'),
  })
  // One definition in the JSON Schema for all realms.
  .meta({ id: 'upstream' })

const ID = /^[a-z\d-]{1,32}$/

const badIds = (upstreams: unknown): string[] => Object.keys(upstreams ?? {}).filter((id) => !ID.test(id))

export const upstreamsSchema = z
  // A key that does not fit a schema of its own would hide the faults of its value.
  .record(z.string().meta({ pattern: ID.source }), upstreamSchema)
  .refine((upstreams) => badIds(upstreams).length === 0, {
    when: () => true,
    error: ({ input }) => `${badIds(input).join(', ')}: an id is at most 32 characters of a-z, 0-9 and "-"`,
  })
  .optional()
  .describe('Other providers at which users sign in, by an id that is part of the redirect URI')

/** The keys of an upstream. */
export type UpstreamKeys = z.output<typeof upstreamSchema>
