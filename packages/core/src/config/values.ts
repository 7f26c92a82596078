/** Parts of the configuration's schema. */

import * as z from 'zod'
import { SIGNING_ALGORITHMS } from '../util/signing-algorithms.js'

/** A duration in seconds. */
export const seconds = z.number().int().positive()

/** An algorithm that the provider signs with (RFC 7518 §3.1, RFC 8037 §3.1). */
export const signingAlgorithm = z.enum(SIGNING_ALGORITHMS)

/** A scope, or `<resource> <scope>`. */
export const assignment = z.string().min(1)

/** A group of keys. When it is absent as a whole, the defaults of its members apply. */
export const group = <T extends z.core.$ZodLooseShape>(description: string, shape: T) =>
  z
    .strictObject(shape)
    .prefault({} as never)
    .describe(description)
