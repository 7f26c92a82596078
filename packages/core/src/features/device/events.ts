/** The events of the device authorization grant (RFC 8628). */

export type DeviceEvent =
  | { type: 'device.requested'; client_id: string }
  | {
      type: 'device.approved'
      client_id: string
      sub: string
      grant_id: string
      scopes: string[]
      resource: string | null
    }
  | { type: 'device.refused'; client_id: string; sub: string }
