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
