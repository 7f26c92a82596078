/**
 * The shape of the configuration: every key with its meaning. Validation, the reference page (docs/configuration.md), the
 * JSON Schema for editors and the names of the variables all come from here; the keys of `oidc` are core's.
 */

import { isIP } from 'node:net'
import { clientInput, MIN_SECRET_LENGTH, oidcSchema, STANDARD_CLAIM_NAMES, secretFault } from '@ostiary/core'
import { MIN_PASSWORD_LENGTH, usernameKey } from '@ostiary/identity'
import * as z from 'zod'
import { loginSchema } from './login-settings.js'
import { serverSchema } from './server-settings.js'
import { SESSION_PLACES, STORAGES } from './storage-kinds.js'

/** 128 random bits in base64url: it is hashed without a slow function, and nothing counts the guesses at it. */
const MIN_CLIENT_SECRET_LENGTH = 22
const CLIENT_SECRET_FAULT = `give at least ${MIN_CLIENT_SECRET_LENGTH} random characters`

/** Values that nothing ever shows. */
const SECRET = { writeOnly: true }

const env_name = (what: string) =>
  z.string().min(1).optional().describe(`The name of a variable that holds the ${what}`)

/** The client's own metadata by core's names, and its secret. */
export const clientSchema = clientInput.extend({
  client_secret: z
    .string()
    .min(MIN_CLIENT_SECRET_LENGTH, CLIENT_SECRET_FAULT)
    .optional()
    .meta({
      description: `Makes it confidential; take 32 random characters, fewer than ${MIN_CLIENT_SECRET_LENGTH} are refused`,
      ...SECRET,
    }),
  client_secret_env: env_name('secret'),
})

const text = z.string()
const addressPart = text.optional().describe('A part of the claim address')
const addressSchema = z.strictObject({
  formatted: addressPart,
  street_address: addressPart,
  locality: addressPart,
  region: addressPart,
  postal_code: addressPart,
  country: addressPart,
})

/** OpenID Connect Core §5.1: all strings but these. */
const NOT_STRINGS: Record<string, z.ZodType> = {
  email_verified: z.boolean(),
  phone_number_verified: z.boolean(),
  updated_at: z.number().int(),
  address: addressSchema,
}

const claims = Object.fromEntries(
  STANDARD_CLAIM_NAMES.map((name): [string, z.ZodType] => [
    name,
    (NOT_STRINGS[name] ?? text).optional().describe('A claim (OpenID Connect Core §5.1)'),
  ]),
)

export const userSchema = z.strictObject({
  username: z
    .string()
    .refine((name) => usernameKey(name) !== null, 'give 1 to 255 characters, none of them control characters')
    .describe('What the person signs in with'),
  password: z
    .string()
    .min(MIN_PASSWORD_LENGTH, `give at least ${MIN_PASSWORD_LENGTH} characters`)
    .optional()
    .meta({
      description: `The first password; a user who has one keeps it. At least ${MIN_PASSWORD_LENGTH} characters`,
      ...SECRET,
    }),
  password_env: env_name('password'),
  sub: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'give 1 to 255 printable ASCII characters without spaces')
    .optional()
    .describe('The identifier in tokens; generated when absent, and never reassigned'),
  ...claims,
})

const proxy = z
  .string()
  .refine(isAddressRange, 'give an IP address such as 10.0.0.1, or a range such as 10.0.0.0/8')

const noPort = { error: ({ input }: { input?: unknown }) => `${JSON.stringify(input)} ${NO_PORT}` }
const NO_PORT = 'is no port: give a number from 1 to 65535'

/** What is wrong is not shown: a URL holds a password. Of PostgreSQL's, some name several hosts, so it is no `URL`. */
const url = (pattern: RegExp, { example, description }: { example: string; description: string }) =>
  z
    .string()
    .refine((given) => pattern.test(given), `give a URL such as ${example}`)
    .optional()
    .meta({ description, ...SECRET })

