/** There is no sign-in, or it cannot be made or used. The message is a sentence that says what to do. */
export class LoginError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'LoginError'
  }
}
