/** Errors that are thrown to the application: its program or its input is wrong. */

/** The application has not supplied a view that the request needs. It is thrown to the caller: the program is wrong. */
export class MissingViewError extends Error {
  constructor(view: string) {
    super(`No ${view} view: pass interactions.${view} to createProvider()`)
    this.name = 'MissingViewError'
  }
}

/** A client's description is invalid. The message has a line for each fault, with its field. */
export class ClientInputError extends Error {
  readonly faults: readonly { field: string; fault: string }[]

  constructor(faults: readonly { field: string; fault: string }[]) {
    super(faults.map(({ field, fault }) => `${field}: ${fault}`).join('\n'))
    this.name = 'ClientInputError'
    this.faults = faults
  }
}

/** What is asked is not possible for this client. */
export const clientIdFault = (fault: string): ClientInputError =>
  new ClientInputError([{ field: 'client_id', fault }])
