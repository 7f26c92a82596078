/** Addresses that an operator gives for a client. */

import * as z from 'zod'
import { operatorUriFault, pageUriFault, redirectQueryFault } from './redirect-uri.js'

/** Of one list of a client, whoever gives it. */
export const MAX_URIS = 100

export const uris = z
  .array(
    z.string().superRefine((uri, context) => {
      const fault = operatorUriFault(uri)
      if (fault) context.addIssue(`${JSON.stringify(uri)} ${fault}`)
    }),
  )
  .max(MAX_URIS)

export const redirectTargets = uris.superRefine((targets, context) => {
  targets.forEach((uri, index) => {
    const fault = operatorUriFault(uri) === null ? redirectQueryFault(uri) : null
    if (fault) context.addIssue({ code: 'custom', path: [index], message: `${JSON.stringify(uri)} ${fault}` })
  })
})

export const pageUri = z.string().superRefine((uri, context) => {
  const fault = pageUriFault(uri)
  if (fault) context.addIssue(`${JSON.stringify(uri)} ${fault}`)
})
