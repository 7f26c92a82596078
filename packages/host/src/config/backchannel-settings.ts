/** The keys `backchannel.*`: back-channel logout of the whole deployment. Those of a realm are core's. */

import * as z from 'zod'

/** A host and a port, as `guardedFetch` compares them; null when it is something else. */
export function privateHost(entry: string): string | null {
  const port = /^[^/?#@\\\s]+:(\d{1,5})$/.exec(entry)?.[1]
  if (port === undefined || Number(port) < 1 || !URL.canParse(`https://${entry}`)) return null
  const { hostname, username } = new URL(`https://${entry}`)
  return hostname === '' || hostname.includes('*') || username !== '' ? null : `${hostname}:${Number(port)}`
}

const receiver = z
  .string()
  .refine(
    (entry) => privateHost(entry) !== null,
    'give the host and the port of an address that begins with https, such as logout.internal:443',
  )

export const backchannelSchema = z.strictObject({
  private_hosts: z
    .array(receiver)
    .default([])
    .describe(
      'host:port of back-channel logout receivers, by https, that may have an address in a private network (RFC 1918, RFC 6598, fc00::/7); for clients that an operator made',
    ),
})
