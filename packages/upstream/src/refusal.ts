import type { UpstreamReason } from '@ostiary/identity'

/** A sign-in that does not go on. The message is its reason. */
export class UpstreamRefusal extends Error {
  readonly reason: UpstreamReason

  constructor(reason: UpstreamReason, cause?: unknown) {
    super(reason, { cause })
    this.name = 'UpstreamRefusal'
    this.reason = reason
  }
}
