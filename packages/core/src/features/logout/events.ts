/** The events of signing out (OpenID Connect RP-Initiated and Back-Channel Logout). */

export type LogoutEvent =
  | {
      type: 'logout.redirect_refused'
      client_id: string | null
      reason: 'no_known_client' | 'unregistered_post_logout_redirect_uri'
      /** As it was sent, without its query; null when it is not a URI. */
      post_logout_redirect_uri: string | null
      sent: string | null
      hint: string | null
    }
  | { type: 'logout.delivered'; client_id: string; sid: string; attempts: number }
  | {
      type: 'logout.failed'
      client_id: string
      sid: string
      attempts: number
      reason: string
      /** Null: there are no more attempts. */
      next_attempt_at: number | null
    }
