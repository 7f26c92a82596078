/** The names that dynamic client registration adds (RFC 7591). */

export type RegistrationRouteName = 'oidc.register'

export type RegistrationEvent =
  | { type: 'client.registered'; client_id: string; client_name: string }
  | { type: 'client.registration_reused'; client_id: string }
