import type { Catalog, MessageKey, MessageParameter } from './en.js'
import type { Message, ParameterOf } from './message.js'

/** The same messages where each has the parameters of the English one; otherwise a type that none of them has. */
type WithParametersOfEnglish<Messages> = {
  readonly [Key in keyof Messages]: Key extends MessageKey
    ? Messages[Key] extends Message
      ? [ParameterOf<Messages[Key]>, MessageParameter<Key>] extends [
          MessageParameter<Key>,
          ParameterOf<Messages[Key]>,
        ]
        ? Messages[Key]
        : { parameters: MessageParameter<Key> }
      : never
    : never
}

/** A complete translation: it does not compile when a message is missing, unknown, or has other parameters. */
export const translation = <const Messages extends Readonly<Record<string, Message>>>(
  messages: Messages & WithParametersOfEnglish<Messages> & Catalog,
): Catalog => messages
