import type { HostConfig } from '../config/host-config.js'

/** The secret of the server, and the one of before while it changes. */
export type Secrets = Pick<HostConfig, 'secret' | 'previous_secret'>

/** The secrets alone, of a configuration. */
export const secretsOf = ({ secret, previous_secret }: HostConfig): Secrets => ({
  secret,
  ...(previous_secret !== undefined && { previous_secret }),
})
