/** The names that pushed authorization requests add (RFC 9126). */

export type ParRouteName = 'oidc.par'

export interface ParEvent {
  type: 'authorization.pushed'
  client_id: string
}
