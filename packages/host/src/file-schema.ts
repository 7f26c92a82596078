/** The shape of the configuration file. The `oidc` keys are core's; it checks them itself. */

import { isIP } from 'node:net'
import { clientInput, STANDARD_CLAIM_NAMES } from '@ostiary/core'
import { MIN_PASSWORD_LENGTH, usernameKey } from '@ostiary/identity'
import * as z from 'zod'
import { serverSchema } from './server-settings.js'
import { STORAGES } from './storage-choice.js'

const list = z.array(z.unknown()).default([])

/** Entries are checked one by one, so that a fault in one does not hide those of another. */
const entries = { clients: list, users: list }

const proxy = z
  .string()
  .refine(isAddressRange, 'give an IP address such as 10.0.0.1, or a range such as 10.0.0.0/8')

export const fileSchema = z.strictObject({
  app: z.strictObject({ url: z.string().optional() }).default({}),
  oidc: z.record(z.string(), z.unknown()).default({}),
  ...entries,
  realms: z.record(z.string(), z.strictObject(entries)).default({}),
  theme: z
    .strictObject({
      name: z.string().min(1).optional(),
      logo_url: z.string().min(1).optional(),
      variables: z.record(z.string(), z.string()).optional(),
      dark_variables: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  trusted_proxies: z.array(proxy).default([]),
  server: serverSchema.default({}),
  storage: z.enum(STORAGES).optional(),
})
export type ConfigFile = z.output<typeof fileSchema>

const env_name = z.string().min(1).optional()

/** The client's own metadata by core's names, and its secret. */
export const clientSchema = clientInput.extend({
  client_secret: z.string().min(1).optional(),
  client_secret_env: env_name,
})

const text = z.string()
const addressSchema = z.strictObject({
  formatted: text.optional(),
  street_address: text.optional(),
  locality: text.optional(),
  region: text.optional(),
  postal_code: text.optional(),
  country: text.optional(),
})

/** OpenID Connect Core §5.1: all strings but these. */
const NOT_STRINGS: Record<string, z.ZodType> = {
  email_verified: z.boolean(),
  phone_number_verified: z.boolean(),
  updated_at: z.number().int(),
  address: addressSchema,
}

const claims = Object.fromEntries(
  STANDARD_CLAIM_NAMES.map((name): [string, z.ZodType] => [name, (NOT_STRINGS[name] ?? text).optional()]),
)

export const userSchema = z.strictObject({
  username: z
    .string()
    .refine(
      (name) => usernameKey(name) !== null,
      'give 1 to 255 characters, none of them control characters',
    ),
  password: z.string().min(MIN_PASSWORD_LENGTH, `give at least ${MIN_PASSWORD_LENGTH} characters`).optional(),
  password_env: env_name,
  sub: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'give 1 to 255 printable ASCII characters without spaces')
    .optional(),
  ...claims,
})

const KEYS: [RegExp, { shape: Record<string, unknown> }][] = [
  [/^$/, fileSchema],
  [/^app$/, fileSchema.shape.app.unwrap()],
  [/^theme$/, fileSchema.shape.theme.unwrap()],
  [/^server$/, serverSchema],
  [/^server\.metrics$/, serverSchema.shape.metrics.unwrap()],
  [/^realms\.[^.]+$/, fileSchema.shape.realms.unwrap().valueType],
  [/^(?:realms\.[^.]+\.)?clients\.\d+$/, clientSchema],
  [/^(?:realms\.[^.]+\.)?users\.\d+$/, userSchema],
  [/^(?:realms\.[^.]+\.)?users\.\d+\.address$/, addressSchema],
]

/** The keys that the file may have at a path outside `oidc`. */
export function fileKeys(path: string): string[] {
  return Object.keys(KEYS.find(([pattern]) => pattern.test(path))?.[1].shape ?? {})
}

function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
}
