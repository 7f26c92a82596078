/**
 * The schema of the configuration: every key with its meaning. Validation, the reference page (docs/configuration.md),
 * the JSON Schema for editors and the names of the variables are derived from it. The keys of `oidc` are core's.
 */

import { isIP } from 'node:net'
import {
  clientInput,
  MIN_CLIENT_SECRET_LENGTH,
  MIN_SECRET_LENGTH,
  oidcSchema,
  STANDARD_CLAIM_NAMES,
  secretFault,
} from '@ostiary/core'
import { attributesFault, groupsFault, MIN_PASSWORD_LENGTH, usernameKey } from '@ostiary/identity'
import { REDIS_FORMS, redisAddressFault } from '@ostiary/storage-redis/address'
import * as z from 'zod'
import { adminSchema } from './admin/admin-settings.js'
import { auditSchema } from './audit/audit-settings.js'
import { backchannelSchema } from './backchannel-settings.js'
import { databaseSchema } from './database-settings.js'
import { identitySchema } from './identity-settings.js'
import { logSchema } from './log-settings.js'
import { loginSchema } from './login-settings.js'
import { runTimeSchema } from './realms/run-time-key.js'
import { serverSchema } from './server-settings.js'
import { SESSION_PLACES, STORAGES } from './storage-kinds.js'

const CLIENT_SECRET_FAULT = `give at least ${MIN_CLIENT_SECRET_LENGTH} random characters`

/** Metadata of a key whose value is never printed. */
const SECRET = { writeOnly: true }

const env_name = (what: string) =>
  z.string().min(1).optional().describe(`The name of an environment variable that holds the ${what}`)

