/** The events of pushed authorization requests (RFC 9126). */

export interface ParEvent {
  type: 'authorization.pushed'
  client_id: string
}
