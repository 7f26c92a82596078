/** The environment variables of a server. An empty one counts as unset. */

import * as z from 'zod'

/** The variables as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>

export const MIN_SECRET_LENGTH = 32

const memoryOnly = z
  .undefined(
    'this version keeps its records in memory only and cannot use a database yet: unset this variable',
  )
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
  /** Where try-out mode keeps what it generated. */
  DATA_DIR: z.string().default('./.ostiary'),
  DATABASE_URL: memoryOnly,
  REDIS_URL: memoryOnly,
})

export type Variables = z.output<typeof variables>

/** Checks each variable by itself: what is right is returned even where something else is wrong. */
export function readEnvironment(env: Environment): { variables: Variables; faults: string[] } {
  const given = Object.fromEntries(Object.keys(variables.shape).map((name) => [name, setting(env, name)]))
  const result = variables.safeParse(given)
  if (result.success) return { variables: result.data, faults: [] }
  const faults = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  for (const { path } of result.error.issues) delete given[String(path[0])]
  return { variables: variables.parse(given), faults }
}

/** The value of a variable; undefined when it is unset or empty. */
export const setting = (env: Environment, name: string): string | undefined => env[name] || undefined
