/** What a mail says. */
export interface Letter {
  subject: string
  /** The heading in the HTML. */
  title: string
  before: readonly string[]
  /** To be entered, in large letters. */
  code?: string
  button: { text: string; url: string } | null
  after: readonly string[]
}

/** A mail to an address that is, was or may become that of a user. */
export interface AddressMail {
  to: string
  /** The `sub` of the account that it is about. */
  by: string
  /** Where the address is no username, and where it is that of a user. */
  letters: readonly [Letter, Letter]
  /** Epoch seconds. */
  expires_at: number
  /** The limits of mails do not count it: another limit has to bound its number. */
  uncounted?: boolean
}