/** The metadata of a client, by core's names, and its secret. */
export const clientSchema = clientInput.extend({
  client_secret: z
    .string()
    .min(MIN_CLIENT_SECRET_LENGTH, CLIENT_SECRET_FAULT)
    .optional()
    .meta({
      description: `Makes the client confidential. Use 32 random characters; fewer than ${MIN_CLIENT_SECRET_LENGTH} are refused`,
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

/** The standard claims that are not strings (OpenID Connect Core §5.1). */
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

/** Adds the fault that a rule of identity finds. */
const ruledBy =
  (rule: (value: unknown) => string | null) =>
  (value: unknown, context: z.RefinementCtx): void => {
    const fault = rule(value)
    if (fault !== null) context.addIssue(fault)
  }

export const userSchema = z.strictObject({
  username: z
    .string()
    .refine((name) => usernameKey(name) !== null, 'give 1 to 255 characters, none of them control characters')
    .describe('The name to sign in with'),
  password: z
    .string()
    .min(MIN_PASSWORD_LENGTH, `give at least ${MIN_PASSWORD_LENGTH} characters`)
    .optional()
    .meta({
      description: `The initial password; a user who already has a password keeps it. At least ${MIN_PASSWORD_LENGTH} characters`,
      ...SECRET,
    }),
  password_env: env_name('password'),
  sub: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'give 1 to 255 printable ASCII characters without spaces')
    .optional()
    .describe('The identifier of the user in tokens; generated when absent, and never reassigned'),
  attributes: z
    .record(z.string(), z.unknown())
    .superRefine(ruledBy(attributesFault))
    .optional()
    .describe('Values by name, for oidc.claims; when absent, the stored ones stay'),
  groups: z
    .array(z.string())
    .superRefine(ruledBy(groupsFault))
    .optional()
    .describe('The groups of the user, for the scope groups; when absent, the stored ones stay'),
  ...claims,
})

const ADDRESS_OR_RANGE = 'an IP address such as 10.0.0.1, or a range such as 10.0.0.0/8'
const PLACEHOLDER_PROXY =
  'is a placeholder: replace it by the address or the range of your proxies alone, because they choose the address that counts as the client'
/** As in deploy/kubernetes. */
const isPlaceholder = (text: unknown): boolean => typeof text === 'string' && /^<[^>]*>$/.test(text)

const proxy = z.string().refine(isAddressRange, {
  error: ({ input }) =>
    isPlaceholder(input) ? `"${input}" ${PLACEHOLDER_PROXY}` : `give ${ADDRESS_OR_RANGE}`,
})

const portError = { error: ({ input }: { input?: unknown }) => `${JSON.stringify(input)} ${NOT_A_PORT}` }
const NOT_A_PORT = 'is not a port: give a number from 1 to 65535'

/** A fault does not show the URL, which may hold a password. Not `URL`, because one of PostgreSQL may name several hosts. */
const url = (pattern: RegExp, { example, description }: { example: string; description: string }) =>
  z
    .string()
    .refine((value) => pattern.test(value), `give a URL such as ${example}`)
    .optional()
    .meta({ description, ...SECRET })

const secretSetting = (description: string) =>
  z
    .string()
    .min(MIN_SECRET_LENGTH, { error: `give at least ${MIN_SECRET_LENGTH} random characters`, abort: true })
    .superRefine((secret, context) => {
      const fault = secretFault(secret)
      if (fault !== null) context.addIssue(fault)
    })
    .optional()
    .meta({ description, ...SECRET })

/** With an id, the schema for editors has it once for all realms. */
const identity = identitySchema.meta({ id: 'identity' }).prefault({})
const entriesOf = (realm: string) => ({
  clients: z
    .array(clientSchema)
    .default([])
    .describe(`Clients of ${realm}; each start and each reload creates or updates them`),
  users: z
    .array(userSchema)
    .default([])
    .describe(`Users of ${realm}; each start and each reload creates or updates them`),
  identity,
})

export const configSchema = z.strictObject({
  $schema: z.string().optional().describe('The JSON Schema of this file, for editors; the server ignores it'),
  port: z
    .number(portError)
    .int(portError)
    .min(1, portError)
    .max(65_535, portError)
    .default(3000)
    .describe('The port to listen on'),
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('The address to listen on; 0.0.0.0 is every address of this machine'),
  secret: secretSetting(
    `At least ${MIN_SECRET_LENGTH} random characters. Encrypts the signing keys: without it they are lost`,
  ),
  previous_secret: secretSetting(
    'The secret before a change of it: what it has encrypted is still read. Unset it after `ostiary secret rotate`',
  ),
  data_dir: z
    .string()
    .min(1)
    .default('./.ostiary')
    .describe('The folder of the embedded database, and of the secret and password of try-out mode'),
  database_url: url(/^postgres(ql)?:\/\/./, {
    example: 'postgres://user:password@host:5432/database',
    description:
      'The PostgreSQL database, postgres://user:password@host:5432/database, or host1:5432,host2:5432 of which the primary is used; the embedded database when absent',
  }),
  database: databaseSchema.prefault({}),
  redis_url: z
    .string()
    .superRefine((value, context) => {
      const fault = redisAddressFault(value)
      if (fault !== null) context.addIssue(fault)
    })
    .optional()
    .meta({
      description: `A Redis for requests in progress and counters; needs database_url too. ${REDIS_FORMS.server} is one server, ${REDIS_FORMS.sentinel} the master that these sentinels know, ${REDIS_FORMS.cluster} a cluster; rediss instead of redis uses TLS`,
      ...SECRET,
    }),
  trusted_proxies: z
    .array(proxy)
    .default([])
    .describe(
      'IP addresses and ranges of your proxies. X-Forwarded-For, X-Request-Id and traceparent are read only from these',
    ),
  backchannel: backchannelSchema.prefault({}),
  app: z.strictObject({ url: z.string().optional().describe('Used when oidc.issuer is absent') }).default({}),
  oidc: oidcSchema.extend({
    realms: z
      .record(z.string(), oidcSchema.omit({ issuer: true, routes: true }))
      .optional()
      .describe('Realms by id, each with the keys of oidc that differ in it (all but issuer and routes)'),
  }),
  ...entriesOf('the realm default'),
  realms: z
    .record(z.string(), z.strictObject(entriesOf('this realm')))
    .default({})
    .describe('Clients, users and the sign-in of other realms of oidc.realms, by realm id'),
  languages: z
    .strictObject({
      default: z
        .string()
        .min(1)
        .optional()
        .describe(
          'The language of the pages for browsers that ask for none of the known ones; en when absent',
        ),
      files: z
        .array(z.string().min(1))
        .default([])
        .describe(
          'Files with further languages, or with other texts for en, de and fr; paths start from the folder of this file',
        ),
    })
    .optional(),
  theme: z
    .strictObject({
      name: z.string().min(1).optional().describe('The product name, on every page'),
      logo_url: z.string().min(1).optional().describe('The URL of an image above the form'),
      icon_url: z
        .string()
        .min(1)
        .optional()
        .describe('The URL of the icon of the pages in the browser; logo_url when absent'),
      links: z
        .array(z.strictObject({ text: z.string(), href: z.string() }))
        .optional()
        .describe(
          'Links at the end of every page, such as the privacy policy: at most 5 of { text, href }; https or a path of this origin',
        ),
      variables: z.record(z.string(), z.string()).optional().describe('CSS variables, --ostiary-*'),
      dark_variables: z
        .record(z.string(), z.string())
        .optional()
        .describe('CSS variables for browsers that prefer a dark color scheme'),
    })
    .optional(),
  realms_at_run_time: runTimeSchema,
  storage: z
    .enum(STORAGES)
    .default('database')
    .describe('memory: for tests; records are lost when the server stops, and there is only one process'),
  sessions: z
    .enum(SESSION_PLACES)
    .default('database')
    .describe(
      'Where sessions are stored. redis: faster, but if the Redis loses its data, users can no longer be signed out; needs redis_url',
    ),
  server: serverSchema.prefault({}),
  log: logSchema.prefault({}),
  audit: auditSchema.prefault({}),
  admin: adminSchema(proxy).prefault({}),
  login: loginSchema.prefault({}),
  account: z.boolean().default(true).describe('Whether users have a page for their own account, /account'),
})

/**
 * The schema of the whole file when it is read. Core checks `oidc`, and clients and users are checked one by one, so that
 * a fault in one entry does not hide those of others.
 */
const list = z.array(z.unknown()).default([])
const entries = { clients: list, users: list }
export const fileSchema = configSchema.extend({
  oidc: z.record(z.string(), z.unknown()).default({}),
  ...entries,
  realms: z.record(z.string(), z.strictObject({ ...entries, identity })).default({}),
})
export type ConfigFile = z.output<typeof fileSchema>

function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
}
