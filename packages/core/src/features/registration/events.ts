/** The events of dynamic client registration (RFC 7591). */

export type RegistrationEvent =
  | { type: 'client.registered'; client_id: string; client_name: string }
  | { type: 'client.registration_reused'; client_id: string }
