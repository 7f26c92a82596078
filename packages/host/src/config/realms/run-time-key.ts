import * as z from 'zod'

export const runTimeSchema = z
  .boolean()
  .default(false)
  .describe(
    'Whether administrators make realms while the server runs, beside those of oidc.realms; needs oidc.routes.realms path and a database',
  )