const entriesOf = (realm: string) => ({
  clients: z.array(clientSchema).default([]).describe(`Clients of ${realm}, brought in line at each start`),
  users: z.array(userSchema).default([]).describe(`Users of ${realm}, brought in line at each start`),
})

export const configSchema = z.strictObject({
  $schema: z.string().optional().describe('The JSON Schema of this file, for editors; not read'),
  port: z
    .number(noPort)
    .int(noPort)
    .min(1, noPort)
    .max(65_535, noPort)
    .default(3000)
    .describe('Where to listen'),
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('The address to listen on; 0.0.0.0 is every address of this machine'),
  secret: z
    .string()
    .min(MIN_SECRET_LENGTH, { error: `give at least ${MIN_SECRET_LENGTH} random characters`, abort: true })
    .superRefine((secret, context) => {
      const fault = secretFault(secret)
      if (fault !== null) context.addIssue(fault)
    })
    .optional()
    .meta({
      description: `At least ${MIN_SECRET_LENGTH} random characters. Seals the signing keys: losing it means new keys`,
      ...SECRET,
    }),
  data_dir: z
    .string()
    .min(1)
    .default('./.ostiary')
    .describe('Where the embedded database is, and what try-out mode generated'),
  database_url: url(/^postgres(ql)?:\/\/./, {
    example: 'postgres://user:password@host:5432/database',
    description:
      'A PostgreSQL, postgres://user:password@host:5432/database; without it, the embedded database',
  }),
  redis_url: url(/^rediss?:\/\/./, {
    example: 'redis://host:6379',
    description:
      'A Redis for requests in progress and counters, redis://host:6379; needs database_url beside it',
  }),
  trusted_proxies: z
    .array(proxy)
    .default([])
    .describe(
      'IP addresses and ranges of your own proxies. X-Forwarded-For, X-Request-Id and traceparent are read from these alone',
    ),
  app: z.strictObject({ url: z.string().optional().describe('Stands in for oidc.issuer') }).default({}),
  oidc: oidcSchema.extend({
    realms: z
      .record(z.string(), oidcSchema.omit({ issuer: true, routes: true }))
      .optional()
      .describe('Realms by id, each with the keys of oidc that differ there (not issuer and routes)'),
  }),
  ...entriesOf('the realm default'),
  realms: z
    .record(z.string(), z.strictObject(entriesOf('this realm')))
    .default({})
    .describe('Clients and users of other realms of oidc.realms, by realm id'),
  theme: z
    .strictObject({
      name: z.string().min(1).optional().describe('Your name, on every page'),
      logo_url: z.string().min(1).optional().describe('A picture above the form'),
      variables: z.record(z.string(), z.string()).optional().describe('CSS variables, --ostiary-*'),
      dark_variables: z.record(z.string(), z.string()).optional().describe('The same in the dark'),
    })
    .optional(),
  storage: z
    .enum(STORAGES, { error: `give ${STORAGES.join(' or ')}` })
    .default('database')
    .describe('memory: nothing outlives the process, and it takes one; for tests'),
  sessions: z
    .enum(SESSION_PLACES, { error: `give ${SESSION_PLACES.join(' or ')}` })
    .default('database')
    .describe(
      'Where sign-ins are kept when there is a Redis. redis: faster, but whoever loses that Redis cannot sign people out any more; needs redis_url',
    ),
  server: serverSchema.prefault({}),
  login: loginSchema.prefault({}),
  account: z.boolean().default(true).describe('Whether people have a page about their own account, /account'),
})

/**
 * As it is read: what core checks is left to core, and entries are checked one by one, so that a fault in one does not
 * hide those of another.
 */
const list = z.array(z.unknown()).default([])
const entries = { clients: list, users: list }
export const fileSchema = configSchema.extend({
  oidc: z.record(z.string(), z.unknown()).default({}),
  ...entries,
  realms: z.record(z.string(), z.strictObject(entries)).default({}),
})
export type ConfigFile = z.output<typeof fileSchema>

function isAddressRange(given: string): boolean {
  const [address = '', prefix, ...rest] = given.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
}
