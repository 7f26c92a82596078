/** The settings of the admin API. */

/** Who administers, and from where. */
export interface AdminSettings {
  /** The realm whose users and clients administer. */
  realm: string
  /** Whether a client may authenticate with a secret alone. */
  allow_client_secrets: boolean
  /** IP addresses and ranges from which the API is used; from anywhere when empty. */
  allowed_addresses: string[]
}

/** The path of the API below the origin. */
export const ADMIN_PATH = '/admin/api/v1'
