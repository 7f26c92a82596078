/** The environment variables of a server. An empty one counts as unset. */

import * as z from 'zod'
import { serverVariables } from './server-settings.js'
import { STORAGES } from './storage-choice.js'

/** The variables as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>

export const MIN_SECRET_LENGTH = 32

/** What is wrong is not shown: a URL holds a password. Of PostgreSQL's, some name several hosts, so it is no `URL`. */
const url = (pattern: RegExp, example: string) =>
  z
    .string()
    .refine((text) => pattern.test(text), `give a URL such as ${example}`)
    .optional()

const variables = z.object({
  /** The configuration file; must exist when set. */
  OSTIARY_CONFIG: z.string().optional(),
  PORT: z
    .string()
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535, {
      error: ({ input }) => `${JSON.stringify(input)} is no port: give a number from 1 to 65535`,
    })
    .transform(Number)
    .default(3000),
  /** The address to listen on. */
  HOST: z.string().default('127.0.0.1'),
  OIDC_ISSUER: z.string().optional(),
  OIDC_CLIENTS_REGISTRATION_ENABLED: z
    .enum(['true', 'false', '1', '0'], {
      error: ({ input }) => `${JSON.stringify(input)} is neither true nor false`,
    })
    .transform((text) => text === 'true' || text === '1')
    .optional(),
  OIDC_SECRET: z
    .string()
    .min(MIN_SECRET_LENGTH, `give at least ${MIN_SECRET_LENGTH} random characters`)
    .optional(),
  /** Where the embedded database is, and what try-out mode generated. */
  DATA_DIR: z.string().default('./.ostiary'),
  DATABASE_URL: url(/^postgres(ql)?:\/\/./, 'postgres://user:password@host:5432/database'),
  OSTIARY_STORAGE: z
    .enum(STORAGES, { error: ({ input }) => `${JSON.stringify(input)} is neither ${STORAGES.join(' nor ')}` })
    .optional(),
  ...serverVariables,
  REDIS_URL: url(/^rediss?:\/\/./, 'redis://host:6379'),
})

export type Variables = z.output<typeof variables>

/** Checks each variable by itself: what is right is returned even where something else is wrong. */
export function readEnvironment(env: Environment): { variables: Variables; faults: string[] } {
  const given = Object.fromEntries(Object.keys(variables.shape).map((name) => [name, setting(env, name)]))
  const alone = given.REDIS_URL !== undefined && given.DATABASE_URL === undefined
  const lonely = alone
    ? ['REDIS_URL: users and clients need DATABASE_URL: set it too, or unset this one']
    : []
  const result = variables.safeParse(given)
  if (result.success) return { variables: result.data, faults: lonely }
  const faults = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  for (const { path } of result.error.issues) delete given[String(path[0])]
  return { variables: variables.parse(given), faults: [...faults, ...lonely] }
}

/** The value of a variable; undefined when it is unset or empty. */
export const setting = (env: Environment, name: string): string | undefined => env[name] || undefined
