/** Plain http is accepted for these hosts only: localhost, 127.0.0.0/8 and ::1. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}
