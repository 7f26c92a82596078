/** What to do when a receiver does not take rows. */

const HINTS: Readonly<Record<string, string>> = {
  timeout: 'The receiver gave no answer within 10 seconds: it answers first, and works afterwards.',
  connect_timeout: 'The receiver cannot be reached: check its name, its port, and the firewall between.',
  forbidden_address:
    'The host of the sink has an address that is not public: publish it at a public one, or set allow_private in its entry of audit.sinks.',
  forbidden_scheme: 'Give an https URL in audit.sinks.',
  too_large: 'The answer of the receiver is longer than 16 KiB: an answer needs no body.',
  not_signed: 'No key of the realm can sign: ostiary doctor tells why.',
  status_401:
    'The receiver refuses the signature: compare its secret with the variable that secret_env names.',
  status_404: 'Nothing is at the url of the sink: correct it in audit.sinks.',
  err_invalid_key:
    'The receiver does not know the key: it reads the JWKS of the realm, again when the kid is new.',
  err_invalid_issuer: 'The receiver expects another issuer: add that of the realm there.',
  err_invalid_audience: 'The receiver expects another audience: it is the url of the sink.',
}

/** One sentence. @param reason A code. */
export function hintOf(reason: string): string {
  const known = HINTS[reason]
  if (known !== undefined) return known
  if (reason.startsWith('status_3'))
    return 'The receiver redirects, which is not followed: give its final url.'
  if (reason.startsWith('status_') || reason.startsWith('err_'))
    return 'The receiver has refused the row: its log tells why.'
  return 'The host of the sink cannot be reached: check its name, its port and its certificate.'
}
